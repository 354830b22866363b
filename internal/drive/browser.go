package drive

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/goccy/go-json"

	"duet/bidi"
	"duet/internal/fault"
	"duet/internal/pagejs"
)

// sandbox is the realm that page functions run in.
const sandbox = pagejs.Sandbox

// pingBound is how long a driver may take to show that it lives, once a command
// has run into its deadline: a machine under load leaves one waiting for seconds,
// and to take it for dead costs the whole browser.
const pingBound = 5 * time.Second

// Info is what New is told of the browser behind the connection.
type Info struct {
	Browser       string          // name, as its capabilities or launcher give it
	Version       string          // the browser's
	Driver        string          // driver and version, "" for none
	SessionExists bool            // the driver made the session; otherwise New sends session.new
	Capabilities  json.RawMessage // for session.new
	DownloadDir   string          // where downloads go; "" leaves the browser's own
	// Fetch takes a finished download from where the browser put it to where the
	// caller may read it, under a name made of called; nil leaves it where it is.
	Fetch func(path, called string) (Fetched, error)
	// Overrun fails with QUOTA where what the browser is saving is too much; nil lets it
	// save what it likes. Discard removes a saved file, or with "" empties those that are
	// being saved.
	Overrun       func() error
	Discard       func(path string)
	Stir          func(context.Context) // makes a driver that stalled go on; nil: nobody looks after a silent driver
	Width, Height int                   // of the viewport; 0 is 1280 by 800
	State         *SavedState           // cookies and storage to begin with, or nil
	Emulation     Emulation             // what pages are told from the start
	PierceClosed  bool                  // closed shadow roots are read as open ones are
}

// Refs resolves the refs of a map. Package snapshot's Ledger satisfies it.
type Refs interface {
	// Resolve returns the element of a ref and the stamp that was last shown for it.
	Resolve(ref string) (key pagejs.NodeKey, stamp string, err error)
}

// Browser is one live browser: its tabs, its journal, its secrets. It owns the
// connection. Safe for concurrent use; the verbs of one tab are meant to be
// called one after another.
type Browser struct {
	conn    *bidi.Conn
	info    Info
	quirks  Quirks
	secrets Secrets // until others are shared
	shared  atomic.Pointer[Secrets]
	hide    func(string)                   // keeps a secret out of the protocol log
	passing func([]string)                 // keeps out of it what pages hold now
	hold    func(string) func(secret bool) // holds the protocol log back until a value is judged
	errand  chan struct{}                  // holds one token when the errand goroutine has work
	work    sync.WaitGroup
	stalled chan struct{} // holds one token when the driver could not read something
	// stirring: the driver is made to go on for that.
	stirring atomic.Bool
	mocks    *mocker
	// stage is the hidden tab that is open, if one is: what happens in it is nobody's.
	stage atomic.Pointer[backstage]

	mu      sync.Mutex // guards the rest
	state              // what events tell
	refs    Refs
	changed chan struct{} // closed at the next change of the state
	watched bool          // somebody waits for changed
	lost    *fault.Fault
	noise   noise // delivered so far
	pulse   pulse
	typed   string // what a secret field held after the last key, where nothing else remembered that
	// collector keeps bodies, "" where none are kept.
	collector bidi.Collector

	view     viewport                    // asked for last
	features bidi.EmulationMediaFeatures // media features that are overridden
	headers  []bidi.NetworkHeader        // that every request carries
	set      []setting                   // what is emulated besides, in the order in which it was set
}

// New takes a transport to a browser, makes the session where none exists,
// subscribes, and prepares the realm, the viewport and the downloads. The
// commands travel together, so it costs two round trips at most. o.Sink is set
// here; the rest of o is the caller's. On failure the transport is closed.
// ctx bounds the preparation alone.
func New(ctx context.Context, transport bidi.Transport, o bidi.Options, info Info) (*Browser, error) {
	if info.Width == 0 || info.Height == 0 {
		info.Width, info.Height = 1280, 800
	}
	b := &Browser{
		info:    info,
		view:    viewport{width: info.Width, height: info.Height},
		quirks:  quirksOf(info.Browser),
		errand:  make(chan struct{}, 1),
		stalled: make(chan struct{}, 1),
		changed: make(chan struct{}),
		hide:    o.Log.Hide,
		passing: o.Log.HideForNow,
		hold:    o.Log.Suspect,
		state:   newState(),
	}
	b.mocks = newMocker(b)
	o.Sink = b.event
	b.conn = bidi.NewConn(transport, o)
	if err := b.prepare(ctx); err != nil {
		_ = b.conn.Close() // the failure is what the caller needs to hear
		return nil, fault.From(err).At(fault.Precondition, fault.None)
	}
	b.work.Go(b.errands)
	b.work.Go(b.mocks.serve)
	if info.Stir != nil {
		b.work.Go(b.follow)
	}
	return b, nil
}

// modules are what is subscribed to, by module: one unknown event name would fail
// the whole call, and the browsers' lists of events differ.
var modules = []string{"browsingContext", "log", "network", "script", "input"}

func (b *Browser) prepare(ctx context.Context) error {
	if !b.info.SessionExists {
		if err := b.newSession(ctx); err != nil {
			return err
		}
	}
	if b.info.State != nil {
		if err := b.restore(ctx, b.info.State); err != nil {
			return err
		}
		b.info.State = nil
	}
	tree := bidi.BrowsingContextGetTree.Send(b.conn, bidi.BrowsingContextGetTreeParameters{})
	subscribed := bidi.SessionSubscribe.Send(b.conn, bidi.SessionSubscribeParameters{Events: modules})
	preload := bidi.ScriptAddPreloadScript.Send(b.conn, bidi.ScriptAddPreloadScriptParameters{
		FunctionDeclaration: pagejs.Lib(), Sandbox: sandbox,
	})
	size := bidi.Some(bidi.BrowsingContextViewport{Width: b.info.Width, Height: b.info.Height})
	viewport := bidi.BrowsingContextSetViewport.Send(b.conn, bidi.BrowsingContextSetViewportParameters{
		UserContexts: []bidi.UserContext{"default"}, Viewport: size,
	})
	downloads := b.sendDownloads()
	intercept := b.sendIntercept()

	found, err := tree.Wait(ctx)
	if err != nil {
		return wireFault("start the session", err)
	}
	// A default viewport is for tabs to come in one browser, and for all in the other.
	var sized []*bidi.Pending[bidi.EmptyResult]
	for _, c := range found.Contexts {
		sized = append(sized, bidi.BrowsingContextSetViewport.Send(b.conn, bidi.BrowsingContextSetViewportParameters{
			Context: c.Context, Viewport: size,
		}))
	}
	_, errSub := subscribed.Wait(ctx)
	_, errPre := preload.Wait(ctx)
	_, errView := viewport.Wait(ctx)
	if err := errors.Join(errSub, errPre, errView); err != nil {
		return wireFault("start the session", errors.Join(errSub, errPre, errView))
	}
	for _, p := range sized {
		if _, err := p.Wait(ctx); err != nil && bidi.CodeOf(err) != bidi.CodeNoSuchFrame {
			return wireFault("set the viewport", err)
		}
	}
	if downloads != nil {
		if _, err := downloads.Wait(ctx); err != nil {
			return wireFault("set the download directory", err)
		}
	}
	if intercept != nil {
		if _, err := intercept.Wait(ctx); err != nil {
			return wireFault("prepare for password prompts", err)
		}
	}
	if err := b.emulate(ctx, b.info.Emulation, nil); err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, t := range b.tabs { // there from the start: no page's popup
		t.ours = true
	}
	return nil
}

func (b *Browser) newSession(ctx context.Context) error {
	var want bidi.SessionCapabilitiesRequest
	if len(b.info.Capabilities) > 0 {
		if err := json.Unmarshal(b.info.Capabilities, &want); err != nil {
			return fault.New(fault.Internal, "capabilities for the session: %v", err)
		}
	}
	made, err := bidi.SessionNew.Call(ctx, b.conn, bidi.SessionNewParameters{Capabilities: want})
	if err != nil {
		return wireFault("make a session", err)
	}
	if b.info.Browser == "" {
		b.info.Browser = made.Capabilities.BrowserName
		b.quirks = quirksOf(b.info.Browser)
	}
	if b.info.Version == "" {
		b.info.Version = made.Capabilities.BrowserVersion
	}
	return nil
}

// Info returns what is known of the browser.
func (b *Browser) Info() Info { return b.info }

// SetRefs hands over what resolves refs.
func (b *Browser) SetRefs(r Refs) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.refs = r
}

// Lost is closed when the connection has ended, for whatever reason.
func (b *Browser) Lost() <-chan struct{} { return b.conn.Done() }

// LostErr returns why the connection ended, a BROWSER_LOST fault, or nil while it
// lives.
func (b *Browser) LostErr() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.lost != nil {
		return b.lost
	}
	if err := b.conn.Err(); err != nil {
		return lostFault(err)
	}
	return nil
}

func lostFault(err error) *fault.Fault {
	return fault.New(fault.BrowserLost, "the connection to the browser ended").
		WithHint("the next call starts a new browser").Because(err)
}

// Quit tells the browser to end, as a person's last click would. It is for a
// browser without a driver, whose process ends right after the reply, or before.
func (b *Browser) Quit(ctx context.Context) error {
	_, err := bidi.BrowserClose.Call(ctx, b.conn, bidi.EmptyParams{})
	return err
}

// Close ends the connection, not the browser, and returns when nothing of the
// Browser runs any more. It can be called more than once.
func (b *Browser) Close() error {
	err := b.conn.Close()
	b.work.Wait()
	return err
}

// changedLocked returns a channel that is closed at the next change.
func (b *Browser) changedLocked() <-chan struct{} {
	b.watched = true
	return b.changed
}

func (b *Browser) wakeLocked() {
	if b.watched {
		b.watched = false
		close(b.changed)
		b.changed = make(chan struct{})
	}
}

// await calls look, under the lock, at once and after every change, until it
// answers true. It ends with a BROWSER_LOST fault or with ctx's cause.
func (b *Browser) await(ctx context.Context, look func() bool) error {
	return b.awaitOr(ctx, nil, look)
}

// awaitOr is await that also ends when done is closed.
func (b *Browser) awaitOr(ctx context.Context, done <-chan struct{}, look func() bool) error {
	for {
		b.mu.Lock()
		enough := look()
		changed := b.changedLocked()
		b.mu.Unlock()
		if enough {
			return nil
		}
		select {
		case <-done:
			return nil
		case <-changed:
		case <-b.conn.Done():
			select {
			case <-done: // it knows more: whether its frame had left
				return nil
			default:
			}
			return b.LostErr()
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// nudge wakes the errand goroutine. It never blocks.
func (b *Browser) nudge() {
	select {
	case b.errand <- struct{}{}:
	default:
	}
}

// errands sends what events ask for: the sink itself must not send. It ends with
// the connection.
func (b *Browser) errands() {
	var look <-chan time.Time // at the downloads that run
	for {
		select {
		case <-b.errand:
		case <-look:
			look = nil
			b.boundDownloads()
		case <-b.conn.Done():
			return
		}
		b.mu.Lock()
		landed := b.landedLocked()
		if look == nil && b.info.Overrun != nil && len(b.savingLocked()) > 0 {
			look = time.After(downloadsLook)
		}
		var popups []*Tab
		for _, t := range b.tabs {
			if t.repair == repairDue {
				t.repair = repairing
				popups = append(popups, t)
			}
		}
		b.mu.Unlock()
		for _, a := range landed {
			b.fetch(a)
		}
		for _, t := range popups {
			b.repairPopup(t)
		}
	}
}

// leaveIt goes with a page that answers nothing.
var leaveIt = "where it does not end, go on in a new tab: " + fault.Call("browser_page", "action", "open", "target", "URL") + "; " +
	fault.Either("the end of the client", "duet quit") + " ends the browser"

// giveUp ends the connection to a driver that is dead, for the reason given.
func (b *Browser) giveUp(f *fault.Fault) {
	b.mu.Lock()
	if b.lost == nil {
		b.lost = f
	}
	b.mu.Unlock()
	_ = b.conn.Close() // what it says no longer matters
}
