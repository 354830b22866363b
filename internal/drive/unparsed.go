package drive

import (
	"context"
	"strconv"
	"strings"

	"duet/bidi"
	"duet/internal/fault"
	"duet/internal/pagejs"
)

// unparsed is the fault of a script that does not parse. Of one with several lines it
// names the line, where that can be known.
func (t *Tab) unparsed(ctx context.Context, code string, wrong *bidi.ScriptExceptionDetails) error {
	says := strconv.Quote(cut(t.b.Redact(wrong.Text), 500))
	lines := strings.Count(strings.TrimRight(code, "; \t\r\n"), "\n") + 1
	line := 0
	if lines > 1 {
		line = min(t.lineOf(ctx, code, wrong), lines) // what is not closed ends after the last
	}
	if line == 0 {
		return fault.New(fault.EvalThrew, "the script does not parse: %s", says).At(fault.BeforeEffect, fault.None)
	}
	return fault.New(fault.EvalThrew, "the script does not parse, line %d: %s", line, says).
		WithDetail(map[string]any{"line": line}).At(fault.BeforeEffect, fault.None)
}

// lineOf is the line of the script, from 1, at which it stops making sense; 0 where
// nobody says.
func (t *Tab) lineOf(ctx context.Context, code string, wrong *bidi.ScriptExceptionDetails) int {
	if !t.b.quirks.ParseErrorsUnplaced {
		return wrong.LineNumber + 1
	}
	// The error itself knows. It is made once more, to be kept; it was for the script as
	// statements, and nothing runs of what does not parse.
	target := bidi.ScriptContextTarget{Context: t.id}
	r, err := bidi.ScriptEvaluate.Call(ctx, t.b.conn, bidi.ScriptEvaluateParameters{
		Expression: pagejs.Eval(code, true), Target: target, ResultOwnership: bidi.ScriptResultOwnershipRoot,
	})
	if err != nil || r.ExceptionDetails == nil || r.ExceptionDetails.Text != wrong.Text || r.ExceptionDetails.Exception.Handle == "" {
		return 0
	}
	handle := r.ExceptionDetails.Exception.Handle
	said, err := bidi.ScriptCallFunction.Call(ctx, t.b.conn, bidi.ScriptCallFunctionParameters{
		FunctionDeclaration: pagejs.ErrorLine, Target: target, Arguments: []bidi.ScriptLocalValue{bidi.ScriptRemoteObjectReference{Handle: handle}},
	})
	bidi.ScriptDisown.Send(t.b.conn, bidi.ScriptDisownParameters{Handles: []bidi.Handle{handle}, Target: target}).Forget()
	if err != nil {
		return 0
	}
	text, _ := said.Result.AsString()
	line, err := strconv.Atoi(text)
	if err != nil {
		return 0
	}
	return max(0, line)
}
