package drive

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"duet/internal/fault"
)

// What a selector gets wrong is told so that the next call is right: which step finds
// nothing, how another tool's writing is written here, and what words alone are.
func TestLiveMistakenSelectors(t *testing.T) {
	page := `<ul><li>Tea pot <button>Add</button></li><li>Mug <button>Add</button></li></ul><button>Place order</button>`
	eachBrowser(t, site{"/": page}, func(t *testing.T, tab *Tab, base string) {
		ctx := deadline(t, 25*time.Second)
		open(t, tab, base+"/")
		for selector, want := range map[string][2]string{
			"role=list[name=None] >> text=Add":  {"nothing on the page, nor does role=list[name=None]", ""},
			"li >> text=Remove":                 {`"li >> text=Remove" matches nothing on the page`, ""},
			`li:has-text("Mug") button`:         {"not a valid selector", `write xpath=//li[contains(., "Mug")]//button`},
			`getByRole('button', {name:'Add'})`: {"not a valid selector", `write role=button[name*="Add"]`},
			"[ref=e9]":                          {"matches nothing", "write e9"},
			"@e9":                               {"not a valid selector", "write e9"},
			"Unheard of":                        {"matches nothing", "write text=Unheard of"},
		} {
			_, err := tab.Element(ctx, selector)
			f := fault.From(err)
			if f == nil || !strings.Contains(f.Message, want[0]) || strings.Contains(f.Message, ", nor") != strings.Contains(want[0], ", nor") || !strings.Contains(f.Hint, want[1]) {
				t.Errorf("%s: %v, hint %q", selector, f, f.Hint)
			}
		}
		short, stop := context.WithTimeout(ctx, 300*time.Millisecond)
		defer stop()
		if _, err := tab.Wait(short, WaitSpec{Selector: "Order sent"}); !errors.Is(err, fault.Timeout) || !strings.Contains(fault.From(err).Hint, "kind") {
			t.Errorf("%v", fault.From(err))
		}
		soon, stop := context.WithTimeout(ctx, 300*time.Millisecond)
		defer stop()
		if _, err := tab.Wait(soon, WaitSpec{Selector: "load"}); !errors.Is(err, fault.Timeout) || !strings.HasSuffix(fault.From(err).Hint, fault.Call("browser_wait", "kind", "load")) {
			t.Errorf("%v, hint %q", err, fault.From(err).Hint)
		}
	})
}

// A legend names what stands in its box, and nothing that comes after it.
func TestLiveWhereOneOfSeveralStands(t *testing.T) {
	page := `<h1>Order</h1><fieldset><legend>Plan</legend><button>Send</button></fieldset><button>Send</button>`
	eachBrowser(t, site{"/": page}, func(t *testing.T, tab *Tab, base string) {
		ctx := deadline(t, 25*time.Second)
		open(t, tab, base+"/")
		e, err := tab.Element(ctx, "text=Send")
		if err == nil {
			_, err = e.Click(ctx, ClickOptions{})
		}
		if f := fault.From(err); !errors.Is(err, fault.Ambiguous) || !strings.Contains(f.Message, `button "Send" (in "Plan"); `) || !strings.HasSuffix(f.Message, `button "Send" (in "Order")`) {
			t.Errorf("%v", err)
		}
	})
}

// An address without a scheme is completed as what it looks like.
func TestAnAddressWithoutAScheme(t *testing.T) {
	for address, want := range map[string]string{
		"/srv/page.html": "such as file:///srv/page.html", "//host/a": "such as http://host/a", "host/a": "such as http://host/a",
	} {
		if _, err := judged(t.Context(), address); !errors.Is(err, fault.InvalidArgument) || !strings.HasSuffix(fault.From(err).Hint, want) {
			t.Errorf("%s: %v, hint %q", address, err, fault.From(err).Hint)
		}
	}
}

// What waiting does not change is answered long before the deadline, with what to do
// instead: a read-only field, an option of a closed list, one that is disabled.
func TestLiveWhatStaysIsToldSoon(t *testing.T) {
	page := `<label>Date <input readonly></label><label>Fruit <select><option>Apple<option>Banana<option disabled>Cherry</select></label><div role=slider tabindex=0 aria-label=Volume>5</div>`
	eachBrowser(t, site{"/": page}, func(t *testing.T, tab *Tab, base string) {
		ctx := deadline(t, 25*time.Second)
		open(t, tab, base+"/")
		for name, c := range map[string]struct {
			selector string
			code     error
			hint     string
			do       func(e *Element) error
		}{
			"read-only": {"label=Date", fault.NotEditable, "browser_click", func(e *Element) error { _, err := e.Fill(ctx, "1", FillOptions{}); return err }},
			"option":    {"text=Banana", fault.NotVisible, "LIST", func(e *Element) error { _, err := e.Click(ctx, ClickOptions{}); return err }},
			"disabled":  {"label=Fruit", fault.NotEnabled, "another", func(e *Element) error { _, err := e.Select(ctx, Choice{Any: []string{"Cherry"}}); return err }},
			"list":      {"label=Fruit", fault.NotEditable, "Banana", func(e *Element) error { _, err := e.Fill(ctx, "Banana", FillOptions{}); return err }},
			"slider":    {"role=slider", fault.NotEditable, "ArrowRight", func(e *Element) error { _, err := e.Fill(ctx, "9", FillOptions{}); return err }},
		} {
			e, err := tab.Element(ctx, c.selector)
			if err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			err = c.do(e)
			if f := fault.From(err); !errors.Is(err, c.code) || !strings.Contains(f.Hint, c.hint) || time.Since(start) > 2*time.Second {
				t.Errorf("%s: %v, hint %q, after %v", name, f, f.Hint, time.Since(start))
			}
		}
	})
}

// What is not there yet is not there, and that the page says it is still at work is told
// with it; a progress that stands still says nothing of the kind.
func TestLiveNotThereYet(t *testing.T) {
	for body, want := range map[string]string{
		`<div role=progressbar aria-label=Loading style="width:20px;height:20px"></div>`:                  `progressbar "Loading"`,
		`<main aria-busy=true>Wait</main>`:                                                                "still at work",
		`<div role=progressbar aria-label=Profile aria-valuenow=60 style="width:20px;height:20px"></div>`: "see what is there",
	} {
		onPage(t, body, func(t *testing.T, p *page) {
			_, err := p.tab.Element(p.ctx(), "text=Missing")
			if f := fault.From(err); f == nil || f.Code != fault.NoMatch || !strings.Contains(f.Hint, want) {
				t.Errorf("%s: %s", body, explain(err))
			}
		})
	}
}

// The text of an element is what is seen of it, in shadow roots too, a line for each
// block.
func TestLiveTextInShadowRoots(t *testing.T) {
	page := `<div id=all><p>Before</p><my-card><b>slotted</b></my-card></div><script>customElements.define('my-card',class extends HTMLElement{constructor(){super();this.attachShadow({mode:'open'}).innerHTML='<p>Inside <i>out</i></p><p style="display:none">Hidden</p><slot></slot>'}})</script>`
	eachBrowser(t, site{"/": page}, func(t *testing.T, tab *Tab, base string) {
		ctx := deadline(t, 25*time.Second)
		open(t, tab, base+"/")
		for selector, want := range map[string]string{"my-card": "Inside out\nslotted", "#all": "Before\nInside out\nslotted", "p": "Before"} {
			e, err := tab.Element(ctx, selector)
			if err != nil {
				t.Fatal(err)
			}
			r, err := e.Text(ctx, 1000)
			if err != nil || r.Text != want {
				t.Errorf("%s: %q, %v", selector, r.Text, err)
			}
		}
	})
}
