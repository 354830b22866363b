package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/goccy/go-json"

	"duet/internal/env"
	"duet/internal/fault"
	"duet/internal/sock"
)

// program is a command of the program itself, which is no tool.
type program struct {
	name    string
	summary string
	detail  string
	cmd     func() any // what kong fills
	run     func(ctx context.Context, a *App, r *programRun) error
	words   []string // that its first argument may be, for completion
}

// helpName is the command that helps.
const helpName = "help"

// versionProgram is what people type for --version.
func versionProgram(_ context.Context, a *App, r *programRun) error {
	return a.object(r.g, map[string]string{"version": version()}, versionLine())
}

// programRun is what a program gets.
type programRun struct {
	g       *globals
	cmd     any
	line    line
	grammar *grammar
}

// programs are listed in the order of the help.
func programs() []program {
	return []program{
		{"mcp", "Serve the tools to an agent over standard input and output.",
			"Owns its browser and ends it with its client. With --session NAME it uses the project's daemon instead, and shares the browser with this command line.",
			func() any { return &struct{}{} }, func(ctx context.Context, a *App, r *programRun) error {
				return a.mcpCommand(ctx, r.g, r.line.has("session"))
			}, nil},
		{"run", "Run commands from a file or standard input, one a line.",
			"All lines are read and checked before the first runs; the first that fails ends it. Empty lines and lines that begin with # are passed over.",
			func() any { return &runArgs{} }, runProgram, nil},
		{"session", "List or close the daemon's sessions.", "",
			func() any { return &sessionArgs{} }, sessionProgram, []string{"list", "close"}},
		{"daemon", "Start, stop or look at the project's daemon.", "It starts by itself with the first command, and ends after 30 minutes without one (DUET_IDLE_EXIT). stop is exit status 0 where none runs, too, and says so: what was wanted is so, and a script need not ask first. Its log and two empty lock files stay in the runtime directory: who removed one that another holds would let two daemons start.",
			func() any { return &daemonFlags{} }, daemonProgram, []string{"start", "status", "stop"}},
		{"artifacts", "List, show or remove the files that sessions have left behind.",
			"show prints a file as it is. clean removes what sessions that have ended wrote longer ago than --older; each first file of a session does so for 7 days.",
			func() any { return &artifactsArgs{} }, artifactsProgram, []string{"list", "show", "clean"}},
		{"init", "Install the skill for coding agents into the project, and print MCP configurations.",
			"Writes .claude/skills/duet and .agents/skills/duet (copilot: .github/skills/duet) with a manifest of hashes, and refuses to touch what it did not write. Configurations are printed, never read or edited.",
			func() any { return &initArgs{} }, initProgram, nil},
		{"skill", "Print the skill that tells a coding agent how to use this command.", "",
			func() any { return &skillArgs{} }, skillProgram, []string{"selectors", "patterns"}},
		{"doctor", "Check browsers, drivers and everything else that duet needs.", "",
			func() any { return &doctorArgs{} }, doctorProgram, nil},
		{"demo", "Serve the demonstration pages on this machine.", "",
			func() any { return &demoArgs{} }, demoProgram, nil},
		{"replay", "Serve a protocol log as a browser, to run a command against it.",
			"Write a log with DUET_WIRELOG=FILE. duet replay FILE prints an address; duet --ephemeral --connect ADDRESS VERB … then meets the recorded browser.",
			func() any { return &replayArgs{} }, replayProgram, nil},
		{"completion", "Print the completion script of a shell: bash, zsh or fish.", "",
			func() any { return &completionArgs{} }, completionProgram, shells},
		{"docs", "Print the reference, or write it to a directory.", "",
			func() any { return &docsArgs{} }, docsProgram, nil},
		{helpName, "Show help for a command.", "",
			func() any { return &helpArgs{} }, helpProgram, nil},
		{"version", "Print the version.", "",
			func() any { return &struct{}{} }, versionProgram, nil},
	}
}

// program runs one of them.
func (a *App) program(ctx context.Context, grammar *grammar, p program, before, rest []string) (*globals, error) {
	cmd := p.cmd()
	k, g, err := parser(p.name, p.summary, cmd, nil)
	if err != nil {
		return nil, err
	}
	l, err := parse(k, g, p.name, before, rest)
	switch {
	case err != nil:
		return g, err
	case g.Help:
		_, err := io.WriteString(a.Stdout, helpProgramText(p, k))
		return g, err
	case g.Version:
		_, err := io.WriteString(a.Stdout, versionLine())
		return g, err
	}
	return g, p.run(ctx, a, &programRun{g, cmd, l, grammar})
}

// has reports whether a flag was typed, whatever the environment says.
func (l line) has(flag string) bool {
	for _, f := range l.flags {
		if strings.HasPrefix(f, "--"+flag+"=") {
			return true
		}
	}
	return false
}

type daemonFlags struct {
	Action  string `arg:"" optional:"" help:"start, status or stop."`
	ReadyFD bool   `name:"ready-fd" hidden:"" help:"A starter waits."`
}

func daemonProgram(ctx context.Context, a *App, r *programRun) error {
	args := r.cmd.(*daemonFlags)
	switch args.Action {
	case "serve": // what a started daemon runs
		p, err := place()
		if err != nil {
			return err
		}
		return a.serveDaemon(ctx, p, args.ReadyFD)
	case "start":
		p, err := place()
		if err != nil {
			return err
		}
		start, cancel := context.WithTimeout(ctx, startTime)
		defer cancel()
		c, started, err := sock.Connect(start, p, daemonArgs)
		if err != nil {
			return err
		}
		c.Close()
		text := "already running\n"
		if started {
			text = "started\n"
		}
		return a.object(r.g, map[string]any{"started": started, "socket": p.Socket, "log": p.Log}, text)
	case "status", "":
		return a.daemonStatus(ctx, r.g)
	case "stop":
		p, _, err := query(ctx, r.g.opening(modeStop))
		if errors.Is(err, sock.ErrNone) {
			return a.object(r.g, map[string]any{"stopped": false}, "not running\n")
		}
		if err != nil {
			return err
		}
		wait, cancel := context.WithTimeout(ctx, startTime)
		defer cancel()
		if err := sock.Released(wait, p); err != nil {
			return fault.New(fault.Timeout, "the daemon has not ended yet").WithHint("its log is %s", p.Log)
		}
		return a.object(r.g, map[string]any{"stopped": true}, "stopped\n")
	}
	return usage("daemon takes start, status or stop, not %s", clip(args.Action)).meant(args.Action, []string{"start", "status", "stop"})
}

func (a *App) daemonStatus(ctx context.Context, g *globals) error {
	p, data, err := query(ctx, g.opening(modeStatus))
	if errors.Is(err, sock.ErrNone) {
		s := daemonStatus{Project: p.Root, Socket: p.Socket, Log: p.Log}
		return a.object(g, s, "not running\nproject: "+p.Root+"\n")
	}
	if err != nil {
		return err
	}
	var s daemonStatus
	if err := json.Unmarshal(data, &s); err != nil {
		return lostDaemon(err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "running: pid %d, version %s, up %s, ends after %s without a call\n", s.PID, s.Version, s.Uptime, s.IdleExit)
	fmt.Fprintf(&b, "project: %s\nsocket: %s\nlog: %s\n", s.Project, s.Socket, s.Log)
	b.WriteString(sessionLines(s.Sessions))
	return a.object(g, s, b.String())
}

func sessionLines(infos []sessionInfo) string {
	if len(infos) == 0 {
		return "sessions: none\n"
	}
	var b strings.Builder
	for _, s := range infos {
		state := "no browser"
		if s.Running {
			state = "running"
		}
		if s.Browser != "" {
			state = s.Browser + ", " + state
		}
		fmt.Fprintf(&b, "session %s: %s, since %s\n", s.Name, state, s.Created.Local().Format(time.TimeOnly))
	}
	return b.String()
}

type sessionArgs struct {
	Action string `arg:"" optional:"" help:"list or close."`
	Name   string `arg:"" optional:"" help:"For close: the session's name. Default: default."`
}

func sessionProgram(ctx context.Context, a *App, r *programRun) error {
	args := r.cmd.(*sessionArgs)
	o := r.g.opening(modeList)
	switch args.Action {
	case "list", "":
	case "close":
		o.Mode = modeClose
		if args.Name != "" {
			o.Session = args.Name
		}
		if !sessionName(o.Session) {
			return usage("%q is no session name", clip(o.Session))
		}
	default:
		return usage("session takes list or close, not %s", clip(args.Action)).meant(args.Action, []string{"list", "close"})
	}
	_, data, err := query(ctx, o)
	if errors.Is(err, sock.ErrNone) {
		if o.Mode == modeClose {
			return a.notClosed(r.g, o.Session, args.Name != "")
		}
		return a.object(r.g, map[string]any{"sessions": []sessionInfo{}, "limit": maxSessions}, sessionLines(nil))
	}
	if err != nil {
		return err
	}
	var answer struct {
		Sessions []sessionInfo `json:"sessions"`
		Closed   bool          `json:"closed"`
	}
	if err := json.Unmarshal(data, &answer); err != nil {
		return lostDaemon(err)
	}
	text := sessionLines(answer.Sessions)
	if o.Mode == modeClose {
		text = "closed " + o.Session + "\n"
		if !answer.Closed {
			return a.notClosed(r.g, o.Session, args.Name != "")
		}
	}
	return a.object(r.g, data, text)
}

// notClosed is the answer to closing a session that is not there: a mistake where it
// was named, and nothing to do where it was not.
func (a *App) notClosed(g *globals, name string, named bool) error {
	if named {
		return fault.New(fault.InvalidArgument, "there is no session %s", name).WithHint("duet session list names those that there are")
	}
	return a.object(g, map[string]any{"closed": false, "name": name}, "there is no session "+name+"\n")
}

type helpArgs struct {
	Command string `arg:"" optional:"" help:"The command."`
}

func helpProgram(ctx context.Context, a *App, r *programRun) error {
	word := r.cmd.(*helpArgs).Command
	args := []string{"--help"}
	if word != "" {
		args = []string{word, "--help"}
	}
	_, err := a.run(ctx, args)
	return err
}

// envLines lists the variables that are set.
func envLines() string {
	var b strings.Builder
	for _, v := range env.All() {
		if v.Set() {
			fmt.Fprintf(&b, "%s=%s\n", v.Name, v.Value())
		}
	}
	return b.String()
}
