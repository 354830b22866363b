package drive

import (
	"errors"
	"strings"
	"testing"

	"duet/internal/fault"
)

// The request of a navigation that the browser itself refuses is in the list, once, and so
// is one that found nobody.
func TestLiveARefusedNavigationIsInTheList(t *testing.T) {
	onPage(t, `<p>page</p>`, func(t *testing.T, p *page) {
		for address, reason := range map[string]string{"http://127.0.0.1:6000/refused": "the port is not allowed", "http://127.0.0.1:2/nobody": "", "http://nowhere.invalid/x": ""} {
			before := p.tab.b.Requests(RequestFilter{Limit: 1}).Cursor
			_, err := p.tab.Navigate(p.ctx(), address, NavOptions{})
			if !errors.Is(err, fault.NavigationFailed) {
				t.Fatalf("%s: %s", address, explain(err))
			}
			list := p.tab.b.Requests(RequestFilter{After: before})
			var of []Request
			for _, r := range list.Requests {
				if r.URL == address {
					of = append(of, r)
				}
			}
			if len(of) != 1 || of[0].State != RequestFailed || of[0].Type != TypeDocument || !of[0].Top || !strings.Contains(of[0].Reason, reason) {
				t.Errorf("%s: %+v", address, of)
			}
		}
	})
}
