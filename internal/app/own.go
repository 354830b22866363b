package app

import (
	"context"
	"log/slog"
	"os"
	"runtime/debug"
	"time"

	"duet/dispatch"
	"duet/internal/mcpserver"
	"duet/internal/sock"
)

// own is a session of this process, which ends with it.
type own struct {
	member  *member
	catalog dispatch.Catalog
	rules   rules
}

// own makes the session that these flags describe; it starts nothing.
func (a *App) own(g *globals, p policy) (*own, error) {
	frugal()
	r := g.opening(modeMCP).rules
	r.policy = p
	var err error
	if r.Uploads, err = realDirs("--upload-root", g.UploadRoot); err != nil {
		return nil, err
	}
	log := slog.New(slog.NewTextHandler(a.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	named := g.settings()
	m := newMember(g.session(), named, projectRoot(), log, a.Stderr)
	m.keep(&named)
	return &own{m, catalogOf(m, a.commands(), r), r}, nil
}

// frugal makes a process that stays collect its memory early: it holds little, and
// runs beside a browser. That begins when it has started: what a start makes is
// needed, and looking through it would only put off the first answer.
func frugal() { time.AfterFunc(time.Second, func() { debug.SetGCPercent(25) }) }

// projectRoot is the directory that files may be uploaded from unasked: the
// project's, where there is one.
func projectRoot() []string {
	dir, err := os.Getwd()
	if err != nil {
		return nil
	}
	root, err := sock.Root(dir)
	if err != nil {
		return nil
	}
	return []string{root}
}

func (o *own) do(ctx context.Context, g *globals, c call) *reply {
	observe := dispatch.Observe(g.Observe)
	if observe == "" {
		observe = dispatch.ObserveNone
	}
	res := o.catalog.Do(ctx, dispatch.Request{Tool: c.tool, Args: c.args, Observe: observe, Asked: g.Observe != "", Caller: caller(g), Secrets: c.secrets, Whole: c.whole, Shell: g.shell(c.verb)})
	return &reply{text: res.Text, structured: res.Structured, isError: res.IsError, negative: res.Negative, wrong: res.ArgError}
}

// close ends the session's browser; it is given its time even where ctx has ended.
func (o *own) close(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 15*time.Second)
	defer cancel()
	_ = o.member.session.Close(ctx) // there is nobody left to act on it; the guard kills what stays
}

// mcpCommand is `duet mcp`: a session of its own over standard input and output,
// or, with --session, a relay to the daemon.
func (a *App) mcpCommand(ctx context.Context, g *globals, named bool) error {
	p := policy{}
	var err error
	if p.AllowFile, err = realDirs("--allow-file", g.AllowFile); err != nil {
		return err
	}
	if named {
		return a.relay(ctx, g, p)
	}
	s, err := a.own(g, p)
	if err != nil {
		return err
	}
	defer s.close(ctx)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	orphaned := sock.Orphaned()
	go func() {
		select {
		case <-orphaned:
			cancel()
		case <-ctx.Done():
		}
	}()
	options := serverOptions(s.rules, g.Caller)
	options.Log = slog.New(slog.NewTextHandler(a.Stderr, nil))
	return mcpserver.ServeStdio(ctx, a.Stdin, a.Stdout, s.catalog, options)
}
