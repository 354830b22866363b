package drive

import (
	"time"

	"duet/bidi"
	"duet/internal/pagejs"
)

// frame is a context as the events tell it: a tab's top document or a frame's.
// Browser.mu guards it.
type frame struct {
	id      bidi.Context
	parent  bidi.Context // "" at the top
	tab     *Tab
	kids    []bidi.Context // in the order of creation
	url     string
	commits int // documents that it has shown; 0 is the initial empty one
	ready   int // how far the document is: readyLoading, …
	nav     *navigation
	realm   bidi.Realm // our sandbox in the document shown, where an event told
	given   given      // the page functions that it was given
	changed int        // event of the last commit
	traffic int        // event of the last response of this document
}

// given are the page functions that a sandbox was given, by name.
type given struct {
	realm bidi.Realm
	names map[string]bool
}

const (
	readyLoading = iota
	readyInteractive
	readyComplete
)

// navigation is one attempt to put a document into a frame. Numbers are those of
// the events; 0 is not yet. Browser.mu guards it.
type navigation struct {
	id        bidi.Navigation
	context   bidi.Context
	url       string
	started   int
	seen      time.Time // when that was told
	begun     float64   // the browser's time of its beginning, in milliseconds; 0 unknown
	committed int
	content   int // domContentLoaded
	loaded    int
	failed    int
	reason    string // of the failure
	download  int
	status    int // HTTP status of its last response
	auth      bool
	body      int // bytes of the body, -1 unknown
	same      int // it turned out to be a change of the address alone
	history   bool
	read      bool // its document was read before its commit was told
}

// over reports whether nothing more comes of it: it failed, was a download, or
// was an address change alone.
func (n *navigation) over() bool { return n.failed != 0 || n.download != 0 || n.same != 0 }

// request is a request that is under way. Browser.mu guards it.
type request struct {
	id      bidi.RequestID
	context bidi.Context
	started int
	data    bool // fetch or XMLHttpRequest: what a page changes itself by
	url     string
	method  string
}

// state is everything that events tell. The Browser's lock guards it.
type state struct {
	seq         int // of the last event
	frames      map[bidi.Context]*frame
	navigations map[bidi.Navigation]*navigation
	recent      []bidi.Navigation // oldest first, to forget them
	requests    map[bidi.RequestID]*request
	dataEnded   []ended // finished data requests, newest last, bounded
	downloads   []download
	dialogs     map[bidi.Context]*Dialog // by top context
	chooser     chooser                  // asked for last
	choosers    []chooser                // earlier ones that are known by what was pressed for them, oldest first, bounded
	press       heardPress               // armed last
	journal     journal
	exchanges   requestLog
	workers     map[bidi.Realm]bool // that run
	byContext   map[bidi.Context]*Tab
	tabs        []*Tab // open ones, in order of creation
	lastTab     int
	active      *Tab
	front       *Tab // the one that the browser shows
	fronted     int  // event by which a new tab last came to the front
	visits      []visit
	unvisited   int // places that there was no room for
}

// chooser is a page's wish for files. The browser shows no window for it.
type chooser struct {
	seq      int // 0 is none
	context  bidi.Context
	element  bidi.SharedID // "" where it is no element's
	multiple bool
	pressed  pagejs.NodeKey // what was pressed for it, once that is known
}

type ended struct {
	context bidi.Context
	seq     int
}

type download struct {
	Download
	id         string
	navigation bidi.Navigation
	context    bidi.Context
	began, end int
	arrived    string // the browser's path of it, until Fetch has moved it
	status     string // what it ended with
	fetching   bool
	overrun    string // why it was ended, "" where it was not
}

const (
	recentNavigations = 256
	recentEnded       = 512
	recentDownloads   = 128
)

// DownloadsAtOnce is how many downloads a document may begin within a second where
// the browser drops any further one. Nothing tells of those.
const DownloadsAtOnce = 10

func newState() state {
	return state{
		frames:      map[bidi.Context]*frame{},
		navigations: map[bidi.Navigation]*navigation{},
		requests:    map[bidi.RequestID]*request{},
		exchanges:   requestLog{byHop: map[hopKey]*Request{}},
		dialogs:     map[bidi.Context]*Dialog{},
		byContext:   map[bidi.Context]*Tab{},
	}
}

// navLocked returns the record of a navigation and makes one where there is none:
// browsers leave out events, so any of them may be the first.
func (s *state) navLocked(id bidi.Navigation, c bidi.Context) *navigation {
	if id == "" {
		return nil
	}
	n := s.navigations[id]
	if n == nil {
		n = &navigation{id: id, context: c, body: -1}
		s.navigations[id] = n
		s.recent = append(s.recent, id)
		if len(s.recent) > recentNavigations {
			delete(s.navigations, s.recent[0])
			s.recent = s.recent[1:]
		}
	}
	return n
}

// topLocked returns the top context of a context.
func (s *state) topLocked(c bidi.Context) bidi.Context {
	for f := s.frames[c]; f != nil && f.parent != ""; f = s.frames[f.parent] {
		c = f.parent
	}
	return c
}

// orderLocked returns the contexts of the tree under c, parents first.
func (s *state) orderLocked(c bidi.Context, into []bidi.Context) []bidi.Context {
	f := s.frames[c]
	if f == nil {
		return into
	}
	into = append(into, c)
	for _, k := range f.kids {
		into = s.orderLocked(k, into)
	}
	return into
}

// tabOfLocked returns the tab of a context, nil for one that is not known.
func (s *state) tabOfLocked(c *bidi.Context) *Tab {
	if c == nil {
		return nil
	}
	if f := s.frames[*c]; f != nil {
		return f.tab
	}
	return nil
}

// Origin is where something came from, by the addresses that were shown then.
type Origin struct {
	Page  string // of the tab; "" where it belongs to none
	Frame string // of the frame, where that is not the whole tab
}

// originLocked is the origin of what comes from a context now.
func (s *state) originLocked(c *bidi.Context) Origin {
	t := s.tabOfLocked(c)
	if t == nil {
		return Origin{}
	}
	o := Origin{Page: t.urlLocked()}
	if f := s.frames[*c]; f.parent != "" {
		o.Frame = f.url
	}
	return o
}

func numberOf(t *Tab) int {
	if t == nil {
		return 0
	}
	return t.number
}
