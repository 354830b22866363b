package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"

	"duet/internal/sock"
)

// relay carries the bytes of one MCP client to the project's daemon and back,
// behind one opening line that says which session and under which rules. Where the
// daemon ends meanwhile, each request that it left open is answered with that fault.
func (a *App) relay(ctx context.Context, g *globals, p policy) error {
	o := g.opening(modeMCP)
	o.policy = p
	var err error
	if o.Uploads, err = realDirs("--upload-root", g.UploadRoot); err != nil {
		return err
	}
	if o.Caller == "" {
		o.Caller = "mcp-" + strconv.Itoa(os.Getpid())
	}
	c, in, err := a.dialDaemon(ctx, o, nil)
	if err != nil {
		return err
	}
	defer c.Close()
	defer context.AfterFunc(ctx, func() { c.Close() })()
	orphaned := sock.Orphaned()
	done := make(chan struct{})
	defer close(done)
	go func() {
		select {
		case <-orphaned:
			c.Close()
		case <-done:
		}
	}()
	due := &owed{textOnly: o.TextOnly}
	sent := make(chan struct{})
	go func() {
		_ = copyLines(c, a.Stdin, due.asked, true)
		close(sent) // before the daemon can end because of it
		// The end of input is told, so that the daemon answers what it has and ends.
		_ = c.CloseWrite()
	}()
	err = copyLines(a.Stdout, in.in.(io.Reader), due.told, false)
	lost := lostDaemon(fmt.Errorf("it ended the connection"))
	left := due.answers(lost)
	if ctx.Err() == nil && !errors.Is(err, net.ErrClosed) {
		_, _ = a.Stdout.Write(left) // a client that is gone needs none
	}
	select {
	case <-sent:
		if len(left) == 0 {
			return nil
		}
	default:
	}
	if ctx.Err() != nil || errors.Is(err, net.ErrClosed) {
		return nil
	}
	return lost
}
