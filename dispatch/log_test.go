package dispatch

import "testing"

func TestAddressesShowNoSecrets(t *testing.T) {
	for in, want := range map[string]string{
		"https://a.test/x?q=1&access_token=abc#t":      "https://a.test/x?q=1&access_token=•••#t",
		"see https://a.test/?apiKey=k1 and ?page=2":    "see https://a.test/?apiKey=••• and ?page=2",
		"https://u:p@a.test/":                          "https://•••@a.test/",
		"https://a.test/cb#id_token=eyJ&state=xy":      "https://a.test/cb#id_token=•••&state=xy",
		"https://a.test/?sid=1;session=2&password=&b=": "https://a.test/?sid=•••;session=•••&password=&b=",
		"a = b; c=d":     "a = b; c=d",
		"mail me@a.test": "mail me@a.test",
	} {
		if got := MaskQuery(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
