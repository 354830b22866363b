package conformance_test

import (
	"bufio"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-json"

	"duet/dispatch"
	"duet/internal/golden"
	"duet/internal/mcpserver"
	"duet/internal/txtar"
)

// echo is a catalog without a browser: what the contracts say is about the wire.
type echo struct{}

func (echo) Tools() []dispatch.ToolInfo {
	return []dispatch.ToolInfo{
		{Name: "echo", Title: "Echo", Description: "Says it again.", ReadOnly: true, Idempotent: true,
			Schema: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}},"additionalProperties":false}`)},
		{Name: "hold", Description: "Ends when it is cancelled.", Destructive: true,
			Schema: json.RawMessage(`{"type":"object","additionalProperties":false}`)},
	}
}

func (echo) Do(ctx context.Context, r dispatch.Request) *dispatch.Result {
	switch r.Tool {
	case "echo":
		return &dispatch.Result{Text: string(r.Args), Structured: json.RawMessage(`{"result":{}}`)}
	case "hold":
		<-ctx.Done()
		return &dispatch.Result{Text: "cancelled", IsError: true}
	}
	return &dispatch.Result{ArgError: &dispatch.ArgError{
		Message: "unknown tool " + r.Tool,
		Data:    dispatch.ArgData{Tool: r.Tool, Rule: "unknown_tool", Allowed: []string{"echo", "hold"}},
	}}
}

// Each transcript in contract holds lines that a client sends and, behind each
// of them, the lines that the server answers with:
//
//	> {"jsonrpc":"2.0","id":1,"method":"ping"}
//	< {"jsonrpc":"2.0","id":1,"result":{}}
//
// A line ends with LF, or with CRLF where it is written >\r; @N@ stands for that
// many letters. A reply is what came, byte for byte.
func TestContracts(t *testing.T) {
	paths, err := filepath.Glob("contract/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no contracts")
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			a := txtar.Parse(string(text))
			for _, f := range a.Files {
				got := converse(t, f.Data)
				golden.Rewrite(t, path+" "+f.Name, f.Data, got, func(got string) {
					a.Set(f.Name, got)
					if err := os.WriteFile(path, []byte(a.Format()), 0o644); err != nil {
						t.Fatal(err)
					}
				})
			}
		})
	}
}

// converse plays the client's lines of a transcript and returns the transcript
// with the answers that came. After each line as many answers are awaited as
// the transcript has there.
func converse(t *testing.T, script string) string {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- mcpserver.ServeStdio(t.Context(), inR, outW, echo{}, mcpserver.Options{Name: "duet", Version: "1", Instructions: "Be brief."})
		_ = outW.Close()
	}()
	out := bufio.NewReader(outR)
	var b strings.Builder
	for line := range strings.Lines(script) {
		switch kind, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " "); kind {
		case ">", `>\r`:
			b.WriteString(line)
			end := "\n"
			if kind != ">" {
				end = "\r\n"
			}
			if _, err := io.WriteString(inW, expand(rest)+end); err != nil {
				t.Fatal(err)
			}
		case "<":
			reply, err := out.ReadString('\n')
			if err != nil {
				t.Fatalf("waiting for %s: %v", rest, err)
			}
			b.WriteString("< " + reply)
		default: // a remark
			b.WriteString(line)
		}
	}
	_ = inW.Close()
	rest, _ := io.ReadAll(out)
	for line := range strings.Lines(string(rest)) {
		b.WriteString("< " + line)
	}
	if err := <-done; err != nil {
		t.Errorf("serving ended with %v", err)
	}
	return b.String()
}

// expand replaces @N@ by N letters.
func expand(s string) string {
	before, rest, ok := strings.Cut(s, "@")
	count, after, ok2 := strings.Cut(rest, "@")
	n := 0
	for _, c := range count {
		if c < '0' || c > '9' {
			return s
		}
		n = 10*n + int(c-'0')
	}
	if !ok || !ok2 || n == 0 {
		return s
	}
	return before + strings.Repeat("x", n) + after
}
