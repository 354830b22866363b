package drive

import (
	"strings"
	"testing"
	"time"
)

func TestWhatAnActionCausedIsWaitedForAndNothingElse(t *testing.T) {
	eachBrowser(t, causePages(), func(t *testing.T, tab *Tab, base string) {
		tab.Observe(true)
		open(t, tab, base+"/")
		if _, err := tab.Tree(deadline(t, 5*time.Second), TreeOptions{}); err != nil {
			t.Fatal(err)
		}
		if f := click(t, tab, "#nothing"); f.Waited > 150*time.Millisecond || f.Navigated {
			t.Errorf("nothing: %+v", f)
		}
		click(t, tab, "#dom")
		if f := click(t, tab, "#fetch"); f.Pending != 0 || f.Unsettled {
			t.Errorf("fetch: %+v", f)
		}
		tree, err := tab.Tree(deadline(t, 5*time.Second), TreeOptions{})
		if err != nil || !strings.Contains(dump(tree), "fetched") {
			t.Errorf("fetch: %v\n%s", err, dump(tree))
		}
		if f := click(t, tab, "#err"); f.Errors != 2 {
			t.Errorf("errors: %+v", f)
		}
		if f := click(t, tab, "#push"); !f.SameDocument || f.Navigated || f.URL != base+"/pushed" {
			t.Errorf("push: %+v", f)
		}
		if f := click(t, tab, "#none"); f.Navigated || f.Aborted != "no content" {
			t.Errorf("204: %+v", f)
		}
		if f := click(t, tab, "#file"); f.Navigated || len(f.Downloads) != 1 {
			t.Errorf("download: %+v", f)
		}
		if f := click(t, tab, "#fast"); !f.Navigated || f.URL != base+"/b" {
			t.Errorf("link: %+v", f)
		}
		tree, err = tab.Tree(deadline(t, 5*time.Second), TreeOptions{})
		if err != nil || !strings.Contains(dump(tree), `heading "B"`) {
			t.Errorf("link: %v\n%s", err, dump(tree))
		}
		for i := range 5 {
			open(t, tab, base+"/")
			if f := click(t, tab, "#sub"); !f.Navigated || f.URL != base+"/b?" {
				t.Errorf("form, round %d: %+v", i, f)
			}
		}
		open(t, tab, base+"/")
		if f := click(t, tab, "#go"); !f.Navigated || f.URL != base+"/slow" {
			t.Errorf("slow link: %+v", f)
		}
	})
}

// A page that a fill leads away a task later is another page in the fill's answer.
func TestAFillThatLeadsAway(t *testing.T) {
	page := site{
		"/":  `<!doctype html><html lang="en"><title>A</title><input id="reload" aria-label="Reload"><input id="leave" aria-label="Leave"><script>reload.oninput = () => setTimeout(() => location.reload(), 0); leave.oninput = () => setTimeout(() => { location.href = '/b' }, 0)</script></html>`,
		"/b": `<!doctype html><html lang="en"><title>B</title><h1>B</h1></html>`,
	}
	eachBrowser(t, page, func(t *testing.T, tab *Tab, base string) {
		tab.Observe(true)
		for range 5 {
			for selector, leads := range map[string]string{"#reload": "/", "#leave": "/b"} {
				open(t, tab, base+"/")
				e, err := tab.Element(deadline(t, 5*time.Second), selector)
				if err != nil {
					t.Fatal(err)
				}
				r, err := e.Fill(deadline(t, 5*time.Second), "x", FillOptions{})
				if err != nil || !r.Facts.Navigated || r.Facts.URL != base+leads {
					t.Errorf("%s: %+v, %s", selector, r.Facts, explain(err))
				}
			}
		}
	})
}
