package selector

import (
	"strconv"
	"strings"

	"duet/internal/lazyregexp"
)

// The ways of writing that are none here: those of other tools, and lines of a map.
var (
	refLike  = lazyregexp.New(`^(?:@|\[(?:ref|aria-ref)=["']?|(?:aria-ref|ref)[=:]|#)?(e[1-9][0-9]{0,15})["']?\]?(?:[: ].*)?$`)
	mapLine  = lazyregexp.New(`^([a-z]+) "((?:[^"\\]|\\.)*)"`)
	getBy    = lazyregexp.New(`^(?:page\.)?(?:locator\(.*\)\.)?getBy(Role|Text|Label|Placeholder|TestId|AltText|Title)\(\s*["']([^"']*)["'](?:.*\bname:\s*["']([^"']*)["'])?`)
	textual  = lazyregexp.New(`^([\w-]*):(?:has-text|contains|text|text-is|text-matches)\(\s*["']?([^"')]*)["']?\s*\)\s*([\w-]*)$`)
	prefixed = lazyregexp.New(`^(?:aria|text|pierce)/(.+)$`)
	words    = lazyregexp.New(`^[\p{L}\p{N}][\p{L}\p{N} ,!?&'’…-]*$`)
)

// kindsBy are the kinds that Playwright's getters stand for.
var kindsBy = map[string]string{"Text": "text", "Label": "label", "Placeholder": "placeholder", "TestId": "testid", "AltText": "alt", "Title": "title"}

// Meant says how a selector that was given without a kind is written here, where it is
// written as another tool has it or as a map shows a line: "" where it is neither.
func Meant(css string) string {
	s := strings.TrimSpace(css)
	if m := refLike().FindStringSubmatch(s); m != nil && m[1] != s && !strings.HasPrefix(s, "#") {
		return m[1]
	}
	if m := getBy().FindStringSubmatch(s); m != nil {
		switch kind := kindsBy[m[1]]; {
		case kind != "":
			return kind + "=" + m[2]
		case m[3] != "":
			return "role=" + m[2] + "[name*=" + strconv.Quote(m[3]) + "]"
		default:
			return "role=" + m[2]
		}
	}
	if m := mapLine().FindStringSubmatch(s); m != nil {
		if m[1] == "text" {
			return "text=" + m[2]
		}
		return "role=" + m[1] + `[name="` + m[2] + `"]`
	}
	if m := textual().FindStringSubmatch(s); m != nil && m[2] != "" {
		switch {
		case m[3] != "" && !strings.ContainsAny(m[2], `"`):
			tag := m[1]
			if tag == "" {
				tag = "*"
			}
			return "xpath=//" + tag + `[contains(., "` + m[2] + `")]//` + m[3]
		case m[3] != "":
			return ""
		case m[1] == "button":
			return "role=button[name*=" + strconv.Quote(m[2]) + "]"
		case m[1] == "a":
			return "role=link[name*=" + strconv.Quote(m[2]) + "]"
		}
		return "text*=" + m[2]
	}
	if m := prefixed().FindStringSubmatch(s); m != nil {
		return "text=" + m[1]
	}
	return ""
}

// Words is the text of a step that consists of words alone and was given without a
// kind, so that it was read as CSS; "" for any other.
func (s Step) Words() string {
	if s.Kind != CSS || !words().MatchString(s.Value) || strings.Contains(s.Value, "-") && !strings.Contains(s.Value, " ") {
		return ""
	}
	return s.Value
}
