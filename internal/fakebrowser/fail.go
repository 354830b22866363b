package fakebrowser

import (
	"errors"
	"strconv"

	"duet/bidi"
	"duet/internal/wirelog"

	"github.com/goccy/go-json"
)

// ErrSilent makes a command be taken and never answered.
var ErrSilent = errors.New("no reply")

// FailNth makes the n-th command of a method (counted from 1; "" counts all) fail:
// with the reply that a *bidi.Error with a code describes, with silence for
// ErrSilent, by the loss of the connection before any of it left for bidi.ErrUnsent,
// and otherwise by the loss of the connection with that error. What the
// command would have caused does not happen. From then on the log is played
// leniently, since the client goes another way.
func (b *Browser) FailNth(method string, n int, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.plans = append(b.plans, plan{method, n, err})
}

// planned returns the failure that is due for the command that was just counted.
func (b *Browser) planned(method string) error {
	for _, p := range b.plans {
		if (p.method == method || p.method == "") && b.counts[p.method] == p.n {
			return p.err
		}
	}
	return nil
}

// failLocked fails a command. The commands that were sent before it get their
// replies all the same, those of the log.
func (b *Browser) failLocked(id int64, frame string, failure error) error {
	b.options.Lenient = true
	if i := b.nextLocked(frame); i >= 0 {
		b.entries[i].played = true
		b.last = i
		if reply := b.entries[i].pair; reply >= 0 {
			b.entries[reply].played = true
		}
	}
	protocol, refused := errors.AsType[*bidi.Error](failure)
	switch {
	case failure == ErrSilent:
	case errors.Is(failure, bidi.ErrUnsent):
		return failure
	case refused && protocol.Code != "":
		b.pushLocked(due{frame: errorReply(id, protocol.Code, protocol.Message)})
	default:
		b.breakLocked(failure)
		return nil
	}
	for i := range b.entries {
		if e := &b.entries[i]; e.Kind == wirelog.Sent && e.played && e.sentAs != 0 {
			if reply := b.entries[i].pair; reply >= 0 && !b.entries[reply].played {
				b.playLocked(&b.entries[reply])
			}
		}
	}
	return nil
}

// answerLocked answers a command out of the log's order: with the reply to the next
// command of the log that equals it, or else has its method, after the events that
// preceded that reply and before those that followed it; else with an error. A
// command that only ends things succeeds.
func (b *Browser) answerLocked(id int64, method, frame string) {
	i := b.laterLocked(func(e *entry) bool { return e.want == frame })
	if i < 0 {
		i = b.laterLocked(func(e *entry) bool { return e.method == method })
	}
	if i < 0 {
		b.pushLocked(due{frame: orphanReply(id, method)})
		return
	}
	b.last = i
	b.entries[i].played, b.entries[i].sentAs = true, id
	reply := b.entries[i].pair
	for k := i + 1; k < len(b.entries); k++ {
		e := &b.entries[k]
		if e.Kind == wirelog.Sent {
			if k > reply {
				return
			}
			continue
		}
		if !e.played && !e.gate() && (e.method != "" || k == reply) {
			b.playLocked(e)
		}
	}
}

// laterLocked returns the first command after the last one that was matched which
// was not sent and satisfies f, or -1.
func (b *Browser) laterLocked(f func(*entry) bool) int {
	for i := b.last + 1; i < len(b.entries); i++ {
		if e := &b.entries[i]; e.Kind == wirelog.Sent && !e.played && f(e) {
			return i
		}
	}
	return -1
}

func errorReply(id int64, code, message string) []byte {
	reply := struct {
		Type    string `json:"type"`
		ID      int64  `json:"id"`
		Error   string `json:"error"`
		Message string `json:"message"`
	}{"error", id, code, message}
	frame, err := json.MarshalWithOption(reply, json.DisableHTMLEscape())
	if err != nil {
		return nil // strings and a number encode
	}
	return frame
}

// orphanReply answers a command that the log does not have.
func orphanReply(id int64, method string) []byte {
	switch method {
	case "session.end", "browser.close", "session.subscribe", "session.unsubscribe", "script.disown", "input.releaseActions":
		return []byte(`{"type":"success","id":` + strconv.FormatInt(id, 10) + `,"result":{"subscription":"$sub0"}}`)
	}
	return errorReply(id, bidi.CodeUnknownError, "the log has no "+method+" here")
}
