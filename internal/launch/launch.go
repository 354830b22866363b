package launch

import (
	"context"
	"io"
	"net/url"
	"runtime"
	"strings"
	"time"

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
	DownloadDir string // where downloads go, made where absent; see Process.DownloadDir
	Width       int    // of the viewport; 0 is 1280
	Height      int    // of the viewport; 0 is 800
	Proxy       string // that pages are loaded through: http://HOST:PORT or socks5://HOST:PORT; "" is none
	// InsecureCerts opens pages whose certificate is not trusted.
	InsecureCerts bool
	// ColorScheme (light, dark) and ReducedMotion (reduce, no-preference) are what media
	// queries see, where only a preference says it; see Endpoint.Prefers.
	ColorScheme, ReducedMotion string
	KeepProfile                bool      // leave the temporary directory behind, for debugging
	Stderr                     io.Writer // gets what browser and driver print; may be nil
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
	Prefers      bool // colour scheme and motion of the options were set at the start
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

// startBound ends a start whose caller set no deadline.
const startBound = 60 * time.Second

// Start starts a browser and returns when its endpoint can be dialled, or a
// fault: LAUNCH_FAILED names what was looked for and the fix. ctx bounds the
// start alone; the process lives until Close, or until this program ends.
func Start(ctx context.Context, o Options) (*Process, error) {
	if o.Proxy != "" {
		if _, err := proxyOf(o.Proxy); err != nil {
			return nil, err
		}
	}
	if o.Connect != "" {
		return connect(o)
	}
	if o.Width <= 0 || o.Height <= 0 {
		o.Width, o.Height = 1280, 800
	}
	c, missing := systemFinder(runtime.GOOS).choose(o)
	if missing != nil {
		return nil, missing
	}
	ctx, cancel := context.WithTimeoutCause(ctx, startBound,
		fault.New(fault.LaunchFailed, "%s did not start within %v", c.browser, startBound))
	defer cancel()
	var why *failure
	for _, pl := range plans(c, o) {
		if why != nil && !why.sandbox {
			break
		}
		if why != nil {
			pl.note += " (" + why.text + ")"
		}
		p, failed := begin(ctx, o, c, pl)
		if failed != nil && failed.ended && ctx.Err() == nil {
			p, failed = begin(ctx, o, c, pl) // nothing came of the first: no page was shown
		}
		if failed == nil {
			return p, nil
		}
		why = failed
	}
	return nil, why.fault(c)
}

// connect names an endpoint that already runs. An address that ends in a
// session's id is a session that exists.
func connect(o Options) (*Process, error) {
	address := o.Connect
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "ws" && u.Scheme != "wss" || u.Host == "" {
		return nil, fault.New(fault.InvalidArgument, "not a WebSocket address: %q", address).
			WithHint("such as ws://127.0.0.1:9222/session")
	}
	_, id, _ := strings.Cut(u.Path, "/session")
	exists := strings.Trim(id, "/") != ""
	if !exists {
		u.Path = strings.TrimRight(u.Path, "/")
		if !strings.HasSuffix(u.Path, "/session") {
			u.Path += "/session"
		}
	}
	if exists && (o.Proxy != "" || o.InsecureCerts) {
		return nil, fault.New(fault.InvalidArgument, "the session of %s exists: its proxy and its certificates cannot be chosen any more", address)
	}
	return &Process{
		endpoint: Endpoint{URL: u.String(), SessionExists: exists, Capabilities: newCapabilities(o)},
		done:     make(chan struct{}),
	}, nil
}

// commonCapabilities are what every session is asked for: the BiDi socket, prompts
// that stay open until they are answered, and how pages are reached.
func commonCapabilities(o Options) map[string]any {
	c := map[string]any{
		"webSocketUrl":            true,
		"unhandledPromptBehavior": map[string]any{"default": "ignore"},
	}
	if o.InsecureCerts {
		c["acceptInsecureCerts"] = true
	}
	if o.Proxy != "" {
		if p, err := proxyOf(o.Proxy); err == nil { // Start has judged it
			c["proxy"] = p
		}
	}
	return c
}

// proxyOf is a proxy as a capability. Addresses of this machine go past it, as
// browsers have it.
func proxyOf(address string) (map[string]any, error) {
	wrong := fault.New(fault.InvalidArgument, "a proxy is http://HOST:PORT or socks5://HOST:PORT")
	if !strings.Contains(address, "://") {
		address = "http://" + address
	}
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || u.Port() == "" || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" {
		return nil, wrong
	}
	if u.User != nil {
		return nil, fault.New(fault.Unsupported, "browsers take no name and password for a proxy at their start").
			WithHint("use a proxy on this machine that adds them")
	}
	switch u.Scheme {
	case "http":
		return map[string]any{"proxyType": "manual", "httpProxy": u.Host, "sslProxy": u.Host}, nil
	case "socks5":
		return map[string]any{"proxyType": "manual", "socksProxy": u.Host, "socksVersion": 5}, nil
	}
	return nil, wrong
}

// newCapabilities are the capabilities of session.new.
func newCapabilities(o Options) json.RawMessage {
	b, err := json.Marshal(map[string]any{"alwaysMatch": commonCapabilities(o)})
	if err != nil {
		return nil
	}
	return b
}
