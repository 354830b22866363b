package drive

import (
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"duet/internal/fault"
)

func outcomes() http.Handler {
	mux := http.NewServeMux()
	page := func(path, body string) {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, body)
		})
	}
	page("/{$}", `<title>Start</title><h1>Start</h1><p id=two>Two</p>`)
	page("/b", `<title>B</title><h1>B</h1>`)
	page("/leaves", `<title>L</title><script>setTimeout(() => { location = '/b' }, 700)</script>`)
	page("/alert", `<title>A</title><script>alert('Maintenance')</script><h1>Welcome</h1>`)
	page("/slow-image", `<title>Slow</title><h1>Slow</h1><img src=/image>`)
	mux.HandleFunc("/image", func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	mux.HandleFunc("/hang", func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	mux.HandleFunc("/204", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(204) })
	mux.HandleFunc("/404", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(404) })
	mux.HandleFunc("/500", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(500)
		fmt.Fprint(w, "<title>Oops</title><h1>Broken</h1>")
	})
	mux.HandleFunc("/401", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
		w.WriteHeader(401)
		fmt.Fprint(w, "<h1>No</h1>")
	})
	mux.HandleFunc("/file", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Disposition", `attachment; filename="report.bin"`)
		fmt.Fprint(w, "hello")
	})
	mux.HandleFunc("/to-file", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/file", 302) })
	mux.HandleFunc("/to-b", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/b", 302) })
	return mux
}

func TestNavigationHasAnOutcomeForEverythingThatAServerAnswers(t *testing.T) {
	eachBrowser(t, outcomes(), func(t *testing.T, tab *Tab, base string) {
		for _, c := range []struct {
			path, outcome, url, ready string
			status                    int
			code                      fault.Code
			navigated                 bool
		}{
			{"/", Loaded, "/", "complete", 200, "", true},
			{"/#two", SameDocument, "/#two", "complete", 0, "", false},
			{"/#two", SameDocument, "/#two", "complete", 0, "", false},
			{"/b", Loaded, "/b", "complete", 200, "", true},
			{"/to-b", Loaded, "/b", "complete", 200, "", true},
			{"/204", NoContent, "/b", "complete", 204, "", false},
			{"/file", Downloading, "/b", "complete", 0, "", false},
			{"/to-file", Downloading, "/b", "complete", 0, "", false},
			{"/500", Loaded, "/500", "complete", 500, "", true},
			{"/404", "", "", "", 404, fault.NavigationFailed, true},
			{"/b", Loaded, "/b", "complete", 200, "", true},
			{"/401", "", "", "", 401, fault.NavigationFailed, true},
			{"/slow-image", Loaded, "/slow-image", "interactive", 200, "", true},
			{"/b", Loaded, "/b", "complete", 200, "", true},
		} {
			start := time.Now()
			r, err := tab.Navigate(deadline(t, 5*time.Second), base+c.path, NavOptions{})
			took := time.Since(start)
			t.Logf("%s: %+v %v %v", c.path, r, err, took.Round(time.Millisecond))
			if c.code != "" {
				if !errors.Is(err, c.code) {
					t.Errorf("%s: %v, want %s", c.path, err, c.code)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s: %v", c.path, err)
				continue
			}
			if r.Outcome != c.outcome || r.URL != base+c.url || r.Ready != c.ready || c.status != 0 && r.Status != c.status || r.Facts.Navigated != c.navigated {
				t.Errorf("%s: got %s %s %s %d navigated=%v, want %+v", c.path, r.Outcome, r.URL, r.Ready, r.Status, r.Facts.Navigated, c)
			}
		}
	})
}

func TestANavigationThatFailsSaysWhy(t *testing.T) {
	eachBrowser(t, outcomes(), func(t *testing.T, tab *Tab, base string) {
		for _, c := range []struct {
			url  string
			code fault.Code
		}{
			{"http://127.0.0.1:1/", fault.NavigationFailed},
			{"http://no-such-host.invalid/", fault.NavigationFailed},
			{"notaurl", fault.InvalidArgument},
			{"javascript:1", fault.URLBlocked},
			{"foo://bar", fault.NavigationFailed},
		} {
			_, err := tab.Navigate(deadline(t, 5*time.Second), c.url, NavOptions{})
			t.Logf("%s: %v", c.url, err)
			if !errors.Is(err, c.code) {
				t.Errorf("%s: %v, want %s", c.url, err, c.code)
			}
		}
		start := time.Now()
		_, err := tab.Navigate(deadline(t, 700*time.Millisecond), base+"/hang", NavOptions{})
		took := time.Since(start)
		t.Logf("hang: %v %v", err, took)
		if !errors.Is(err, fault.Timeout) || took > 1200*time.Millisecond {
			t.Errorf("hang: %v after %v, want TIMEOUT after 0.7 s", err, took)
		}
		if _, err := tab.Navigate(deadline(t, 5*time.Second), base+"/b", NavOptions{}); err != nil {
			t.Errorf("after a hang: %v", err)
		}
	})
}

// A navigation that the page's own takes the place of ends with it, and is not said to
// have got what was asked for.
func TestANavigationThatThePageGoesPastIsNotWaitedFor(t *testing.T) {
	eachBrowser(t, outcomes(), func(t *testing.T, tab *Tab, base string) {
		if _, err := tab.Navigate(deadline(t, 5*time.Second), base+"/leaves", NavOptions{}); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		out, err := tab.Navigate(deadline(t, 4*time.Second), base+"/hang", NavOptions{})
		f := fault.From(err)
		if errors.Is(err, fault.Timeout) && out.URL == base+"/leaves" {
			return // here a page that nobody used gets nowhere while the browser goes elsewhere
		}
		if !errors.Is(err, fault.NavigationFailed) || f.Effect != fault.Possible || out.URL != base+"/b" || time.Since(began) > 5*time.Second {
			t.Errorf("after %v at %s: %v (%v)", time.Since(began).Round(time.Millisecond), out.URL, err, f)
		}
		if _, err := tab.Navigate(deadline(t, 5*time.Second), base+"/", NavOptions{}); err != nil {
			t.Error(err)
		}
	})
}
