package app

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"time"

	"github.com/goccy/go-json"

	"duet/internal/fault"
)

// What a connection to the daemon is for.
const (
	modeMCP    = "mcp"    // MCP follows
	modeStatus = "status" // one answer, then the end
	modeStop   = "stop"
	modeList   = "list"
	modeClose  = "close"
)

// opening is the first line of a connection to the daemon: who calls, what for,
// and under which rules. The daemon answers with one greeting.
type opening struct {
	Duet    int    `json:"duet"` // version of this line, 1
	Version string `json:"version"`
	Mode    string `json:"mode"`
	Session string `json:"session,omitzero"`
	Caller  string `json:"caller,omitzero"`
	Idle    bool   `json:"idle,omitzero"` // it asks for nothing that starts a browser
	settings
	rules
}

// settings are how a session's browser is started. Two callers of one session
// must agree on those that they name.
type settings struct {
	Browser string `json:"browser,omitzero"`
	Driver  string `json:"driver,omitzero"`
	Headed  bool   `json:"headed,omitzero"`
	Profile string `json:"profile,omitzero"`
	State   string `json:"state,omitzero"`
	Connect string `json:"connect,omitzero"`
	Emulate string `json:"emulate,omitzero"` // one name=value a line
	Proxy   string `json:"proxy,omitzero"`
	// Insecure takes certificates that are not trusted.
	Insecure bool `json:"insecure,omitzero"`
	Pierce   bool `json:"pierce_closed,omitzero"`
}

// with are the settings of two callers that agree.
func (s settings) with(o settings) settings {
	return settings{
		Browser: cmp.Or(o.Browser, s.Browser), Driver: cmp.Or(o.Driver, s.Driver), Headed: o.Headed || s.Headed,
		Profile: cmp.Or(o.Profile, s.Profile), State: cmp.Or(o.State, s.State), Connect: cmp.Or(o.Connect, s.Connect),
		Emulate: cmp.Or(o.Emulate, s.Emulate), Proxy: cmp.Or(o.Proxy, s.Proxy), Insecure: o.Insecure || s.Insecure, Pierce: o.Pierce || s.Pierce,
	}
}

// rules are what holds for one connection, whatever its session allows others.
type rules struct {
	Tools    string   `json:"tools,omitzero"`
	ReadOnly bool     `json:"read_only,omitzero"`
	TextOnly bool     `json:"text_only,omitzero"`
	Observe  string   `json:"observe,omitzero"`
	Uploads  []string `json:"uploads,omitzero"`
	policy
}

// greeting is the daemon's answer to an opening.
type greeting struct {
	Version string          `json:"version"`
	PID     int             `json:"pid"`
	Error   *refusal        `json:"error,omitzero"`
	Restart bool            `json:"restart,omitzero"` // it ends now, and nothing was done: start another
	Data    json.RawMessage `json:"data,omitzero"`
}

// refusal is a greeting that says no.
type refusal struct {
	Code    fault.Code `json:"code"`
	Message string     `json:"message"`
	Hint    string     `json:"hint,omitzero"`
}

func (r *refusal) fault() *fault.Fault {
	f := fault.New(r.Code, "%s", r.Message)
	f.Hint = r.Hint
	return f
}

// Bounds of the first lines.
const (
	openingBytes = 64 << 10
	openingTime  = 5 * time.Second
	greetingTime = 10 * time.Second
	closingTime  = 30 * time.Second // a browser is put away before the greeting
)

func (g *globals) settings() settings {
	return settings{g.Browser, g.Driver, g.Headed, g.Profile, g.State, g.Connect, strings.Join(g.Emulate, "\n"), g.Proxy, g.Insecure, g.Pierce}
}

// opening makes the line for these flags.
func (g *globals) opening(mode string) opening {
	return opening{
		Duet: 1, Version: build(), Mode: mode, Session: g.session(), Caller: g.Caller, settings: g.settings(),
		rules: rules{Tools: g.Tools, ReadOnly: g.ReadOnly, TextOnly: g.Structured == "off", Observe: g.Observe},
	}
}

func (g *globals) session() string {
	if g.Session == "" {
		return "default"
	}
	return g.Session
}

// greet sends an opening with what is to follow it at once, and reads the
// greeting, which a daemon that works sends at once. The reader holds what came
// behind it. The end of ctx ends the connection as long as greet runs.
func greet(ctx context.Context, c net.Conn, o opening, more []byte) (*bufio.Reader, greeting, error) {
	bound := greetingTime
	if o.Mode == modeClose {
		bound = closingTime
	}
	if err := c.SetDeadline(time.Now().Add(bound)); err != nil {
		return nil, greeting{}, lostDaemon(err)
	}
	stop := context.AfterFunc(ctx, func() { _ = c.Close() })
	in, g, err := exchange(c, o, more)
	switch {
	case !stop() && ctx.Err() != nil:
		return nil, g, fault.From(ctx.Err())
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, g, fault.New(fault.Timeout, "the daemon did not answer within %v", bound).
			WithHint("duet daemon status names its log; end the process if it hangs").Because(err)
	case err != nil:
		return nil, g, err
	}
	return in, g, c.SetDeadline(time.Time{})
}

func exchange(c net.Conn, o opening, more []byte) (*bufio.Reader, greeting, error) {
	var g greeting
	text, err := marshal(o)
	if err != nil {
		return nil, g, err
	}
	if _, err := c.Write(append(append(text, '\n'), more...)); err != nil {
		return nil, g, ungreeted(err)
	}
	in := bufio.NewReaderSize(c, 64<<10)
	text, err = in.ReadBytes('\n')
	if err != nil {
		return nil, g, ungreeted(err)
	}
	if err := json.Unmarshal(text, &g); err != nil {
		return nil, g, lostDaemon(err).At(fault.Precondition, fault.None)
	}
	return in, g, nil
}

// errUngreeted is a daemon that ended before it greeted.
var errUngreeted = errors.New("no greeting came")

// ungreeted is the fault of a daemon that did not greet: it does so before anything
// is done, so that nothing was.
func ungreeted(err error) error {
	return lostDaemon(fmt.Errorf("%w: %w", errUngreeted, err)).At(fault.Precondition, fault.None)
}

func lostDaemon(err error) *fault.Fault {
	return fault.New(fault.BrowserLost, "the daemon did not answer: %v", err).WithHint("see duet daemon status; the log is named there").
		At(fault.InEffect, fault.Possible).Because(err)
}

// readOpening reads the first line of a connection, bounded in size and time.
func readOpening(c net.Conn) (*bufio.Reader, opening, error) {
	var o opening
	if err := c.SetReadDeadline(time.Now().Add(openingTime)); err != nil {
		return nil, o, err
	}
	in := bufio.NewReaderSize(c, openingBytes)
	text, err := in.ReadSlice('\n')
	if err != nil {
		return nil, o, err
	}
	if err := json.Unmarshal(text, &o); err != nil {
		return nil, o, err
	}
	if o.Duet != 1 {
		return nil, o, io.ErrUnexpectedEOF
	}
	return in, o, c.SetReadDeadline(time.Time{})
}
