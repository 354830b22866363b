package launch

import (
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// scratch is the temporary directory of one session. What stands in it belongs
// to the uid that the browser runs as: profile, home, tmp, files that were lent.
// The directory and its lock file are ours; the lock is by this process and by the guard, and a directory whose lock is free belongs
// to nobody and is removed by the next start.
type scratch struct {
	dir    string
	lock   *os.File
	uid    int // the browser's, -1 for our own
	gid    int
	memory *scratch // with a lock of its own: where profile and home stand in memory; or nil
}

const lockName = "lock"

// What may grow large or is to be run stays on disk; what a browser writes in many small
// pieces, waiting for each, is what memory is for.
var (
	onDisk   = []string{"tmp", "lent", "downloads"}
	inMemory = []string{"home", "profile"}
)

// newScratch makes a session's directory and starts the removal of those that
// dead sessions left behind, on disk and in memory. A fleeting session keeps nothing of
// its profile, which stands in memory where that can be.
func newScratch(uid, gid int, fleeting bool) (*scratch, error) {
	return newScratchIn(systemMemory(), uid, gid, fleeting)
}

func newScratchIn(m memory, uid, gid int, fleeting bool) (*scratch, error) {
	base, err := scratchBase(uid >= 0)
	if err != nil {
		return nil, err
	}
	name := strings.ToLower(rand.Text()[:12])
	s, err := makeScratch(base, name, uid, gid, onDisk)
	if err != nil {
		return nil, err
	}
	quick := ""
	if fleeting {
		quick, _ = m.base(base, uid >= 0)
	}
	if quick != "" {
		s.memory, _ = makeScratch(quick, name, uid, gid, inMemory)
	}
	for _, other := range m.bases() {
		if other != quick {
			sweep(other)
		}
	}
	if s.memory == nil {
		err = s.furnish(inMemory)
	}
	if err != nil {
		s.release(false)
		return nil, err
	}
	return s, nil
}

// makeScratch makes a locked directory with what stands in it.
func makeScratch(base, name string, uid, gid int, subs []string) (*scratch, error) {
	// The base's own lock covers the moment between making a directory and
	// locking it.
	unlock, err := lockFile(filepath.Join(base, lockName))
	if err != nil {
		return nil, err
	}
	dead := deadScratches(base)
	s := &scratch{dir: filepath.Join(base, name), uid: uid, gid: gid}
	err = os.Mkdir(s.dir, 0o700)
	if err == nil {
		s.lock, err = os.OpenFile(s.path(lockName), os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	}
	if err == nil && !tryLock(s.lock) {
		err = fmt.Errorf("%s: cannot be locked", s.dir)
	}
	unlock()
	for _, d := range dead {
		go d.bury()
	}
	if err == nil {
		err = s.furnish(subs)
	}
	if err == nil && uid >= 0 { // passed through, not written to: the lock stays ours
		err = os.Chmod(s.dir, 0o711)
	}
	if err != nil {
		if s.lock != nil {
			s.release(false)
		}
		return nil, err
	}
	return s, nil
}

// furnish makes directories of the browser's user.
func (s *scratch) furnish(subs []string) error {
	for _, sub := range subs {
		if err := os.Mkdir(s.path(sub), 0o700); err != nil {
			return err
		}
		if err := s.give(s.path(sub)); err != nil {
			return err
		}
	}
	return nil
}

// sweep starts the removal of what dead sessions left in a base that this one does not use.
func sweep(base string) {
	unlock, err := lockFile(filepath.Join(base, lockName))
	if err != nil {
		return
	}
	dead := deadScratches(base)
	unlock()
	for _, d := range dead {
		go d.bury()
	}
}

// both are the directory and, where there is one, its part in memory.
func (s *scratch) both() []*scratch {
	if s.memory == nil {
		return []*scratch{s}
	}
	return []*scratch{s, s.memory}
}

func (s *scratch) dirs() (dirs []string) {
	for _, part := range s.both() {
		dirs = append(dirs, part.dir)
	}
	return dirs
}

func (s *scratch) locks() (locks []*os.File) {
	for _, part := range s.both() {
		locks = append(locks, part.lock)
	}
	return locks
}

func (s *scratch) profile() string { return s.quick().path("profile") }
func (s *scratch) home() string    { return s.quick().path("home") }

// quick is the part that profile and home stand in.
func (s *scratch) quick() *scratch {
	if s.memory != nil {
		return s.memory
	}
	return s
}

func (s *scratch) path(parts ...string) string {
	return filepath.Join(append([]string{s.dir}, parts...)...)
}

// give hands a directory tree to the browser's user. Links are not followed.
func (s *scratch) give(root string) error {
	if s.uid < 0 {
		return nil
	}
	return filepath.WalkDir(root, func(p string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(p, s.uid, s.gid)
	})
}

// release removes what is left and frees the locks.
func (s *scratch) release(keep bool) {
	for _, part := range s.both() {
		if !keep {
			remove(part.dir)
		}
		part.lock.Close()
	}
}

// deadScratches takes the lock of every session's directory whose lock is free.
func deadScratches(base string) []*scratch {
	entries, _ := os.ReadDir(base)
	var dead []*scratch
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		d := &scratch{dir: filepath.Join(base, e.Name())}
		f, err := os.OpenFile(filepath.Join(d.dir, lockName), os.O_CREATE|os.O_RDWR|noFollow, 0o600)
		if err != nil {
			continue
		}
		if !tryLock(f) {
			f.Close()
			continue
		}
		if _, err := os.Lstat(filepath.Join(d.dir, keepName)); err == nil {
			f.Close()
			continue
		}
		d.lock = f
		dead = append(dead, d)
	}
	return dead
}

// keepName marks a directory that was left behind on purpose.
const keepName = "keep"

// bury ends what may still run in a dead session's directory and removes it.
func (s *scratch) bury() {
	killMarked(s.dir)
	s.release(false)
}

// scratchBase returns the directory of all sessions of this user, which nobody
// else can write to. Another user's browser must be able to pass through it.
func scratchBase(shared bool) (string, error) {
	mode := os.FileMode(0o700)
	roots := []string{os.TempDir()}
	if shared {
		mode = 0o711
		roots = []string{os.TempDir(), "/tmp", "/var/tmp"}
	}
	var last error
	for _, root := range roots {
		if shared && !passable(root) {
			last = fmt.Errorf("%s: the browser's user cannot pass", root)
			continue
		}
		base, err := ownIn(root, baseName(), mode)
		if last = err; err == nil {
			return base, widen(base, mode)
		}
	}
	return "", last
}

// widen lets pass who must. It takes nothing back: the browser of another session may
// be passing.
func widen(dir string, mode os.FileMode) error {
	st, err := os.Stat(dir)
	if err != nil || st.Mode().Perm()|mode == st.Mode().Perm() {
		return err
	}
	return os.Chmod(dir, st.Mode().Perm()|mode)
}

// baseName is the name of a directory of all sessions of this user.
func baseName() string { return fmt.Sprintf("duet-%d", os.Getuid()) }

// ownIn returns the directory of a name in root. Where somebody else has taken the name,
// it is one whose name begins so and that was made for that before, or now: any user may
// take a name in root, and none that another one's random letters end.
func ownIn(root, name string, mode os.FileMode) (string, error) {
	base := filepath.Join(root, name)
	if err := os.Mkdir(base, mode); err != nil && !os.IsExist(err) {
		return "", err
	}
	if private(base) == nil {
		return base, nil
	}
	others, _ := filepath.Glob(base + "-*")
	for _, other := range others {
		if private(other) == nil {
			return other, nil
		}
	}
	return os.MkdirTemp(root, name+"-*")
}

// private returns an error unless dir is a directory, no link, ours, and
// nobody else can write to it.
func private(dir string) error {
	st, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !st.IsDir() || !ownedByUs(st) || othersWrite(st.Mode()) {
		return fmt.Errorf("%s is not a directory of this user alone; remove it", dir)
	}
	return nil
}

// passable reports whether other users can pass through dir and all above it.
func passable(dir string) bool {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return false
	}
	for {
		st, err := os.Stat(dir)
		if err != nil || st.Mode().Perm()&0o001 == 0 {
			return false
		}
		up := filepath.Dir(dir)
		if up == dir {
			return true
		}
		dir = up
	}
}
