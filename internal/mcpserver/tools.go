package mcpserver

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"runtime/debug"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/goccy/go-json"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"duet/dispatch"
	"duet/internal/fault"
)

// What a call's _meta may carry besides the protocol's own members.
const (
	MetaObserve   = "duet/observe"    // none, delta or page
	MetaCaller    = "duet/caller"     // whose diff it is
	MetaSession   = "duet/session"    // which session, where there are several
	MetaSecrets   = "duet/secrets"    // values among the arguments that must never be printed
	MetaShell     = "duet/shell"      // how the call was typed on a command line: verb and lead
	MetaTimeoutMS = "duet/timeout_ms" // bound of the whole call, from when its turn on the connection comes
	MetaWhole     = "duet/whole"      // true: nothing of the result is cut or goes to a file
	// MetaNegative is true in a result that means no; it is there only for
	// callers whose request carried a member of ours.
	MetaNegative = "duet/negative"
)

// The list never changes while the process lives; a client of another principal
// would get the same.
const (
	listTTL   = 3_600_000
	listScope = "public"
)

// ContentCatalog is a catalog whose answers can be more than text.
type ContentCatalog interface {
	dispatch.Catalog
	// Content returns the content items of an answer, or nil for its text.
	Content(*dispatch.Result) []json.RawMessage
}

// CapabilityCatalog is a catalog with tools that only clients with a certain
// capability can use.
type CapabilityCatalog interface {
	dispatch.Catalog
	// Needs returns the client capability that a tool relies on, or "".
	Needs(tool string) string
}

// toolbox answers tools/list and tools/call from a catalog. It is immutable and
// safe for concurrent use.
type toolbox struct {
	cat   dispatch.Catalog
	o     Options
	tools func() []byte // the list, encoded when it is first asked for
}

func newToolbox(cat dispatch.Catalog, o Options) *toolbox {
	return &toolbox{cat, o, sync.OnceValue(func() []byte { return encode(listed(cat)) })}
}

// listed are the tools in the order in which they are listed.
func listed(cat dispatch.Catalog) []toolEntry {
	infos := slices.Clone(cat.Tools())
	// Clients probe a server by calling the first tool with nothing.
	if i := slices.IndexFunc(infos, takesNothing); i > 0 {
		first := infos[i]
		infos = append([]dispatch.ToolInfo{first}, slices.Delete(infos, i, i+1)...)
	}
	entries := make([]toolEntry, len(infos))
	for i, info := range infos {
		entries[i] = toolEntry{
			Name: info.Name, Title: info.Title, Description: info.Description, InputSchema: info.Schema,
			Annotations: annotations{info.ReadOnly, info.Destructive, info.Idempotent, info.OpenWorld},
		}
	}
	return entries
}

type toolEntry struct {
	Name        string          `json:"name"`
	Title       string          `json:"title,omitempty"`
	Description string          `json:"description,omitempty"`
	InputSchema json.RawMessage `json:"inputSchema"`
	Annotations annotations     `json:"annotations"`
}

// annotations are always all there: what is absent defaults to the worst, and
// some clients read it as unset.
type annotations struct {
	ReadOnly    bool `json:"readOnlyHint"`
	Destructive bool `json:"destructiveHint"`
	Idempotent  bool `json:"idempotentHint"`
	OpenWorld   bool `json:"openWorldHint"`
}

func takesNothing(t dispatch.ToolInfo) bool {
	var schema struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	return t.ReadOnly && json.Unmarshal(t.Schema, &schema) == nil && len(schema.Properties) == 0
}

// rawResult is a result that was encoded here, without the members that the SDK
// adds to results of the stateless era.
type rawResult struct {
	mcp.ResultBase
	body []byte // an object's members, without braces
}

// MarshalJSON implements json.Marshaler.
func (r *rawResult) MarshalJSON() ([]byte, error) {
	if len(r.Meta) == 0 {
		return concat("{", r.body, "}"), nil
	}
	return concat("{", r.body, `,"_meta":`, encode(map[string]any(r.Meta)), "}"), nil
}

// list answers tools/list: everything on one page.
func (t *toolbox) list(req mcp.Request, modern bool) (mcp.Result, error) {
	if p, ok := req.GetParams().(*mcp.ListToolsParams); ok && p != nil && p.Cursor != "" {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "invalid params: unknown cursor"}
	}
	body := concat(`"tools":`, t.tools())
	if modern {
		body = concat(body, fmt.Sprintf(`,"ttlMs":%d,"cacheScope":%q,"resultType":"complete"`, listTTL, listScope))
	}
	return &rawResult{body: body}, nil
}

// call answers tools/call. p tells the client about a call that takes long.
func (t *toolbox) call(ctx context.Context, req mcp.Request, modern bool, p *progress) (mcp.Result, error) {
	params := req.GetParams().(*mcp.CallToolParamsRaw)
	if no := t.lacks(params, modern); no != nil {
		return nil, no
	}
	r := dispatch.Request{Tool: params.Name, Args: params.Arguments, Observe: t.o.Observe, Caller: t.o.Caller, Session: t.o.Session}
	ours, wrong := readMeta(params.Meta, &r)
	if wrong != "" {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "invalid params: _meta: " + wrong}
	}
	if ours.timeout >= 0 {
		r.Within = max(ours.timeout, 1)
	}
	r.Progress = p.start()
	defer p.stop()
	res := t.do(ctx, r)
	if res.ArgError != nil {
		return nil, argError(res.ArgError)
	}
	out := &rawResult{body: t.body(res, modern)}
	if ours.any && res.Negative {
		out.Meta = mcp.Meta{MetaNegative: true}
	}
	return out, nil
}

// lacks refuses a call of the stateless era whose client did not declare the
// capability that the tool relies on.
func (t *toolbox) lacks(params *mcp.CallToolParamsRaw, modern bool) error {
	cc, ok := t.cat.(CapabilityCatalog)
	if !ok || !modern {
		return nil
	}
	need := cc.Needs(params.Name)
	has, _ := params.Meta[mcp.MetaKeyClientCapabilities].(map[string]any)
	if _, ok := has[need]; ok || need == "" {
		return nil
	}
	return &jsonrpc.Error{
		Code: mcp.CodeMissingRequiredClientCapabilities, Message: "the client does not declare " + need,
		Data: encode(map[string]any{"requiredCapabilities": map[string]any{need: struct{}{}}}),
	}
}

// do runs one call; a panic in it is a defect that costs this call alone.
func (t *toolbox) do(ctx context.Context, r dispatch.Request) (res *dispatch.Result) {
	defer func() {
		if v := recover(); v != nil {
			t.o.Log.Error("panic in a tool", "tool", r.Tool, "panic", v, "stack", string(debug.Stack()))
			f := fault.New(fault.Internal, "%s: %v", r.Tool, v).At(fault.InEffect, fault.Possible)
			res = &dispatch.Result{
				Text:    "error: " + f.Message + "\ncode: " + string(f.Code),
				IsError: true, Code: string(f.Code),
				Structured: encode(map[string]any{"error": map[string]any{
					"code": f.Code, "message": f.Message, "phase": f.Phase, "effect": f.Effect, "retryable": false,
				}}),
			}
		}
	}()
	return t.cat.Do(ctx, r)
}

// body encodes a result as the members of a CallToolResult.
func (t *toolbox) body(res *dispatch.Result, modern bool) []byte {
	var b bytes.Buffer
	b.Grow(len(res.Text) + len(res.Structured) + 256)
	b.WriteString(`"content":[`)
	var items []json.RawMessage
	if cc, ok := t.cat.(ContentCatalog); ok {
		items = cc.Content(res)
	}
	if items == nil {
		b.WriteString(`{"type":"text","text":`)
		b.Write(encode(res.Text))
		b.WriteByte('}')
	}
	for i, item := range items {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(item)
	}
	if i := res.Image; i != nil {
		b.WriteString(`,{"type":"image","data":"` + base64.StdEncoding.EncodeToString(i.Data) + `","mimeType":` + string(encode(i.Type)) + `}`)
	}
	b.WriteByte(']')
	if len(res.Structured) > 0 && !t.o.TextOnly {
		b.WriteString(`,"structuredContent":`)
		b.Write(res.Structured)
	}
	b.WriteString(`,"isError":` + strconv.FormatBool(res.IsError))
	if modern {
		b.WriteString(`,"resultType":"complete"`)
	}
	return b.Bytes()
}

type ownMeta struct {
	any     bool
	timeout time.Duration // negative: none
}

// readMeta takes our members of a call's _meta into r; wrong is what is not in order.
func readMeta(meta map[string]any, r *dispatch.Request) (m ownMeta, wrong string) {
	m.timeout = -1
	for name, into := range map[string]func(any) bool{
		MetaObserve: func(v any) bool {
			s, _ := v.(string)
			r.Observe, r.Asked = dispatch.Observe(s), true
			return s == string(dispatch.ObserveNone) || s == string(dispatch.ObserveDelta) || s == string(dispatch.ObservePage)
		},
		MetaCaller:  func(v any) (ok bool) { r.Caller, ok = v.(string); return ok },
		MetaSession: func(v any) (ok bool) { r.Session, ok = v.(string); return ok },
		MetaSecrets: func(v any) bool {
			list, ok := v.([]any)
			for _, one := range list {
				s, is := one.(string)
				r.Secrets, ok = append(r.Secrets, s), ok && is
			}
			return ok
		},
		MetaWhole: func(v any) (ok bool) { r.Whole, ok = v.(bool); return ok },
		MetaShell: func(v any) bool {
			m, ok := v.(map[string]any)
			verb, has := m["verb"].(string)
			lead, _ := m["lead"].(string)
			r.Shell = dispatch.Shell{Verb: verb, Lead: lead}
			return ok && has && len(verb)+len(lead) <= 256
		},
		MetaTimeoutMS: func(v any) bool {
			ms, ok := v.(float64)
			m.timeout = time.Duration(ms) * time.Millisecond
			return ok && ms >= 0 && ms <= 86_400_000
		},
	} {
		v, ok := meta[name]
		if !ok {
			continue
		}
		m.any = true
		if !into(v) {
			return m, name + " is out of range"
		}
	}
	return m, ""
}

func argError(e *dispatch.ArgError) *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: e.Message, Data: encode(e.Data)}
}

// encode marshals what always marshals, without HTML escapes: a model reads it.
func encode(v any) []byte {
	b, err := json.MarshalWithOption(v, json.DisableHTMLEscape())
	if err != nil {
		return []byte("null")
	}
	return b
}
