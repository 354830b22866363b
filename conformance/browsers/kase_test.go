//go:build linux

package browsers

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	json "github.com/goccy/go-json"
)

// kase is one run of a case: it collects what is wrong, and keeps what was said.
type kase struct {
	t         *testing.T
	c         *client
	s         setup
	origins   map[string]string
	base      string // where the case's pages are, without a slash at the end
	faults    []string
	logCursor int // of the last look at the log
	said      strings.Builder
}

// ended is thrown by a step without which the others make no sense.
type ended struct{}

// attempt runs the case to its end, or to the step that ended it.
func (k *kase) attempt(run func(*kase)) {
	defer func() {
		if r := recover(); r != nil && r != (ended{}) {
			panic(r)
		}
	}()
	run(k)
}

// faultf notes that something is wrong.
func (k *kase) faultf(format string, args ...any) {
	k.faults = append(k.faults, fmt.Sprintf(format, args...))
}

// endf notes that something is wrong, and ends the case.
func (k *kase) endf(format string, args ...any) {
	k.faultf(format, args...)
	panic(ended{})
}

// arg makes arguments of names and values in turn.
func arg(pairs ...any) map[string]any {
	m := map[string]any{}
	for i := 0; i+1 < len(pairs); i += 2 {
		m[pairs[i].(string)] = pairs[i+1]
	}
	return m
}

// spoken is how much of an answer the report of a fault repeats.
const spoken = 2500

// call calls a tool; a failure is the case's to judge.
func (k *kase) call(tool string, pairs ...any) result {
	args := arg(pairs...)
	at := time.Now()
	r := k.c.call(tool, args)
	if !utf8.ValidString(r.Text) || !utf8.Valid(r.Structured) {
		k.faultf("%s answered what is not UTF-8", tool)
	}
	text := r.Text
	if len(text) > spoken {
		text = text[:spoken] + " …"
	}
	fmt.Fprintf(&k.said, "> %s %v (%d ms)\n%s\n", tool, args, time.Since(at).Milliseconds(), text)
	if r.Error != nil {
		fmt.Fprintf(&k.said, "refused: %d %s\n", r.Error.Code, r.Error.Message)
	}
	return r
}

// ok calls a tool that must succeed.
func (k *kase) ok(tool string, pairs ...any) string {
	r := k.call(tool, pairs...)
	if r.IsError || r.Error != nil {
		k.endf("%s %v failed: %.300s", tool, arg(pairs...), r.Text)
	}
	return r.Text
}

func (k *kase) open(path string) string {
	return k.ok("browser_navigate", "url", k.base+path, "leave", true)
}
func (k *kase) snap() string                 { return k.ok("browser_snapshot") }
func (k *kase) click(selector string) string { return k.ok("browser_click", "selector", selector) }
func (k *kase) fill(selector, value string) string {
	return k.ok("browser_fill", "selector", selector, "value", value)
}
func (k *kase) waitText(text string) string {
	return k.ok("browser_wait", "kind", "text", "target", text)
}

// field reads one field of an element, as text.
func (k *kase) field(selector, field string) string {
	r := k.call("browser_read", "selector", selector, "field", field)
	if r.IsError || r.Error != nil {
		k.endf("reading %s of %s: %.300s", field, selector, r.Text)
	}
	var s struct {
		Result struct {
			Value any `json:"value"`
		} `json:"result"`
	}
	if err := json.Unmarshal(r.Structured, &s); err != nil {
		k.endf("reading %s of %s: %v in %s", field, selector, err, r.Structured)
	}
	return fmt.Sprint(s.Result.Value)
}
func (k *kase) text(selector string) string  { return k.field(selector, "text") }
func (k *kase) value(selector string) string { return k.field(selector, "value") }

// same notes a difference.
func (k *kase) same(what, got, want string) {
	if got != want {
		k.faultf("%s is %q, want %q", what, got, want)
	}
}

// reads notes where an element's text is another one.
func (k *kase) reads(selector, want string) { k.same(selector, k.text(selector), want) }

// holds notes where a field's value is another one.
func (k *kase) holds(selector, want string) {
	k.same("the value of "+selector, k.value(selector), want)
}

// lines are the lines of a map or diff that hold all the words, without indent
// and marks.
func lines(text string, words ...string) []string {
	var found []string
	for line := range strings.SplitSeq(text, "\n") {
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(line, w) }) {
			found = append(found, strings.TrimLeft(line, " +~-"))
		}
	}
	return found
}

// line returns the first line that holds all the words; where there is none, it
// notes that and returns nothing.
func (k *kase) line(text string, words ...string) string {
	found := lines(text, words...)
	if len(found) == 0 {
		k.faultf("no line with %q in:\n%.3000s", words, text)
		return ""
	}
	return found[0]
}

// once notes where not exactly one line holds all the words.
func (k *kase) once(text string, words ...string) {
	if n := len(lines(text, words...)); n != 1 {
		k.faultf("%d lines with %q, want 1, in:\n%.3000s", n, words, text)
	}
}

// none notes the lines that hold all the words.
func (k *kase) none(text string, words ...string) {
	if found := lines(text, words...); len(found) > 0 {
		k.faultf("there is %q", found)
	}
}

// ref returns the ref of the first line that has one and holds all the words.
func (k *kase) ref(text string, words ...string) string {
	for _, line := range lines(text, words...) {
		if ref, _, ok := strings.Cut(line, ": "); ok && isRef(ref) {
			return ref
		}
	}
	k.endf("no ref on a line with %q in:\n%.3000s", words, text)
	return ""
}

func isRef(s string) bool {
	n, err := strconv.Atoi(strings.TrimPrefix(s, "e"))
	return err == nil && n > 0 && strings.HasPrefix(s, "e")
}

// fails notes where an answer is not a failure with one of the codes.
func (k *kase) fails(what string, r result, codes ...string) {
	if !r.IsError || !slices.Contains(codes, r.code()) {
		k.faultf("%s: code %q, want one of %q: %.400s", what, r.code(), codes, r.Text)
	}
}

// notActionable are the codes of an element that cannot be acted on as it is.
var notActionable = []string{"NOT_VISIBLE", "NOT_ENABLED", "NOT_EDITABLE", "MOVING"}

// within notes where a step takes longer than it may.
func (k *kase) within(limit time.Duration, what string, step func()) {
	at := time.Now()
	step()
	if took := time.Since(at); took > limit {
		k.faultf("%s took %d ms, want at most %d", what, took.Milliseconds(), limit.Milliseconds())
	}
}

// says notes where a text lacks one of the words.
func (k *kase) says(what, text string, words ...string) {
	for _, w := range words {
		if !strings.Contains(text, w) {
			k.faultf("%s does not say %q: %.600s", what, w, text)
		}
	}
}

// silent notes where a text has one of the words.
func (k *kase) silent(what, text string, words ...string) {
	for _, w := range words {
		if at := strings.Index(text, w); at >= 0 {
			k.faultf("%s says %q: …%.200s", what, w, text[max(0, at-60):])
		}
	}
}

// has tells whether the binary under test has a tool that does something: without
// arguments, or with wrong ones, such a one says anything but UNSUPPORTED.
func (k *kase) has(tool string) bool {
	r := k.c.call(tool, probes[tool])
	return r.code() != "UNSUPPORTED" && (r.Error == nil || !strings.Contains(r.Error.Message, "unknown tool"))
}

// probes are arguments by which a tool can be tried without harm.
var probes = map[string]map[string]any{"browser_advanced_eval": {"js": "1"}}

// eval is the value of an expression in the page.
func (k *kase) eval(js string) string {
	r := k.call("browser_advanced_eval", "js", js)
	if r.IsError || r.Error != nil {
		k.endf("evaluating %s: %.300s", js, r.Text)
	}
	var s struct {
		Result struct {
			Value any `json:"value"`
		} `json:"result"`
	}
	if err := json.Unmarshal(r.Structured, &s); err != nil {
		k.endf("evaluating %s: %v in %s", js, err, r.Structured)
	}
	return fmt.Sprint(s.Result.Value)
}

// tab is one of the tabs that browser_page lists.
type tab struct {
	Tab    int    `json:"tab"`
	URL    string `json:"url"`
	Title  string `json:"title"`
	Active bool   `json:"active"`
	Dialog string `json:"dialog"`
}

func (t tab) number() string { return strconv.Itoa(t.Tab) }

// tabsIn are the tabs of an answer of browser_page.
func tabsIn(r result) []tab {
	var s struct {
		Result struct {
			Tabs []tab `json:"tabs"`
		} `json:"result"`
	}
	_ = json.Unmarshal(r.Structured, &s)
	return s.Result.Tabs
}

// tabs lists the tabs.
func (k *kase) tabs() []tab { return tabsIn(k.call("browser_page", "action", "list")) }

// address is the active tab's.
func (k *kase) address() string {
	for _, t := range k.tabs() {
		if t.Active {
			return t.URL
		}
	}
	k.endf("no tab is active")
	return ""
}
