package app

import (
	"context"
	"fmt"
	"net"
	"os"

	"duet/internal/fakebrowser"
	"duet/internal/fault"
	"duet/internal/pagejs"
	"duet/internal/wirelog"
)

type replayArgs struct {
	Log  string `arg:"" help:"The protocol log."`
	Port int    `name:"port" placeholder:"N" help:"Port on 127.0.0.1; 0 takes a free one, which is the default."`
}

// replayProgram serves a protocol log as a browser on the loopback interface
// until it is stopped. Its first line of output is the address.
func replayProgram(ctx context.Context, a *App, r *programRun) error {
	args := r.cmd.(*replayArgs)
	f, err := os.Open(args.Log)
	if err != nil {
		return usage("the protocol log cannot be read: %v", err)
	}
	log, err := wirelog.Parse(f)
	f.Close()
	if err != nil {
		return usage("%s is no protocol log: %v", clip(args.Log), err)
	}
	l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", args.Port))
	if err != nil {
		return fault.New(fault.StateInvalid, "the log cannot be served: %v", err)
	}
	url := "ws://" + l.Addr().String() + "/session"
	if err := a.object(r.g, map[string]any{"url": url}, url+"\n"); err != nil {
		l.Close()
		return err
	}
	err = fakebrowser.Serve(ctx, l, log, fakebrowser.Options{Collapse: collapse, Lenient: true})
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// collapse is a page function's text as logs have it.
func collapse(text string) string {
	if name, ok := pagejs.Collapse(text); ok {
		return name
	}
	return text
}
