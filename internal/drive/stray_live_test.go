package drive

import (
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"duet/internal/fault"
)

// A document that is still loading does not end in the name of what comes after it: a
// download is one, and a server that never answers is a timeout, behind it too.
func TestNavigateAwayFromWhatStillLoads(t *testing.T) {
	site := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/file":
			w.Header().Set("Content-Disposition", "attachment; filename=a.txt")
			fmt.Fprint(w, "text")
		case "/slow":
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<title>slow</title><p>begun")
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		case "/dead":
			<-r.Context().Done()
		default:
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<title>page</title>")
		}
	})
	eachBrowser(t, site, func(t *testing.T, tab *Tab, base string) {
		if _, err := tab.Navigate(deadline(t, 10*time.Second), base+"/", NavOptions{}); err != nil {
			t.Fatal(err)
		}
		slow := func() {
			_, _ = tab.Navigate(deadline(t, 1200*time.Millisecond), base+"/slow", NavOptions{}) // it may be told as it likes
		}
		slow()
		r, err := tab.Navigate(deadline(t, 8*time.Second), base+"/file", NavOptions{})
		if err != nil || r.Outcome != Downloading {
			t.Errorf("a download: %+v, %v", r, err)
		}
		slow()
		for range 2 {
			if r, err := tab.Navigate(deadline(t, 1200*time.Millisecond), base+"/dead", NavOptions{}); !errors.Is(err, fault.Timeout) {
				t.Errorf("a server that does not answer: %+v, %v", r, err)
			}
		}
		if r, err := tab.Navigate(deadline(t, 8*time.Second), base+"/?after", NavOptions{}); err != nil || r.Outcome != Loaded || r.URL != base+"/?after" {
			t.Errorf("the page after: %+v, %v", r, err)
		}
	})
}
