// Package mcpserver is MCP over stdio, HTTP and the local socket. It is the only
// importer of the SDK.
package mcpserver

import (
	"context"
	"io"
	"log/slog"
	"strings"
	"time"

	"github.com/goccy/go-json"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"duet/dispatch"
)

// Options say who the server is and what it assumes about its clients.
type Options struct {
	Name, Title, Version string
	Instructions         string
	Observe              dispatch.Observe // what follows a call whose _meta says nothing; "" is delta
	Caller               string           // whose diff it is where _meta says nothing
	Session              string           // the session of calls whose _meta names none
	TextOnly             bool             // results carry no structuredContent
	ProgressEvery        time.Duration    // between progress notifications of a call; 0 is a second
	Log                  *slog.Logger     // never on the stream's writer; nil logs nothing
}

// closeTime bounds how long ServeStdio waits for running calls once the stream
// has ended and they have been told.
const closeTime = 1200 * time.Millisecond

const (
	firstModern  = "2026-07-28" // the first revision without a handshake
	newestLegacy = "2025-11-25"

	codeBusy               = -31000 // ours, outside the range that JSON-RPC reserves
	codeUnsupportedVersion = mcp.CodeUnsupportedProtocolVersion
)

// served are the methods that are declared, notifications aside.
var served = map[string]bool{
	"initialize": true, "ping": true, "server/discover": true, "subscriptions/listen": true,
	"tools/list": true, "tools/call": true,
}

// ServeStdio serves one stream of lines until in ends, ctx is cancelled or out
// fails. Calls start and are answered in the order of their lines. When in ends,
// what was received has a quarter of a second to end; then it is cancelled, and
// ServeStdio returns within two seconds, nil. It closes neither in nor out: a
// read of in that is blocked when ctx ends stays so until the caller closes in.
func ServeStdio(ctx context.Context, in io.Reader, out io.Writer, cat dispatch.Catalog, o Options) error {
	c := newConn(in, out)
	s := newServer(cat, o, c)
	session, err := s.Connect(ctx, c, nil)
	if err != nil {
		return err
	}
	// The SDK reads under a context of its own, which ours does not end.
	defer context.AfterFunc(ctx, func() { _ = c.Close() })()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = session.Wait() // the end of the stream is no error, and c knows what failed
	}()
	select {
	case <-ended:
	case <-c.finished:
		bound := time.NewTimer(closeTime)
		defer bound.Stop()
		select {
		case <-ended:
		case <-bound.C:
		}
	}
	_ = c.Close()
	bound := time.NewTimer(closeTime / 5)
	defer bound.Stop()
	select {
	case <-c.outbox.done:
	case <-bound.C:
	}
	return c.outbox.failure()
}

// newServer makes the SDK's server of a catalog. c is the stream that it will
// serve, or nil for one that serves many connections at once over HTTP.
func newServer(cat dispatch.Catalog, o Options, c *conn) *mcp.Server {
	if o.Observe == "" {
		o.Observe = dispatch.ObserveDelta
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	s := mcp.NewServer(&mcp.Implementation{Name: o.Name, Title: o.Title, Version: o.Version}, &mcp.ServerOptions{
		Instructions: o.Instructions,
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},
		SetCacheable: func(_ context.Context, _ mcp.Request, k *mcp.Cacheable) {
			k.TTLMs, k.CacheScope = listTTL, listScope
		},
	})
	t := newToolbox(cat, o)
	if c == nil {
		s.AddReceivingMiddleware(t.overHTTP())
	} else {
		s.AddReceivingMiddleware(t.overLines(c))
	}
	return s
}

// overLines answers what is ours of the requests of a stream, each in its turn.
func (t *toolbox) overLines(c *conn) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			ctx, cancel := context.WithCancelCause(ctx)
			defer cancel(nil)
			e := c.begin(req, cancel)
			if e == nil {
				return next(ctx, method, req)
			}
			switch method {
			case "tools/list":
				return t.list(req, e.modern)
			case "tools/call":
				if err := c.awaitTurn(ctx, e); err != nil {
					return nil, err
				}
				return t.call(ctx, req, e.modern, c.lineProgress(e, t.o.ProgressEvery))
			case "initialize":
				result, err := next(ctx, method, req)
				if err != nil && strings.HasPrefix(err.Error(), "duplicate") {
					// A stateless request came first, and the SDK took it for the handshake.
					return t.welcome(req), nil
				}
				return result, err
			}
			return next(ctx, method, req)
		}
	}
}

// overHTTP is overLines for connections that the SDK's own transport reads: calls
// start in the order in which they arrive here.
func (t *toolbox) overHTTP() mcp.Middleware {
	queue := &fifo{reply: func([]byte) {}}
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			switch {
			case method == "tools/list":
				p, _ := req.GetParams().(*mcp.ListToolsParams)
				return t.list(req, p != nil && isModern(p.Meta))
			case method == "tools/call":
				turn := queue.take()
				defer queue.finish(turn, nil)
				select {
				case <-turn.turn:
				case <-ctx.Done():
					return nil, context.Cause(ctx)
				}
				modern := isModern(req.GetParams().(*mcp.CallToolParamsRaw).Meta)
				return t.call(ctx, req, modern, sessionProgress(ctx, req, t.o.ProgressEvery))
			case !served[method] && !strings.HasPrefix(method, "notifications/"):
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "method not found: " + method}
			}
			return next(ctx, method, req)
		}
	}
}

// awaitTurn returns when every earlier call has been answered, or with an error
// when this one is not to run.
func (c *conn) awaitTurn(ctx context.Context, e *entry) error {
	select {
	case <-e.ticket.turn:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	c.outbox.wait()
	return context.Cause(ctx)
}

// welcome answers an initialize as the SDK does.
func (t *toolbox) welcome(req mcp.Request) *mcp.InitializeResult {
	version := newestLegacy
	if p, ok := req.GetParams().(*mcp.InitializeParams); ok && p != nil {
		for _, v := range mcp.SupportedProtocolVersions() {
			if v == p.ProtocolVersion && v < firstModern {
				version = v
			}
		}
	}
	return &mcp.InitializeResult{
		ProtocolVersion: version,
		Capabilities:    &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},
		Instructions:    t.o.Instructions,
		ServerInfo:      &mcp.Implementation{Name: t.o.Name, Title: t.o.Title, Version: t.o.Version},
	}
}

// unsupported refuses a protocol version, naming those that there are.
func unsupported(rawID []byte, version string) *refusal {
	data, _ := json.Marshal(mcp.UnsupportedProtocolVersionData{Supported: mcp.SupportedProtocolVersions(), Requested: version})
	return &refusal{rawID, &jsonrpc.Error{Code: codeUnsupportedVersion, Message: "unsupported protocol version", Data: data}}
}

func isModern(meta map[string]any) bool {
	version, _ := meta[mcp.MetaKeyProtocolVersion].(string)
	return version >= firstModern
}
