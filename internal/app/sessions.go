package app

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"duet/artifacts"
	"duet/dispatch"
	"duet/internal/env"
	"duet/internal/fault"
)

// maxSessions is how many named sessions one daemon holds.
const maxSessions = 8

// member is a session with how its browser is started. The settings may change
// while no browser runs; refs keep counting through that.
type member struct {
	session *dispatch.Session
	created time.Time

	mu       sync.Mutex // guards the rest
	settings settings
	proven   settings    // of the last browser that did start
	failed   bool        // the last start did: what it was to have is forgotten
	browser  string      // what was started last, by its real name
	named    []*settings // what the connected clients named

	conns int // connections that use it; guarded by the mutex of its sessions
}

// newMember makes a session; it starts nothing. Files may be uploaded from the
// directories in uploads by every caller.
func newMember(name string, s settings, uploads []string, log *slog.Logger, stderr io.Writer) *member {
	m := &member{created: time.Now(), settings: s}
	files := artifacts.New(artifacts.Options{Session: name})
	m.session = dispatch.NewSession(dispatch.Options{
		Name: name, Files: files, States: states(), Log: log, Uploads: uploads, Version: version(),
		Limits:  dispatch.Limits{Timeout: time.Duration(env.Timeout.Int()) * time.Millisecond},
		Quitted: m.forget,
		Open: func(ctx context.Context, note func(string)) (*dispatch.Live, error) {
			m.mu.Lock()
			s := m.settings
			m.mu.Unlock()
			live, err := opener(s, files, stderr)(ctx, note)
			m.mu.Lock()
			defer m.mu.Unlock()
			m.failed = err != nil
			if err == nil {
				m.browser, m.proven = live.Info.Browser, s
			}
			return live, err
		},
	})
	return m
}

// forget makes the next browser the one that its first caller describes, whatever the
// last one was given: a state that no longer exists would else be in the way of every
// later command. What clients named that are still connected holds: some wait for
// their call, and some said it once for as long as they stay.
func (m *member) forget() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.settings, m.proven, m.failed = settings{}, settings{}, false
	for _, s := range m.named {
		m.settings = m.settings.with(*s)
	}
}

// keep counts a client's settings in, before it is agreed to them; drop counts them out.
func (m *member) keep(s *settings) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.named = append(m.named, s)
}

func (m *member) drop(s *settings) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.named = slices.DeleteFunc(m.named, func(o *settings) bool { return o == s })
}

// agree takes over the settings that a caller names, or refuses them where the
// running browser is another. Those of a start that failed bind no later caller.
func (m *member) agree(want settings) *refusal {
	running, _, _ := m.session.Activity()
	m.mu.Lock()
	defer m.mu.Unlock()
	var conflicts []string
	if m.failed && !running {
		m.settings, m.failed = m.proven, false
	}
	next := m.settings
	text := func(flag, want string, have *string) {
		if want == "" || want == *have {
			return
		}
		was := *have
		if flag == "browser" && m.browser != "" {
			was = m.browser
		}
		if was == "" {
			was = "the default"
		}
		conflicts = append(conflicts, "--"+flag+" "+want+" (it has "+was+")")
		*have = want
	}
	if running && fits(want.Browser, m.browser) {
		want.Browser = "" // it is what runs already
	}
	text("browser", want.Browser, &next.Browser)
	text("driver", want.Driver, &next.Driver)
	text("profile", want.Profile, &next.Profile)
	text("state", want.State, &next.State)
	text("connect", want.Connect, &next.Connect)
	// What was emulated may hold secrets, and so is not told.
	if want.Emulate != "" && want.Emulate != next.Emulate {
		conflicts = append(conflicts, "what is to be emulated (change it with: duet emulate)")
		next.Emulate = want.Emulate
	}
	text("proxy", want.Proxy, &next.Proxy)
	if want.Insecure && !next.Insecure {
		conflicts = append(conflicts, "--insecure-certs (it wants trusted ones)")
		next.Insecure = true
	}
	if want.Pierce && !next.Pierce {
		conflicts = append(conflicts, "--pierce-closed (it leaves closed shadow roots alone)")
		next.Pierce = true
	}
	if want.Headed && !next.Headed {
		conflicts = append(conflicts, "--headed (it is headless)")
		next.Headed = true
	}
	if len(conflicts) == 0 {
		return nil
	}
	if running {
		return &refusal{
			Code:    fault.InvalidArgument,
			Message: "session " + m.session.Name() + " already runs a browser, which does not fit " + strings.Join(conflicts, ", "),
			Hint:    "end that browser with: duet quit --session " + m.session.Name() + ", or use another session: --session NAME",
		}
	}
	m.settings = next
	return nil
}

// fits reports whether a browser that was asked for is the one that runs: chrome
// is also what people call Chromium where that is what they have.
func fits(want, runs string) bool {
	return want == runs || want == "chrome" && runs == "chromium"
}

// sessions are a daemon's, by name.
type sessions struct {
	log    *slog.Logger
	stderr io.Writer
	root   string // the project's

	mu     sync.Mutex // guards the rest
	open   map[string]*member
	closed bool // all were closed: none is made any more
}

// errEnding is what joins a daemon that closes its sessions.
var errEnding = errors.New("the daemon ends")

// join returns the session of a name, making it where there is room. It fails where
// the daemon ends: a session that is made then would never be closed.
// What the caller named is kept in mind until it leaves.
func (s *sessions) join(o *opening) (*member, *refusal, error) {
	if !sessionName(o.Session) {
		return nil, &refusal{Code: fault.InvalidArgument, Message: "the session's name is not one"}, nil
	}
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil, nil, errEnding
	}
	m := s.open[o.Session]
	if m != nil {
		m.conns++
		s.mu.Unlock()
		m.keep(&o.settings)
		no := m.agree(o.settings)
		if no != nil {
			m.drop(&o.settings)
		}
		return m, no, nil
	}
	var left *member
	if len(s.open) >= maxSessions {
		left = s.unusedLocked()
	}
	m = newMember(o.Session, o.settings, []string{s.root}, s.log, s.stderr)
	m.conns++
	m.keep(&o.settings)
	switch full := len(s.open) >= maxSessions; {
	case full && !o.Idle:
		defer s.mu.Unlock()
		return nil, &refusal{
			Code: fault.StateInvalid, Message: "there are already 8 sessions: " + strings.Join(s.namesLocked(), ", "),
			Hint: "close one: duet session close NAME",
		}, nil
	case !full: // else it is for one call that starts nothing, and takes no place
		s.open[o.Session] = m
	}
	s.mu.Unlock()
	if left != nil {
		// It has no browser: what is closed are its files, of which this one needs none.
		if err := left.session.Close(context.Background()); err != nil {
			s.log.Error("closing a session", "session", left.session.Name(), "error", err)
		}
	}
	return m, nil, nil
}

// leave is the end of a connection that had joined.
func (s *sessions) leave(m *member, o *opening) {
	m.drop(&o.settings)
	s.mu.Lock()
	defer s.mu.Unlock()
	m.conns--
}

// unusedLocked takes out the session that was used least lately of those that have
// no browser and no connection, and returns it; nil where each has one.
func (s *sessions) unusedLocked() *member {
	var found *member
	var since time.Time
	for _, m := range s.open {
		running, calls, last := m.session.Activity()
		if last.IsZero() {
			last = m.created
		}
		if !running && calls == 0 && m.conns == 0 && (found == nil || last.Before(since)) {
			found, since = m, last
		}
	}
	if found != nil {
		delete(s.open, found.session.Name())
	}
	return found
}

func (s *sessions) namesLocked() []string {
	var names []string
	for name := range s.open {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// sessionInfo is a line of `duet session list`.
type sessionInfo struct {
	Name    string    `json:"name"`
	Browser string    `json:"browser,omitzero"`
	Running bool      `json:"running"` // a browser
	Calls   int       `json:"calls"`   // that run or wait
	Created time.Time `json:"created"`
	Last    time.Time `json:"last_call,omitzero"`
}

func (s *sessions) list() []sessionInfo {
	s.mu.Lock()
	defer s.mu.Unlock()
	infos := []sessionInfo{}
	for _, name := range s.namesLocked() {
		m := s.open[name]
		running, calls, last := m.session.Activity()
		m.mu.Lock()
		browser := m.settings.Browser
		if running {
			browser = m.browser
		}
		m.mu.Unlock()
		infos = append(infos, sessionInfo{name, browser, running, calls, m.created, last})
	}
	return infos
}

// close ends one session and frees its place, or reports that there is none.
func (s *sessions) close(ctx context.Context, name string) bool {
	s.mu.Lock()
	m := s.open[name]
	delete(s.open, name)
	s.mu.Unlock()
	if m == nil {
		return false
	}
	if err := m.session.Close(ctx); err != nil {
		s.log.Error("closing a session", "session", name, "error", err)
	}
	return true
}

// closeAll ends all sessions at once, and lets none be made any more.
func (s *sessions) closeAll(ctx context.Context) {
	s.mu.Lock()
	s.closed = true
	names := s.namesLocked()
	s.mu.Unlock()
	var all sync.WaitGroup
	for _, name := range names {
		all.Go(func() { s.close(ctx, name) })
	}
	all.Wait()
}

// busy reports whether a browser runs or a call is under way, and when the last
// call ended.
func (s *sessions) busy() (running, working bool, last time.Time) {
	for _, info := range s.list() {
		running = running || info.Running
		working = working || info.Calls > 0
		if info.Last.After(last) {
			last = info.Last
		}
	}
	return running, working, last
}
