package mcpserver

import (
	"bytes"
	"math"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// message is one line that is worth looking at: a request, a notification or,
// where answer is set, a reply to something that was asked.
type message struct {
	id     jsonrpc.ID // invalid for a notification
	rawID  []byte     // as it is to be echoed
	method string
	params []byte            // an object or nil
	member map[string][]byte // of params
	meta   map[string][]byte // of params._meta, nil where there is none
	answer bool
}

// refusal is a line that gets an error, and no more.
type refusal struct {
	rawID []byte // nil is null
	err   *jsonrpc.Error
}

func refuse(rawID []byte, code int64, text string) *refusal {
	return &refusal{rawID, &jsonrpc.Error{Code: code, Message: text}}
}

// parse reads one line. Both results are nil where nothing is due: a
// notification that is not in order gets no answer.
func parse(line []byte) (*message, *refusal) {
	if err := checkJSON(line); err != nil {
		return nil, refuse(nil, jsonrpc.CodeParseError, "parse error: "+err.Error())
	}
	line = bytes.TrimSpace(line)
	switch {
	case line[0] == '[':
		return nil, refuse(nil, jsonrpc.CodeInvalidRequest, "invalid request: batches are not served")
	case !isObject(line):
		return nil, refuse(nil, jsonrpc.CodeInvalidRequest, "invalid request: a message is an object")
	}
	envelope, err := members(line)
	if err != nil {
		return nil, refuse(nil, jsonrpc.CodeInvalidRequest, "invalid request: "+err.Error())
	}
	m := &message{}
	raw, hasID := envelope["id"]
	if hasID {
		if m.id, m.rawID, err = readID(raw); err != nil {
			return nil, refuse(nil, jsonrpc.CodeInvalidRequest, "invalid request: "+err.Error())
		}
	}
	if v, err := unquote(envelope["jsonrpc"]); err != nil || v != "2.0" {
		return nil, refuse(m.rawID, jsonrpc.CodeInvalidRequest, `invalid request: jsonrpc must be "2.0"`)
	}
	method, ok := envelope["method"]
	if !ok {
		if (envelope["result"] != nil || envelope["error"] != nil) && hasID {
			m.answer = true
			return m, nil
		}
		return nil, refuse(m.rawID, jsonrpc.CodeInvalidRequest, "invalid request: method is missing")
	}
	if m.method, err = unquote(method); err != nil {
		return nil, refuse(m.rawID, jsonrpc.CodeInvalidRequest, "invalid request: method must be a string")
	}
	if why := m.readParams(envelope["params"]); why != "" {
		if !hasID {
			return nil, nil
		}
		return nil, refuse(m.rawID, jsonrpc.CodeInvalidParams, "invalid params: "+why)
	}
	return m, nil
}

// readParams takes the params apart, as far as they are ours; the arguments of a
// tool stay as they came. It returns what is wrong with them.
func (m *message) readParams(params []byte) (wrong string) {
	if params == nil {
		return ""
	}
	if !isObject(params) {
		return "params must be an object"
	}
	var err error
	if m.member, err = members(params); err != nil {
		return err.Error()
	}
	m.params = params
	meta, ok := m.member["_meta"]
	if !ok {
		return ""
	}
	if !isObject(meta) {
		return "_meta must be an object"
	}
	if m.meta, err = members(meta); err != nil {
		return "_meta: " + err.Error()
	}
	return ""
}

type errID struct{}

func (errID) Error() string { return "id must be a string or an integer" }

// readID turns the id of a request into the SDK's form and the bytes to echo.
// Integers that a float64 cannot hold travel as a string that no client sends.
func readID(raw []byte) (jsonrpc.ID, []byte, error) {
	if raw[0] == '"' {
		s, err := unquote(raw)
		if err != nil {
			return jsonrpc.ID{}, nil, errID{}
		}
		id, err := jsonrpc.MakeID(s)
		return id, raw, err
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || f != math.Trunc(f) {
		return jsonrpc.ID{}, nil, errID{}
	}
	if math.Abs(f) <= 1<<53 && !(math.Abs(f) == 1<<53 && !exactly2to53(raw)) {
		id, err := jsonrpc.MakeID(f)
		return id, raw, err
	}
	if bytes.ContainsAny(raw, ".eE") {
		return jsonrpc.ID{}, nil, errID{}
	}
	id, err := jsonrpc.MakeID("\x00" + string(raw))
	return id, raw, err
}

// exactly2to53 tells 2^53 from 2^53+1, which parses to the same float64.
func exactly2to53(raw []byte) bool {
	n, err := strconv.ParseInt(string(raw), 10, 64)
	return err == nil && (n == 1<<53 || n == -1<<53)
}
