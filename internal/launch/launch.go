package launch

import (
	"context"
	"io"

	"github.com/goccy/go-json"

	"duet/internal/fault"
)

// GuardArg is the first argument of a re-executed guard.
const GuardArg = "internal-guard"

// The driver choices of [Options].
const (
	DriverAuto = ""            // a driver where one is found
	DriverGeck = "geckodriver" // geckodriver or failure
	DriverNone = "none"        // Firefox alone
)

// Options say what to start. The zero value is the default browser, headless,
// with a fresh profile.
type Options struct {
	Browser     string // "", chrome, chromium, edge, firefox
	Driver      string // "", geckodriver, none (Firefox alone)
	Connect     string // ws:// address of an endpoint that already runs; nothing is started
	Headed      bool   // show the window
	ProfileDir  string // a profile that is kept; "" is a fresh one
	DownloadDir string // where downloads go; made where absent and handed to the browser
	Width       int    // of the viewport; 0 is 1280
	Height      int    // of the viewport; 0 is 800
	KeepProfile bool   // leave the temporary directory behind, for debugging
	Stderr      io.Writer
	// RequireSandbox refuses to start a browser whose sandbox cannot be had.
	RequireSandbox bool
}

// Endpoint is where the browser listens and what is known of it.
type Endpoint struct {
	URL string // ws://…
	// SessionExists is true where a driver made the session: dial and talk. It is
	// false where session.new is still to be sent with Capabilities.
	SessionExists bool
	// Capabilities are the matched ones of an existing session, or the value of
	// session.new's "capabilities" for one that is to be made.
	Capabilities json.RawMessage
	Browser      string // chrome, chromium, edge, firefox; "" for Connect
	Version      string // the browser's, as it prints it: 156.0.8078.108
	Driver       string // chromedriver 156.0.8078.108, geckodriver 0.37.1, or ""
	Headed       bool
}

// Candidate is a browser that was found on this machine.
type Candidate struct {
	Browser string // chrome, chromium, edge, firefox
	Path    string
	Driver  string // path of its driver, "" where none is found
}

// Check is one line of `duet doctor`.
type Check struct {
	Name string // what was looked at
	OK   bool
	Text string // what was found
	Hint string // what to do where it is not OK
}

// Process is a running browser, and its driver where it has one. It is safe
// for concurrent use.
type Process struct {
	endpoint Endpoint
	note     string
	done     chan struct{}
}

// Start starts a browser and returns when its endpoint can be dialled, or a
// LAUNCH_FAILED fault that names what was looked for and the fix. ctx bounds the
// start alone; the process lives until Close, or until this program ends.
func Start(ctx context.Context, o Options) (*Process, error) {
	return nil, fault.New(fault.LaunchFailed, "not yet built")
}

// Endpoint returns where to dial.
func (p *Process) Endpoint() Endpoint { return p.endpoint }

// Done is closed when the browser or its driver has ended, for whatever reason.
// It is never closed for an endpoint that was connected to.
func (p *Process) Done() <-chan struct{} { return p.done }

// Err returns nil while the browser runs and after a Close; otherwise a
// BROWSER_LOST fault that names how it ended.
func (p *Process) Err() error { return nil }

// Note returns what the user should know of how the browser runs, or "".
func (p *Process) Note() string { return p.note }

// Lend makes a file readable for the browser and returns the path to give it:
// the same where the browser runs as the same user, a copy otherwise.
func (p *Process) Lend(path string) (string, error) { return path, nil }

// Close ends the browser: DELETE /session where there is a driver, SIGTERM,
// then SIGKILL to the whole tree; it reaps and removes the temporary profile.
// ctx bounds the gentle part. It can be called more than once.
func (p *Process) Close(ctx context.Context) error { return nil }

// Detect returns the browsers of this machine, the default first.
func Detect() []Candidate { return nil }

// Diagnose looks at the whole chain from binary to a started session.
func Diagnose(ctx context.Context) []Check { return nil }

// GuardMain is the guard's program: it reads what to start from stdin and
// returns the exit status of what it started. args are those after GuardArg.
func GuardMain(args []string, stdin io.Reader) int { return 1 }
