package tools

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-json"

	"duet/dispatch"
	"duet/internal/drive"
	"duet/internal/fault"
)

type mockArgs struct {
	Action   string          `json:"action,omitzero" arg:"" enum:"list,reply,block,continue,redirect,auth,remove,clear" default:"list"`
	Pattern  string          `json:"pattern,omitzero" arg:"" maxlen:"500" help:"URL glob or urlpattern=…" cli:"URL glob or urlpattern=…; for remove also the id that list shows."`
	Method   string          `json:"method,omitzero" maxlen:"256" cli:"Only requests of this method."`
	Status   int             `json:"status,omitzero" cli:"HTTP status of the answer."`
	Headers  json.RawMessage `json:"headers,omitzero" cli:"To answer or go on with: JSON, or --header 'Name: value', repeated."`
	Body     string          `json:"body,omitzero" maxlen:"65536" cli:"What is answered; JSON is known as such, - reads standard input."`
	JSON     json.RawMessage `json:"json,omitzero" kong:"-"` // --json is the CLI's own; a body that is JSON is known as such
	File     string          `json:"file,omitzero" maxlen:"4096" cli:"Answer with this file, read anew each time."`
	Location string          `json:"location,omitzero" maxlen:"8192" cli:"Where redirect leads: an address, or one relative to the request."`
	CORS     bool            `json:"cors,omitzero" cli:"Let pages of other origins read the answer."`
	Times    int             `json:"times,omitzero" cli:"End after so many requests."`
	DelayMS  int             `json:"delay_ms,omitzero" cli:"Keep each request waiting, in milliseconds."`
	Username string          `json:"username,omitzero" maxlen:"1024" cli:"Of the account, for auth."`
	Password string          `json:"password,omitzero" maxlen:"1024" cli:"Of the account, for auth; see --value-env."`
}

// mocked is a mock as it is shown: no bodies, headers or credentials.
type mocked struct {
	ID      string `json:"id"`
	Action  string `json:"action"`
	Pattern string `json:"pattern"`
	Method  string `json:"method,omitzero"`
	Status  int    `json:"status,omitzero"`
	DelayMS int    `json:"delay_ms,omitzero"`
	Hits    int    `json:"hits"`
	Times   int    `json:"times,omitzero"`
	Problem string `json:"problem,omitzero"`
}

type mocks struct {
	OK      bool      `json:"ok,omitzero"`
	Mock    *mocked   `json:"mock,omitzero"`    // the one that was added
	Removed *int      `json:"removed,omitzero"` // how many
	Mocks   *[]mocked `json:"mocks,omitzero"`   // in the order in which they are tried
}

var _ = declareSplit(dispatch.Spec{
	Verb:    "mock",
	Tool:    "browser_mock",
	Title:   "Mock",
	Summary: "Answer, block or redirect requests by URL.",
	Detail: "The mock that was added last is tried first; where none matches, the request goes on as it is. Mocks hold for all tabs, across navigations, until they are removed or the browser ends. " +
		"In a glob * stands for anything but /, ** for anything, {a,b} for one of several and ? for itself; urlpattern= takes a URLPattern, whole or from its path on. " +
		"reply takes status, headers and one of body, json (an object) and file, a path as in upload that is read for each request; its Content-Type is that of headers, else of the name or the content. block fails the request as a broken network does. " +
		"continue sends it on with headers set, or left out where they are null; headers is an object of names and values. redirect leads to location, by 302 or the status given. " +
		"auth answers challenges with username and password, once each request. cors lets pages of other origins read the answer and answers their preflights; without it preflights go to the server. " +
		"remove takes the id that list shows, or the pattern. times ends a mock after so many requests; delay_ms keeps each waiting. The browser's cache is passed by while there are mocks. Requests of service workers and shared workers, WebSockets, and data: and blob: URLs are not taken. A driver that stops answering while requests are held, as can happen with Chrome, is noticed within five seconds: BROWSER_LOST.",
	Example: "mock block '**/ads/**'",
	IdleFor: []string{"list", "remove", "clear"},
	Quiet:   true,
	Codes:   onPage.and(fault.InvalidArgument, fault.StateInvalid),
}, "action", []string{"list"}, listMocks, runMock)

// The bounds of a mock, in bytes and milliseconds.
const (
	maxMockFile    = 8 << 20
	maxMockJSON    = 64 << 10
	maxMockHeaders = 16 << 10
	maxMockDelay   = 60_000
)

func listMocks(_ context.Context, c *dispatch.Read, a mockArgs) (mocks, error) {
	if err := onlyGiven(a, a.Action); err != nil {
		return mocks{}, err
	}
	all := []mocked{}
	for _, m := range c.Browser().Mocks() {
		all = append(all, shownMock(m))
	}
	return mocks{Mocks: &all}, nil
}

func runMock(ctx context.Context, c *dispatch.Act, a mockArgs) (mocks, error) {
	if err := onlyGiven(a, a.Action); err != nil {
		return mocks{}, err
	}
	b := c.Browser()
	switch a.Action {
	case "clear", "remove":
		n, err := 0, error(nil)
		switch {
		case a.Action == "remove":
			n, err = removeMock(ctx, b, a.Pattern)
		case b != nil:
			n, err = b.ClearMocks(ctx)
		}
		return mocks{OK: err == nil, Removed: &n}, err
	}
	rule, err := ruleOf(c, a)
	if err != nil {
		return mocks{}, err
	}
	m, err := b.AddMock(ctx, rule)
	if err != nil {
		return mocks{}, err
	}
	shown := shownMock(m)
	return mocks{OK: true, Mock: &shown}, nil
}

func removeMock(ctx context.Context, b *drive.Browser, which string) (int, error) {
	var ids []string
	if b != nil {
		for _, m := range b.Mocks() {
			ids = append(ids, m.ID)
		}
		if n, err := b.RemoveMocks(ctx, which); n > 0 || err != nil {
			return n, err
		}
	}
	f := fault.New(fault.InvalidArgument, "there is no mock %s", strconv.Quote(shorten(which, 100)))
	if len(ids) == 0 {
		return 0, f.WithHint("there are none")
	}
	return 0, f.WithHint("name one of %s, or its pattern", strings.Join(ids, ", "))
}

// takes are the arguments that go with each action, besides itself.
var takes = map[string]string{
	"list": "", "clear": "", "remove": "pattern",
	"reply":    "pattern method status headers body json file cors times delay_ms",
	"block":    "pattern method times delay_ms",
	"continue": "pattern method headers times delay_ms",
	"redirect": "pattern method status headers location cors times delay_ms",
	"auth":     "pattern method username password times",
}

// needs are those of them that must be there.
var needs = map[string]string{"remove": "pattern", "reply": "pattern", "block": "pattern", "continue": "pattern", "redirect": "pattern location", "auth": "pattern username"}

// onlyGiven refuses an argument that does nothing for the action, and the lack of one
// that it needs.
func onlyGiven(a mockArgs, action string) error {
	given := map[string]bool{
		"pattern": a.Pattern != "", "method": a.Method != "", "status": a.Status != 0, "headers": len(a.Headers) > 0, "body": a.Body != "",
		"json": len(a.JSON) > 0, "file": a.File != "", "location": a.Location != "", "cors": a.CORS,
		"times": a.Times != 0, "delay_ms": a.DelayMS != 0, "username": a.Username != "", "password": a.Password != "",
	}
	for _, name := range strings.Fields(needs[action]) {
		if !given[name] {
			return fault.New(fault.InvalidArgument, "%s needs %s", action, fault.Arg(name)).WithHint("such as %s", mockExamples[action])
		}
	}
	for _, name := range strings.Fields("pattern method status headers body json file location cors times delay_ms username password") {
		if given[name] && !strings.Contains(" "+takes[action]+" ", " "+name+" ") {
			return fault.New(fault.InvalidArgument, "%s takes no %s", action, fault.Arg(name)).WithHint("%s", takesHint(action))
		}
	}
	return nil
}

// mockExamples is a good call of each action.
var mockExamples = map[string]string{
	"remove":   fault.Call("browser_mock", "action", "remove", "pattern", "m1"),
	"reply":    fault.Call("browser_mock", "action", "reply", "pattern", "**/api/orders", "status", "200", "body", "[]"),
	"block":    fault.Call("browser_mock", "action", "block", "pattern", "**/ads/**"),
	"continue": fault.Call("browser_mock", "action", "continue", "pattern", "**/api/**", "delay_ms", "500"),
	"redirect": fault.Call("browser_mock", "action", "redirect", "pattern", "**/old", "location", "/new"),
	"auth":     fault.Call("browser_mock", "action", "auth", "pattern", "**", "username", "NAME", "password", "PASSWORD"),
}

// headersExample shows headers as each front takes them.
var headersExample = fault.Either(`such as {"X-Test": "1"}`, "such as --header 'X-Test: 1'")

// takesHint says what goes with an action.
func takesHint(action string) string {
	if takes[action] == "" {
		return action + " takes nothing more"
	}
	return action + " takes " + fault.Args(strings.Fields(takes[action])...)
}

// ruleOf makes a rule of the arguments, or says what is wrong with them.
func ruleOf(c *dispatch.Act, a mockArgs) (drive.MockRule, error) {
	none := drive.MockRule{}
	pattern, err := drive.ParsePattern(a.Pattern)
	if err != nil {
		return none, fault.New(fault.InvalidArgument, "%s %s: %v", fault.Arg("pattern"), strconv.Quote(shorten(a.Pattern, 100)), err)
	}
	r := drive.MockRule{
		Action: drive.MockAction(a.Action), Pattern: pattern, Method: strings.ToUpper(a.Method), Status: a.Status,
		Body: a.Body, Location: a.Location, CORS: a.CORS, Times: a.Times, Delay: time.Duration(a.DelayMS) * time.Millisecond,
		Username: a.Username, Password: a.Password,
	}
	switch {
	case strings.Trim(r.Method, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "":
		return none, fault.New(fault.InvalidArgument, "%s is a word such as POST", fault.Arg("method"))
	case a.Times < 0:
		return none, fault.New(fault.InvalidArgument, "%s is a number of requests, 1 or more", fault.Arg("times"))
	case a.DelayMS < 0 || a.DelayMS > maxMockDelay:
		return none, fault.New(fault.InvalidArgument, "%s is 0 to %d", fault.Arg("delay_ms"), maxMockDelay)
	case a.Action == "continue" && len(a.Headers) == 0 && a.DelayMS == 0:
		return none, fault.New(fault.InvalidArgument, "continue needs %s or %s", fault.Arg("headers"), fault.Arg("delay_ms")).WithHint("such as %s", mockExamples["continue"])
	case len(a.Headers) > maxMockHeaders || len(a.JSON) > maxMockJSON:
		return none, fault.New(fault.InvalidArgument, "%s and %s take at most %d and %d bytes", fault.Arg("headers"), fault.Arg("json"), maxMockHeaders, maxMockJSON)
	}
	if r.Headers, err = mockHeaders(a); err != nil {
		return none, err
	}
	switch a.Action {
	case "reply":
		err = replyOf(c, a, &r)
	case "redirect":
		err = redirectOf(a, &r)
	}
	return r, err
}

func replyOf(c *dispatch.Act, a mockArgs, r *drive.MockRule) error {
	bodies := 0
	for _, given := range []string{a.Body, string(a.JSON), a.File} {
		if given != "" {
			bodies++
		}
	}
	switch {
	case bodies > 1:
		return fault.New(fault.InvalidArgument, "give one of %s", fault.Args("body", "json", "file"))
	case r.Status == 0:
		r.Status = 200
	case r.Status < 200 || r.Status > 599:
		return fault.New(fault.InvalidArgument, "%s is 200 to 599", fault.Arg("status"))
	}
	if len(a.JSON) > 0 {
		r.Body, r.Type = string(a.JSON), "application/json"
	}
	if a.File == "" {
		return nil
	}
	var err error
	r.FileName = filepath.Base(a.File)
	r.File, err = c.FileReader(a.File, maxMockFile)
	return err
}

func redirectOf(a mockArgs, r *drive.MockRule) error {
	switch r.Status {
	case 0:
		r.Status = 302
	case 301, 302, 303, 307, 308:
	default:
		return fault.New(fault.InvalidArgument, "the status of a redirect is 301, 302, 303, 307 or 308")
	}
	to, err := url.Parse(a.Location)
	if err != nil || to.Scheme != "" && to.Scheme != "http" && to.Scheme != "https" || strings.ContainsFunc(a.Location, notPrinted) {
		return fault.New(fault.InvalidArgument, "%s is an http or https URL, or one relative to the request's", fault.Arg("location"))
	}
	return nil
}

func notPrinted(r rune) bool { return r < ' ' || r == 0x7f }

// mockHeaders reads headers, in the order of their names. null leaves one out of a
// request.
func mockHeaders(a mockArgs) ([]drive.MockHeader, error) {
	if len(a.Headers) == 0 {
		return nil, nil
	}
	var values map[string]*string
	if err := json.Unmarshal(a.Headers, &values); err != nil {
		return nil, fault.New(fault.InvalidArgument, "%s is an object of names and texts", fault.Arg("headers")).WithHint("%s", headersExample)
	}
	var out []drive.MockHeader
	for _, name := range slices.Sorted(maps.Keys(values)) {
		h := drive.MockHeader{Name: name, Remove: values[name] == nil}
		switch {
		case h.Remove && a.Action != "continue":
			return nil, fault.New(fault.InvalidArgument, "a header that is null goes with continue")
		case !h.Remove:
			h.Value = *values[name]
		}
		if name == "" || strings.ContainsFunc(name, notInName) || strings.ContainsFunc(h.Value, notPrinted) {
			return nil, fault.New(fault.InvalidArgument, "%s holds a name or a text that no header may have", fault.Arg("headers")).WithHint("%s", headersExample)
		}
		out = append(out, h)
	}
	return out, nil
}

// notInName reports what is no token character.
// https://www.rfc-editor.org/rfc/rfc9110#name-tokens
func notInName(r rune) bool {
	return r <= ' ' || r > '~' || strings.ContainsRune("\"(),/:;<=>?@[\\]{}", r)
}

func shownMock(m drive.Mock) mocked {
	r := m.Rule
	return mocked{m.ID, string(r.Action), r.Pattern.String(), r.Method, r.Status, int(r.Delay / time.Millisecond), m.Hits, r.Times, m.Problem}
}

// Text implements dispatch.Texter.
func (m mocks) Text() string {
	switch {
	case m.Mock != nil:
		return "added: " + m.Mock.line()
	case m.Removed != nil:
		return fmt.Sprintf("removed: %d", *m.Removed)
	case m.Mocks == nil || len(*m.Mocks) == 0:
		return "mocks: none"
	}
	var lines []string
	for _, one := range *m.Mocks {
		lines = append(lines, one.line())
	}
	return strings.Join(lines, "\n")
}

func (m *mocked) line() string {
	parts := []string{m.ID, m.Action, strconv.Quote(m.Pattern)}
	if m.Method != "" {
		parts = append(parts, m.Method)
	}
	if m.Status != 0 {
		parts = append(parts, strconv.Itoa(m.Status))
	}
	if m.DelayMS != 0 {
		parts = append(parts, fmt.Sprintf("after %d ms", m.DelayMS))
	}
	hits := "hits " + strconv.Itoa(m.Hits)
	if m.Times != 0 {
		hits += " of " + strconv.Itoa(m.Times)
	}
	parts = append(parts, hits)
	if m.Problem != "" {
		parts = append(parts, "problem "+strconv.Quote(m.Problem))
	}
	return strings.Join(parts, " ")
}
