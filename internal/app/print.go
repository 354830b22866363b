package app

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"duet/dispatch"
	"duet/internal/fault"
	"duet/tools"
)

// status is an exit status without more words.
type status int

func (s status) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// print writes an answer: a result to stdout, an error to stderr. The error it
// returns is a status, or a failure to write.
func (a *App) print(r *reply, asJSON bool) error {
	if r.wrong != nil {
		return argUsage(r.wrong, nil)
	}
	out := a.Stdout
	if r.isError {
		out = a.Stderr
	}
	if why := r.cut(); why != "" && !asJSON {
		fmt.Fprintf(a.Stderr, "note: %s\n", why)
	}
	if value, ok := r.rawValue(); ok && !asJSON && !r.isError {
		if _, err := io.WriteString(out, value); err != nil {
			return err
		}
	} else if err := write(out, r, asJSON); err != nil {
		return err
	}
	switch {
	case r.isError && r.class() == fault.Protocol:
		return status(2)
	case r.isError || r.negative:
		return status(1)
	}
	return nil
}

// code is that of a failed answer, "" of one that is none.
func (r *reply) code() fault.Code {
	if !r.isError {
		return ""
	}
	for line := range strings.SplitSeq(r.text, "\n") {
		if code, ok := strings.CutPrefix(line, "code: "); ok {
			return fault.Code(code)
		}
	}
	return ""
}

// class is whose mistake a failed answer reports.
func (r *reply) class() fault.Class {
	if code := r.code(); code != "" {
		return code.Class()
	}
	return fault.Fact
}

func write(out io.Writer, r *reply, asJSON bool) error {
	var b bytes.Buffer
	if asJSON {
		fmt.Fprintf(&b, `{"ok":%t,`, !r.isError)
		object := bytes.TrimSpace(r.structured)
		if len(object) < 2 {
			text, err := marshal(r.text)
			if err != nil {
				return err
			}
			object = []byte(`{"text":` + string(text) + `}`)
		}
		b.Write(object[1 : len(object)-1])
		fmt.Fprintf(&b, `,"tokens_est":%d}`, r.tokens())
	} else if terminal(out) && !r.isError {
		b.WriteString(pretty(r.text))
	} else {
		b.WriteString(r.text)
	}
	if !bytes.HasSuffix(b.Bytes(), []byte("\n")) {
		b.WriteByte('\n')
	}
	_, err := out.Write(b.Bytes())
	return err
}

// object prints a value of the program's own: as a line of JSON, or as text.
func (a *App) object(g *globals, v any, text string) error {
	if !g.JSON {
		_, err := io.WriteString(a.Stdout, text)
		return err
	}
	line, err := marshal(struct {
		OK     bool `json:"ok"`
		Result any  `json:"result"`
	}{true, v})
	if err != nil {
		return err
	}
	_, err = a.Stdout.Write(append(line, '\n'))
	return err
}

// failure is why nothing was done, as an object.
type failure struct {
	Code      fault.Code   `json:"code"`
	Message   string       `json:"message"`
	Hint      string       `json:"hint,omitempty"`
	Phase     fault.Phase  `json:"phase"`
	Effect    fault.Effect `json:"effect"`
	Retryable bool         `json:"retryable"`
}

// shell is the words of the command line itself.
func shell() fault.Words {
	return dispatch.ShellWords(tools.All(), nil, dispatch.Shell{Lead: ourName}, nil)
}

// fail prints why nothing, or not all, was done, and returns the exit status.
func (a *App) fail(err error, asJSON bool) int {
	var s status
	if errors.As(err, &s) {
		return int(s)
	}
	var u *usageError
	var wrong *dispatch.ArgError
	code, message, hint, exit := fault.InvalidArgument, err.Error(), "", 2
	phase, effect, retryable := fault.Precondition, fault.None, false
	switch {
	case errors.As(err, &u):
		message, hint = u.message, u.hint
	case errors.As(err, &wrong):
	default:
		f := fault.From(err)
		code, message, hint, exit = f.Code, fault.Say(f.Message, shell()), fault.Say(f.Hint, shell()), 1
		phase, effect, retryable = f.Phase, f.Effect, f.Retryable()
		if f.Code.Class() == fault.Protocol {
			exit = 2
		}
	}
	if asJSON {
		line, err := marshal(struct {
			OK    bool    `json:"ok"`
			Error failure `json:"error"`
		}{false, failure{code, message, hint, phase, effect, retryable}})
		if err == nil {
			fmt.Fprintf(a.Stderr, "%s\n", line)
			return exit
		}
	}
	fmt.Fprintf(a.Stderr, "error: %s\n", message)
	if exit != 2 {
		fmt.Fprintf(a.Stderr, "code: %s\n", code)
	}
	if hint != "" {
		fmt.Fprintf(a.Stderr, "hint: %s\n", hint)
	}
	if effect != fault.None && effect != "" {
		fmt.Fprintf(a.Stderr, "effect: %s\n", effect)
	}
	return exit
}
