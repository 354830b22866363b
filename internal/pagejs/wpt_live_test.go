package pagejs_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-json"

	"duet/internal/golden"
)

// wpt is the folder of web-platform-tests pages: beside the repository, read
// and never copied.
const wpt = "../../../shared/wpt"

// wptReasons says of each page with a check that fails why it does.
const wptReasons = "../../conformance/browsers/expect/wpt.txt"

// The shares of checks that must hold: of the settled ones, and of the tentative.
const (
	wptSettled   = 0.99
	wptTentative = 58
)

type wptManifest struct {
	Pages []struct {
		Path      string `json:"path"`
		Tentative bool   `json:"tentative"`
		Selectors []struct {
			Kind     string `json:"kind"`
			Selector string `json:"selector"`
		} `json:"selectors"`
		Labels   int `json:"label_checks"`
		Roles    int `json:"role_checks"`
		Generics int `json:"generic_role_checks"`
	} `json:"pages"`
}

type computed struct{ Role, Name, Label, Want string }

var wptSpace = regexp.MustCompile(`[\t\n\f\r ]+`)

// fold is the manifest's rule for names.
func fold(s string) string {
	s = wptSpace.ReplaceAllString(s, " ")
	return strings.TrimSuffix(strings.TrimPrefix(s, " "), " ")
}

// The map's own roles and names against the web-platform-tests. Each check that
// fails is listed in testdata/wpt.<browser>.txt: page, selector, place among its
// matches, and what came instead.
func TestLiveWPT(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(wpt, "manifest.json"))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("WPT SKIPPED: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	var m wptManifest
	if err := json.Unmarshal(text, &m); err != nil {
		t.Fatal(err)
	}
	reasons := map[string]string{}
	text, err = os.ReadFile(wptReasons)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.SplitSeq(strings.TrimSpace(string(text)), "\n") {
		page, reason, _ := strings.Cut(line, " › ")
		reasons[page] = reason
	}
	base, _ := serve(t, wpt)
	probe := probe[map[string][]string, [][]computed](t, "computed")
	onEach(t, func(t *testing.T, p *page) {
		var passed, total [2]int
		var failed []string
		for _, page := range m.Pages {
			kind := 0
			if page.Tentative {
				kind = 1
			}
			total[kind] += page.Labels + page.Roles + page.Generics
			p.load(base + page.Path)
			var css []string
			for _, s := range page.Selectors {
				css = append(css, s.Selector)
			}
			seen := 0
			for i, list := range call(p, p.tab, probe, map[string][]string{"selectors": css}) {
				for n, c := range list {
					for _, bad := range c.check(page.Selectors[i].Kind) {
						seen++
						if bad == "" {
							passed[kind]++
							continue
						}
						failed = append(failed, fmt.Sprintf("%s › %s › %d › %s", page.Path, page.Selectors[i].Selector, n, bad))
					}
				}
			}
			if want := page.Labels + page.Roles + page.Generics; seen != want {
				t.Errorf("%s: %d checks, want %d", page.Path, seen, want)
			}
		}
		t.Logf("settled %d of %d, tentative %d of %d", passed[0], total[0], passed[1], total[1])
		if float64(passed[0]) < wptSettled*float64(total[0]) {
			t.Errorf("settled: %d of %d hold, want %.0f %%", passed[0], total[0], 100*wptSettled)
		}
		if passed[1] < wptTentative {
			t.Errorf("tentative: %d of %d hold, want %d", passed[1], total[1], wptTentative)
		}
		golden.Check(t, filepath.Join("testdata", "wpt."+p.browser+".txt"), strings.Join(failed, "\n")+"\n")
		for _, line := range failed {
			page, _, _ := strings.Cut(line, " › ")
			if reasons[page] == "" {
				t.Errorf("%s fails, and %s does not say why", page, wptReasons)
			}
		}
	})
}

// check compares as a kind of selector asks; "" for each that holds.
func (c computed) check(kind string) []string {
	var out []string
	is := func(what, got, want string) {
		if got == want {
			out = append(out, "")
			return
		}
		out = append(out, fmt.Sprintf("%s %q", what, got))
	}
	if strings.Contains(kind, "label") {
		is("name", fold(c.Name), fold(c.Label))
	}
	switch {
	case strings.Contains(kind, "generic"):
		if c.Role == "none" || c.Role == "" {
			out = append(out, "")
		} else {
			is("role", c.Role, "generic")
		}
	case strings.Contains(kind, "role"):
		is("role", c.Role, c.Want)
	}
	return out
}
