package artifacts

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Clean removes the session directories under root, "" for the usual one, in
// which nothing was written for keep, and returns how many it removed. What is
// no session directory, or one of a process that lives, is left alone; a root that
// does not exist is clean.
func Clean(root string, keep time.Duration) (removed int, err error) {
	if root == "" {
		root = Root()
	}
	entries, err := os.ReadDir(root)
	if err != nil {
		if os.IsNotExist(err) {
			return 0, nil
		}
		return 0, cannot("read the artifact directory", err)
	}
	before := time.Now().Add(-keep)
	for _, e := range entries {
		if !e.IsDir() || !strings.HasPrefix(e.Name(), dirPrefix) {
			continue
		}
		path := filepath.Join(root, e.Name())
		if lives(makerOf(e.Name())) {
			continue
		}
		if info, err := e.Info(); err != nil || info.ModTime().After(before) || newest(path).After(before) {
			continue
		}
		if e := os.RemoveAll(path); e != nil {
			err = cannot("remove old artifacts", e)
			continue
		}
		removed++
	}
	return removed, err
}

// makerOf is the process that made a session directory, as its name says; 0 where
// it does not.
func makerOf(name string) int {
	parts := strings.Split(strings.TrimPrefix(name, dirPrefix), "-")
	if len(parts) < 3 {
		return 0
	}
	digits, _, _ := strings.Cut(parts[2], ".")
	pid, err := strconv.Atoi(digits)
	if err != nil {
		return 0
	}
	return pid
}

// lives reports whether a process exists.
func lives(pid int) bool {
	if pid <= 0 {
		return false
	}
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer func() { _ = p.Release() }()
	// Where there are no such signals, that it was found says that it lives.
	err = p.Signal(syscall.Signal(0))
	return err == nil || errors.Is(err, os.ErrPermission) || runtime.GOOS == "windows"
}

// newest is when something in a directory was last written.
func newest(dir string) time.Time {
	var last time.Time
	filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if info, err := e.Info(); err == nil && info.ModTime().After(last) {
			last = info.ModTime()
		}
		return nil
	})
	return last
}
