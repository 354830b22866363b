//go:build linux

package browsers

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"duet/internal/env"
)

// benchDir holds the pages of the comparison with other servers.
const benchDir = "../../../shared/bench/pages"

// mostMaps is how many pages may have different maps, each for a reason.
const mostMaps = 9

// Each page reads the same on both browsers, if it loads without a step. One that
// does not stands in expect/maps.txt, with its reason, and one that stands there
// and reads the same fails too.
func TestMapsAreTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("live suite: -short")
	}
	if *only != "" {
		t.Skip("live suite: one browser alone compares nothing")
	}
	origins := caseOrigins(t)
	pages := mapPages(t, origins["MAIN"])
	known := mapExpectations(t, pages)
	var on []setup
	for _, name := range []string{"chrome", "firefox-geckodriver"} {
		at := slices.IndexFunc(setups, func(s setup) bool { return s.name == name })
		if lacks := setups[at].missing(); lacks != "" {
			if env.CI.Set() {
				t.Fatalf("live suite: %s is not installed, and CI must have it", lacks)
			}
			t.Skipf("live suite SKIPPED: %s is not installed", lacks)
		}
		on = append(on, setups[at])
	}
	maps := []map[string]string{mapsOn(t, on[0], pages, 0), mapsOn(t, on[1], pages, 0)}
	// What a timer adds may be there on one of them only: those are read again, later.
	if again := slices.DeleteFunc(slices.Clone(pages), func(p mapPage) bool { return maps[0][p.name] == maps[1][p.name] }); len(again) > 0 {
		for i, s := range on {
			later := mapsOn(t, s, again, 2*time.Second)
			for _, p := range again {
				maps[i][p.name] = later[p.name]
			}
		}
	}
	compared := 0
	for _, p := range pages {
		one, other := maps[0][p.name], maps[1][p.name]
		reason := known[p.name]
		switch {
		case one == "" || other == "":
			continue
		case one == other && reason != "":
			t.Errorf("%s reads the same now: take its line out of expect/maps.txt (%s)", p.name, reason)
		case one != other && reason == "":
			t.Errorf("%s: one browser says\n%s\n\nthe other\n%s", p.name, one, other)
		}
		compared++
	}
	t.Logf("%d of %d pages load without a step; %d of them are known to differ", compared, len(pages), len(known))
	if compared < len(pages)*3/4 {
		t.Errorf("only %d of %d pages were compared", compared, len(pages))
	}
}

// mapPage is a page under the name that the list of expectations has for it.
type mapPage struct{ name, url string }

func mapPages(t *testing.T, cases string) []mapPage {
	t.Helper()
	bench := httptest.NewServer(http.FileServer(http.Dir(benchDir)))
	t.Cleanup(bench.Close)
	own := site(t)
	var pages []mapPage
	add := func(dir, pattern, base string) {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil || len(found) == 0 {
			t.Fatalf("no pages in %s: %v", dir, err)
		}
		for _, file := range found {
			rel, err := filepath.Rel(dir, file)
			if err != nil {
				t.Fatal(err)
			}
			rel = filepath.ToSlash(rel)
			address := base + "/" + rel
			if path.Base(rel) == "index.html" {
				address = strings.TrimSuffix(address, "index.html")
			}
			pages = append(pages, mapPage{path.Base(filepath.ToSlash(dir)) + "/" + rel, address})
		}
	}
	add("pages", "*.html", own)
	add(casesDir, "[0-9]*/*.html", cases)
	add(benchDir, "*.html", bench.URL)
	return pages
}

func mapExpectations(t *testing.T, pages []mapPage) map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("expect", "maps.txt"))
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]string{}
	for line := range strings.Lines(string(text)) {
		name, reason, ok := strings.Cut(strings.TrimSpace(line), " › ")
		if !ok || !slices.ContainsFunc(pages, func(p mapPage) bool { return p.name == name }) {
			t.Errorf("expect/maps.txt: no page in %q", line)
		}
		known[name] = reason
	}
	if len(known) > mostMaps {
		t.Errorf("expect/maps.txt has %d pages, more than %d", len(known), mostMaps)
	}
	return known
}

// mapsOn reads all pages on one browser; a page that needs a step has no map.
func mapsOn(t *testing.T, s setup, pages []mapPage, after time.Duration) map[string]string {
	t.Helper()
	maps := map[string]string{}
	var c *client
	for _, p := range pages {
		if c == nil {
			c = serve(t, s)
		}
		text, whole := readMap(c, p.url, after)
		maps[p.name] = text
		if !whole {
			c.close()
			c = nil
		}
	}
	if c != nil {
		c.close()
	}
	return maps
}

// readMap opens a page and reads it until two readings say the same. whole is
// false where the browser is better started anew.
func readMap(c *client, url string, after time.Duration) (text string, whole bool) {
	if r := c.call("browser_navigate", map[string]any{"url": url, "leave": true, "timeout_ms": 8000}); r.IsError {
		return "", false
	} else if strings.Contains(r.Text, "dialog open") {
		return "", false
	}
	<-time.After(after)
	for range 6 {
		r := c.call("browser_snapshot", nil)
		if r.IsError {
			return "", false
		}
		if r.Text == text {
			return plainMap(text), true
		}
		if text != "" && after > 0 {
			return "", true // it never stands still, such as a clock
		}
		text = r.Text
		<-time.After(after)
	}
	return "", true
}

var (
	mapRef    = regexp.MustCompile(`(?m)(^ *|scope=)(e[0-9]+)\b`)
	mapScroll = regexp.MustCompile(`\d+\.\d screens`) // lines are not as high in every browser's font
	mapEpoch  = regexp.MustCompile(`(?m)^(page: .*)  epoch \d+`)
)

// plainMap is a map without ports and heights, with its refs counted from one.
func plainMap(text string) string {
	refs := map[string]string{}
	text = mapRef.ReplaceAllStringFunc(text, func(s string) string {
		m := mapRef.FindStringSubmatch(s)
		if refs[m[2]] == "" {
			refs[m[2]] = fmt.Sprintf("e%d", len(refs)+1)
		}
		return m[1] + refs[m[2]]
	})
	text = mapScroll.ReplaceAllString(text, "N screens")
	return normal(mapEpoch.ReplaceAllString(text, "$1"))
}
