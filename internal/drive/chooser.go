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

// choose presses the element and gives the files to what then asks for them.
func (e *Element) choose(ctx context.Context, paths []string) (Uploaded, error) {
	mark := e.tab.Mark()
	pressed, err := e.Click(ctx, ClickOptions{})
	if err != nil {
		return Uploaded{}, err
	}
	var c chooser
	wait, stop := context.WithTimeout(ctx, chooserBound)
	err = e.tab.b.await(wait, func() bool {
		c = e.tab.b.chooser
		return c.seq > mark.event && e.tab.ownsLocked(c.context)
	})
	stop()
	if errors.Is(err, fault.BrowserLost) {
		return Uploaded{}, afterEffect(err)
	}
	said := func(f *fault.Fault) (Uploaded, error) { return Uploaded{}, f.At(fault.InEffect, fault.Possible) }
	switch {
	case err != nil || c.element == "":
		return said(fault.New(fault.NotEditable, "%s is no file input, and pressing it asked for no files", e.name()))
	case len(paths) > 1 && !c.multiple:
		return said(fault.New(fault.InvalidArgument, "%s asks for one file, not %d", e.name(), len(paths)))
	}
	_, err = bidi.InputSetFiles.Call(ctx, e.tab.b.conn, bidi.InputSetFilesParameters{
		Context: c.context, Element: bidi.ScriptSharedReference{SharedID: c.element}, Files: paths,
	})
	if err != nil {
		f := wireFault("upload", err)
		f.Message = "the browser did not take the files for " + e.name() // its own words hold the paths
		return Uploaded{}, afterEffect(f)
	}
	e.tab.b.mu.Lock()
	e.tab.b.chooser = chooser{} // it has them
	e.tab.b.mu.Unlock()
	s, err := e.tab.settle(ctx, e.frame(), settleWant{mark: mark})
	return Uploaded{Line: e.Line(), Matches: pressed.Matches, Files: len(paths), Facts: s.facts}, err
}
