package wirelog

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"duet/internal/lazyregexp"
)

// Pause is the note that an arrival came some time after what is before it. Only
// pauses that a client's timers can notice are worth one.
func Pause(d time.Duration) Entry {
	return Entry{Note, fmt.Appendf(nil, "%s%d ms", pauseNote, d.Milliseconds())}
}

const pauseNote = "after "

// Pause returns the time of a Pause note.
func (e Entry) Pause() (d time.Duration, ok bool) {
	if e.Kind != Note {
		return 0, false
	}
	text, found := strings.CutPrefix(string(e.Text), pauseNote)
	text, whole := strings.CutSuffix(text, " ms")
	n, err := strconv.Atoi(text)
	return time.Duration(n) * time.Millisecond, found && whole && err == nil
}

// At returns the time of a note that a Writer put before a frame.
func (e Entry) At() (d time.Duration, ok bool) {
	text, found := strings.CutPrefix(string(e.Text), "t=")
	s, err := strconv.ParseFloat(text, 64)
	return time.Duration(s * float64(time.Second)), e.Kind == Note && found && err == nil
}

// machine are members whose values tell of the machine and the day, not of the
// protocol.
var machine = map[string]bool{
	"userAgent": true, "browserVersion": true, "platformName": true, "platformVersion": true, "moz:buildID": true,
	"moz:geckodriverVersion": true, "moz:platformVersion": true, "moz:profile": true, "moz:processID": true,
	"chromedriverVersion": true, "goog:chromeOptions": true, "userDataDir": true, "ip": true, "remotePort": true,
}

// bulk are the members of network events that the client does not read, and that
// make up most of a log.
var bulk = map[string]bool{"headers": true, "cookies": true, "timings": true, "goog:responseHeaders": true, "authChallenges": true}

// document is the identity that a page's library gives itself, within an answer
// that is JSON in a string.
var document = lazyregexp.New(`"doc":"([0-9a-z]{10,20})"`)

// Tidy makes the Normaliser leave out what says nothing of the protocol: versions
// and paths of the machine, headers, cookies and timings of network events. Ports
// stay; the caller pairs those of its servers.
func (n *Normaliser) Tidy() *Normaliser {
	n.tidy = true
	return n
}

func (n *Normaliser) tidyFrame(root *node) {
	method, event := root.member("method").text()
	if event && root.member("id") != nil {
		return // a command: what is sent is compared
	}
	network := strings.HasPrefix(method, "network.")
	root.walk("", func(member string, v *node) {
		switch {
		case machine[member]:
			*v = node{raw: quote("$" + strings.TrimPrefix(strings.TrimPrefix(member, "moz:"), "goog:"))}
		case network && bulk[member] && v.kind == '[':
			v.items = nil
		case network && bulk[member] && v.kind == '{':
			v.names, v.keys, v.items = nil, nil, nil
		}
	})
}

func (n *Normaliser) documents(text string) string {
	return document().ReplaceAllStringFunc(text, func(member string) string {
		id := member[len(`"doc":"`) : len(member)-1]
		key := "doc " + id
		if n.names[key] == "" {
			n.names[key] = n.name("doc")
		}
		return `"doc":"` + n.names[key] + `"`
	})
}
