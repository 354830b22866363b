package mcp_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// undeclared are the features that a server may have and duet does not declare,
// as the suite's scenarios name them.
var undeclared = regexp.MustCompile(`logging|completion|sampling|list-roots|elicitation|resource|prompts|^input-required-result-`)

// entries reads a list of expected failures; each stands under a reason.
func entries(t *testing.T, path string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	reason := false
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		name, isEntry := strings.CutPrefix(line, "- ")
		switch {
		case line == "":
			reason = false
		case strings.HasPrefix(line, "#"):
			reason = true
		case line == "server:":
		case !isEntry:
			t.Errorf("%s: what is %q?", path, line)
		case !reason:
			t.Errorf("%s: %s has no reason", path, name)
			fallthrough
		default:
			all = append(all, name)
		}
	}
	return all
}

// The baseline names only what duet does not declare, each once, with a reason.
func TestBaselineNamesOnlyUndeclaredFeatures(t *testing.T) {
	all := entries(t, "baseline.yml")
	if len(all) == 0 {
		t.Fatal("no entries")
	}
	for i, name := range all {
		if slices.Contains(all[:i], name) {
			t.Errorf("%s stands there twice", name)
		}
		if !undeclared.MatchString(name) {
			t.Errorf("%s is a feature that duet declares", name)
		}
	}
	for _, name := range entries(t, "fixtures.yml") {
		if slices.Contains(all, name) {
			t.Errorf("%s is in both lists", name)
		}
	}
}
