package drive

import (
	"context"
	"strconv"
	"time"

	"duet/bidi"
	"duet/internal/fault"
	"duet/internal/pagejs"
)

// Uploaded says what an upload came to.
type Uploaded struct {
	Line    string
	Matches int
	Files   int
	Held    *int // files in it afterwards, where they are not those: the page took them out, perhaps
	Facts   Facts
}

// Upload gives files to a file input, visible or not, or to the one that a label
// stands for, and settles; no files empty it. What can be pressed and is none is
// pressed, and the files go to what then asks for them. The caller has checked the paths and
// made them readable for the browser. They are never part of an answer.
func (e *Element) Upload(ctx context.Context, paths []string) (Uploaded, error) {
	mark := e.tab.Mark()
	var m pagejs.FileInput
	err := e.until(ctx, func(ctx context.Context, rest int) (*refusal, error) {
		pause(ctx, time.Duration(rest)*time.Millisecond) // this look does not wait in the page
		var err error
		if m, err = ask(ctx, e, pagejs.Files, e.at(), ""); err != nil {
			return nil, err
		}
		if m.Gone != "" {
			return nil, e.gone(m.Gone, m.Line)
		}
		e.line = m.Line
		if m.Node == 0 && m.Press && len(paths) > 0 {
			return nil, nil // what it opens is asked
		}
		return e.judgeUpload(m, len(paths)), nil
	})
	if err != nil {
		return Uploaded{}, err
	}
	if m.Node == 0 {
		return e.choose(ctx, paths)
	}
	target := pagejs.Target{Node: m.Node, Doc: e.key.Doc}
	v, err := begin(e.tab, e.frame(), pagejs.Handle, target, "").value(ctx)
	if err != nil {
		return Uploaded{}, fault.From(err).At(fault.BeforeEffect, fault.None)
	}
	if v.SharedID == "" {
		return Uploaded{}, e.gone("detached", "")
	}
	_, err = bidi.InputSetFiles.Call(ctx, e.tab.b.conn, bidi.InputSetFilesParameters{
		Context: e.frame(), Element: bidi.ScriptSharedReference{SharedID: v.SharedID}, Files: paths,
	})
	out := Uploaded{Line: e.Line(), Matches: e.matches, Files: len(paths)}
	if err != nil {
		// The browser's own words hold the paths.
		f := wireFault("upload", err)
		f.Message = "the browser did not take the files for " + e.name()
		return out, f
	}
	after := begin(e.tab, e.frame(), pagejs.Files, target, "")
	s, err := e.tab.settle(ctx, e.frame(), settleWant{mark: mark})
	out.Facts = s.facts
	if err != nil {
		after.drop()
		return out, err
	}
	held, err := after.wait(ctx)
	switch {
	case err == nil && held.Gone == "detached":
		out.Held = new(int) // with the input it was given to
		return out, nil
	case err != nil || held.Node != m.Node || held.Held == len(paths):
		return out, nil // by what it caused the page may be another one
	case len(paths) == 0:
		return out, fault.New(fault.ExpectMismatch, "%s was emptied, and holds %d files", e.name(), held.Held).
			WithDetail(map[string]string{"expected": "0", "actual": strconv.Itoa(held.Held)}).At(fault.InEffect, fault.Possible)
	case held.Held == 0 && m.Directory:
		return out, fault.New(fault.ExpectMismatch, "%s takes a directory, and %s gave it none of the files", e.name(), e.tab.b.info.Browser).
			WithDetail(map[string]string{"expected": strconv.Itoa(len(paths)), "actual": "0"}).At(fault.InEffect, fault.Possible)
	}
	out.Held = &held.Held
	return out, nil
}

func (e *Element) judgeUpload(m pagejs.FileInput, files int) *refusal {
	final := func(r *refusal) *refusal {
		r.final = true
		return r
	}
	switch {
	case m.Node == 0:
		r := final(refuse(fault.NotEditable, "%s is no file input and no label of one", e.name()))
		if m.First != nil {
			c := e.tab.candidate(matchOf(e.frame(), e.key.Doc, *m.First))
			r.fault = r.fault.WithHint("file input near it: %s", c)
		}
		return r
	case m.Disabled != "":
		return refuse(fault.NotEnabled, "%s is disabled", e.name())
	case files > 1 && !m.Multiple:
		return final(refuse(fault.InvalidArgument, "%s takes one file, not %d", e.name(), files))
	}
	return nil
}
