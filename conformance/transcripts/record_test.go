package transcripts_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"duet/conformance/transcripts"
	"duet/internal/launch"
)

var setups = []string{"chrome", "firefox"}

// TestRecord/SCENARIO records a scenario anew with -record, on the browser of
// -browser or on both. The calls are those of a file that is there.
func TestRecord(t *testing.T) {
	if !*record {
		t.Skip("records with -record alone")
	}
	dirs := map[string]*transcripts.Case{}
	for _, c := range all(t) {
		if dir := filepath.Dir(c.Path); dirs[dir] == nil || len(c.Calls) > 0 && filepath.Base(c.Path) == "chrome.txtar" {
			dirs[dir] = c
		}
	}
	for dir, c := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			for _, s := range setups {
				if *setup != "" && *setup != s {
					continue
				}
				c.Path = filepath.Join(dir, s+".txtar")
				got, err := c.Record(t, s)
				if err != nil {
					t.Errorf("%s: %v", s, err)
					continue
				}
				if err := got.Save(); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// there reports whether a set-up can run on this machine.
func there(setup string) bool {
	return slices.ContainsFunc(launch.Detect(), func(c launch.Candidate) bool {
		return strings.HasPrefix(setup, "chrom") == strings.HasPrefix(c.Browser, "chrom")
	})
}

// The transcripts' calls on real browsers give the answers that were recorded.
func TestLive(t *testing.T) {
	if testing.Short() || *setup == "" {
		t.Skip("live: runs with -browser=chrome or -browser=firefox")
	}
	for _, c := range all(t) {
		if c.Browser.Setup != *setup {
			continue
		}
		t.Run(name(c), func(t *testing.T) {
			if !there(*setup) {
				t.Skipf("LIVE SKIPPED: no %s on this machine", *setup)
			}
			c.Live(t, *setup)
		})
	}
}
