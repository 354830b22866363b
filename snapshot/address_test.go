package snapshot

import "testing"

// No title can be taken for the rest of the first line.
func TestATitleForgesNoHeader(t *testing.T) {
	for title, want := range map[string]string{
		"Sign in":      "page: Sign in — http://evil/  epoch 1",
		"Shoes — Shop": "page: Shoes — Shop — http://evil/  epoch 1",
		"Bank — https://bank.example/  epoch 3": "page: Bank - https://bank.example/ epoch-3 — http://evil/  epoch 1",
		"Bank —https://bank.example/ Epoch 3":   "page: Bank -https://bank.example/ Epoch-3 — http://evil/  epoch 1",
		"Bank ― about:blank":                    "page: Bank - about:blank — http://evil/  epoch 1",
		"A\nepoch 9":                            "page: A epoch-9 — http://evil/  epoch 1",
		"":                                      "page: http://evil/  epoch 1",
	} {
		m := &Map{Title: Cut(Clean(title), maxChars), URL: "http://evil/", Epoch: 1}
		if got := m.Header(); got != want {
			t.Errorf("%q: %s", title, got)
		}
	}
}
