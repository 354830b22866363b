// Command mcp-fixtures mounts the tools that the official MCP conformance suite
// calls on the stack that serves duet's own. It is for tests only and is never
// shipped.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"duet/dispatch"
	"duet/internal/mcpserver"
)

func main() {
	addr := flag.String("http", "", "serve over HTTP on this loopback address instead of stdio")
	own := flag.Bool("product", false, "serve duet's own tools instead of the fixtures")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := serve(ctx, *addr, *own); err != nil {
		fmt.Fprintln(os.Stderr, "mcp-fixtures:", err)
		os.Exit(1)
	}
}

func serve(ctx context.Context, addr string, own bool) error {
	var cat dispatch.Catalog = fixtures{}
	if own {
		p, err := startProduct(ctx)
		if err != nil {
			return err
		}
		defer p.close()
		cat = p
	}
	o := mcpserver.Options{
		Name: "duet-fixtures", Title: "duet's fixtures", Version: "0", Instructions: "Tools for the conformance suite.",
		ProgressEvery: 20 * time.Millisecond,
	}
	if addr == "" {
		return mcpserver.ServeStdio(ctx, os.Stdin, os.Stdout, cat, o)
	}
	return serveHTTP(ctx, addr, mcpserver.HTTPHandler(cat, o, mcpserver.HTTPOptions{}))
}

// serveHTTP says on stderr where it listens, and ends with ctx.
func serveHTTP(ctx context.Context, addr string, h http.Handler) error {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "listening http://%s/mcp\n", l.Addr())
	s := &http.Server{Handler: h, ReadHeaderTimeout: 5 * time.Second}
	go func() {
		<-ctx.Done()
		_ = s.Close()
	}()
	if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
