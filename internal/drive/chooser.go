package drive

import (
	"context"
	"errors"
	"time"

	"duet/bidi"
	"duet/internal/fault"
)

// chooserBound is how long a page may take to ask for files after a press.
const chooserBound = time.Second

func (b *Browser) chooserOpenedLocked(e chooserEvent) {
	b.chooser = chooser{seq: b.seq, context: e.Context, multiple: e.Multiple}
	if e.Element != nil {
		b.chooser.element = e.Element.SharedID
	}
}

// askedBound is how long that of what has asked before takes, where the browser may
// not tell that it asks again.
const askedBound = 300 * time.Millisecond

// keptChoosers bounds how many choosers are known by what was pressed for them.
const keptChoosers = 20

// askedBy keeps that a press of the element led to the chooser that opened since a
// mark. Files that are given to the element then go to that, as a person's would: a
// page that is pressed once more may ask for others.
func (e *Element) askedBy(since Mark) {
	b := e.tab.b
	b.mu.Lock()
	defer b.mu.Unlock()
	c := &b.chooser
	if c.seq <= since.event || !e.tab.ownsLocked(c.context) {
		return
	}
	c.pressed = e.key
	b.choosers = append(b.choosers, *c)
	b.choosers = b.choosers[max(0, len(b.choosers)-keptChoosers):]
}

// asked is the last chooser that a press of the element has opened in the document
// that is shown, and whether it is open still: it has no files yet, and no other one
// was opened.
func (e *Element) asked() (c chooser, open bool) {
	b := e.tab.b
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, old := range b.choosers {
		if f := b.frames[old.context]; old.pressed == e.key && f != nil && f.changed < old.seq {
			c = old
		}
	}
	return c, c.element != "" && b.chooser.seq == c.seq
}

func (b *Browser) dropChooser() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.chooser = chooser{}
}

// choose gives the files to what the element has asked for them, or to what asks for
// them once it is pressed.
func (e *Element) choose(ctx context.Context, paths []string) (Uploaded, error) {
	mark := e.tab.Mark()
	pressed := Clicked{Matches: e.matches}
	c, open := e.asked()
	before := c
	var err error
	if !open {
		if pressed, err = e.Click(ctx, ClickOptions{}); err != nil {
			return Uploaded{}, err
		}
		bound, again := chooserBound, before.element != "" && e.tab.b.quirks.ChooserOnce
		if again {
			bound = askedBound
		}
		wait, stop := context.WithTimeout(ctx, bound)
		err = e.tab.b.await(wait, func() bool {
			c = e.tab.b.chooser
			return c.seq > mark.event && e.tab.ownsLocked(c.context)
		})
		stop()
		switch {
		case err == nil:
			e.askedBy(mark)
		case again && ctx.Err() == nil && !errors.Is(err, fault.BrowserLost):
			c, err = before, nil
		}
	}
	if errors.Is(err, fault.BrowserLost) {
		return Uploaded{}, afterEffect(err)
	}
	said := func(f *fault.Fault) (Uploaded, error) {
		if open {
			return Uploaded{}, f.At(fault.BeforeEffect, fault.None)
		}
		return Uploaded{}, f.At(fault.InEffect, fault.Possible)
	}
	switch {
	case err != nil || c.element == "":
		return said(fault.New(fault.NotEditable, "%s is no file input, and pressing it asked for no files", e.name()))
	case len(paths) > 1 && !c.multiple:
		return said(fault.New(fault.InvalidArgument, "%s asks for one file, not %d", e.name(), len(paths)))
	}
	_, err = bidi.InputSetFiles.Call(ctx, e.tab.b.conn, bidi.InputSetFilesParameters{
		Context: c.context, Element: bidi.ScriptSharedReference{SharedID: c.element}, Files: paths,
	})
	switch {
	case err != nil && open && bidi.CodeOf(err) != "":
		e.tab.b.dropChooser() // what asked is gone
		return e.choose(ctx, paths)
	case err != nil:
		f := wireFault("upload", err)
		f.Message = "the browser did not take the files for " + e.name() // its own words hold the paths
		if open {
			return Uploaded{}, f // nothing was pressed
		}
		return Uploaded{}, afterEffect(f)
	}
	e.tab.b.dropChooser() // it has them
	s, err := e.tab.settle(ctx, e.frame(), settleWant{mark: mark})
	return Uploaded{Line: e.Line(), Matches: pressed.Matches, Files: len(paths), Facts: s.facts}, err
}
