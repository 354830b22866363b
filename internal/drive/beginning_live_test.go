package drive

import (
	"errors"
	"net/http/httptest"
	"testing"
	"time"

	"duet/internal/fault"
)

// The first page of a tab is where its history ends: of a tab that was there from the
// start, and of one that was opened.
func TestLiveThereIsNothingBeforeTheFirstPage(t *testing.T) {
	pages := site{"/": "<p>one</p>", "/b": "<p>two</p>"}
	eachBrowser(t, pages, func(t *testing.T, opened *Tab, base string) {
		walkBack(t, opened, base)
	})
	for _, name := range []string{"chrome", "firefox", "firefox-bare"} {
		t.Run("started "+name, func(t *testing.T) {
			server := httptest.NewServer(pages)
			defer server.Close()
			first, err := fresh(t, name, nil).Tab(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			walkBack(t, first, server.URL)
		})
	}
}

func walkBack(t *testing.T, tab *Tab, base string) {
	t.Helper()
	back := func(want string) {
		t.Helper()
		r, err := tab.Back(deadline(t, 5*time.Second), NavOptions{})
		switch {
		case want == "":
			if !errors.Is(err, fault.StateInvalid) || fault.From(err).Effect != fault.None {
				t.Errorf("back on the first page: %+v, %s", r, explain(err))
			}
		case err != nil || tab.URL() != want:
			t.Errorf("back to %s: shows %s, %s", want, tab.URL(), explain(err))
		}
	}
	open(t, tab, base+"/")
	back("")
	open(t, tab, base+"/b")
	open(t, tab, base+"/#c")
	back(base + "/b")
	back(base + "/")
	back("")
	if tab.URL() != base+"/" {
		t.Errorf("shows %s after it was refused", tab.URL())
	}
	open(t, tab, base+"/#d")
	back(base + "/")
	back("")
	open(t, tab, "about:blank") // asked for, it is a page as any
	open(t, tab, base+"/b")
	back("about:blank")
}
