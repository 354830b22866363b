package drive

import (
	"strings"
	"time"

	"duet/bidi"
	"duet/internal/pagejs"
)

// Mark is a moment in the order of events. The zero Mark is before the first.
type Mark struct {
	event  int // sequence number of the last event
	entry  int // of the last journal entry
	errors int // counted so far
	failed int // requests that failed so far
	epoch  int // of the tab
	tab    int // its number
	set    bool
}

// Facts are what happened in a tab, and because of it, since a Mark.
type Facts struct {
	Navigated      bool            // the tab shows another document
	SameDocument   bool            // the address changed without a new document
	URL            string          // the tab's address now
	Loading        string          // address of a navigation that is still under way, or whose document still loads
	Aborted        string          // why a navigation came to nothing: "no content", "download", "cancelled", or the browser's reason
	Popups         []TabInfo       // tabs that were opened by this one
	Closed         bool            // the tab is gone
	Downloads      []Download      // that began or ended
	DownloadsCut   bool            // so many of them began that the browser may have dropped others
	Chooser        bool            // the page asked for files
	Refused        *pagejs.Refused // what a submission found not valid
	Dialog         *Dialog         // open now, in this tab
	Press          string          // of an answered dialog: what a press that it held up then hit, where that was not known
	Errors         int             // console errors and uncaught exceptions of the whole browser
	ErrorsLost     int             // of them, those that the journal no longer holds
	FailedRequests int             // requests that failed or were answered 400 and above
	Pending        int             // requests that the action caused and that are still under way
	LogCursor      int             // the journal's last entry
	Unsettled      bool            // the page was still changing when the wait ended
	Waited         time.Duration   // how long settling took
	Unmoved        bool            // the wheel was turned, and no scrolling was seen; only of a page without frames
}

// Download is a file that a page made the browser save.
type Download struct {
	URL   string
	Name  string // as the page or server suggested it
	State string // began, complete, canceled
	Path  string // where it lies, once complete
	Bytes int64  // once complete, where it was fetched
	Type  string // media type, likewise
	Tab   int
}

// Fetched is a download where the caller may read it.
type Fetched struct {
	Path  string
	Bytes int64
	Type  string
}

// TabInfo describes a tab.
type TabInfo struct {
	Tab    int // stable number, from 1, never reused
	URL    string
	Title  string // "" where it was not asked for
	Active bool
	Opener int // tab that opened it, 0 for none
	Dialog *Dialog
}

// Dialog is an open prompt of a page.
type Dialog struct {
	Type    string // alert, confirm, prompt, beforeunload
	Message string
	Default string // of a prompt
	Tab     int
	URL     string // of the document that asks
	seq     int
}

// Mark returns this moment.
func (t *Tab) Mark() Mark {
	t.b.mu.Lock()
	defer t.b.mu.Unlock()
	return t.markLocked()
}

func (t *Tab) markLocked() Mark {
	j := &t.b.journal
	return Mark{event: t.b.seq, entry: j.seq, errors: j.errors, failed: j.failed, epoch: t.epoch, tab: t.number, set: true}
}

// Since returns what happened since a mark, from the events received so far. It
// asks the browser nothing.
func (t *Tab) Since(m Mark) Facts {
	t.b.mu.Lock()
	defer t.b.mu.Unlock()
	return t.factsLocked(m)
}

// Told is Since with the moment that the answer goes up to: what happens next is
// in the answer for that mark, so that nothing is told twice and nothing is lost.
func (t *Tab) Told(m Mark) (Facts, Mark) {
	t.b.mu.Lock()
	defer t.b.mu.Unlock()
	return t.factsLocked(m), t.markLocked()
}

func (t *Tab) factsLocked(m Mark) Facts {
	b := t.b
	j := &b.journal
	other := m.set && m.tab != t.number // what it showed then is not known
	f := Facts{
		Navigated:      t.epoch != m.epoch && !other,
		SameDocument:   t.moved > m.event && t.epoch == m.epoch && !other,
		URL:            t.urlLocked(),
		Closed:         t.closed != 0,
		Dialog:         t.dialogLocked(),
		Errors:         j.errors - m.errors,
		FailedRequests: j.failed - m.failed,
		LogCursor:      j.seq,
	}
	f.ErrorsLost = max(0, f.Errors-j.keptErrors(m.entry))
	if top := b.frames[t.id]; top != nil {
		switch n := top.nav; {
		case n == nil || n.same != 0:
		case n.over() && n.committed == 0:
			if n.failed > m.event || n.download > m.event {
				f.Aborted = n.outcome()
			}
		case n.committed == 0 && n.started > m.event:
			f.Loading = n.url
		case top.ready != readyComplete && n.started > m.event:
			f.Loading = top.url
		}
	}
	for _, o := range b.tabs {
		// A page may hide that it opened a tab: one that nobody else opened counts.
		if o.opened > m.event && o != t && (o.opener == t.number || o.opener == 0 && !o.ours) {
			f.Popups = append(f.Popups, o.infoLocked())
		}
	}
	if t.refused != nil && t.refused.seq > m.event {
		f.Refused = &t.refused.what
	}
	f.Chooser = b.chooser.seq > m.event && t.ownsLocked(b.chooser.context)
	began := map[bidi.Context]int{}
	for _, d := range b.downloads {
		if d.began > m.event || d.end > m.event {
			if d.began > m.event {
				began[d.context]++
			}
			f.DownloadsCut = f.DownloadsCut || b.quirks.DownloadsDropped && began[d.context] >= DownloadsAtOnce
			d.Download.Name = b.kept().fileName(d.Download.Name)
			f.Downloads = append(f.Downloads, d.Download)
		}
	}
	for _, r := range b.requests {
		if r.data && r.started > m.event && t.ownsLocked(r.context) {
			f.Pending++
		}
	}
	return f
}

// outcome says in a word why a navigation showed no document.
func (n *navigation) outcome() string {
	switch {
	case n.download != 0:
		return "download"
	case n.status == 204 || n.status == 205:
		return "no content"
	case n.reason == "", strings.Contains(n.reason, "ABORTED"), strings.Contains(n.reason, "Beforeunload prompt was rejected"):
		return "cancelled"
	}
	return worded(n.reason)
}

func (t *Tab) ownsLocked(c bidi.Context) bool {
	f := t.b.frames[c]
	return f != nil && f.tab == t
}
