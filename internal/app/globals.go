package app

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"

	"duet/dispatch"
	"duet/internal/env"
)

// globals are the flags that every command takes. Their tags are the grammar.
type globals struct {
	Browser    string   `name:"browser" placeholder:"NAME" help:"chrome, chromium, edge or firefox. Default: what is installed, Chrome first."`
	Driver     string   `name:"driver" placeholder:"NAME" help:"For Firefox: geckodriver, or none for Firefox alone."`
	Headed     bool     `name:"headed" help:"Show the browser's window."`
	Session    string   `name:"session" placeholder:"NAME" help:"The daemon's session to use. Default: default."`
	Ephemeral  bool     `name:"ephemeral" help:"Use a browser for this command alone, without the daemon."`
	JSON       bool     `name:"json" help:"Print one JSON object a line instead of text."`
	TimeoutMS  *int     `name:"timeout-ms" placeholder:"MS" help:"Longest wait of the command, 0 to 300000. Default: 5000."`
	Observe    string   `name:"observe" placeholder:"WHAT" help:"What to print after an action: none, delta (what changed) or page (the whole map)."`
	Caller     string   `name:"caller" placeholder:"NAME" help:"Whose last look the next diff is made against. Default: this terminal."`
	Profile    string   `name:"profile" placeholder:"NAME" help:"Keep cookies and storage under this name. Default: a fresh profile each time."`
	State      string   `name:"state" placeholder:"NAME|FILE" help:"Start from saved cookies and storage: a state kept under this name, or a file (storageState JSON)."`
	Connect    string   `name:"connect" placeholder:"URL" help:"Use the WebDriver BiDi endpoint at this ws:// address instead of starting a browser."`
	Viewport   string   `name:"viewport" placeholder:"SIZE" help:"Size of the viewport: WIDTHxHEIGHT. Default: 1280x800."`
	Device     string   `name:"device" placeholder:"NAME" help:"Viewport, pixel ratio and user agent of a device, such as \"iPhone 15\"."`
	Emulate    []string `name:"emulate" sep:"none" placeholder:"NAME=VALUE" help:"What pages are told from the start, such as locale=de-DE; duet help emulate lists the names. Repeatable."`
	Proxy      string   `name:"proxy" placeholder:"URL" help:"Load pages through a proxy: http://HOST:PORT or socks5://HOST:PORT."`
	Insecure   bool     `name:"insecure-certs" help:"Open pages whose certificate is not trusted."`
	Pierce     bool     `name:"pierce-closed" help:"Read and act in closed shadow roots too, as in open ones."`
	AllowFile  []string `name:"allow-file" sep:"none" placeholder:"DIR" help:"For mcp: file: addresses below this directory may be opened. Repeatable."`
	UploadRoot []string `name:"upload-root" sep:"none" placeholder:"DIR" help:"Files below this directory may be uploaded too. Repeatable."`
	ReadOnly   bool     `name:"read-only" help:"Offer and run only what changes nothing."`
	Tools      string   `name:"tools" placeholder:"SET" help:"Which tools there are: core or all. Default: all."`
	Structured string   `name:"structured" placeholder:"ON" help:"For mcp: off sends results as text alone. Default: on."`
	Help       bool     `name:"help" short:"h" help:"Show help."`
	Version    bool     `name:"version" short:"V" help:"Print the version."`
}

// globalValues are those of the flags of all commands that have few.
var globalValues = map[string][]string{
	"--browser": browsers, "--driver": {"geckodriver", "none"}, "--observe": {"none", "delta", "page"}, "--tools": {"core", "all"}, "--structured": {"on", "off"},
}

// browsers are the values of --browser.
var browsers = []string{"chrome", "chromium", "edge", "firefox"}

// maxTimeoutMS is the largest --timeout-ms.
const maxTimeoutMS = 300000

// complete fills in what the environment says and refuses values that are none.
func (g *globals) complete() error {
	if g.Browser == "" {
		g.Browser = env.Browser.Value()
	}
	if g.Session == "" {
		g.Session = env.Session.Value()
	}
	if g.Caller == "" {
		g.Caller = env.Caller.Value()
	}
	g.Headed = g.Headed || env.Headed.Bool()
	g.Pierce = g.Pierce || env.PierceClosed.Bool()
	if err := g.emulation(); err != nil {
		return err
	}
	for _, c := range [][2]string{
		{"--browser", g.Browser}, {"--driver", g.Driver}, {"--observe", g.Observe}, {"--tools", g.Tools}, {"--structured", g.Structured},
	} {
		flag, value, allowed := c[0], c[1], globalValues[c[0]]
		if value != "" && !slices.Contains(allowed, value) {
			return usage("%s must be one of %s, not %s", flag, list(allowed), strconv.Quote(clip(value))).meant(value, allowed)
		}
	}
	if g.TimeoutMS != nil && (*g.TimeoutMS < 0 || *g.TimeoutMS > maxTimeoutMS) {
		return usage("--timeout-ms must be between 0 and %d, not %d", maxTimeoutMS, *g.TimeoutMS)
	}
	if g.Session != "" && !sessionName(g.Session) {
		return usage("%q is no session name: 1 to 32 letters, digits, - and _, a letter or digit first", g.Session)
	}
	if env.Timeout.Set() {
		if n, err := strconv.Atoi(env.Timeout.Value()); err != nil || n < 0 || n > maxTimeoutMS {
			return usage("%s must be a number of milliseconds between 0 and %d, not %s", env.Timeout.Name, maxTimeoutMS, strconv.Quote(clip(env.Timeout.Value())))
		}
	}
	if g.Profile != "" && !sessionName(g.Profile) {
		return usage("%q is no profile name: 1 to 32 letters, digits, - and _, a letter or digit first", g.Profile)
	}
	if g.State != "" && !stateName(g.State) {
		full, err := filepath.Abs(g.State) // the daemon has another working directory
		if err != nil {
			return usage("--state: %v", err)
		}
		g.State = full
	}
	if g.Connect != "" && (g.Profile != "" || g.Driver != "") {
		return usage("--connect uses a browser that already runs; --profile and --driver start one")
	}
	return nil
}

// access is the set of commands that these flags leave.
func (g *globals) access() dispatch.Access {
	a := dispatch.Access{Profile: dispatch.All, ReadOnly: g.ReadOnly}
	if g.Tools == string(dispatch.Core) {
		a.Profile = dispatch.Core
	}
	return a
}

// sessionName reports whether a name is one that the daemon takes.
func sessionName(s string) bool {
	if len(s) == 0 || len(s) > 32 {
		return false
	}
	for i, r := range s {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		if !letter && (i == 0 || r != '-' && r != '_') {
			return false
		}
	}
	return true
}

func list(words []string) string {
	s := ""
	for i, w := range words {
		switch {
		case i == 0:
		case i == len(words)-1:
			s += " or "
		default:
			s += ", "
		}
		s += w
	}
	return s
}

// usageError is a command line that is wrong: exit status 2, before anything ran.
type usageError struct {
	message string
	hint    string
}

func usage(format string, args ...any) *usageError {
	return &usageError{message: fmt.Sprintf(format, args...)}
}

func (e *usageError) Error() string { return e.message }

// meant adds what was most likely meant.
func (e *usageError) meant(word string, candidates []string) *usageError {
	if best := nearest(word, candidates); best != "" {
		e.hint = "did you mean " + best + "?"
	}
	return e
}
