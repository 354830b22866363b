package drive

import (
	"strings"
	"testing"
	"time"
)

// The format that a page asks for is told on every browser.
func TestInvalidFormatIsTold(t *testing.T) {
	page := `<form><label>Code <input pattern="[A-Z]{3}" title="three capitals" value=a></label><button>Send</button></form>`
	eachBrowser(t, site{"/": page}, func(t *testing.T, tab *Tab, base string) {
		ctx := deadline(t, 25*time.Second)
		open(t, tab, base+"/")
		el, err := tab.Element(ctx, "text=Send")
		if err != nil {
			t.Fatal(err)
		}
		out, err := el.Click(ctx, ClickOptions{})
		if f := out.Facts.Refused; err != nil || f == nil || len(f.Told) != 1 || !strings.HasSuffix(f.Told[0].Text, ": three capitals.") {
			t.Errorf("%+v %v", f, err)
		}
	})
}

// What a submission finds not valid is told with what the browser says of it, each
// time, by a press as by a key; what is valid by then, or was only asked about by a
// script, is not. A secret that is filled in is not said again.
func TestInvalidIsTold(t *testing.T) {
	page := `<form action="/sent" id=f><label>Name <input name=n required></label><label>Mail <input type=email name=m></label>
<label>Code <input type=password id=c name=c pattern="[0-9]+"></label><button>Send</button></form>
<button id=ask onclick="setTimeout(()=>document.getElementById('f').checkValidity(),400)">Ask later</button>`
	eachBrowser(t, site{"/": page, "/sent": "<h1>Sent</h1>"}, func(t *testing.T, tab *Tab, base string) {
		ctx := deadline(t, 25*time.Second)
		if _, err := tab.Navigate(ctx, base, NavOptions{}); err != nil {
			t.Fatal(err)
		}
		press := func(selector string) Facts {
			t.Helper()
			el, err := tab.Element(ctx, selector)
			if err != nil {
				t.Fatal(err)
			}
			out, err := el.Click(ctx, ClickOptions{})
			if err != nil {
				t.Fatal(err)
			}
			return out.Facts
		}
		enter := func(selector, value string, submit bool) Facts {
			t.Helper()
			el, err := tab.Element(ctx, selector)
			if err != nil {
				t.Fatal(err)
			}
			out, err := el.Fill(ctx, value, FillOptions{Submit: submit})
			if err != nil {
				t.Fatal(err)
			}
			return out.Facts
		}
		for range 2 {
			f := press("text=Send")
			if f.Refused == nil || len(f.Refused.Told) != 1 || f.Refused.More != 0 {
				t.Fatalf("%+v", f.Refused)
			}
			if c := f.Refused.Told[0]; !strings.HasPrefix(c.Line, `textbox "Name"`) || c.Text == "" {
				t.Errorf("%+v", c)
			}
		}
		enter("label=Mail", "nobody", false)
		if f := enter("label=Code", "hunter", true); f.Refused == nil || len(f.Refused.Told) != 3 || f.Refused.Told[2].Text != "" {
			t.Errorf("by a key: %+v", f.Refused)
		}
		if f := press("#ask"); f.Refused != nil {
			t.Errorf("a script asks later: %+v", f.Refused)
		}
		pause(ctx, 600*time.Millisecond)
		if f := enter("label=Name", "Ada", false); f.Refused != nil {
			t.Errorf("a script asked: %+v", f.Refused)
		}
		enter("label=Mail", "a@b.c", false)
		enter("label=Code", "12", false)
		if f := press("text=Send"); f.Refused != nil || !f.Navigated {
			t.Errorf("valid: %+v", f)
		}
	})
}
