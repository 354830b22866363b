package artifacts

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"duet/internal/env"
	"duet/internal/fault"
)

// What a session may leave behind, and for how long.
const (
	MaxFiles = 500
	MaxBytes = 256 << 20
	KeepFor  = 7 * 24 * time.Hour
)

// Options say where a session's files go. The zero value is the usual place.
type Options struct {
	Root     string // directory of all sessions; "" is DUET_ARTIFACTS_DIR or the user's cache
	Session  string // a name for people to find it by; "" is none
	MaxFiles int    // 0 is MaxFiles
	MaxBytes int64  // 0 is MaxBytes
}

// Dir is the artifact directory of one session. It is made at the first use,
// which also cleans away what sessions left behind longer than KeepFor ago.
// Every access goes through an os.Root, so that nothing planted in it leads
// out. Safe for concurrent use.
type Dir struct {
	o Options

	mu    sync.Mutex // guards the rest
	root  *os.Root   // nil until the first use
	path  string
	next  int
	files int
	bytes int64
	own   map[string]bool // files that hold lines of duet's own
	// called are the files that a browser saved, by what they were called then.
	called map[string][]string

	kept      int // downloads
	keptBytes int64
}

// File is an artifact: what names it, and where it lies.
type File struct {
	ID    string `json:"artifact"` // its name in the directory; browser_read takes it
	Path  string `json:"path"`
	Bytes int64  `json:"bytes"`
}

// New returns the directory of a session; it touches no disk.
func New(o Options) *Dir {
	if o.MaxFiles == 0 {
		o.MaxFiles = MaxFiles
	}
	if o.MaxBytes == 0 {
		o.MaxBytes = MaxBytes
	}
	return &Dir{o: o}
}

// Root returns the directory that holds every session's: DUET_ARTIFACTS_DIR, or
// a place under the user's cache directory.
func Root() string {
	if env.ArtifactsDir.Set() {
		return env.ArtifactsDir.Value()
	}
	base := env.XDGCacheHome.Value()
	if base == "" {
		base = filepath.Join(env.Home.Value(), ".cache")
	}
	return filepath.Join(base, "duet", "artifacts")
}

// Path returns where the session's files lie, making the directory if need be.
func (d *Dir) Path() (string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.openLocked(); err != nil {
		return "", err
	}
	return d.path, nil
}

// Made returns where the session's files lie, downloads included, or "" where
// the directory has not been needed yet.
func (d *Dir) Made() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.path
}

// Close lets go of the directory. The files stay.
func (d *Dir) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.root == nil {
		return nil
	}
	err := d.root.Close()
	d.root = nil
	return err
}

// openLocked makes the directory: owner-only, with a name that none had before.
func (d *Dir) openLocked() error {
	if d.root != nil {
		return nil
	}
	parent := d.o.Root
	if parent == "" {
		parent = Root()
	}
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return cannot("make the artifact directory", err)
	}
	if d.path == "" {
		_, _ = Clean(parent, KeepFor) // what cannot be removed hinders nothing
		path, err := makeDir(parent, d.o.Session)
		if err != nil {
			return cannot("make the artifact directory", err)
		}
		d.path = path
	}
	root, err := os.OpenRoot(d.path)
	if err != nil {
		return cannot("open the artifact directory", err)
	}
	d.root = root
	return nil
}

// makeDir makes a directory that did not exist before.
func makeDir(parent, session string) (string, error) {
	stamp := time.Now().UTC().Format("20060102-150405")
	name := dirPrefix + stamp + "-" + fmt.Sprint(os.Getpid())
	if s := bare(session); s != "" {
		name += "-" + s
	}
	for n := 0; ; n++ {
		path := filepath.Join(parent, name)
		if n > 0 {
			path += fmt.Sprintf(".%d", n)
		}
		err := os.Mkdir(path, 0o700)
		if err == nil || !errors.Is(err, fs.ErrExist) || n == 1000 {
			return path, err
		}
	}
}

func cannot(what string, err error) *fault.Fault {
	return fault.New(fault.StateInvalid, "artifacts: cannot %s: %s", what, reason(err)).
		WithHint("set DUET_ARTIFACTS_DIR to a directory that you may write to").Because(err)
}

// reason is an error without the path that it names.
func reason(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}
