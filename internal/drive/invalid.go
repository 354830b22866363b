package drive

import "duet/internal/pagejs"

// invalidity is what a submission found not valid.
type invalidity struct {
	seq  int // a moment between two events, as theirs
	what pagejs.Refused
}

// heardRefused keeps what a reading told of a submission that was refused. The
// browser sends no event of it: the reading counts as one.
func (t *Tab) heardRefused(d *pagejs.Doc) {
	if d.Refused == nil {
		return
	}
	t.b.mu.Lock()
	defer t.b.mu.Unlock()
	t.b.seq++
	t.refused = &invalidity{seq: t.b.seq, what: *d.Refused}
}
