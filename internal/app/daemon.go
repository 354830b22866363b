package app

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"sync"
	"time"

	"duet/dispatch"
	"duet/internal/env"
	"duet/internal/fault"
	"duet/internal/mcpserver"
	"duet/internal/sock"
)

// daemon holds the sessions of one project and serves them over its socket.
type daemon struct {
	commands []*dispatch.Command
	place    sock.Place
	build    string // at its start
	started  time.Time
	idle     time.Duration // 0 is never
	log      *slog.Logger
	sessions *sessions
	stop     context.CancelFunc

	mu     sync.Mutex // guards the rest
	conns  int        // that speak MCP
	last   time.Time  // a connection ended
	ending bool       // nobody is let in any more
}

// daemonArgs start a daemon for the project of the working directory.
var daemonArgs = []string{"daemon", "serve"}

// serveDaemon is the daemon's life: it returns when it was stopped, or was idle
// for long enough. starter says that somebody waits to hear that it listens.
func (a *App) serveDaemon(ctx context.Context, place sock.Place, starter bool) error {
	frugal()
	log := slog.New(slog.NewTextHandler(a.Stderr, nil))
	takeTime, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	l, err := sock.Listen(takeTime, place)
	if err != nil {
		return err
	}
	defer l.Close()
	idle, err := time.ParseDuration(env.IdleExit.Value())
	if err != nil || idle < 0 {
		log.Warn("DUET_IDLE_EXIT is not a duration; 30m is used", "value", env.IdleExit.Value())
		idle = 30 * time.Minute
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	d := &daemon{
		commands: a.commands(), place: place, build: build(), started: time.Now(), idle: idle, log: log, stop: stop, last: time.Now(),
		sessions: &sessions{log: log, stderr: a.Stderr, root: place.Root, open: map[string]*member{}},
	}
	log.Info("listening", "version", d.build, "pid", os.Getpid(), "project", place.Root, "socket", place.Socket)
	if starter {
		if err := sock.Ready(); err != nil {
			log.Warn("the starter is gone", "error", err)
		}
	}
	var work sync.WaitGroup
	work.Go(func() { d.watchIdle(ctx) })
	work.Go(func() { d.accept(ctx, l, &work) })
	<-ctx.Done()
	d.end()
	_ = l.Stop() // the file may be gone already, and nobody else may take the place yet
	bound, cancel := context.WithTimeout(context.WithoutCancel(ctx), 15*time.Second)
	defer cancel()
	d.sessions.closeAll(bound)
	work.Wait()
	log.Info("ended")
	return nil
}

func (d *daemon) accept(ctx context.Context, l *sock.Listener, work *sync.WaitGroup) {
	for {
		c, err := l.Accept()
		if err != nil {
			if ctx.Err() == nil {
				d.log.Error("accepting ended", "error", err)
				d.end()
			}
			return
		}
		work.Go(func() {
			defer c.Close()
			if err := d.serve(ctx, c); err != nil && ctx.Err() == nil {
				d.log.Info("connection ended", "error", err)
			}
		})
	}
}

// serve handles one connection to its end.
func (d *daemon) serve(ctx context.Context, c *net.UnixConn) error {
	in, o, err := readOpening(c)
	if err != nil {
		answer(c, greeting{Error: &refusal{Code: fault.InvalidArgument, Message: "the first line is no opening of this version"}})
		return fmt.Errorf("opening: %w", err)
	}
	switch o.Mode {
	case modeStatus:
		return d.reply(c, d.status())
	case modeList:
		return d.reply(c, struct {
			Sessions []sessionInfo `json:"sessions"`
			Limit    int           `json:"limit"`
		}{d.sessions.list(), maxSessions})
	case modeClose:
		return d.reply(c, struct {
			Closed bool   `json:"closed"`
			Name   string `json:"name"`
		}{d.sessions.close(ctx, o.Session), o.Session})
	case modeStop:
		err := d.reply(c, struct {
			Stopped bool `json:"stopped"`
		}{true})
		d.end()
		return err
	case modeMCP:
		return d.serveMCP(ctx, c, in, o)
	}
	return answer(c, greeting{Error: &refusal{Code: fault.InvalidArgument, Message: "there is no such mode"}})
}

func (d *daemon) serveMCP(ctx context.Context, c *net.UnixConn, in *bufio.Reader, o opening) error {
	restart := greeting{Version: d.build, PID: os.Getpid(), Restart: true}
	if !d.enter() {
		return answer(c, restart)
	}
	defer d.leave()
	if o.Version != d.build && d.yields() {
		// Nobody would miss this daemon: the caller starts one of its own version.
		d.log.Info("making room for another version", "version", o.Version)
		err := answer(c, restart)
		d.end()
		return err
	}
	m, no, err := d.sessions.join(&o)
	if err != nil { // it began to end meanwhile
		return answer(c, restart)
	}
	if m != nil {
		defer d.sessions.leave(m, &o)
	}
	if err := answer(c, greeting{Version: d.build, PID: os.Getpid(), Error: no}); err != nil || no != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	// A read that blocks when the daemon stops ends with the connection.
	defer context.AfterFunc(ctx, func() { c.SetReadDeadline(time.Now()) })()
	options := serverOptions(o.rules, o.Caller)
	options.Log = d.log
	err = mcpserver.ServeStdio(ctx, in, c, catalogOf(m, d.commands, o.rules), options)
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// yields lets nobody in any more where no browser runs and nobody but the caller is
// connected, and reports whether that is so.
func (d *daemon) yields() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	running, working, _ := d.sessions.busy()
	d.ending = d.ending || !running && !working && d.conns <= 1
	return d.ending
}

// enter counts a connection in, unless the daemon ends: what one asks for that is in
// is done, and one that is not in starts another daemon.
func (d *daemon) enter() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.ending {
		return false
	}
	d.conns++
	return true
}

// end stops the daemon.
func (d *daemon) end() {
	d.mu.Lock()
	d.ending = true
	d.mu.Unlock()
	d.stop()
}

func (d *daemon) leave() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.conns--
	d.last = time.Now()
}

// watchIdle stops the daemon once nobody has needed it for long enough.
func (d *daemon) watchIdle(ctx context.Context) {
	if d.idle == 0 {
		return
	}
	t := time.NewTimer(d.idle)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
		left := d.idleFor()
		if left <= 0 {
			d.log.Info("idle", "after", d.idle)
			d.end()
			return
		}
		t.Reset(left)
	}
}

// idleFor returns how long the daemon may still be idle. Where that is over nobody is
// let in any more.
func (d *daemon) idleFor() time.Duration {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, working, last := d.sessions.busy()
	if d.conns > 0 || working {
		return d.idle
	}
	if d.last.After(last) {
		last = d.last
	}
	left := d.idle - time.Since(last)
	d.ending = d.ending || left <= 0
	return left
}

// daemonStatus is what `duet daemon status` prints.
type daemonStatus struct {
	Running  bool          `json:"running"`
	Version  string        `json:"version,omitzero"`
	PID      int           `json:"pid,omitzero"`
	Project  string        `json:"project"`
	Socket   string        `json:"socket"`
	Log      string        `json:"log"`
	Uptime   string        `json:"uptime,omitzero"`
	IdleExit string        `json:"idle_exit,omitzero"`
	Sessions []sessionInfo `json:"sessions,omitzero"`
}

func (d *daemon) status() daemonStatus {
	idle := "never"
	if d.idle > 0 {
		idle = d.idle.String()
	}
	return daemonStatus{
		Running: true, Version: d.build, PID: os.Getpid(), Project: d.place.Root, Socket: d.place.Socket, Log: d.place.Log,
		Uptime: time.Since(d.started).Round(time.Second).String(), IdleExit: idle, Sessions: d.sessions.list(),
	}
}

func (d *daemon) reply(c net.Conn, data any) error {
	text, err := marshal(data)
	if err != nil {
		return err
	}
	return answer(c, greeting{Version: d.build, PID: os.Getpid(), Data: text})
}

func answer(c net.Conn, g greeting) error {
	text, err := marshal(g)
	if err != nil {
		return err
	}
	_, err = c.Write(append(text, '\n'))
	return err
}
