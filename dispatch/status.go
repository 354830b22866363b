package dispatch

import "time"

// Status says what runs in a session.
type Status struct {
	Session string `json:"session,omitzero"`
	Running bool   `json:"running"`
	Info    Info   `json:"info,omitzero"`
	Starts  int    `json:"starts,omitzero"` // browsers that were started, the running one included
	Uptime  int    `json:"uptime_s,omitzero"`
	Waiting int    `json:"waiting,omitzero"` // calls in the queue
	Files   int    `json:"artifacts,omitzero"`
	Lost    string `json:"lost,omitzero"` // why the last browser ended, until it was told
}

// Status returns what runs now. It launches nothing and takes no slot.
func (s *Session) Status() Status {
	files, _ := s.files.Used()
	s.mu.Lock()
	live, since := s.live, s.since
	st := Status{Session: s.o.Name, Starts: s.starts, Waiting: int(s.queued.Load()), Files: files}
	s.mu.Unlock()
	switch {
	case live == nil:
	case live.gone():
		if err := live.lost(); err != nil {
			st.Lost = err.Error()
		}
	default:
		st.Running, st.Info, st.Uptime = true, live.Info, int(time.Since(since).Seconds())
	}
	return st
}
