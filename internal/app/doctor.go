package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"

	"duet/artifacts"
	"duet/internal/fault"
	"duet/internal/launch"
	"duet/internal/sock"

	"github.com/goccy/go-json"
)

type doctorArgs struct {
	Env bool `name:"env" help:"Print the environment variables that are set, and nothing else."`
}

// doctorProgram looks at everything that duet needs. It exits with 1 where
// something is not as it must be.
func doctorProgram(ctx context.Context, a *App, r *programRun) error {
	if r.cmd.(*doctorArgs).Env {
		_, err := io.WriteString(a.Stdout, envLines())
		return err
	}
	checks := []launch.Check{{Name: "duet", OK: true, Text: version() + ", " + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH}}
	bound, cancel := context.WithTimeout(ctx, 90*time.Second)
	defer cancel()
	checks = append(checks, launch.Diagnose(bound)...)
	checks = append(checks, runtimeCheck(), a.daemonCheck(ctx, r.g), artifactCheck(), a.pageCheck(bound, r.g))

	var b strings.Builder
	bad := 0
	for _, c := range checks {
		mark := "ok  "
		if !c.OK {
			mark = "FAIL"
			bad++
		}
		fmt.Fprintf(&b, "%s %s: %s\n", mark, c.Name, c.Text)
		if c.Hint != "" {
			fmt.Fprintf(&b, "     %s\n", c.Hint)
		}
	}
	if err := a.object(r.g, map[string]any{"checks": checks, "failed": bad}, b.String()); err != nil {
		return err
	}
	if bad > 0 {
		return status(1)
	}
	return nil
}

func failed(name string, err error) launch.Check {
	f := fault.From(err)
	return launch.Check{Name: name, Text: f.Error(), Hint: fault.Say(f.Hint, shell())}
}

// runtimeCheck names the directory of this project's socket and log.
func runtimeCheck() launch.Check {
	p, err := place()
	if err != nil {
		return failed("runtime directory", err)
	}
	return launch.Check{Name: "runtime directory", OK: true, Text: p.Dir}
}

// daemonCheck looks at the socket and who is behind it.
func (a *App) daemonCheck(ctx context.Context, g *globals) launch.Check {
	p, data, err := query(ctx, g.opening(modeStatus))
	if errors.Is(err, sock.ErrNone) {
		return launch.Check{Name: "daemon", OK: true, Text: "not running; the first command starts it"}
	}
	if err != nil {
		return failed("daemon", err)
	}
	var s daemonStatus
	if err := json.Unmarshal(data, &s); err != nil {
		return failed("daemon", err)
	}
	info, err := os.Lstat(p.Socket)
	if err != nil {
		return failed("daemon", err)
	}
	c := launch.Check{Name: "daemon", OK: true, Text: fmt.Sprintf("pid %d, socket %s %v, %d sessions", s.PID, p.Socket, info.Mode().Perm(), len(s.Sessions))}
	if s.Version != build() {
		c.Text += ", version " + s.Version
		c.Hint = "this is version " + build() + "; duet daemon stop ends the other"
	}
	return c
}

func artifactCheck() launch.Check {
	root := artifacts.Root()
	if info, err := os.Stat(root); err == nil && !info.IsDir() {
		return launch.Check{Name: "artifacts", Text: root + " is not a directory", Hint: "set DUET_ARTIFACTS_DIR"}
	}
	return launch.Check{Name: "artifacts", OK: true, Text: fmt.Sprintf("%s; %d files and %d MiB a session, kept %d days",
		root, artifacts.MaxFiles, artifacts.MaxBytes>>20, int(artifacts.KeepFor.Hours())/24)}
}

// pageCheck starts a browser and opens an empty page.
func (a *App) pageCheck(ctx context.Context, g *globals) launch.Check {
	s, err := a.own(g, policy{AnyAddress: true})
	if err != nil {
		return failed("first page", err)
	}
	defer s.close(ctx)
	begin := time.Now()
	r := s.do(ctx, g, call{tool: "browser_navigate", verb: "open", args: []byte(`{"url":"about:blank"}`)})
	if r.wrong != nil {
		return failed("first page", r.wrong)
	}
	if r.isError {
		first, _, _ := strings.Cut(r.text, "\n")
		return launch.Check{Name: "first page", Text: strings.TrimPrefix(first, "error: ")}
	}
	return launch.Check{Name: "first page", OK: true, Text: fmt.Sprintf("about:blank in a new browser after %d ms", time.Since(begin).Milliseconds())}
}
