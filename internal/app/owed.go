package app

import (
	"bufio"
	"errors"
	"io"
	"sync"

	"github.com/goccy/go-json"

	"duet/internal/fault"
)

// owedLine is the longest line that a relay looks into; longer ones pass unseen.
const owedLine = 1 << 20

// owed knows which requests of a client its daemon has not answered, so that a relay
// can when the daemon cannot any more.
type owed struct {
	textOnly bool

	mu   sync.Mutex        // guards open
	open map[string]string // method by id, as the client spelled it
	ids  []string          // in the order of asking
}

// envelope is what tells requests from answers.
type envelope struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
}

// asked notes a line of the client.
func (o *owed) asked(line []byte) {
	var e envelope
	if json.Unmarshal(line, &e) != nil || e.Method == "" || len(e.ID) == 0 || string(e.ID) == "null" {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if _, twice := o.open[string(e.ID)]; !twice {
		o.ids = append(o.ids, string(e.ID))
	}
	o.open[string(e.ID)] = e.Method
}

// told notes a line of the daemon.
func (o *owed) told(line []byte) {
	var e envelope
	if json.Unmarshal(line, &e) != nil || e.Method != "" || len(e.ID) == 0 {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if _, ok := o.open[string(e.ID)]; !ok {
		return
	}
	delete(o.open, string(e.ID))
	for i, id := range o.ids {
		if id == string(e.ID) {
			o.ids = append(o.ids[:i], o.ids[i+1:]...)
			return
		}
	}
}

// answers are the lines that are still due, each with the same fault: a tool may
// have done its work, or a part of it.
func (o *owed) answers(lost error) []byte {
	o.mu.Lock()
	defer o.mu.Unlock()
	f := fault.From(lost)
	var out []byte
	for _, id := range o.ids {
		answer := map[string]any{"jsonrpc": "2.0", "id": json.RawMessage(id)}
		if o.open[id] == "tools/call" {
			result := map[string]any{"isError": true, "content": []any{map[string]any{"type": "text", "text": "error: " + f.Message + "\ncode: " + string(f.Code) +
				"\nhint: " + f.Hint + "\nphase: " + string(f.Phase) + "\neffect: " + string(f.Effect) + "\nretryable: false"}}}
			if !o.textOnly {
				result["structuredContent"] = map[string]any{"error": map[string]any{
					"code": f.Code, "message": f.Message, "hint": f.Hint, "phase": f.Phase, "effect": f.Effect, "retryable": false,
				}}
			}
			answer["result"] = result
		} else {
			answer["error"] = map[string]any{"code": -32603, "message": f.Message}
		}
		if line, err := marshal(answer); err == nil {
			out = append(append(out, line...), '\n')
		}
	}
	o.ids, o.open = nil, map[string]string{}
	return out
}

// copyLines copies whole lines and shows each to see before it is passed on. A line
// that breaks off at the end is passed on where rest is true.
func copyLines(to io.Writer, from io.Reader, see func(line []byte), rest bool) error {
	in := bufio.NewReaderSize(from, 64<<10)
	var line []byte
	long := false // the line is passed on in parts
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		over := errors.Is(err, bufio.ErrBufferFull)
		switch {
		case over && len(line) <= owedLine:
			continue
		case err != nil && !over && !long && !rest:
			return err
		}
		if !over && !long && len(line) > 0 {
			see(line)
		}
		if _, e := to.Write(line); e != nil {
			return e
		}
		if err != nil && !over {
			return err
		}
		line, long = line[:0], over
	}
}
