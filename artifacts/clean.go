package artifacts

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Clean removes the session directories under root, "" for the usual one, in
// which nothing was written for keep, and returns how many it removed. What is
// no session directory is left alone; a root that does not exist is clean.
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
