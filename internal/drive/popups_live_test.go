package drive

import "testing"

// The tab that a browser starts with is no popup of a page, whatever is asked first.
func TestTheFirstTabIsNoPopup(t *testing.T) {
	eachBrowser(t, dialogPages, func(t *testing.T, tab *Tab, base string) {
		open(t, tab, base+"/other")
		for _, p := range tab.Since(Mark{}).Popups {
			if p.Tab == 1 {
				t.Errorf("a popup: %+v", p)
			}
		}
	})
}
