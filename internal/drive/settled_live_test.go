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
