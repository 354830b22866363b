package drive

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/goccy/go-json"

	"duet/bidi"
	"duet/internal/fault"
	"duet/internal/lazyregexp"
	"duet/internal/pagejs"
)

// Evaluated is what a script of the caller came to.
type Evaluated struct {
	Value   json.RawMessage // null where the script waits or its document is gone
	Type    string          // of the value, as typeof says
	Cut     bool            // the value was larger than what is here
	Pending bool            // the script has opened a dialog and goes on when that is answered
	Left    bool            // the page navigated before the script answered
	// Withheld: the page's fields hold more that is never shown than can be told apart,
	// so no text and no number of the value is here.
	Withheld bool
	Facts    Facts
}

// statement matches scripts that begin as no expression does.
var statement = lazyregexp.New(`^\s*(?:(?:const|let|var|if|for|while|do|return|throw|try|switch)\b|//|/\*)`)

// Eval runs a script in the page's own realm, with what the page did to it: an
// expression, or statements with return; a promise is waited for and a function is
// called. Then it settles like any action. What the script throws is EVAL_THREW, and
// then the page may have been changed; what does not parse is EVAL_THREW with effect
// none. What fields hold that is never shown stands masked in what comes of it.
func (t *Tab) Eval(ctx context.Context, code string) (Evaluated, error) {
	if d := t.Dialog(); d != nil {
		return Evaluated{Value: json.RawMessage("null")}, dialogFault(d)
	}
	hidden, err := t.concealed(ctx)
	if err != nil {
		return Evaluated{Value: json.RawMessage("null")}, err
	}
	mark := t.Mark()
	first := statement().MatchString(code)
	out, wrong, err := t.eval(ctx, code, first, mark)
	if err == nil && wrong != nil {
		// Nothing ran: it is the other form, or neither.
		var second *bidi.ScriptExceptionDetails
		if out, second, err = t.eval(ctx, code, !first, mark); err == nil && second != nil {
			if first {
				second = wrong // what was typed as statements is wrong as statements
			}
			return out, t.unparsed(ctx, code, second)
		}
	}
	if err != nil && !errors.Is(err, fault.EvalThrew) {
		return out, err
	}
	out.Value, out.Withheld = t.b.kept().RedactJSON(hidden.RedactJSON(out.Value)), hidden.more
	if f := fault.From(err); f != nil {
		f.Message = hidden.Redact(f.Message)
		if d, ok := f.Detail.(map[string]any); ok {
			if text, ok := d["exception"].(string); ok {
				d["exception"] = hidden.Redact(text)
			}
		}
		err = f
	}
	s, settleErr := t.settle(ctx, t.id, settleWant{mark: mark})
	out.Facts = s.facts
	if err == nil {
		err = settleErr
	}
	return out, err
}

// eval runs the script in one form; wrong says why it does not parse in that.
func (t *Tab) eval(ctx context.Context, code string, statements bool, mark Mark) (out Evaluated, wrong *bidi.ScriptExceptionDetails, err error) {
	sent := t.Mark().event
	out.Value = json.RawMessage("null")
	p := bidi.ScriptEvaluate.Send(t.b.conn, bidi.ScriptEvaluateParameters{
		Expression: pagejs.Eval(code, statements), AwaitPromise: true,
		Target: bidi.ScriptContextTarget{Context: t.id},
	})
	if err := t.race(ctx, t.id, p.Done(), sent, "run the script"); err != nil {
		switch {
		case errors.Is(err, errPrompt):
			t.hold(held{done: p.Done(), since: mark})
			out.Pending = true
			return out, nil, nil
		case errors.Is(err, errNavigated), errors.Is(err, errTabClosed):
			p.Forget()
			out.Left = true
			return out, nil, nil
		}
		p.Forget()
		f := fault.From(err)
		if f.Code == fault.Timeout {
			f = fault.New(fault.Timeout, "the script did not end by the deadline").WithHint("raise %s, or start it and wait for what it brings: %s; %s", fault.Arg("timeout_ms"), fault.Call("browser_wait", "target", "SELECTOR"), leaveIt).Because(err)
		}
		return out, nil, f.At(fault.InEffect, fault.Possible)
	}
	r, err := p.Wait(ctx)
	switch {
	case err != nil && navigatedAway(err):
		out.Left = true
		return out, nil, nil
	case err != nil:
		return out, nil, wireFault("run the script", err)
	case r.ExceptionDetails != nil:
		return out, r.ExceptionDetails, nil
	}
	out, err = t.evaluated(r.Result)
	return out, nil, err
}

// evaluated reads the answer of the wrapper.
func (t *Tab) evaluated(v bidi.ScriptRemoteValue) (out Evaluated, err error) {
	defect := fault.New(fault.Internal, "the script's answer cannot be read").At(fault.InEffect, fault.Possible)
	said, ok := v.AsString()
	parts := strings.SplitN(said, " ", 4)
	if !ok || len(parts) != 4 {
		return out, defect
	}
	kind, text := parts[0], parts[3]
	out.Cut, out.Type = parts[1] == "cut", parts[2]
	if !json.Valid([]byte(text)) { // the page replaced what it was made with
		quoted, err := json.Marshal(cut(text, 1000))
		if err != nil {
			return out, defect
		}
		text, out.Cut = string(quoted), true
	}
	out.Value = json.RawMessage(text)
	if kind == "value" {
		return out, nil
	}
	if json.Unmarshal(out.Value, &said) != nil {
		said = text
	}
	return out, fault.New(fault.EvalThrew, "the script threw %s", strconv.Quote(cut(t.b.Redact(said), 500))).
		WithDetail(map[string]any{"exception": cut(t.b.Redact(said), 500)}).At(fault.InEffect, fault.Possible)
}
