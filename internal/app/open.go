package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"duet/artifacts"
	"duet/bidi"
	"duet/dispatch"
	"duet/internal/drive"
	"duet/internal/env"
	"duet/internal/fakebrowser"
	"duet/internal/fault"
	"duet/internal/launch"
	"duet/internal/wirelog"
)

// opener returns what starts a session's browser: a process, a connection to
// it, and the browser that drives both.
func opener(s settings, files *artifacts.Dir, stderr io.Writer) dispatch.Opener {
	return func(ctx context.Context, note func(string)) (*dispatch.Live, error) {
		state, err := savedState(s.State) // judged before anything starts
		if err != nil {
			return nil, err
		}
		downloads, err := files.Downloads()
		if err != nil {
			return nil, err
		}
		profile, err := profileDir(s.Profile)
		if err != nil {
			return nil, err
		}
		emulation, err := emulationOf(s)
		if err != nil {
			return nil, err
		}
		debug := debugOf(env.Debug.Value())
		var chatter io.Writer // what browser and driver print is noise, until something is looked for
		if env.Debug.Set() {
			chatter = stderr
		}
		note("starting the browser")
		p, err := launch.Start(ctx, launch.Options{
			Browser: s.Browser, Driver: s.Driver, Connect: s.Connect, Headed: s.Headed || debug.show,
			ProfileDir: profile, DownloadDir: downloads, KeepProfile: debug.keep, Stderr: chatter,
			Proxy: s.Proxy, InsecureCerts: s.Insecure,
			ColorScheme: emulation.Value("color_scheme"), ReducedMotion: emulation.Value("reduced_motion"),
		})
		if err != nil {
			return nil, err
		}
		note("connecting to the browser")
		live, err := attach(ctx, p, files, drive.Info{State: state, Emulation: emulation, PierceClosed: s.Pierce}, debug.bidiOnly || env.BidiOnly.Bool())
		if err != nil {
			// Why the browser ended says more than that the connection did.
			if lost := p.Err(); lost != nil {
				err = lost
			}
			_ = closeProcess(ctx, p)
			return nil, err
		}
		if n := p.Note(); n != "" {
			fmt.Fprintln(stderr, "duet: "+n)
		}
		return live, nil
	}
}

// attach connects to a started browser, which is to begin with what want says of it.
func attach(ctx context.Context, p *launch.Process, files *artifacts.Dir, want drive.Info, strip bool) (*dispatch.Live, error) {
	at := p.Endpoint()
	if at.Prefers {
		want.Emulation = want.Emulation.Started("color_scheme", "reduced_motion")
	}
	log, file, err := wireLog(at)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = file.Close()
		}
	}()
	traced := wirelog.NewIdle() // for a trace that asks for it
	if log == nil {
		log = traced
	} else {
		log.Also(traced)
	}
	wire, err := bidi.Dial(ctx, at.URL, bidi.DialOptions{})
	if err != nil {
		return nil, fault.New(fault.LaunchFailed, "the browser's endpoint %s could not be reached: %v", at.URL, err).Because(err)
	}
	keep := func(path, called string) (drive.Fetched, error) {
		path, err := p.Fetch(path)
		if err != nil {
			return drive.Fetched{}, err
		}
		kept, err := files.Keep(path, called)
		return drive.Fetched{Path: kept.Path, Bytes: kept.Bytes, Type: kept.Type}, err
	}
	want.Browser, want.Version, want.Driver, want.SessionExists, want.Capabilities = at.Browser, at.Version, at.Driver, at.SessionExists, at.Capabilities
	want.Stir = p.Stir
	want.DownloadDir, want.Fetch = p.DownloadDir(), keep
	want.Overrun = func() error { return files.DownloadRoom(p.Downloading()) }
	want.Discard = func(path string) {
		if path == "" {
			p.EmptyDownloads()
			return
		}
		p.DropDownload(path)
	}
	b, err := drive.New(ctx, wire, bidi.Options{Log: log, StripVendor: strip}, want)
	if err != nil {
		return nil, err
	}
	p.Overhear(b.Overhear)
	info := b.Info()
	l := &lifeline{browser: b, process: p, log: file}
	return &dispatch.Live{
		Browser: b,
		Close:   l.close,
		Done:    l.done(),
		Lost:    l.lost,
		Lend:    p.Lend,
		Wire:    traced.To,
		Info:    dispatch.Info{Browser: info.Browser, Version: info.Version, Driver: info.Driver, Note: p.Note(), PierceClosed: info.PierceClosed},
	}, nil
}

// lifeline is a browser's two halves: the connection and the process.
type lifeline struct {
	browser *drive.Browser
	process *launch.Process
	log     io.Closer // of the protocol
	once    sync.Once
	err     error
}

// done is closed when either half is gone.
func (l *lifeline) done() <-chan struct{} {
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		select {
		case <-l.browser.Lost():
		case <-l.process.Done():
		}
	}()
	return gone
}

// lost prefers the process's word: how a browser ended says more than that a
// connection did. The connection is the first to know, so the process gets a moment.
func (l *lifeline) lost() error {
	t := time.NewTimer(300 * time.Millisecond)
	defer t.Stop()
	select {
	case <-l.process.Done():
	case <-t.C:
	}
	if err := l.process.Err(); err != nil {
		return err
	}
	return l.browser.LostErr()
}

func (l *lifeline) close(ctx context.Context) error {
	l.once.Do(func() {
		if l.process.WantsBrowserClose() && l.browser.LostErr() == nil {
			// Nobody but the browser itself can write its profile whole. The process
			// hears of it first, so that the end is no loss; the reply may be lost.
			l.process.ExpectEnd()
			bound, cancel := context.WithTimeout(context.WithoutCancel(ctx), quitBound)
			_ = l.browser.Quit(bound)
			cancel()
		}
		// The process first: its driver ends the session in order, and the
		// connection then closes by itself.
		l.err = errors.Join(closeProcess(ctx, l.process), ignore(l.browser.Close()), l.log.Close())
	})
	return l.err
}

// ignore drops the error of closing a connection whose other end is gone.
func ignore(error) error { return nil }

// quitBound is how long a browser may take to answer that it ends.
const quitBound = time.Second

// closeBound is how long the gentle part of ending a browser may take.
const closeBound = 5 * time.Second

func closeProcess(ctx context.Context, p *launch.Process) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeBound)
	defer cancel()
	return p.Close(ctx)
}

// wireLog opens the protocol log that DUET_WIRELOG names, or returns nil. Of a
// session that a driver made it says what it can do, so that it can be replayed.
// The closer is that of its file, and never nil.
func wireLog(at launch.Endpoint) (*wirelog.Writer, io.Closer, error) {
	path := env.WireLog.Value()
	if path == "" {
		return nil, io.NopCloser(nil), nil
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, nil, fault.New(fault.StateInvalid, "the protocol log of DUET_WIRELOG cannot be written: %v", err).Because(err)
	}
	if at.SessionExists {
		if _, err := fmt.Fprintln(f, "# "+fakebrowser.CapabilitiesNote(at.Capabilities)); err != nil {
			_ = f.Close()
			return nil, nil, fault.New(fault.StateInvalid, "the protocol log of DUET_WIRELOG cannot be written: %v", err).Because(err)
		}
	}
	w := wirelog.NewWriter(f)
	if env.WireLogSecrets.Bool() {
		w.Secrets()
	}
	return w, f, nil
}

// debugging is what DUET_DEBUG asks for.
type debugging struct{ show, keep, bidiOnly bool }

func debugOf(list string) debugging {
	var d debugging
	for word := range strings.SplitSeq(list, ",") {
		switch strings.TrimSpace(word) {
		case "show":
			d.show = true
		case "keep":
			d.keep = true
		case "bidi-only":
			d.bidiOnly = true
		}
	}
	return d
}
