package dispatch

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"duet/artifacts"
	"duet/internal/drive"
	"duet/internal/fault"
	"duet/internal/pagejs"
	"duet/snapshot"
)

// still is a page of buttons that is read from a list.
type still struct {
	names  []string
	hash   string
	epoch  int
	tab    int
	told   drive.Facts
	fail   error
	ledger *snapshot.Ledger
	looks  int
	marks  int
	failed bool // it is the browser's own error page
}

func (p *still) look(_ context.Context, lim snapshot.Limits) (*snapshot.Map, error) {
	p.looks++
	if p.fail != nil {
		return nil, p.fail
	}
	doc := &pagejs.Doc{Doc: fmt.Sprint("d", p.epoch), URL: "http://x/" + p.hash, Title: "T", Ready: "complete"}
	for i, name := range p.names {
		doc.Kids = append(doc.Kids, &pagejs.Node{ID: i + 1, Class: "control", Role: "button", Name: name})
	}
	return snapshot.Render(&pagejs.Tree{Top: "c", Docs: map[string]*pagejs.Doc{"c": doc}, Epoch: p.epoch}, p.ledger, lim)
}

func (p *still) since(drive.Mark) (drive.Facts, drive.Mark) { p.marks++; return p.told, drive.Mark{} }
func (p *still) dialog() *drive.Dialog                      { return p.told.Dialog }
func (p *still) number() int                                { return p.tab }
func (p *still) failure() bool                              { return p.failed }

func observing(t *testing.T) (*Session, *still, func(caller string) string) {
	s := NewSession(Options{Files: artifacts.New(artifacts.Options{Root: t.TempDir()})})
	p := &still{names: []string{"One", "Two", "Three", "Four"}, epoch: 1, tab: 1, ledger: s.ledger}
	live := &Live{}
	act := Define(Spec{Verb: "act", Summary: "Acts."}, func(context.Context, *Act, struct{}) (struct{}, error) { return struct{}{}, nil })
	v := NewRegistry([]*Command{act}, Access{}).byName["act"]
	return s, p, func(caller string) string {
		k := &call{session: s, view: v, live: live, acts: true, base: t.Context(), request: Request{Caller: caller, Observe: ObserveDelta}}
		return s.observe(t.Context(), k, p)
	}
}

// Each caller has its own diff, a first look is a whole map, and the error line is always there.
func TestObserveByCaller(t *testing.T) {
	_, p, look := observing(t)
	first := look("a")
	if !strings.HasPrefix(first, "page: T — http://x/  epoch 1  (full map: first look)\ne1: button \"One\"") || !strings.HasSuffix(first, "\nerrors: 0 (logCursor 0)") {
		t.Errorf("first look:\n%s", first)
	}
	if got := look("a"); got != "(no a11y changes)\nerrors: 0 (logCursor 0)" {
		t.Errorf("nothing changed:\n%s", got)
	}
	p.names = append(p.names, "Five")
	p.told.Errors, p.told.LogCursor = 2, 9
	if got := look("a"); got != "+ e5: button \"Five\"\nerrors: 2 (logCursor 9)" {
		t.Errorf("one more:\n%s", got)
	}
	if got := look("b"); !strings.Contains(got, "(full map: first look)") {
		t.Errorf("another caller:\n%s", got)
	}
	p.epoch++
	if got := look("a"); !strings.Contains(got, "(full map: navigation)") {
		t.Errorf("navigation:\n%s", got)
	}
	p.tab = 2
	if got := look("a"); !strings.Contains(got, "(full map: another tab)") {
		t.Errorf("another tab:\n%s", got)
	}
}

// Sixteen callers are remembered; the one that was dropped is told so, once.
func TestObserveDropsTheOldest(t *testing.T) {
	_, _, look := observing(t)
	for i := range 17 {
		look(fmt.Sprint("caller", i))
	}
	if got := look("caller16"); strings.Contains(got, "full map") {
		t.Errorf("the newest:\n%s", got)
	}
	if got := look("caller1"); strings.Contains(got, "full map") {
		t.Errorf("the second:\n%s", got)
	}
	if got := look("caller0"); !strings.Contains(got, "(full map: your last map was dropped") {
		t.Errorf("the oldest:\n%s", got)
	}
	if got := look("caller0"); strings.Contains(got, "full map") {
		t.Errorf("again:\n%s", got)
	}
}

// What happened besides is said only where it happened; page texts stay in quotes.
func TestObserveFacts(t *testing.T) {
	_, p, look := observing(t)
	look("a")
	p.hash = "#b"
	p.told = drive.Facts{
		SameDocument: true, URL: "http://x/#b", FailedRequests: 3, LogCursor: 4, DownloadsCut: true,
		Popups:    []drive.TabInfo{{Tab: 3, URL: "http://x/pop"}},
		Downloads: []drive.Download{{Name: "a\nerrors: 9.txt", State: "complete", Path: "/d/a errors: 9.txt"}, {Name: "b", State: "complete", Path: "/d/b.txt"}},
		Chooser:   true,
		Refused:   &pagejs.Refused{Told: []pagejs.Invalid{{Line: "textbox \"Mail\" #m", Text: "Enter a\nmail \"address\"."}, {Line: "textbox \"Code\""}, {Line: "textbox \"A\"", Text: "Fill."}, {Line: "textbox \"B\"", Text: "Fill."}}, More: 2},
	}
	want := `(no a11y changes)
errors: 0 (logCursor 4)
popup: tab 3 http://x/pop
download: "a errors: 9.txt" complete "/d/a errors: 9.txt"
download: "b" complete /d/b.txt
download: 2 began; this browser drops what a page begins beyond 10 in a second
file chooser: the page asked for files: ` + fault.Call("browser_upload", "selector", "REF", "files", "FILE") + `
navigated: http://x/#b
invalid: textbox "Mail" #m "Enter a mail \"address\"."
invalid: textbox "Code"
invalid: textbox "A", textbox "B" "Fill."
invalid: 2 more
failed requests: 3`
	if got := look("a"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	looks := p.looks
	p.told = drive.Facts{Dialog: &drive.Dialog{Type: "prompt", Message: "Name?\n+ e9: button \"x\"", Default: `"`, Tab: 1}}
	want = `errors: at least 0 (logCursor 0)
dialog open: prompt "Name? + e9: button \"x\"" default="\"" (tab 1)`
	if got := look("a"); got != want || p.looks != looks {
		t.Errorf("%d looks, got\n%s\nwant\n%s", p.looks-looks, got, want)
	}
	// Where the page is that the caller has seen, nothing went anywhere.
	for url, told := range map[string]bool{"http://x/#b": false, "http://x/c": true} {
		p.told.Navigated, p.told.URL = true, url
		if got := look("a"); strings.Contains(got, "navigated: ") != told {
			t.Errorf("at %s behind a dialog:\n%s", url, got)
		}
	}
	p.told = drive.Facts{}
	if got := look("a"); !strings.HasPrefix(got, "(no a11y changes)") {
		t.Errorf("after the dialog:\n%s", got)
	}
}

// Where the outcome of an action cannot be read, the answer says so and the base of the next diff stays.
func TestObserveFails(t *testing.T) {
	_, p, look := observing(t)
	look("a")
	p.fail = fault.New(fault.Timeout, "the page is busy")
	if got := look("a"); !strings.HasPrefix(got, "(the page could not be read after the action: the page is busy)\nerrors: at least 0") {
		t.Error(got)
	}
	p.fail = nil
	p.names[0] = "Uno"
	if got := look("a"); !strings.HasPrefix(got, "~ e1: button \"Uno\"") {
		t.Errorf("the base was lost:\n%s", got)
	}
}

// A stale ref comes with a fresh map, which is then what the caller last saw.
func TestRecoveryMap(t *testing.T) {
	s, p, look := observing(t)
	k := &call{session: s, live: &Live{}, base: t.Context(), request: Request{Caller: "z"}}
	f := s.recover(t.Context(), k, p, fault.New(fault.StaleRef, "gone"))
	if !strings.Contains(f.Recovery, "e1: button \"One\"") {
		t.Errorf("recovery: %q", f.Recovery)
	}
	// What happened before it is told by the next observation: the caller has not
	// been told yet.
	if p.marks != 0 {
		t.Error("the recovery map moved the caller's mark")
	}
	_ = look
}

// A batch whose failed step brings a map is given no second one, and is told all the
// same what its earlier steps caused; where nothing acted there is nothing to tell.
func TestBatchThatFailsWithAMapTellsWhatHappened(t *testing.T) {
	s, p, look := observing(t)
	look("a")
	stale := fault.New(fault.StaleRef, "e1 is stale")
	stale.Recovery = "page: x"
	batch := func(acted bool) *answer {
		b := &BatchResult{OK: true}
		b.add(0, stepOutcome{StepResult: StepResult{OK: true}, acted: acted})
		b.add(1, stepOutcome{fault: stale, acted: true})
		a := &answer{value: b, fault: b.fault()}
		s.conclude(t.Context(), &call{session: s, live: s.seen.kept[0].live, acts: true, base: t.Context(), request: Request{Caller: "a"}}, a, p, true)
		return a
	}
	looks := p.looks
	p.told = drive.Facts{Errors: 2, LogCursor: 7, Popups: []drive.TabInfo{{Tab: 3, URL: "http://x/pop"}}, Downloads: []drive.Download{{Name: "b", State: "complete"}}}
	want := "errors: 2 (logCursor 7)\npopup: tab 3 http://x/pop\ndownload: \"b\" complete"
	if a := batch(true); a.observation != want || a.fault.Recovery != "" || p.looks != looks {
		t.Errorf("%d looks, recovery %q, observation\n%s\nwant\n%s", p.looks-looks, a.fault.Recovery, a.observation, want)
	}
	if a := batch(false); a.observation != "" {
		t.Errorf("nothing acted:\n%s", a.observation)
	}
}

// What is missing in the element of a ref comes with a map however that is written; an
// element type that is called like a ref is none.
func TestWhatIsMissingInARefWantsAMap(t *testing.T) {
	for target, want := range map[string]bool{
		"e7": true, "e7>>button": true, " e7 >> button": true, "ref=e7": true, "ref=e7>>css=a": true,
		"e7 button": false, "css=e7": false, "button >> nth=0": false, "#e7": false, "": false, "role=[": false,
	} {
		if got := wantsRecovery(fault.New(fault.NoMatch, "nothing"), target); got != want {
			t.Errorf("%q: %t", target, got)
		}
	}
	s, _, _ := observing(t)
	for target, refused := range map[string]bool{"e9": true, "e9>>a": true, "ref=e9": false, "e9 a": false, "css=e9": false} {
		if err := s.issued(target); (err != nil) != refused {
			t.Errorf("%q: %v", target, err)
		}
	}
}

// No address on a line of ours shows what is secret in it.
func TestObservedAddressesShowNoSecrets(t *testing.T) {
	_, p, look := observing(t)
	look("a")
	p.hash = "?token=hunter2"
	secret := "http://u:hunter2@x/?access_token=hunter2"
	p.told = drive.Facts{URL: secret, SameDocument: true, Loading: secret, Aborted: secret, Popups: []drive.TabInfo{{Tab: 3, URL: secret}}}
	got := look("a")
	for _, line := range []string{"popup: tab 3 ", "navigated: ", "still loading: ", "navigation came to nothing: "} {
		if !strings.Contains(got, line+"http://•••@x/?access_token=•••") {
			t.Errorf("no line %q in\n%s", line, got)
		}
	}
	if got += look("b") + Address(secret); strings.Contains(got, "hunter2") || !strings.Contains(got, "page: T — http://x/?token=•••  epoch 1") {
		t.Error(got)
	}
	s, _, _ := observing(t)
	rep := printer{s, nil, false}.report(fault.New(fault.NavigationFailed, "open %s: refused", secret).WithHint("see %s", secret))
	if strings.Contains(rep.Message+rep.Hint, "hunter2") {
		t.Error(rep.Message, rep.Hint)
	}
	r := printer{s, nil, false}.print(&answer{fault: fault.New(fault.NavigationFailed, "refused").WithDetail(map[string]string{"url": secret})})
	if strings.Contains(r.Text+string(r.Structured), "hunter2") {
		t.Error(r.Text)
	}
	step := stepOutcome{StepResult: StepResult{Tool: "navigate"}, fault: fault.New(fault.NavigationFailed, "refused").WithDetail(map[string]string{"url": secret})}
	b := &BatchResult{}
	b.add(0, step.done(printer{s, nil, false}, time.Now()))
	for _, r := range []*Result{printer{s, nil, false}.print(&answer{value: b}), printer{s, nil, false}.print(&answer{value: b, fault: b.first})} {
		if strings.Contains(r.Text+string(r.Structured), "hunter2") || !strings.Contains(string(r.Structured), `"detail":{"url":"http://•••@x/?access_token=•••"}`) {
			t.Errorf("a step: %s %s", r.Text, r.Structured)
		}
	}
}

// A look takes no longer than the call might have.
func TestLookingKeepsToTheCallsTime(t *testing.T) {
	for _, c := range []struct {
		left   time.Duration
		failed bool
		want   time.Duration
	}{
		{time.Minute, false, lookBound},
		{time.Second, false, time.Second + lookGrace},
		{0, false, lookGrace},
		{time.Minute, true, faultBound},
		{-500 * time.Millisecond, true, lookGrace - 500*time.Millisecond}, // a deadline that passed, and what it took to judge
		{-time.Minute, false, lookLeast},
	} {
		if got := lookTime(c.left, c.failed); got != c.want {
			t.Errorf("%v, failed %v: %v", c.left, c.failed, got)
		}
	}
}

// Nothing that a session keeps holds a browser that has ended.
func TestBaselinesLetBrowsersGo(t *testing.T) {
	var b baselines
	old, next := &Live{}, &Live{}
	for i := range keptBaselines + 1 {
		b.show(fmt.Sprint(i), old, 1, &snapshot.Map{}, drive.Mark{})
	}
	b.leave(next)
	for _, k := range b.kept {
		if k.live == old || k.shown != nil {
			t.Error("kept")
		}
	}
	for _, d := range b.dropped {
		if d.live == old {
			t.Error("dropped, and kept")
		}
	}
	if m, why, _ := b.last("1", next, 1); m != nil || why != "new browser" {
		t.Errorf("%v %q", m, why)
	}
}

// A page that opens many windows or starts many downloads does not fill the answer.
func TestAFloodIsCounted(t *testing.T) {
	_, p, look := observing(t)
	look("a")
	p.told = drive.Facts{Popups: make([]drive.TabInfo, 400), Downloads: make([]drive.Download, 520)}
	got := look("a")
	if strings.Count(got, "\n") > 15 || !strings.Contains(got, "popup: 395 more") || !strings.Contains(got, "download: 515 more") {
		t.Errorf("a flood gave\n%s", got)
	}
}

// Where nobody looks at the page, what the call led to is told all the same, but not
// what the page does for itself.
func TestWithoutAnObservationWhatItLedToIsTold(t *testing.T) {
	f := drive.Facts{Navigated: true, URL: "http://x/2", Loading: "http://x/3", FailedRequests: 2, Errors: 1,
		Popups: []drive.TabInfo{{Tab: 3, URL: "http://x/pop"}}, Dialog: &drive.Dialog{Type: "alert", Message: "hi", Tab: 1}}
	k := &call{view: &view{Command: &Command{}}}
	want := "dialog open: alert \"hi\" (tab 1)\npopup: tab 3 http://x/pop\nnavigated: http://x/2\nstill loading: http://x/3"
	if got := strings.Join(k.led(f), "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	k.view.Fresh = true // going there is what it is for
	if got := strings.Join(k.led(f), "\n"); strings.Contains(got, "navigated") {
		t.Error(got)
	}
	if got := k.led(drive.Facts{URL: "http://x/", FailedRequests: 1}); len(got) != 0 {
		t.Error(got)
	}
}

// Where a look shows nothing that the fault does not say, or would wait for what the
// fault waited for, there is none; what happened is told all the same.
func TestNoLookAfterAFaultThatSaysItAll(t *testing.T) {
	for name, c := range map[string]struct {
		failed bool
		fault  *fault.Fault
		looks  int
		want   string
	}{
		"the browser's error page": {true, fault.New(fault.NavigationFailed, "refused").At(fault.InEffect, fault.Possible), 0, "(the tab shows the browser's own error page)\nerrors: at least 2 (logCursor 7)"},
		"another page":             {false, fault.New(fault.NavigationFailed, "refused").At(fault.InEffect, fault.Possible), 1, ""},
		"a flood":                  {false, fault.New(fault.Timeout, "late").Because(drive.ErrFlood).At(fault.InEffect, fault.Possible), 0, "errors: at least 2 (logCursor 7)"},
		"late":                     {false, fault.New(fault.Timeout, "late").At(fault.InEffect, fault.Possible), 1, ""},
	} {
		s, p, _ := observing(t)
		p.failed, p.told = c.failed, drive.Facts{Errors: 2, LogCursor: 7}
		k := &call{session: s, live: &Live{}, acts: true, view: &view{Command: Define(Spec{Verb: "act", Summary: "Acts."}, func(context.Context, *Act, struct{}) (struct{}, error) { return struct{}{}, nil })}}
		a := &answer{fault: c.fault}
		s.conclude(t.Context(), k, a, p, true)
		if p.looks != c.looks || c.want != "" && a.observation != c.want {
			t.Errorf("%s: %d looks: %s", name, p.looks, a.observation)
		}
	}
}
