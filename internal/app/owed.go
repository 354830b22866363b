package app

import (
	"bufio"
	"errors"
	"io"
	"slices"
	"strconv"
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

	mu   sync.Mutex // guards open
	open []request  // in the order of asking
}

// request is one that is not answered. Client and daemon may spell an id differently.
type request struct {
	id, spelled, method string
}

// envelope is what tells requests from answers.
type envelope struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		RequestID json.RawMessage `json:"requestId"`
	} `json:"params"`
}

// asked notes a line of the client. What it cancels is owed no answer, and may be
// given none; an initialize cannot be cancelled.
func (o *owed) asked(line []byte) {
	var e envelope
	if json.Unmarshal(line, &e) != nil {
		// Params are what the method says: they need not be an object, nor hold an id.
		var bare struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
		}
		if json.Unmarshal(line, &bare) != nil {
			return
		}
		e.ID, e.Method = bare.ID, bare.Method
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	switch id := idOf(e.ID); {
	case e.Method == "notifications/cancelled":
		o.settleLocked(idOf(e.Params.RequestID), "initialize")
	case e.Method == "" || id == "":
	case !slices.ContainsFunc(o.open, func(r request) bool { return r.id == id }):
		o.open = append(o.open, request{id, string(e.ID), e.Method})
	}
}

// told notes a line of the daemon.
func (o *owed) told(line []byte) {
	var e struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
	}
	if json.Unmarshal(line, &e) != nil || e.Method != "" {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.settleLocked(idOf(e.ID), "")
}

// settleLocked crosses off the request of an id, unless it is of this method.
func (o *owed) settleLocked(id, unless string) {
	o.open = slices.DeleteFunc(o.open, func(r request) bool { return r.id == id && r.method != unless })
}

// idOf is a request's id however it is spelled, "" for none.
func idOf(raw json.RawMessage) string {
	var text string
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return ""
	case json.Unmarshal(raw, &text) == nil:
		return strconv.Quote(text)
	}
	return string(raw)
}

// answers are the lines that are still due, each with the same fault: a tool may
// have done its work, or a part of it.
func (o *owed) answers(lost error) []byte {
	o.mu.Lock()
	defer o.mu.Unlock()
	f := fault.From(lost)
	var out []byte
	for _, r := range o.open {
		answer := map[string]any{"jsonrpc": "2.0", "id": json.RawMessage(r.spelled)}
		if r.method == "tools/call" {
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
	o.open = nil
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
