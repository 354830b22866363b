package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"time"

	"github.com/goccy/go-json"

	"duet/dispatch"
	"duet/internal/env"
	"duet/internal/fault"
	"duet/internal/mcpserver"
	"duet/internal/sock"
)

// reply is the answer to one call, however it was made.
type reply struct {
	text       string
	structured json.RawMessage
	isError    bool
	negative   bool
	raw        string             // member of the result that is printed as it is
	wrong      *dispatch.ArgError // the caller spoke wrongly
	value      bool               // the result is a value of the page
}

// place is where the daemon of the working directory's project is met.
func place() (sock.Place, error) {
	dir, err := os.Getwd()
	if err != nil {
		return sock.Place{}, fault.New(fault.StateInvalid, "the working directory cannot be read: %v", err).Because(err)
	}
	return sock.At(dir)
}

// startTime is how long a daemon may take to listen.
const startTime = 20 * time.Second

// dialDaemon connects to the project's daemon, starting it where there is none,
// and opens the connection with what is to follow sent along. A daemon that is about
// to end is waited for and replaced, one of another version that nobody uses too; one
// in use is named on stderr.
func (a *App) dialDaemon(ctx context.Context, o opening, more []byte) (*net.UnixConn, *lines, error) {
	p, err := place()
	if err != nil {
		return nil, nil, err
	}
	for began := time.Now(); time.Since(began) < startTime; {
		start, cancel := context.WithTimeout(ctx, startTime)
		c, _, err := sock.Connect(start, p, daemonArgs)
		cancel()
		if errors.Is(err, sock.ErrNone) && ctx.Err() == nil {
			continue // the one that was just started has ended already
		}
		if err != nil {
			return nil, nil, err
		}
		in, g, err := greet(ctx, c, o, more)
		switch {
		case errors.Is(err, errUngreeted) && !errors.Is(err, os.ErrDeadlineExceeded):
			c.Close()
			if e := makesRoom(ctx, p); e != nil {
				return nil, nil, e
			}
		case err != nil:
			c.Close()
			return nil, nil, err
		case g.Error != nil:
			c.Close()
			return nil, nil, g.Error.fault()
		case g.Restart:
			c.Close()
			if err := makesRoom(ctx, p); err != nil {
				return nil, nil, err
			}
		default:
			if g.Version != o.Version {
				fmt.Fprintf(a.Stderr, "note: the daemon is version %s, this is %s; its sessions are in use, so it goes on. duet daemon stop ends it.\n", g.Version, o.Version)
			}
			return c, &lines{in: in}, nil
		}
	}
	return nil, nil, fault.New(fault.StateInvalid, "one daemon after another ended before it served; duet daemon status names their log")
}

// makesRoom gives a daemon that ends a moment to be gone. Another client may have
// started its successor meanwhile, so that the place need not be free for long.
func makesRoom(ctx context.Context, p sock.Place) error {
	moment, cancel := context.WithTimeout(ctx, 200*time.Millisecond)
	defer cancel()
	_ = sock.Released(moment, p)
	if ctx.Err() != nil {
		return fault.From(ctx.Err())
	}
	return nil
}

// ask makes one call over the daemon. The call travels with the opening, in the
// form that needs no handshake, so that an answer costs one round trip.
func (a *App) ask(ctx context.Context, g *globals, c call) (*reply, error) {
	o := g.opening(modeMCP)
	o.AnyAddress = true
	o.Caller, o.Idle = caller(g), c.idle
	var err error
	if o.Uploads, err = realDirs("--upload-root", g.UploadRoot); err != nil {
		return nil, err
	}
	line, err := callLine(1, g, c)
	if err != nil {
		return nil, err
	}
	conn, in, err := a.dialDaemon(ctx, o, line)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	return answerOf(ctx, conn, in)
}

// answerOf reads the answer to the one call of a connection, however long that takes
// while the daemon says that it works: its own bounds end every call. The end of ctx,
// or silence, ends the wait.
func answerOf(ctx context.Context, conn net.Conn, in *lines) (*reply, error) {
	in.heard = func() error { return conn.SetReadDeadline(time.Now().Add(silence)) }
	if err := in.heard(); err != nil {
		return nil, err
	}
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	r, err := in.reply(1)
	if err != nil && ctx.Err() != nil {
		// The daemon notices that the caller is gone, and ends the call.
		return nil, fault.From(ctx.Err()).At(fault.InEffect, fault.Possible)
	}
	return r, err
}

// silence is how long a daemon may say nothing of a call: it tells each second that
// one goes on.
const silence = time.Minute

// shell says how a call was typed, so that what is answered can be typed too.
func (g *globals) shell(verb string) dispatch.Shell {
	lead := ourName
	if g.Session != "" && g.Session != env.Session.Value() {
		lead += " --session " + g.Session
	}
	return dispatch.Shell{Verb: verb, Lead: lead}
}

// caller is whose diff it is: what the user says, or this terminal.
func caller(g *globals) string {
	if g.Caller != "" {
		return g.Caller
	}
	return sock.Terminal()
}

// callLine is a tools/call that needs no handshake before it.
func callLine(id int, g *globals, c call) ([]byte, error) {
	observe := g.Observe
	if observe == "" {
		observe = string(dispatch.ObserveNone)
	}
	type meta map[string]any
	about := meta{
		"io.modelcontextprotocol/protocolVersion":    "2026-07-28",
		"io.modelcontextprotocol/clientCapabilities": meta{},
		mcpserver.MetaObserve:                        observe,
		"progressToken":                              id, // so that the daemon says that it works
	}
	if c.verb != "" {
		about[mcpserver.MetaShell] = g.shell(c.verb)
	}
	if c.whole {
		about[mcpserver.MetaWhole] = true
	}
	if len(c.secrets) > 0 {
		about[mcpserver.MetaSecrets] = c.secrets
	}
	line, err := marshal(map[string]any{
		"jsonrpc": "2.0", "id": id, "method": "tools/call",
		"params": map[string]any{
			"name": c.tool, "arguments": c.args,
			"_meta": about,
		},
	})
	return append(line, '\n'), err
}

// lines reads the daemon's answers.
type lines struct {
	in    interface{ ReadBytes(byte) ([]byte, error) }
	heard func() error // is told of each line, where it is set
}

// reply returns the answer to a request, passing over what else arrives.
func (l *lines) reply(id int) (*reply, error) {
	want := []byte(strconv.Itoa(id))
	for {
		line, err := l.in.ReadBytes('\n')
		if err != nil {
			if errors.Is(err, os.ErrDeadlineExceeded) {
				return nil, fault.New(fault.Timeout, "the daemon has said nothing for %v", silence).At(fault.InEffect, fault.Possible).Because(err)
			}
			return nil, lostDaemon(err)
		}
		if l.heard != nil {
			if err := l.heard(); err != nil {
				return nil, lostDaemon(err)
			}
		}
		var m struct {
			ID     json.RawMessage `json:"id"`
			Result struct {
				Content []struct {
					Text string `json:"text"`
				} `json:"content"`
				Structured json.RawMessage `json:"structuredContent"`
				IsError    bool            `json:"isError"`
				Meta       map[string]any  `json:"_meta"`
			} `json:"result"`
			Error *struct {
				Code    int              `json:"code"`
				Message string           `json:"message"`
				Data    dispatch.ArgData `json:"data"`
			} `json:"error"`
		}
		if err := json.Unmarshal(line, &m); err != nil {
			return nil, lostDaemon(err)
		}
		if !bytes.Equal(bytes.TrimSpace(m.ID), want) {
			continue
		}
		if m.Error != nil {
			return &reply{wrong: &dispatch.ArgError{Message: m.Error.Message, Data: m.Error.Data}}, nil
		}
		r := &reply{structured: m.Result.Structured, isError: m.Result.IsError}
		r.negative, _ = m.Result.Meta[mcpserver.MetaNegative].(bool)
		for i, c := range m.Result.Content {
			if i > 0 {
				r.text += "\n"
			}
			r.text += c.Text
		}
		return r, nil
	}
}

// query asks the project's daemon something about itself. It starts none:
// sock.ErrNone says that there is none.
func query(ctx context.Context, o opening) (sock.Place, json.RawMessage, error) {
	p, err := place()
	if err != nil {
		return p, nil, err
	}
	c, err := sock.Dial(ctx, p)
	if err != nil {
		return p, nil, err
	}
	defer c.Close()
	_, g, err := greet(ctx, c, o, nil)
	if err != nil {
		return p, nil, err
	}
	if g.Error != nil {
		return p, nil, g.Error.fault()
	}
	return p, g.Data, nil
}
