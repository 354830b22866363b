package app

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"strconv"
	"time"

	"duet/internal/fault"
)

//go:embed demo
var demoFiles embed.FS

type demoArgs struct {
	Port int `name:"port" placeholder:"N" help:"Port on 127.0.0.1; 0 takes a free one, which is the default."`
}

// demoProgram serves the demonstration pages on the loopback interface until it
// is stopped. Its first line of output is the address.
func demoProgram(ctx context.Context, a *App, r *programRun) error {
	args := r.cmd.(*demoArgs)
	if args.Port < 0 || args.Port > 65535 {
		return usage("--port must be between 0 and 65535, not %d", args.Port)
	}
	l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(args.Port)))
	if err != nil {
		return fault.New(fault.StateInvalid, "the demo cannot be served: %v", err).WithHint("--port 0 takes a free port")
	}
	server := &http.Server{Handler: demoHandler(), ReadHeaderTimeout: 5 * time.Second}
	stop := context.AfterFunc(ctx, func() { server.Close() })
	defer stop()
	url := "http://" + l.Addr().String() + "/"
	if err := a.object(r.g, map[string]any{"url": url}, url+"\n"); err != nil {
		l.Close()
		return err
	}
	if !r.g.JSON {
		fmt.Fprintln(a.Stderr, "serving the demo pages; stop with Ctrl-C")
	}
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

func demoHandler() http.Handler {
	pages, err := fs.Sub(demoFiles, "demo")
	if err != nil {
		panic(err) // the directory is part of the program
	}
	files := http.FileServerFS(pages)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		files.ServeHTTP(w, r)
	})
}
