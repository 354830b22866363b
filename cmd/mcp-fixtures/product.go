package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"sync"

	"github.com/goccy/go-json"

	"duet/dispatch"
	"duet/internal/app"
)

// product is `duet mcp` as a catalog: it runs the program in this process and
// speaks to it over its standard input and output, so that what the suite meets
// over HTTP has gone through the framing too.
type product struct {
	info  []dispatch.ToolInfo
	ended chan struct{} // closed when the program has returned

	mu   sync.Mutex // guards the rest: one call at a time
	in   *io.PipeWriter
	out  *bufio.Reader
	next int
}

// startProduct starts the program and reads its tool list.
func startProduct(ctx context.Context) (*product, error) {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	p := &product{ended: make(chan struct{}), in: inW, out: bufio.NewReader(outR)}
	go func() {
		defer close(p.ended)
		a := &app.App{Stdin: inR, Stdout: outW, Stderr: os.Stderr}
		status := a.Run(ctx, []string{"mcp"})
		_ = outW.CloseWithError(fmt.Errorf("duet mcp ended with status %d", status))
		_ = inR.Close()
	}()
	if _, err := p.ask("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"mcp-fixtures","version":"0"}}`); err != nil {
		return nil, err
	}
	raw, err := p.ask("tools/list", `{}`)
	if err != nil {
		return nil, err
	}
	var list struct {
		Tools []struct {
			Name, Title, Description string
			InputSchema              json.RawMessage `json:"inputSchema"`
			Annotations              struct {
				ReadOnlyHint, DestructiveHint, IdempotentHint, OpenWorldHint bool
			}
		}
	}
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, err
	}
	for _, t := range list.Tools {
		p.info = append(p.info, dispatch.ToolInfo{
			Name: t.Name, Title: t.Title, Description: t.Description, Schema: t.InputSchema,
			ReadOnly: t.Annotations.ReadOnlyHint, Destructive: t.Annotations.DestructiveHint,
			Idempotent: t.Annotations.IdempotentHint, OpenWorld: t.Annotations.OpenWorldHint,
		})
	}
	return p, nil
}

// close ends the program as a client does, and waits for it.
func (p *product) close() {
	_ = p.in.Close()
	<-p.ended
}

// rpcError is the error half of a reply.
type rpcError struct {
	Code    int              `json:"code"`
	Message string           `json:"message"`
	Data    dispatch.ArgData `json:"data"`
}

func (e *rpcError) Error() string { return e.Message }

// ask sends a request and reads lines up to its reply.
func (p *product) ask(method, params string) (json.RawMessage, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.next++
	line := `{"jsonrpc":"2.0","id":` + strconv.Itoa(p.next) + `,"method":"` + method + `","params":` + params + "}\n"
	if _, err := io.WriteString(p.in, line); err != nil {
		return nil, err
	}
	for {
		line, err := p.out.ReadBytes('\n')
		if err != nil {
			return nil, err
		}
		var reply struct {
			ID     int             `json:"id"`
			Result json.RawMessage `json:"result"`
			Error  *rpcError       `json:"error"`
		}
		if err := json.Unmarshal(line, &reply); err != nil {
			return nil, err
		}
		if reply.ID != p.next {
			continue
		}
		if reply.Error != nil {
			return nil, reply.Error
		}
		return reply.Result, nil
	}
}

// Tools lists what the program lists.
func (p *product) Tools() []dispatch.ToolInfo { return p.info }

// Do has the program run a call.
func (p *product) Do(_ context.Context, r dispatch.Request) *dispatch.Result {
	name, _ := json.Marshal(r.Tool)
	args := string(r.Args)
	if args == "" {
		args = "{}"
	}
	raw, err := p.ask("tools/call", `{"name":`+string(name)+`,"arguments":`+args+`}`)
	if no := (*rpcError)(nil); errors.As(err, &no) {
		return &dispatch.Result{ArgError: &dispatch.ArgError{Message: no.Message, Data: no.Data}}
	}
	var result struct {
		Content           []struct{ Text string }
		StructuredContent json.RawMessage `json:"structuredContent"`
		IsError           bool            `json:"isError"`
	}
	if err == nil {
		err = json.Unmarshal(raw, &result)
	}
	if err != nil || len(result.Content) == 0 {
		return &dispatch.Result{IsError: true, Text: fmt.Sprintf("error: %v", err)}
	}
	return &dispatch.Result{Text: result.Content[0].Text, Structured: result.StructuredContent, IsError: result.IsError}
}
