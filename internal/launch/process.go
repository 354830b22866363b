package launch

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"duet/internal/fault"
)

// Bounds of the gentle part of Close.
const (
	closeBound = 1500 * time.Millisecond // nothing of the profile is to be kept
	keepBound  = 5 * time.Second         // the profile is to be written whole
	ownEnd     = 2 * time.Second         // after browser.close, see WantsBrowserClose
)

// Process is a running browser, and its driver where it has one. It is safe
// for concurrent use.
type Process struct {
	endpoint Endpoint
	note     string
	choice   choice
	options  Options
	profile  string
	warm     *template // to be filled from this session at its end, or nil
	dirs     *scratch  // nil for Connect
	tree     *tree
	out      *tail
	client   *driverClient // nil for Firefox alone
	session  string        // the driver's session
	unlock   func()        // frees a kept profile
	done     chan struct{}
	closing  sync.Once

	mu     sync.Mutex // guards the rest
	closed bool       // Close was called: an end is no loss
	killed bool       // the gentle way did not end it in time
	lost   *fault.Fault
}

// Endpoint returns where to dial.
func (p *Process) Endpoint() Endpoint { return p.endpoint }

// Done is closed when browser, driver and temporary files are gone, for
// whatever reason. The end of the socket is usually seen a little earlier. For
// an endpoint that was connected to, only Close closes it.
func (p *Process) Done() <-chan struct{} { return p.done }

// Err returns nil while the browser runs and after a Close; otherwise a
// BROWSER_LOST fault that names how it ended.
func (p *Process) Err() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.lost == nil {
		return nil
	}
	return p.lost
}

// Note returns what the user should know of how the browser runs, or "".
func (p *Process) Note() string { return p.note }

// DownloadDir returns the directory to name to the browser: the one of the
// options where the browser runs as our user. Where it runs as another, it is a
// directory of the session that duet can read; what is to stay must be moved
// from there before Close.
func (p *Process) DownloadDir() string {
	if p.dirs == nil || p.dirs.uid < 0 && p.options.DownloadDir != "" {
		return p.options.DownloadDir
	}
	return p.dirs.path("downloads")
}

// Lend makes a file readable for the browser and returns the path to give it:
// the same where the browser runs as our user, a copy otherwise, which goes
// with the session.
func (p *Process) Lend(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil || p.dirs == nil || p.dirs.uid < 0 {
		return abs, err
	}
	from, err := os.Open(abs)
	if err != nil {
		return "", err
	}
	defer from.Close()
	dir := p.dirs.path("lent", rand.Text())
	if err := os.Mkdir(dir, 0o711); err != nil {
		return "", err
	}
	copied := filepath.Join(dir, filepath.Base(abs))
	to, err := os.OpenFile(copied, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o400)
	if err != nil {
		return "", err
	}
	_, err = io.Copy(to, from)
	if err == nil {
		err = to.Chown(p.dirs.uid, p.dirs.gid)
	}
	if closeErr := to.Close(); err == nil {
		err = closeErr
	}
	return copied, err
}

// WantsBrowserClose reports whether the browser should be told browser.close over
// BiDi just before Close: for Firefox alone, which dies of SIGTERM without
// writing anything, where its profile is kept or a template is to be made of it.
// Close then waits for that end first.
func (p *Process) WantsBrowserClose() bool {
	return p.tree != nil && p.client == nil && (p.options.ProfileDir != "" || p.warm != nil)
}

// Close ends the browser: DELETE /session where there is a driver, SIGTERM
// where there is none, then SIGKILL to the whole tree. It reaps and removes the
// temporary profile, and returns when nothing is left. ctx bounds the gentle
// part. It can be called more than once, and returns nil for an endpoint that
// was connected to, which it leaves alone.
func (p *Process) Close(ctx context.Context) error {
	p.closing.Do(func() {
		p.mu.Lock()
		p.closed = true
		p.mu.Unlock()
		if p.tree == nil {
			close(p.done)
			return
		}
		bound := closeBound
		if p.options.ProfileDir != "" || p.warm != nil {
			bound = keepBound
		}
		if p.warm != nil {
			p.tree.leave()
		}
		ctx, cancel := context.WithTimeout(ctx, bound)
		defer cancel()
		gently := true
		if p.client != nil {
			// It answers when the browser has ended. Where the guard sees that end
			// first, the answer does not come and the tree is gone.
			gently = p.client.end(ctx, p.session)
		}
		if p.WantsBrowserClose() {
			own := ownEnd
			if p.options.ProfileDir != "" {
				own = keepBound - time.Second
			}
			gently = p.tree.wait(ctx, own)
		}
		p.tree.term()
		if gently = p.tree.wait(ctx, bound) && gently; !gently {
			p.mu.Lock()
			p.killed = true
			p.mu.Unlock()
			p.tree.kill()
		}
	})
	<-p.done
	return nil
}

// follow waits for the end of the tree and cleans up after it.
func (p *Process) follow() {
	defer close(p.done)
	<-p.tree.done
	<-p.out.ended
	p.mu.Lock()
	clean := p.closed && !p.killed
	if !p.closed {
		p.lost = fault.New(fault.BrowserLost, "%s %s is gone: %s", p.endpoint.Browser, p.endpoint.Version, p.howItEnded())
	}
	p.mu.Unlock()
	if clean && p.warm != nil {
		p.warm.fill(p.profile)
	}
	p.release()
}

func (p *Process) howItEnded() string {
	how := p.tree.how
	if how == "" {
		how = "nobody saw how"
	}
	if last := p.out.last(2); last != "" {
		how += fmt.Sprintf("; it printed last: %s", last)
	}
	return how
}

// release frees what the session held on disk.
func (p *Process) release() {
	p.dirs.release(p.options.KeepProfile)
	if p.unlock != nil {
		p.unlock()
	}
}
