package drive

import (
	"strings"
	"testing"
	"testing/synctest"

	"duet/internal/urlmatch"
)

// A link in a file may name any other: its copy is not handed to a caller who may not
// open that one.
func TestAFileThatALinkNamesIsNotHandedOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tab, w := begun(t, "firefox", func(w *wire, c command) {})
		for _, c := range []struct{ url, state, path string }{
			{"file:///etc/secret.zip", downloadRefused, ""},
			{"http://x/a.zip", "complete", "/d/a.zip"},
		} {
			mark := tab.Mark()
			id := strings.TrimLeft(c.url, ":/")
			w.event("browsingContext.downloadWillBegin", `{"context":"t1","navigation":"`+id+`","url":"`+c.url+`","suggestedFilename":"a.zip","timestamp":1}`)
			w.event("browsingContext.downloadEnd", `{"context":"t1","navigation":"`+id+`","url":"`+c.url+`","status":"complete","filepath":"/d/a.zip","timestamp":2}`)
			synctest.Wait()
			f := tab.Since(mark)
			if len(f.Downloads) != 1 || f.Downloads[0].State != c.state || f.Downloads[0].Path != c.path {
				t.Errorf("%s: %+v", c.url, f.Downloads)
			}
		}
	})
}

// What a mock gives to a server to prove who asks is a secret like any other.
func TestCredentialsOfMocksAreSecrets(t *testing.T) {
	tab, _ := begun(t, "chrome", func(w *wire, c command) {
		switch c.Method {
		case "network.addIntercept":
			w.reply(c, `{"intercept":"i1"}`)
		default:
			w.reply(c, `{}`)
		}
	})
	pattern, err := urlmatch.Compile("**/a")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []MockRule{
		{Action: MockContinue, Pattern: pattern, Headers: []MockHeader{{Name: "Authorization", Value: "Bearer MOCKBEARER99"}}},
		{Action: MockAuth, Pattern: pattern, Username: "bob", Password: "MOCKPASS99"},
	} {
		if _, err := tab.b.AddMock(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	for _, shown := range []string{"MOCKBEARER99", "MOCKPASS99", "Basic Ym9iOk1PQ0tQQVNTOTk="} {
		if got := tab.b.Redact("the page says " + shown); strings.Contains(got, strings.TrimPrefix(shown, "Basic ")) {
			t.Errorf("%q", got)
		}
	}
}
