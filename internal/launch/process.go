package launch

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"duet/internal/fault"
)

// Bounds of the gentle part of Close.
const (
	closeBound = 1500 * time.Millisecond // nothing of the profile is to be kept
	warmBound  = 1800 * time.Millisecond // a template is made of it, if it is written by then
	keepBound  = 5 * time.Second         // the profile is to be written whole
)

// Process is a running browser, and its driver where it has one. It is safe
// for concurrent use.
type Process struct {
	endpoint  Endpoint
	note      string
	choice    choice
	options   Options
	profile   string
	downloads string    // what DownloadDir returns
	warm      *template // to be filled from this session at its end, or nil
	dirs      *scratch  // nil for Connect
	tree      *tree
	out       *tail
	client    *driverClient // nil for Firefox alone
	session   string        // the driver's session
	unlock    func()        // frees a kept profile
	done      chan struct{}
	closing   sync.Once

	mu     sync.Mutex // guards the rest
	closed bool       // Close was called: an end is no loss
	ending bool       // browser.close was sent
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
// options where the browser can write there. Where it runs as another user who
// cannot reach it, it is a directory of the session, which goes with it: take
// each file out of it with Fetch.
func (p *Process) DownloadDir() string {
	if p.downloads == "" {
		return p.options.DownloadDir
	}
	return p.downloads
}

// takeDownloads makes the directory for downloads and hands it to the browser.
func (p *Process) takeDownloads() error {
	p.downloads = p.options.DownloadDir
	if p.downloads != "" {
		if err := os.MkdirAll(p.downloads, 0o700); err != nil {
			return err
		}
		if p.dirs.uid < 0 {
			return nil
		}
		if passable(filepath.Dir(p.downloads)) && os.Lchown(p.downloads, p.dirs.uid, p.dirs.gid) == nil {
			return nil
		}
	}
	p.downloads = p.dirs.path("downloads")
	return nil
}

// Fetch takes a file that the browser wrote to DownloadDir to the directory of
// the options, and returns its path there: the same path where they are one
// directory. A name that is taken there gets a number. The file was in the
// browser's hands: only a plain file is taken.
func (p *Process) Fetch(path string) (string, error) {
	if p.dirs == nil || p.options.DownloadDir == "" || p.downloads == p.options.DownloadDir {
		return path, nil
	}
	rel, err := filepath.Rel(p.downloads, path)
	if err != nil {
		return "", err
	}
	from, err := os.OpenRoot(p.downloads)
	if err != nil {
		return "", err
	}
	defer from.Close()
	if st, err := from.Lstat(rel); err != nil || !st.Mode().IsRegular() {
		return "", fmt.Errorf("%s is not a file of the downloads", filepath.Base(path))
	}
	f, err := from.Open(rel)
	if err != nil {
		return "", err
	}
	defer f.Close()
	name := filepath.Base(rel)
	ext := filepath.Ext(name)
	for n := 0; ; n++ {
		to := filepath.Join(p.options.DownloadDir, name)
		err := writeFile(to, f)
		if !errors.Is(err, os.ErrExist) || n == 99 {
			if err == nil {
				_ = from.Remove(rel)
			}
			return to, err
		}
		name = fmt.Sprintf("%s (%d)%s", strings.TrimSuffix(filepath.Base(rel), ext), n+1, ext)
	}
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
// Who has told it so calls ExpectEnd, and Close waits for that end first.
func (p *Process) WantsBrowserClose() bool {
	return p.tree != nil && p.client == nil && (p.options.ProfileDir != "" || p.warm != nil)
}

// Stir makes the driver read what its browser has said, where it stopped to; without a
// driver it does nothing. Safe for concurrent use.
func (p *Process) Stir(ctx context.Context) {
	if p.client != nil && p.session != "" {
		p.client.stir(ctx, p.session)
	}
}

// Overhear names who gets the messages that the driver prints instead of delivering
// them; without a driver that does so there are none. It is called on the goroutine
// that reads the driver's output.
func (p *Process) Overhear(to func(message []byte)) {
	if p.out != nil {
		p.out.overhear(to)
	}
}

// ExpectEnd says that browser.close was sent: the browser's end is no loss, and
// Close gives it time to write its profile.
func (p *Process) ExpectEnd() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.closed && p.tree != nil && p.warm != nil {
		p.tree.leave()
	}
	p.closed, p.ending = true, true
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
		ending := p.ending
		p.mu.Unlock()
		if p.tree == nil {
			close(p.done)
			return
		}
		bound := closeBound
		switch {
		case p.options.ProfileDir != "":
			bound = keepBound
		case p.warm != nil:
			bound = warmBound
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
		if ending {
			gently = p.tree.wait(ctx, bound)
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
		how += "; it printed last: " + strconv.Quote(last)
	}
	return how
}

// release frees what the session held on disk and in memory.
func (p *Process) release() {
	p.dirs.release(p.options.KeepProfile)
	if p.unlock != nil {
		p.unlock()
	}
}
