package dispatch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"

	"duet/internal/drive"
	"duet/internal/fault"
	"duet/snapshot"
)

// How long looking at the outcome of an action may take: less after one that
// failed, as that may be because the page answers nothing. It ends soon after the
// call's own time, also where the action took all of that.
const (
	lookBound  = 5 * time.Second
	faultBound = time.Second
	lookGrace  = time.Second            // past the call's own time
	lookLeast  = 400 * time.Millisecond // what a page that answers needs
)

// lookTime is how long looking may take where so much of the call's own time is left;
// less than none where its deadline has passed.
func lookTime(left time.Duration, failed bool) time.Duration {
	most := lookBound
	if failed {
		most = faultBound
	}
	return max(min(left+lookGrace, most), lookLeast)
}

// left is what is left of the call's own time; a batch has none of its own, as each of
// its steps has.
func (c *call) left() time.Duration {
	if c.due.IsZero() {
		return c.timeout
	}
	return time.Until(c.due)
}

// page is what an observation needs of a tab.
type page interface {
	// look renders the page as it is now.
	look(ctx context.Context, lim snapshot.Limits) (*snapshot.Map, error)
	// since tells what happened since a mark, and up to which moment that is.
	since(drive.Mark) (drive.Facts, drive.Mark)
	dialog() *drive.Dialog // that is open
	number() int
	failure() bool // it is the browser's own, about an address that could not be opened
}

// livePage is a tab of a browser, seen with the refs of a session.
type livePage struct {
	tab     *drive.Tab
	session *Session
	may     func(*drive.Tab) error // says whether the caller may look at it
	words   fault.Words            // the caller's
}

func (p livePage) look(ctx context.Context, lim snapshot.Limits) (*snapshot.Map, error) {
	if err := p.may(p.tab); err != nil {
		return nil, err
	}
	tree, err := p.tab.Tree(ctx, drive.TreeOptions{})
	if err != nil {
		return nil, err
	}
	if p.session.anew(p.tab, tree.Epoch) {
		p.session.ledger.Leave(tree, p.tab.Shows)
	}
	lim.Words = p.words
	m, err := snapshot.Render(tree, p.session.ledger, lim)
	if err == nil {
		p.session.ledger.Fade(m)
	}
	return m, err
}

func (p livePage) since(m drive.Mark) (drive.Facts, drive.Mark) { return p.tab.Told(m) }
func (p livePage) dialog() *drive.Dialog                        { return p.tab.Dialog() }
func (p livePage) number() int                                  { return p.tab.Number() }
func (p livePage) failure() bool                                { return p.tab.ShowsFailure() }

// anew reports, once, that a tab shows another document: then the refs of earlier
// ones can be forgotten. Every caller gets a whole map, so that no difference
// names them. Documents of frames come and go within one and keep theirs until then.
func (s *Session) anew(tab *drive.Tab, epoch int) bool {
	if s.retired[tab] == epoch {
		return false
	}
	maps.DeleteFunc(s.retired, func(t *drive.Tab, _ int) bool { return t.Closed() })
	if s.retired == nil {
		s.retired = map[*drive.Tab]int{}
	}
	s.retired[tab] = epoch
	return true
}

// looks reports whether an observation follows the call.
func (c *call) looks() bool {
	if c.view.Quiet || c.idle() || !c.acts && !(c.view.Awaits && c.request.Asked) {
		return false
	}
	return c.request.Observe == ObserveDelta || c.request.Observe == ObservePage
}

// finish looks at what the call came to: the observation after an action, the
// fresh map that goes with a stale ref.
func (s *Session) finish(k *call, a *answer, looks bool) {
	if k.live == nil || k.base.Err() != nil || !k.holds {
		return
	}
	bound := lookTime(k.left(), a.fault != nil)
	ctx, cancel := context.WithTimeoutCause(k.base, bound, fault.New(fault.Timeout, "the page gave no answer within %v", bound))
	defer cancel()
	tab := k.tabOf(ctx)
	if tab == nil {
		return
	}
	s.conclude(ctx, k, a, livePage{tab, s, k.mayLook, k.words}, looks)
	if a.observation != "" && looks && k.tab != nil && k.tab != tab && k.tab.Closed() && !k.view.Fresh {
		a.observation += fmt.Sprintf("\ntab %d was closed; tab %d is active", k.tab.Number(), tab.Number())
	}
}

// conclude puts into an answer what is to be seen of a page after the call. A batch
// is not given a second map where its failed step brought one; what its earlier
// steps caused is told beside that.
func (s *Session) conclude(ctx context.Context, k *call, a *answer, p page, looks bool) {
	batch, _ := a.value.(*BatchResult)
	if a.fault != nil {
		if batch == nil && wantsRecovery(a.fault, k.target) {
			a.fault = s.recover(ctx, k, p, a.fault)
			return
		}
		if a.fault.Effect == fault.None || a.fault.Effect == "" {
			return
		}
	}
	switch {
	case looks && batch == nil && a.fault != nil && errors.Is(a.fault, drive.ErrFlood):
		a.observation = s.tell(k, p, false) // a look would wait behind the flood too
	case looks && a.fault != nil && a.fault.Code == fault.NavigationFailed && p.failure():
		// The fault says what that page says.
		a.observation = "(the tab shows the browser's own error page)\n" + s.tell(k, p, false)
	case looks && (batch == nil || batch.observable):
		a.observation = s.observe(ctx, k, p)
	case looks && batch.mapped:
		a.observation = s.tell(k, p, true)
	case !looks && k.acts && k.marked && k.tab != nil:
		// What the call led to is part of what it did, whoever looks at the page.
		f, end := k.tab.Told(k.mark)
		a.observation = strings.Join(k.led(f), "\n")
		s.led = ledTo{k.tab, end}
	case !looks && k.view.Awaits && k.tab != nil && k.tab == s.led.tab:
		// What was still on its way then, a wait sees arrive.
		f, end := k.tab.Told(s.led.end)
		a.observation = strings.Join(saved(f), "\n")
		s.led.end = end
	}
	if looks {
		s.led = ledTo{}
	}
}

// ledTo is the last action that no observation followed, and up to when was told what
// it led to.
type ledTo struct {
	tab *drive.Tab
	end drive.Mark
}

// led are the lines of what a call led to, where no observation follows it. That a
// request failed is the page's own matter, and told to who looks at the page. Of a
// command that only looks like an action, only what was saved is told.
func (c *call) led(f drive.Facts) []string {
	if c.view.Quiet {
		return saved(f)
	}
	f.FailedRequests = 0
	return happened(f, (f.Navigated || f.SameDocument) && !c.view.Fresh, c.target)
}

// wantsRecovery reports whether a fault goes with a fresh map: a ref is stale, or
// nothing is found in the element of one, so what the caller knew no longer holds.
func wantsRecovery(f *fault.Fault, target string) bool {
	if f.Recovery != "" {
		return false
	}
	if f.Code == fault.NoMatch {
		ref, _ := drive.RefOf(target)
		return ref != ""
	}
	return f.Code == fault.StaleRef
}

// recoveryLimits bound the map that goes with a stale ref.
var recoveryLimits = snapshot.Limits{Semantic: 40, Evidence: 5, Text: 3}

func (s *Session) recover(ctx context.Context, k *call, p page, f *fault.Fault) *fault.Fault {
	m, err := p.look(ctx, recoveryLimits)
	if err != nil {
		return f
	}
	_, _, since := s.seen.last(k.request.Caller, k.live, p.number()) // what happened is still to be told
	s.seen.show(k.request.Caller, k.live, p.number(), m, since)
	c := *f
	c.Recovery = m.Text()
	return &c
}

// observe says what an action changed, against what the caller last saw, and
// what happened since.
func (s *Session) observe(ctx context.Context, k *call, p page) string {
	before, why, since := s.seen.last(k.request.Caller, k.live, p.number())
	var lines []string
	after, err := s.changes(ctx, k, p, before, why, &lines)
	facts, now := p.since(since)
	lines = append(lines, errorLine(facts, err == nil && after != nil))
	lines = append(lines, happened(facts, went(before, after, facts) && !k.view.Fresh, k.target)...)
	s.seen.show(k.request.Caller, k.live, p.number(), after, now)
	return strings.Join(lines, "\n")
}

// tell says what happened since the caller was last told, beside a map that it has
// just been shown, or without one; exact reports whether every event was heard.
func (s *Session) tell(k *call, p page, exact bool) string {
	_, _, since := s.seen.last(k.request.Caller, k.live, p.number())
	facts, now := p.since(since)
	s.seen.show(k.request.Caller, k.live, p.number(), nil, now)
	return strings.Join(append([]string{errorLine(facts, exact)}, happened(facts, false, k.target)...), "\n")
}

// changes adds the map or the difference. Behind an open dialog there is none.
func (s *Session) changes(ctx context.Context, k *call, p page, before *snapshot.Map, why string, lines *[]string) (*snapshot.Map, error) {
	if p.dialog() != nil {
		return nil, nil
	}
	after, err := p.look(ctx, snapshot.Limits{})
	switch {
	case errors.Is(err, fault.DialogOpen):
		return nil, nil
	case err != nil:
		*lines = append(*lines, "(the page could not be read after the action: "+oneLine(fault.From(err).Message)+")") // printed in the caller's words
		return nil, err
	case k.page || k.request.Observe == ObservePage:
		*lines = append(*lines, after.Text())
	case before == nil:
		*lines = append(*lines, after.FullText(why))
	default:
		*lines = append(*lines, snapshot.Diff(before, after, s.ledger).Text)
	}
	return after, nil
}

// errorLine is the tripwire: always there, also for none. The count is exact
// where the page was read after the action: its events came before the answer.
// Behind an open dialog, or where the page is silent, there are at least so many.
func errorLine(f drive.Facts, exact bool) string {
	if !exact {
		return fmt.Sprintf("errors: at least %d (logCursor %d)", f.Errors, f.LogCursor)
	}
	return fmt.Sprintf("errors: %d (logCursor %d)", f.Errors, f.LogCursor)
}

// went reports whether the page is at another address than this caller knows,
// and no whole map says so in its first line.
func went(before, after *snapshot.Map, f drive.Facts) bool {
	if after == nil {
		return (f.Navigated || f.SameDocument) && (before == nil || before.URL != snapshot.Clean(f.URL))
	}
	return before != nil && before.Epoch == after.Epoch && before.URL != after.URL
}

// happened are the lines that are there only where there is something to say. target
// is the selector of what was acted on, "" where that is not one element.
func happened(f drive.Facts, navigated bool, target string) []string {
	var lines []string
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	if f.Dialog != nil {
		add("dialog open: %s", dialogLine(f.Dialog))
	}
	popups, more := few(f.Popups)
	for _, t := range popups {
		add("popup: tab %d %s", t.Tab, address(t.URL, 200))
	}
	if more > 0 {
		add("popup: %d more", more)
	}
	lines = append(lines, saved(f)...)
	if f.Chooser {
		add("file chooser: the page asked for files: %s", fault.Call("browser_upload", "selector", cmp.Or(target, "REF"), "files", "FILE"))
	}
	if navigated {
		add("navigated: %s", address(f.URL, 200))
	}
	lines = append(lines, refused(f)...)
	if f.Loading != "" && !strings.HasPrefix(f.Loading, "about:") { // a browser's own error page
		add("still loading: %s", address(f.Loading, 200))
	}
	if f.Aborted != "" && f.Aborted != "download" && !f.Navigated {
		add("navigation came to nothing: %s", address(f.Aborted, 200))
	}
	if f.FailedRequests > 0 {
		add("failed requests: %d", f.FailedRequests)
	}
	return lines
}

// refused are the lines of what a submission found not valid, so that the browser sent no form.
func refused(f drive.Facts) []string {
	if f.Refused == nil {
		return nil
	}
	var lines, same []string
	for i, c := range f.Refused.Told {
		same = append(same, snapshot.Clean(c.Line))
		if next := i + 1; next < len(f.Refused.Told) && f.Refused.Told[next].Text == c.Text {
			continue // the browser says the same of both
		}
		line := "invalid: " + strings.Join(same, ", ")
		if c.Text != "" {
			line += " " + snapshot.Quote(snapshot.Cut(c.Text, 160))
		}
		lines, same = append(lines, line), nil
	}
	if n := f.Refused.More; n > 0 {
		lines = append(lines, fmt.Sprintf("invalid: %d more", n))
	}
	return lines
}

// saved are the lines of downloads: the page's name for each, what became of it and
// where it lies.
func saved(f drive.Facts) []string {
	var lines []string
	downloads, more := few(f.Downloads)
	for _, d := range downloads {
		line := "download: " + snapshot.Quote(snapshot.Cut(d.Name, 100)) + " " + bounded(d.State, 200)
		if d.Path != "" {
			line += " " + snapshot.Bare(d.Path)
		}
		if d.Type != "" {
			line += fmt.Sprintf(" (%d bytes, %s)", d.Bytes, bounded(d.Type, 80))
		}
		lines = append(lines, line)
	}
	if more > 0 {
		lines = append(lines, fmt.Sprintf("download: %d more", more))
	}
	if f.DownloadsCut {
		lines = append(lines, fmt.Sprintf("download: %d began; this browser drops what a page begins beyond %d in a second", len(f.Downloads), drive.DownloadsAtOnce))
	}
	return lines
}

// eventLines is how many popups or downloads an observation tells one by one.
const eventLines = 5

// few returns the last of them, and how many it leaves out.
func few[T any](all []T) ([]T, int) {
	left := max(0, len(all)-eventLines)
	return all[left:], left
}

// dialogLine is a dialog as a line of ours: the page's words inside quotes.
func dialogLine(d *drive.Dialog) string {
	line := snapshot.Cut(snapshot.Clean(d.Type), 20)
	if d.Message != "" {
		line += " " + snapshot.Quote(snapshot.Cut(d.Message, 200))
	}
	if d.Type == "prompt" {
		line += " default=" + snapshot.Quote(snapshot.Cut(d.Default, 80))
	}
	if d.Tab > 0 {
		line += fmt.Sprintf(" (tab %d)", d.Tab)
	}
	return line
}

// bounded is an address or a reason of the browser on a line of ours.
func bounded(s string, n int) string { return snapshot.Cut(snapshot.Clean(s), n) }
