package mcpserver

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"duet/dispatch"
)

// HTTPOptions say whom a front over HTTP listens to.
type HTTPOptions struct {
	Hosts []string // names that a request may be addressed to, without port; empty is this machine's loopback
	Idle  time.Duration
}

var loopback = []string{"localhost", "127.0.0.1", "::1"}

// HTTPHandler serves a catalog by MCP's Streamable HTTP, both eras on one path.
// In front of the SDK stand the checks that keep web pages out: every request
// must be addressed to one of the hosts and come from one of them, whatever its
// method. It has no bearer yet, so it must listen on loopback only.
func HTTPHandler(cat dispatch.Catalog, o Options, h HTTPOptions) http.Handler {
	if len(h.Hosts) == 0 {
		h.Hosts = loopback
	}
	if h.Idle == 0 {
		h.Idle = 30 * time.Minute
	}
	server := newServer(cat, o, nil)
	get := func(*http.Request) *mcp.Server { return server }
	stateful := mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{
		DisableLocalhostProtection: true, // the guard is stricter
		MaxRequestBodyBytes:        MaxLine, SessionTimeout: h.Idle,
	})
	stateless := mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{
		DisableLocalhostProtection: true, MaxRequestBodyBytes: MaxLine,
		Stateless: true, PropagateRequestCancellation: true,
	})
	return &guard{hosts: h.Hosts, next: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Mcp-Protocol-Version") >= firstModern || r.Header.Get("Mcp-Method") != "" {
			stateless.ServeHTTP(w, r)
			return
		}
		stateful.ServeHTTP(w, r)
	})}
}

// guard refuses what a web page, or a name that was rebound to this machine,
// could send, and bodies that no handler should meet.
type guard struct {
	hosts []string
	next  http.Handler
}

func (g *guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case !g.addressed(r.Host):
		http.Error(w, "this host name is not served", http.StatusForbidden)
		return
	case !g.sameMachine(r.Header.Values("Origin")):
		http.Error(w, "this origin is not served", http.StatusForbidden)
		return
	}
	if r.Method == http.MethodPost && !checkBody(w, r) {
		return
	}
	g.next.ServeHTTP(w, r)
}

// addressed reports whether a Host header names one of ours, on any port.
func (g *guard) addressed(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	} else if strings.HasPrefix(host, "[") && strings.HasSuffix(host, "]") {
		name = host[1 : len(host)-1]
	}
	return slices.Contains(g.hosts, strings.ToLower(name))
}

// sameMachine reports whether a request comes from no page at all or from one of
// our hosts.
func (g *guard) sameMachine(origins []string) bool {
	if len(origins) == 0 {
		return true
	}
	u, err := url.Parse(origins[0])
	return len(origins) == 1 && err == nil && (u.Scheme == "http" || u.Scheme == "https") &&
		u.User == nil && u.Path == "" && u.RawQuery == "" && u.Fragment == "" && g.addressed(u.Host)
}

// checkBody answers a body that is not one JSON-RPC message, and puts any other back.
func checkBody(w http.ResponseWriter, r *http.Request) bool {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		http.Error(w, "the body must be application/json", http.StatusUnsupportedMediaType)
		return false
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxLine))
	if err != nil {
		status := http.StatusBadRequest
		if tooLarge := new(http.MaxBytesError); errors.As(err, &tooLarge) {
			status = http.StatusRequestEntityTooLarge
		}
		answer(w, status, refuse(nil, jsonrpc.CodeParseError, "parse error: "+err.Error()))
		return false
	}
	if _, no := parse(body); no != nil {
		answer(w, http.StatusBadRequest, no)
		return false
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return true
}

func answer(w http.ResponseWriter, status int, no *refusal) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(encodeError(no.rawID, no.err))
}
