package trace

import (
	"encoding/base64"
	"fmt"
	"path"
	"runtime"
	"strings"
	"time"

	"github.com/goccy/go-json"
)

// The events of Playwright's trace viewer, version 7: what viewers of 2024 and later
// open. Times are milliseconds of one clock, which begins at clockBase here because
// the viewer takes 0 for no time.
const (
	playwrightVersion = 7
	clockBase         = 1000
)

func clock(t float64) float64 { return t + clockBase }

func pageID(tab int) string { return fmt.Sprintf("page@%d", max(tab, 1)) }

func callID(n int) string { return fmt.Sprintf("call@%d", n) }

type contextOptions struct {
	Type          string         `json:"type"`
	Version       int            `json:"version"`
	Origin        string         `json:"origin"`
	BrowserName   string         `json:"browserName"`
	Platform      string         `json:"platform"`
	WallTime      float64        `json:"wallTime"`
	MonotonicTime float64        `json:"monotonicTime"`
	Title         string         `json:"title"`
	SDKLanguage   string         `json:"sdkLanguage"`
	ContextID     string         `json:"contextId"`
	Options       contextDetails `json:"options"`
}

type contextDetails struct {
	Viewport size `json:"viewport"`
}

type size struct {
	Width  int `json:"width"`
	Height int `json:"height"`
}

type beforeEvent struct {
	Type           string          `json:"type"`
	CallID         string          `json:"callId"`
	StepID         string          `json:"stepId"`
	ParentID       string          `json:"parentId,omitempty"`
	StartTime      float64         `json:"startTime"`
	APIName        string          `json:"apiName"`
	Title          string          `json:"title"` // the same: what other players read
	Class          string          `json:"class"`
	Method         string          `json:"method"`
	Params         json.RawMessage `json:"params"`
	PageID         string          `json:"pageId,omitempty"`
	BeforeSnapshot string          `json:"beforeSnapshot,omitempty"`
}

type afterEvent struct {
	Type          string          `json:"type"`
	CallID        string          `json:"callId"`
	EndTime       float64         `json:"endTime"`
	Error         *eventError     `json:"error,omitempty"`
	Result        json.RawMessage `json:"result,omitempty"`
	AfterSnapshot string          `json:"afterSnapshot,omitempty"`
}

type eventError struct {
	Name    string `json:"name"`
	Message string `json:"message"`
}

type logEvent struct {
	Type    string  `json:"type"`
	CallID  string  `json:"callId"`
	Time    float64 `json:"time"`
	Message string  `json:"message"`
}

type frameEvent struct {
	Type      string  `json:"type"`
	PageID    string  `json:"pageId"`
	SHA1      string  `json:"sha1"`
	Width     int     `json:"width"`
	Height    int     `json:"height"`
	Timestamp float64 `json:"timestamp"`
}

type snapshotEvent struct {
	Type     string   `json:"type"`
	Snapshot snapshot `json:"snapshot"`
}

type snapshot struct {
	CallID            string  `json:"callId"`
	SnapshotName      string  `json:"snapshotName"`
	PageID            string  `json:"pageId"`
	FrameID           string  `json:"frameId"`
	FrameURL          string  `json:"frameUrl"`
	Doctype           string  `json:"doctype"`
	HTML              any     `json:"html"`
	Viewport          size    `json:"viewport"`
	Timestamp         float64 `json:"timestamp"`
	ResourceOverrides []any   `json:"resourceOverrides"`
	IsMainFrame       bool    `json:"isMainFrame"`
}

type consoleEvent struct {
	Type        string   `json:"type"`
	Time        float64  `json:"time"`
	PageID      string   `json:"pageId,omitempty"`
	MessageType string   `json:"messageType"`
	Text        string   `json:"text"`
	Location    location `json:"location"`
}

type location struct {
	URL    string `json:"url"`
	Line   int    `json:"lineNumber"`
	Column int    `json:"columnNumber"`
}

type pageEvent struct {
	Type   string     `json:"type"`
	Time   float64    `json:"time"`
	Class  string     `json:"class"`
	Method string     `json:"method"`
	Params pageErrors `json:"params"`
	PageID string     `json:"pageId,omitempty"`
}

type protocolEvent struct {
	Type   string      `json:"type"`
	Time   float64     `json:"time"`
	Class  string      `json:"class"`
	Method string      `json:"method"`
	Params entryParams `json:"params"`
	PageID string      `json:"pageId,omitempty"`
}

type entryParams struct {
	Level string     `json:"level"`
	Text  string     `json:"text"`
	Args  []entryArg `json:"args"`
}

type entryArg struct {
	Type  string `json:"type"`
	Value string `json:"value"`
}

type pageErrors struct {
	Error struct {
		Error eventError `json:"error"`
	} `json:"error"`
}

// events writes the trace's events in the order in which they happened, as far as
// the viewer needs one: a command's beginning before its end.
func (a *archive) events(w *lineWriter) {
	began, _ := time.Parse(time.RFC3339, a.t.Start.Began) // a trace without a time is one of 1970
	w.add(contextOptions{
		Type: "context-options", Version: playwrightVersion, Origin: "library", BrowserName: a.t.Start.Browser.Name, Platform: runtime.GOOS,
		WallTime: float64(began.UnixMicro()) / 1000, MonotonicTime: clockBase, Title: "duet: " + a.t.Start.Name, SDKLanguage: "javascript",
		Options: contextDetails{a.viewport()},
	})
	drawn := map[string]drawing{}
	for _, action := range a.t.Actions {
		a.action(w, action, drawn)
	}
	for _, c := range a.t.Console {
		w.add(consoleOf(c))
		w.add(entryOf(c))
	}
}

// viewport is the size of the first picture.
func (a *archive) viewport() size {
	for _, action := range a.t.Actions {
		for _, s := range []*Shot{action.Before, action.After} {
			if s != nil && s.Width > 0 {
				return size{s.Width, s.Height}
			}
		}
	}
	return size{1280, 800}
}

func (a *archive) action(w *lineWriter, action *Action, drawn map[string]drawing) {
	id, tab := callID(action.Call.Call), action.Tab
	before := beforeEvent{
		Type: "before", CallID: id, StepID: id, StartTime: clock(action.At), APIName: title(action.Call), Title: title(action.Call), Class: "duet", Method: action.Verb,
		Params: action.Args,
	}
	if action.Parent != 0 {
		before.ParentID = callID(action.Parent)
	}
	if action.Done != nil && tab == 0 {
		tab = action.Done.Tab
	}
	if tab != 0 {
		before.PageID = pageID(tab)
	}
	if a.has(action.Before) {
		before.BeforeSnapshot = "before@" + id
	}
	w.add(before)
	a.shot(w, action.Before, "before@"+id, action.URL, drawn)
	if action.Done == nil {
		return // the viewer shows what never ended as such
	}
	d := action.Done
	for _, line := range logOf(d) {
		w.add(logEvent{"log", id, clock(d.At), line})
	}
	after := afterEvent{Type: "after", CallID: id, EndTime: clock(d.At), Result: d.Result}
	if d.Error != nil {
		after.Error = &eventError{d.Error.Code, d.Error.Message}
	}
	if a.has(action.After) {
		after.AfterSnapshot = "after@" + id
	}
	w.add(after)
	a.shot(w, action.After, "after@"+id, d.URL, drawn)
}

func title(c Call) string {
	if c.Target != "" {
		return c.Verb + " " + c.Target
	}
	var args struct {
		URL, Key, Action string
	}
	_ = json.Unmarshal(c.Args, &args) // there are none of these then
	for _, s := range []string{args.URL, args.Key, args.Action} {
		if s != "" && s != c.Verb {
			return c.Verb + " " + s
		}
	}
	return c.Verb
}

// logOf is what a command's log says: why it failed, and what its caller was shown.
func logOf(d *Done) []string {
	var lines []string
	lines = append(lines, d.Notes...)
	if e := d.Error; e != nil {
		lines = append(lines, "code: "+e.Code+"  phase: "+e.Phase+"  effect: "+e.Effect)
		if e.Hint != "" {
			lines = append(lines, "hint: "+e.Hint)
		}
		if e.Recovery != "" {
			lines = append(lines, strings.Split(e.Recovery, "\n")...)
		}
	}
	if d.Observation != "" {
		lines = append(lines, strings.Split(d.Observation, "\n")...)
	}
	return lines
}

func (a *archive) has(s *Shot) bool { return s != nil && a.data[s.File] != nil }

// drawing is a picture that a snapshot of a tab holds already.
type drawing struct{ index int }

// shot writes a picture twice: as a frame of the film strip, and as the page that
// the viewer shows before and after a command. A page that shows the same picture as
// an earlier one refers to it.
func (a *archive) shot(w *lineWriter, s *Shot, name, url string, drawn map[string]drawing) {
	if !a.has(s) {
		return
	}
	page := pageID(s.Tab)
	w.add(frameEvent{"screencast-frame", page, path.Base(s.File), s.Width, s.Height, clock(s.At)})
	count := drawn[page].index // how many the tab has
	var html any
	if at, ok := drawn[page+" "+s.File]; ok {
		html = [][2]int{{count - at.index, rootNode}}
	} else {
		html = pictureHTML("data:" + s.Type + ";base64," + base64.StdEncoding.EncodeToString(a.data[s.File]))
		drawn[page+" "+s.File] = drawing{count}
	}
	drawn[page] = drawing{count + 1}
	w.add(snapshotEvent{"frame-snapshot", snapshot{
		CallID: callID(s.Call), SnapshotName: name, PageID: page, FrameID: "frame@" + page, FrameURL: url, Doctype: "html", HTML: html,
		Viewport: size{s.Width, s.Height}, Timestamp: clock(s.At), ResourceOverrides: []any{}, IsMainFrame: true,
	}})
}

// rootNode is the number of the root in pictureHTML: nodes are counted from 0,
// children before their parent.
const rootNode = 3

// pictureHTML is a page that is one picture, in the viewer's notation: name,
// attributes, children.
func pictureHTML(src string) any {
	node := func(name string, attributes map[string]string, children ...any) []any {
		return append([]any{name, attributes}, children...)
	}
	img := node("IMG", map[string]string{"src": src, "alt": "Screenshot", "style": "display:block;width:100%"})
	return node("HTML", map[string]string{}, node("HEAD", map[string]string{}), node("BODY", map[string]string{"style": "margin:0"}, img))
}

// entryOf is a message as the protocol has it, which is what Vibium's player reads;
// Playwright's viewer passes it over.
func entryOf(c Console) any {
	e := protocolEvent{Type: "event", Time: clock(c.At), Class: "BrowserContext", Method: "log.entryAdded"}
	e.Params = entryParams{c.Level, c.Text, []entryArg{{"string", c.Text}}}
	if c.Tab != 0 {
		e.PageID = pageID(c.Tab)
	}
	return e
}

func consoleOf(c Console) any {
	page := ""
	if c.Tab != 0 {
		page = pageID(c.Tab)
	}
	if c.Type == "exception" {
		e := pageEvent{Type: "event", Time: clock(c.At), Class: "BrowserContext", Method: "pageError", PageID: page}
		e.Params.Error.Error = eventError{"Error", c.Text}
		return e
	}
	kind := c.Level
	if kind == "warn" {
		kind = "warning"
	}
	return consoleEvent{"console", clock(c.At), page, kind, c.Text, location{c.URL, max(c.Line-1, 0), 0}}
}
