package fakebrowser

import (
	"errors"
	"fmt"

	"duet/internal/wirelog"
)

// nextLocked returns the command of the log that may come now and equals the frame,
// or -1.
func (b *Browser) nextLocked(frame string) int {
	if b.options.Loose {
		for i := b.at; i < len(b.entries) && (b.entries[i].played || !b.entries[i].gate()); i++ {
			if e := &b.entries[i]; e.Kind == wirelog.Sent && !e.played && e.want == frame {
				return i
			}
		}
		return -1
	}
	if b.options.Quiet != nil {
		if len(b.outbox) == 0 && b.at < len(b.entries) && b.entries[b.at].want == frame {
			return b.at
		}
		return -1
	}
	for i := b.at; i < len(b.entries) && b.entries[i].Kind == wirelog.Sent; i++ {
		if !b.entries[i].played && b.entries[i].want == frame {
			return i
		}
	}
	return -1
}

// deliverLocked delivers what the log has up to the next command that was not sent.
func (b *Browser) deliverLocked() {
	for ; b.at < len(b.entries); b.at++ {
		e := &b.entries[b.at]
		if e.Kind == wirelog.Sent || e.gate() {
			if !e.played {
				return
			}
			continue
		}
		if !e.played {
			b.playLocked(e)
		}
	}
}

// playLocked delivers one entry that arrived.
func (b *Browser) playLocked(e *entry) {
	e.played = true
	if reason, closed := e.Closed(); closed {
		b.pushLocked(due{err: errors.New(reason), entry: e})
		return
	}
	b.got.Frame(e.Text) // its identifiers are known from now on
	frame := e.Text
	if e.method == "" {
		if e.pair < 0 {
			return // the reply of a command that the log does not have
		}
		frame = wirelog.WithID(frame, b.entries[e.pair].sentAs)
	}
	b.pushLocked(due{frame: frame, entry: e})
}

func (b *Browser) pushLocked(d due) {
	b.outbox = append(b.outbox, d)
	b.wakeLocked()
}

func (b *Browser) breakLocked(err error) { b.pushLocked(due{err: err}) }

func (b *Browser) wakeLocked() {
	select {
	case b.ready <- struct{}{}:
	default:
	}
}

// describeLocked says how a frame does not fit.
func (b *Browser) describeLocked(frame string) error {
	if len(b.outbox) > 0 && b.options.Quiet != nil {
		d := b.outbox[0]
		return fmt.Errorf("the client sent a frame before what the log has next\n  want < %s\n  got  > %s", d.frame, frame)
	}
	for _, e := range b.entries[b.at:] {
		if e.gate() && !e.played {
			return fmt.Errorf("the client sent a frame that the log does not have in this call\n  got  > %s", frame)
		}
		if e.Kind == wirelog.Sent && !e.played {
			return fmt.Errorf("the client sent what the log does not have next\n  want > %s\n  got  > %s%s", e.want, frame, difference(e.want, frame))
		}
	}
	return fmt.Errorf("the client sent more than the log has\n  got  > %s", frame)
}

// difference shows where two long frames begin to differ.
func difference(want, got string) string {
	n := 0
	for n < len(want) && n < len(got) && want[n] == got[n] {
		n++
	}
	const before, after = 40, 60
	if n <= before {
		return ""
	}
	show := func(s string) string { return s[n-before : min(len(s), n+after)] }
	return fmt.Sprintf("\n  from byte %d on:\n  want … %s\n  got  … %s", n, show(want), show(got))
}
