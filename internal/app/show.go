package app

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/goccy/go-json"

	"duet/artifacts"
	"duet/internal/fault"
	"duet/internal/report"
	"duet/internal/trace"
)

type showArgs struct {
	Trace string `arg:"" optional:"" help:"Its directory, its archive, or its name. Default: the newest."`
	HTML  string `name:"html" placeholder:"FILE" help:"Write the page to this file, for you alone to read, and serve nothing."`
	Port  int    `name:"port" placeholder:"N" help:"Port on 127.0.0.1; 0 takes a free one, which is the default."`
	Once  bool   `name:"once" help:"End when the page has been fetched."`
}

// showProgram shows a trace to a person. Its first line of output is the address, or
// the file.
func showProgram(ctx context.Context, a *App, r *programRun) error {
	args := r.cmd.(*showArgs)
	if args.Port < 0 || args.Port > 65535 {
		return usage("--port must be between 0 and 65535, not %d", args.Port)
	}
	if args.HTML != "" && (args.Once || r.line.has("port")) {
		return usage("--html writes a file; --port and --once serve the page")
	}
	name, err := findTrace(args.Trace)
	if err != nil {
		return err
	}
	var page bytes.Buffer
	if err := render(&page, name); err != nil {
		return err
	}
	if args.HTML != "" {
		return a.export(r.g, args.HTML, page.Bytes())
	}
	return a.serveTrace(ctx, r.g, name, args)
}

// render writes the page of a trace.
func render(w io.Writer, name string) error {
	s, err := report.Open(name)
	if err != nil {
		return err
	}
	defer s.Close()
	return report.Write(w, s)
}

// findTrace finds the trace that is meant: a path, or the newest of its name among
// the artifacts of all sessions.
func findTrace(name string) (string, error) {
	if name != "" {
		if _, err := os.Stat(name); err == nil {
			return name, nil
		}
		if filepath.Base(name) != name {
			return "", usage("there is no file or directory %s", clip(name))
		}
	}
	found, err := filepath.Glob(filepath.Join(artifacts.Root(), "duet-*", "*-trace*", trace.File))
	if err != nil {
		return "", err
	}
	var newest string
	var at time.Time
	for _, f := range found {
		info, err := os.Stat(f)
		if err == nil && (newest == "" || info.ModTime().After(at)) && (name == "" || called(f) == name) {
			newest, at = filepath.Dir(f), info.ModTime()
		}
	}
	switch {
	case newest != "":
		return newest, nil
	case name == "":
		e := usage("there is no trace yet")
		e.hint = "duet trace start begins one"
		return "", e
	}
	e := usage("there is no trace of the name %s, and no such file", clip(name))
	e.hint = "give its directory, as duet trace stop printed it"
	return "", e
}

// called is the name under which the trace of these records was started.
func called(file string) string {
	if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() {
		return "" // a pipe may wait for ever to be opened
	}
	f, err := os.Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	line, _ := bufio.NewReader(io.LimitReader(f, 64<<10)).ReadBytes('\n')
	var start trace.Start
	if json.Unmarshal(line, &start) != nil {
		return ""
	}
	return start.Name
}

// export writes the page whole, or not at all. A file of that name is replaced.
func (a *App) export(g *globals, path string, page []byte) error {
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return usage("--html: %s is there, and no file", clip(path))
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".duet-*")
	if err != nil {
		return usage("--html: %v", err)
	}
	_, err = f.Write(page)
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
		return fault.New(fault.StateInvalid, "trace show: the page cannot be written: %v", err).Because(err)
	}
	full, err := filepath.Abs(path)
	if err != nil {
		full = path
	}
	return a.object(g, map[string]any{"path": full, "bytes": len(page)}, full+"\n")
}

// serveTrace serves the page on the loopback interface until it is stopped.
func (a *App) serveTrace(ctx context.Context, g *globals, name string, args *showArgs) error {
	l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(args.Port)))
	if err != nil {
		return fault.New(fault.StateInvalid, "trace show: the page cannot be served: %v", err).WithHint("--port 0 takes a free port")
	}
	path := "/" + rand.Text() + "/"
	fetched := make(chan struct{})
	server := &http.Server{Handler: traceHandler(name, path, l.Addr().String(), fetched), ReadHeaderTimeout: 5 * time.Second}
	stop := context.AfterFunc(ctx, func() { server.Close() })
	defer stop()
	down := make(chan error, 1)
	if args.Once {
		go func() {
			select {
			case <-fetched:
			case <-ctx.Done():
			}
			end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
			defer cancel()
			down <- server.Shutdown(end)
		}()
	}
	url := "http://" + l.Addr().String() + path
	if err := a.object(g, map[string]any{"url": url}, url+"\n"); err != nil {
		l.Close()
		return err
	}
	if !g.JSON {
		fmt.Fprintln(a.Stderr, "serving the trace to whoever has this address; stop with Ctrl-C")
	}
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	if args.Once {
		return <-down
	}
	return nil
}

// traceHandler serves the page under its path, to requests that name this server
// alone: a page of the web that got here by another name gets nothing.
func traceHandler(name, path, host string, fetched chan<- struct{}) http.Handler {
	var one sync.Mutex // the page is made once at a time
	var once sync.Once
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		head := w.Header()
		head.Set("Cache-Control", "no-store")
		head.Set("X-Content-Type-Options", "nosniff")
		head.Set("Referrer-Policy", "no-referrer")
		head.Set("X-Frame-Options", "DENY")
		head.Set("Cross-Origin-Opener-Policy", "same-origin")
		head.Set("Cross-Origin-Resource-Policy", "same-origin")
		head.Set("Content-Security-Policy", report.Policy()+"; frame-ancestors 'none'")
		known := subtle.ConstantTimeCompare([]byte(r.URL.Path), []byte(path)) == 1
		if !known || r.Host != host || r.Method != http.MethodGet && r.Method != http.MethodHead {
			http.Error(w, "there is nothing here", http.StatusNotFound)
			return
		}
		one.Lock()
		defer one.Unlock()
		var page bytes.Buffer
		if err := render(&page, name); err != nil {
			http.Error(w, fault.From(err).Error(), http.StatusInternalServerError)
			return
		}
		head.Set("Content-Type", "text/html; charset=utf-8")
		head.Set("Content-Length", strconv.Itoa(page.Len()))
		if r.Method == http.MethodGet {
			if _, err := w.Write(page.Bytes()); err == nil {
				once.Do(func() { close(fetched) })
			}
		}
	})
}
