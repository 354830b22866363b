package tools_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"duet/conformance/transcripts"
	"duet/dispatch"
	"duet/internal/fault"
	"duet/tools"
)

// untold are the declared codes that no transcript can show, each with why, and
// with the test that shows it.
var untold = map[string]string{
	"browser_mock TIMEOUT":         "a driver that is busy: the live tests of mocks in internal/drive",
	"browser_page EFFECT_UNKNOWN":  "a close without an answer: the live tests of closing in internal/drive",
	"browser_page QUOTA":           "a PDF past the limit of files: TestQuota in artifacts",
	"browser_page TIMEOUT":         "a PDF of a busy page: the live tests of printing in internal/drive",
	"browser_page EXPECT_MISMATCH": "browsers do as they are told: TestWhatThePageDoesNotShowIsAMismatch in internal/drive",
	"browser_state QUOTA":          "a state of 32 MiB: TestAStateHasItsLimit in internal/profile",
}

// onlyOn are those that one browser alone can be brought to, with what the other does.
var onlyOn = map[string]string{
	"browser_mock DIALOG_OPEN":     "chrome: firefox sets mocks up behind a dialog",
	"browser_page UNSUPPORTED":     "firefox: chrome has all that can be set",
	"browser_state PARTIAL_EFFECT": "chrome: firefox takes all the cookies that the state of the transcript holds",
}

var resultCode = regexp.MustCompile(`(?m)^\s*code: ([A-Z_]+)$`)

// told are the codes that the transcripts show of each tool, with the browsers on
// which they do.
func told(t *testing.T) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	cases := append(transcripts.Glob(t, "testdata/*.txtar"), transcripts.Glob(t, "../conformance/transcripts/*/*.txtar")...)
	for _, c := range cases {
		for _, call := range c.Calls {
			for _, m := range resultCode.FindAllStringSubmatch(call.Result, -1) {
				key := call.Tool + " " + m[1]
				if !slices.Contains(all[key], c.Browser.Setup) {
					all[key] = append(all[key], c.Browser.Setup)
				}
			}
		}
	}
	return all
}

// Every code that a tool declares is shown by a transcript on each browser, or it is
// said why it is not.
func TestEveryDeclaredCodeHasATranscript(t *testing.T) {
	all := told(t)
	used := map[string]bool{}
	for _, c := range tools.All() {
		if c.Tool == "" {
			continue
		}
		for _, code := range c.Codes() {
			key := c.Tool + " " + string(code)
			on := slices.Sorted(slices.Values(all[key]))
			used[key] = true
			switch {
			case untold[key] != "" && len(on) > 0:
				t.Errorf("%s has a transcript: take it off the list (%s)", key, untold[key])
			case untold[key] != "":
			case len(on) == 0:
				t.Errorf("%s has no transcript", key)
			case len(on) == 1 && onlyOn[key] == "":
				t.Errorf("%s has a transcript on %s alone", key, on[0])
			case len(on) == 2 && onlyOn[key] != "":
				t.Errorf("%s has transcripts on both browsers: take it off the list (%s)", key, onlyOn[key])
			}
		}
	}
	for _, list := range []map[string]string{untold, onlyOn} {
		for key := range list {
			if !used[key] {
				t.Errorf("%s is on a list and not declared", key)
			}
		}
	}
}

// No transcript shows a code that its tool does not declare.
func TestEveryToldCodeIsDeclared(t *testing.T) {
	byTool := map[string]*dispatch.Command{}
	for _, c := range tools.All() {
		byTool[c.Tool] = c
	}
	for key, on := range told(t) {
		tool, code, _ := strings.Cut(key, " ")
		if c := byTool[tool]; c == nil || !c.Fails(fault.Code(code)) {
			t.Errorf("%s is told on %s and not declared", key, strings.Join(on, ", "))
		}
	}
}
