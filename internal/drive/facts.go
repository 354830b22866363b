package drive

import (
	"time"

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
