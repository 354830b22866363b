package drive

import (
	"bytes"
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/goccy/go-json"

	"duet/bidi"
)

// heldRequest is a request that waits for our word.
type heldRequest struct {
	id      bidi.RequestID
	phase   bidi.NetworkInterceptPhase
	url     string
	method  string
	page    string // address of the document that it is for, "" for none
	headers []bidi.NetworkHeader
	over    func() // called once it is decided and the browser has said so; nil for nothing
}

// holding makes a handler also hand over a request that the event says is held.
func holding(phase bidi.NetworkInterceptPhase, apply func(*Browser, json.RawMessage)) func(*Browser, json.RawMessage) {
	return func(b *Browser, raw json.RawMessage) {
		apply(b, raw)
		if !bytes.Contains(raw, []byte(`"intercepts"`)) {
			return
		}
		var e bidi.NetworkBeforeRequestSentParameters
		if json.Unmarshal(raw, &e) == nil && e.IsBlocked {
			page := ""
			if f := b.frames[e.Context]; f != nil {
				page = f.url
			}
			b.mocks.take(heldRequest{e.Request.Request, phase, e.Request.URL, e.Request.Method, page, e.Request.Headers, nil})
		}
	}
}

// take hands a held request to the goroutine that answers. It never blocks.
func (m *mocker) take(h heldRequest) {
	m.mu.Lock()
	m.held = append(m.held, h)
	m.mu.Unlock()
	select {
	case m.wake <- struct{}{}:
	default:
	}
}

// serve answers held requests until the connection ends.
func (m *mocker) serve() {
	for {
		select {
		case <-m.wake:
		case <-m.b.conn.Done():
			return
		}
		m.mu.Lock()
		held := m.held
		m.held = nil
		m.mu.Unlock()
		for _, h := range held {
			m.dispose(h)
		}
	}
}

// dispose lets a request go on at once that no rule takes, and otherwise does as the
// rule says. What takes time is done aside.
func (m *mocker) dispose(h heldRequest) {
	rule := m.choose(h)
	switch {
	case rule == nil:
		m.letGo(h)
	case h.preflight() && rule.Method != "OPTIONS":
		m.resume(h, rule, preflightReply(h))
	case rule.Delay == 0 && rule.File == nil:
		m.apply(h, rule)
	default:
		m.b.work.Go(func() {
			if !m.pause(rule.Delay) {
				return
			}
			if rule.File != nil {
				// A page can make any number of requests at once: their files are not all
				// in memory at once.
				select {
				case m.files <- struct{}{}:
				case <-m.b.conn.Done():
					return
				}
				h.over = sync.OnceFunc(func() { <-m.files })
			}
			m.apply(h, rule)
		})
	}
}

// pause waits, and reports whether the connection is still there.
func (m *mocker) pause(d time.Duration) bool {
	if d == 0 {
		return true
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-m.b.conn.Done():
		return false
	}
}

// letGo continues a request as it is, or answers a challenge with no password: its
// 401 then arrives as the answer.
func (m *mocker) letGo(h heldRequest) {
	if h.phase == bidi.NetworkInterceptPhaseAuthRequired {
		send(m, h, bidi.NetworkContinueWithAuth, bidi.NetworkContinueWithAuthParameters{Request: h.id, Action: "cancel"}, nil)
		return
	}
	send(m, h, bidi.NetworkContinueRequest, bidi.NetworkContinueRequestParameters{Request: h.id}, nil)
}

// apply does as a rule says.
func (m *mocker) apply(h heldRequest, rule *MockRule) {
	switch rule.Action {
	case MockAuth:
		send(m, h, bidi.NetworkContinueWithAuth, bidi.NetworkContinueWithAuthParameters{
			Request: h.id, Action: "provideCredentials",
			Credentials: &bidi.NetworkAuthCredentials{Username: rule.Username, Password: rule.Password},
		}, m.instead(h, rule))
	case MockBlock:
		send(m, h, bidi.NetworkFailRequest, bidi.NetworkFailRequestParameters{Request: h.id}, m.instead(h, rule))
	case MockContinue:
		p := bidi.NetworkContinueRequestParameters{Request: h.id}
		if len(rule.Headers) > 0 { // what is given replaces the whole list
			p.Headers = changed(h.headers, rule.Headers)
		}
		send(m, h, bidi.NetworkContinueRequest, p, m.instead(h, rule))
	case MockRedirect:
		p := bidi.NetworkProvideResponseParameters{StatusCode: rule.Status}
		to := rule.Location
		if base, err := url.Parse(h.url); err == nil {
			if ref, err := base.Parse(rule.Location); err == nil {
				to = ref.String()
			}
		}
		p.Headers = changed(append(rule.corsHeaders(h), textHeader("Location", to)), rule.Headers)
		m.resume(h, rule, p)
	default:
		m.reply(h, rule)
	}
}

func (m *mocker) reply(h heldRequest, rule *MockRule) {
	body := []byte(rule.Body)
	if rule.File != nil {
		var err error
		if body, err = rule.File(); err != nil {
			m.problem(rule.id, "the file could not be read; the request failed")
			send(m, h, bidi.NetworkFailRequest, bidi.NetworkFailRequestParameters{Request: h.id}, nil)
			return
		}
	}
	p := bidi.NetworkProvideResponseParameters{StatusCode: rule.Status}
	p.Headers = rule.corsHeaders(h)
	if kind := rule.contentType(h, body); kind != "" {
		p.Headers = append(p.Headers, textHeader("Content-Type", kind))
	}
	p.Headers = changed(p.Headers, rule.Headers)
	if len(body) > 0 {
		bytes := bidi.NetworkBytes(body)
		p.Body = &bytes
	}
	m.resume(h, rule, p)
}

func (m *mocker) resume(h heldRequest, rule *MockRule, p bidi.NetworkProvideResponseParameters) {
	p.Request = h.id
	send(m, h, bidi.NetworkProvideResponse, p, m.instead(h, rule))
}

// instead is what happens where the browser refuses an answer: the request fails, or
// goes on as it is, so that no page waits for ever, and the mock says why.
func (m *mocker) instead(h heldRequest, rule *MockRule) func(error) {
	return func(err error) {
		why := tidy(bidiMessage(err))
		if bidi.CodeOf(err) == "no such request" {
			return // its page, or the page's patience, is gone
		}
		m.problem(rule.id, "the browser refused it: "+why)
		if rule.Action == MockContinue || rule.Action == MockAuth {
			m.letGo(h)
			return
		}
		send(m, h, bidi.NetworkFailRequest, bidi.NetworkFailRequestParameters{Request: h.id}, nil)
	}
}

func bidiMessage(err error) string {
	var e *bidi.Error
	if errors.As(err, &e) {
		return e.Message
	}
	return err.Error()
}

// send sends a command that decides about a held request, in order, and watches
// aside that it is answered: a driver that says nothing to one may be one that says
// nothing any more.
func send[P any](m *mocker, h heldRequest, c bidi.Command[P, bidi.EmptyResult], p P, refused func(error)) {
	pending := c.Send(m.b.conn, p)
	m.b.work.Go(func() {
		ctx, stop := context.WithTimeout(context.Background(), resumeBound)
		defer stop()
		if h.over != nil {
			defer h.over()
		}
		_, err := pending.Wait(ctx)
		switch {
		case err == nil || strayed(err) && m.detour(ctx, h.id, p):
		case ctx.Err() != nil:
			m.suspect()
		case bidi.CodeOf(err) != "" && refused != nil:
			refused(err)
		}
	})
}

// fits reports whether a rule is for the request. A preflight is for rules that
// answer for other origins, or that name its method.
func (h heldRequest) fits(r *MockRule) bool {
	if mockPhase(r.Action) != h.phase {
		return false
	}
	method := h.method
	if h.preflight() && r.Method != method {
		if !r.CORS {
			return false
		}
		method = h.header("Access-Control-Request-Method")
	}
	return (r.Method == "" || r.Method == strings.ToUpper(method)) && r.Pattern.Match(h.url)
}

// preflight reports whether the request asks whether another may be made.
func (h heldRequest) preflight() bool {
	return h.method == "OPTIONS" && h.header("Access-Control-Request-Method") != ""
}

func (h heldRequest) header(name string) string {
	for _, v := range h.headers {
		if strings.EqualFold(v.Name, name) {
			text, err := v.Value.Bytes()
			if err != nil {
				return ""
			}
			return string(text)
		}
	}
	return ""
}

// origin is that of the page which the request is for. Not every browser has added
// the header when it holds a request.
func (h heldRequest) origin() string {
	if o := h.header("Origin"); o != "" {
		return o
	}
	for _, page := range []string{h.page, h.header("Referer")} {
		if u, err := url.Parse(page); err == nil && (u.Scheme == "http" || u.Scheme == "https") {
			return u.Scheme + "://" + u.Host
		}
	}
	return ""
}

func textHeader(name, value string) bidi.NetworkHeader {
	return bidi.NetworkHeader{Name: name, Value: bidi.NetworkText(value)}
}

// changed is a list of headers with the changes made, each name once.
func changed(headers []bidi.NetworkHeader, changes []MockHeader) []bidi.NetworkHeader {
	var out []bidi.NetworkHeader
	seen := map[string]bool{}
	for _, c := range changes {
		seen[strings.ToLower(c.Name)] = true
	}
	for _, h := range headers {
		if name := strings.ToLower(h.Name); !seen[name] {
			seen[name] = true
			out = append(out, h)
		}
	}
	for _, c := range changes {
		if !c.Remove {
			out = append(out, textHeader(c.Name, c.Value))
		}
	}
	return out
}

// preflightReply allows what a preflight asks for.
func preflightReply(h heldRequest) bidi.NetworkProvideResponseParameters {
	p := bidi.NetworkProvideResponseParameters{StatusCode: 204}
	p.Headers = append((&MockRule{CORS: true}).corsHeaders(h),
		textHeader("Access-Control-Allow-Methods", h.header("Access-Control-Request-Method")))
	if asked := h.header("Access-Control-Request-Headers"); asked != "" {
		p.Headers = append(p.Headers, textHeader("Access-Control-Allow-Headers", asked))
	}
	return p
}

// corsHeaders let a page of another origin read the answer.
func (r *MockRule) corsHeaders(h heldRequest) []bidi.NetworkHeader {
	origin := h.origin()
	if !r.CORS || origin == "" {
		return nil
	}
	names := []string{"Content-Type"}
	for _, c := range r.Headers {
		names = append(names, c.Name)
	}
	slices.Sort(names)
	return []bidi.NetworkHeader{
		textHeader("Access-Control-Allow-Origin", origin),
		textHeader("Access-Control-Allow-Credentials", "true"),
		textHeader("Access-Control-Expose-Headers", strings.Join(names, ", ")),
		textHeader("Vary", "Origin"),
	}
}
