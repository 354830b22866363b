package drive

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"duet/internal/fault"
)

// told is what a page says that it is told.
const toldPage = `new Promise(done => navigator.geolocation.getCurrentPosition(p => done([
	p.coords.latitude, p.coords.longitude, navigator.language, Intl.DateTimeFormat().resolvedOptions().timeZone.replace('Calcutta', 'Kolkata'),
	navigator.userAgent, innerWidth, innerHeight, devicePixelRatio, navigator.onLine].join('|')), e => done(e.message)))`

// What is set is told to the page, to tabs that are opened later too, and given back.
func TestEmulate(t *testing.T) {
	site := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<title>t</title><p id=h>%s/%s</p>", r.Header.Get("X-Test"), r.Header.Get("Accept-Language"))
	})
	eachBrowser(t, site, func(t *testing.T, tab *Tab, base string) {
		ctx := deadline(t, 40*time.Second)
		must := func(tab *Tab, set ...string) map[string]string {
			t.Helper()
			e, err := ParseEmulation(set)
			if err != nil {
				t.Fatal(err)
			}
			seen, err := tab.Emulate(ctx, e)
			if err != nil {
				t.Fatalf("%q: %v: %v", set, err, fault.From(err).Err)
			}
			return seen
		}
		if _, err := tab.Navigate(ctx, base, NavOptions{}); err != nil {
			t.Fatal(err)
		}
		before := must(tab, "viewport=", "dpr=")
		defer must(tab, "device=", "locale=", "timezone=", "geolocation=", "header=", "offline=off")
		seen := must(tab, "viewport=390x844", "dpr=3", "locale=de-DE", "timezone=Asia/Kolkata", "user_agent=Mine (A; B)",
			"geolocation=52.5,13.25", "permission=geolocation:granted", "header=X-Test: one", "header=X-Other: two")
		for name, value := range map[string]string{
			"viewport": "390x844", "dpr": "3", "locale": "de-DE", "user_agent": "Mine (A; B)", "permission geolocation": "granted", "header": "X-Test, X-Other",
		} {
			if seen[name] != value {
				t.Errorf("%s is %q, not %q", name, seen[name], value)
			}
		}
		second, err := tab.b.Open(ctx)
		if err != nil {
			t.Fatal(err)
		}
		for _, on := range []*Tab{tab, second} {
			if _, err := on.Navigate(ctx, base, NavOptions{}); err != nil {
				t.Fatal(err)
			}
			told, err := on.Eval(ctx, toldPage)
			if err != nil || string(told.Value) != `"52.5|13.25|de-DE|Asia/Kolkata|Mine (A; B)|390|844|3|true"` {
				t.Errorf("tab %d is told %s, %v", on.Number(), told.Value, err)
			}
			if head, _ := on.Eval(ctx, "h.textContent"); !strings.HasPrefix(string(head.Value), `"one/de-DE`) {
				t.Errorf("the server was sent %s", head.Value)
			}
		}
		must(tab, "offline=on")
		if _, err := tab.Navigate(ctx, base, NavOptions{}); !errors.Is(err, fault.NavigationFailed) {
			t.Errorf("offline it opens: %v", err)
		}
		must(tab, "offline=off")
		if _, err := tab.Navigate(ctx, base, NavOptions{}); err != nil {
			t.Fatal(err)
		}
		after := must(tab, "device=", "header=", "locale=")
		if after["viewport"] != before["viewport"] || after["dpr"] != before["dpr"] || strings.Contains(after["user_agent"], "Mine") || after["locale"] == "de-DE" {
			t.Errorf("given back is %v, and before it was %v", after, before)
		}
		e, _ := ParseEmulation([]string{"color_scheme=dark", "reduced_motion=reduce"})
		seen, err = tab.Emulate(ctx, e)
		if tab.b.quirks.NoMediaFeatures {
			if !errors.Is(err, fault.Unsupported) || !strings.Contains(err.Error(), tab.b.info.Browser) {
				t.Errorf("colours: %v", err)
			}
			return
		}
		if err != nil || seen["color_scheme"] != "dark" || seen["reduced_motion"] != "reduce" {
			t.Errorf("colours: %v, %v", seen, err)
		}
		must(tab, "color_scheme=light", "reduced_motion=")
		must(tab, "color_scheme=")
	})
}

// A printed page is a PDF with as many pages as it says; pages that there are not are
// refused the same way everywhere. A page that prints by itself holds up nothing.
func TestPDF(t *testing.T) {
	eachBrowser(t, site{"/": "<p style='break-after:page'>1</p><p style='break-after:page'>2</p><p>3</p>"}, func(t *testing.T, tab *Tab, base string) {
		ctx := deadline(t, 30*time.Second)
		if _, err := tab.Navigate(ctx, base, NavOptions{}); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			p     Print
			pages int
		}{{Print{}, 3}, {Print{Landscape: true, Scale: 0.5}, 3}, {Print{Pages: []string{"2-3"}}, 2}} {
			paper, err := tab.PDF(ctx, c.p)
			if err != nil || paper.Pages != c.pages || !strings.HasPrefix(string(paper.PDF), "%PDF-") {
				t.Errorf("%+v: %d pages of %s, %v", c.p, paper.Pages, base64.StdEncoding.EncodeToString(paper.PDF[:min(9, len(paper.PDF))]), err)
			}
		}
		for _, pages := range []string{"2-4"} {
			if _, err := tab.PDF(ctx, Print{Pages: []string{pages}}); !errors.Is(err, fault.InvalidArgument) {
				t.Errorf("pages %s: %v", pages, err)
			}
		}
		if out, err := tab.Eval(ctx, "(window.print(), 'on')"); err != nil || string(out.Value) != `"on"` {
			t.Errorf("after window.print(): %s, %v", out.Value, err)
		}
		if _, err := tab.Tree(ctx, TreeOptions{}); err != nil {
			t.Error(err)
		}
	})
}
