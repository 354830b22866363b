package launch

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"sync/atomic"
	"time"
)

// tree is a child and what it started. There is no guard here: taskkill walks
// the tree, and what a killed duet leaves behind stays until the user ends it.
type tree struct {
	cmd  *exec.Cmd
	pid  int
	done chan struct{}
	left atomic.Bool
	how  string // written before done is closed
}

func startTree(s spec, _ []*os.File, out *tail) (*tree, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(s.Path, s.Args...)
	cmd.Env, cmd.Dir, cmd.Stdout, cmd.Stderr = s.Env, s.Dir, w, w
	err = cmd.Start()
	w.Close()
	if err != nil {
		r.Close()
		return nil, err
	}
	t := &tree{cmd: cmd, pid: cmd.Process.Pid, done: make(chan struct{})}
	go out.read(r)
	go func() {
		defer close(t.done)
		_ = cmd.Wait()
		t.how = fmt.Sprintf("exit status %d", cmd.ProcessState.ExitCode())
		if !t.left.Load() {
			remove(s.Remove...)
		}
	}()
	return t, nil
}

func (t *tree) watch(int) {}

func (t *tree) leave() { t.left.Store(true) }

func (t *tree) term() {}

func (t *tree) kill() {
	_ = exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(t.pid)).Run()
	t.wait(context.Background(), 4*time.Second)
}

func (t *tree) wait(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-t.done:
		return true
	case <-ctx.Done():
		return false
	case <-timer.C:
		return false
	}
}
