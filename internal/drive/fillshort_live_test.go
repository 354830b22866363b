package drive

import (
	"testing"
	"time"
)

// A text that is shorter than its field asks for holds up the form on every browser, as
// it does where a person types it; alone, before others of a batch, and with Enter.
func TestLiveFillShorterThanTheFieldAsksFor(t *testing.T) {
	page := `<form action="/sent"><input id=a minlength=5 required><input id=b minlength=3><textarea id=c minlength=4></textarea><button>Send</button></form>`
	eachBrowser(t, site{"/": page, "/sent": "<h1>Sent</h1>"}, func(t *testing.T, tab *Tab, base string) {
		ctx := deadline(t, 25*time.Second)
		open(t, tab, base+"/")
		fill := func(selector, value string, o FillOptions) FilledIn {
			t.Helper()
			el, err := tab.Element(ctx, selector)
			if err != nil {
				t.Fatal(err)
			}
			out, err := el.Fill(ctx, value, o)
			if err != nil || out.Value != value {
				t.Fatalf("%s: %+v %v", selector, out, err)
			}
			return out
		}
		short := func(selector string, want bool) {
			t.Helper()
			n, err := tab.Count(ctx, selector+":invalid")
			if err != nil || (n == 1) != want {
				t.Errorf("%s is too short: %v %v, want %v", selector, n == 1, err, want)
			}
		}
		fill("#a", "Ada", FillOptions{})
		short("#a", true)
		fill("#b", "xY", FillOptions{Skip: true})
		short("#b", true)
		fill("#c", "z\n", FillOptions{}) // ends in what is no key of its own
		fill("#c", "", FillOptions{})
		short("#c", false)
		if f := fill("#a", "Al", FillOptions{Submit: true}).Facts; f.Refused == nil || f.Refused.Told[0].Text == "" {
			t.Errorf("it was sent: %+v", f)
		}
		fill("#a", "Ada Lovelace", FillOptions{})
		short("#a", false)
		fill("#b", "xyz", FillOptions{})
		fill("#a", "Ada L", FillOptions{Submit: true})
		if n, err := tab.Count(ctx, "text=Sent"); err != nil || n != 1 {
			t.Errorf("it was not sent: %d %v", n, err)
		}
	})
}
