package mcpserver

import (
	"bytes"
	"errors"
	"strings"

	"github.com/goccy/go-json"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// wireError is an error of the SDK as it goes out. One without a code is a
// mistake in the params of initialize, or a defect; Go's words for a wrong type
// tell a client nothing.
func wireError(err error) *jsonrpc.Error {
	if strings.Contains(err.Error(), "unmarshaling") {
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "invalid params: a member has the wrong type"}
	}
	var wire *jsonrpc.Error
	if !errors.As(err, &wire) {
		return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "internal error: " + err.Error()}
	}
	if wire.Message == err.Error() {
		return wire
	}
	return &jsonrpc.Error{Code: wire.Code, Message: err.Error(), Data: wire.Data}
}

func encodeError(rawID []byte, e *jsonrpc.Error) []byte {
	if rawID == nil {
		rawID = []byte("null")
	}
	body, err := json.MarshalWithOption(e, json.DisableHTMLEscape())
	if err != nil {
		body = []byte(`{"code":-32603,"message":"internal error"}`)
	}
	return concat(`{"jsonrpc":"2.0","id":`, rawID, `,"error":`, body, `}`)
}

func encodeResult(rawID, result []byte) []byte {
	return concat(`{"jsonrpc":"2.0","id":`, rawID, `,"result":`, result, `}`)
}

// concat joins strings and byte slices.
func concat(parts ...any) []byte {
	var b bytes.Buffer
	for _, p := range parts {
		switch p := p.(type) {
		case string:
			b.WriteString(p)
		case []byte:
			b.Write(p)
		default:
			panic("concat: neither text nor bytes")
		}
	}
	return b.Bytes()
}
