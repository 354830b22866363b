package artifacts

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"duet/internal/fault"
)

// Stored is a file that a session has left behind.
type Stored struct {
	Session string    `json:"session"` // name of its directory
	Name    string    `json:"artifact"`
	Path    string    `json:"path"`
	Bytes   int64     `json:"bytes"`
	Time    time.Time `json:"time"`
}

// List returns what the sessions under root, "" for the usual one, have left behind,
// oldest first. A root that does not exist holds nothing.
func List(root string) ([]Stored, error) {
	if root == "" {
		root = Root()
	}
	sessions, err := os.ReadDir(root)
	if err != nil {
		if os.IsNotExist(err) {
			return nil, nil
		}
		return nil, cannot("read the artifact directory", err)
	}
	var all []Stored
	for _, s := range sessions {
		if !s.IsDir() || !strings.HasPrefix(s.Name(), dirPrefix) {
			continue
		}
		dir := filepath.Join(root, s.Name())
		files, _ := os.ReadDir(dir) // one that is being cleaned away holds nothing
		for _, f := range files {
			info, err := f.Info()
			if err != nil || !info.Mode().IsRegular() || !plain(f.Name()) {
				continue
			}
			all = append(all, Stored{s.Name(), f.Name(), filepath.Join(dir, f.Name()), info.Size(), info.ModTime()})
		}
	}
	slices.SortStableFunc(all, func(a, b Stored) int { return a.Time.Compare(b.Time) })
	return all, nil
}

// Find returns the newest file of a name, or of a path as List gives it.
func Find(root, name string) (Stored, error) {
	all, err := List(root)
	if err != nil {
		return Stored{}, err
	}
	for _, s := range slices.Backward(all) {
		if s.Name == name || s.Path == name || s.Session+"/"+s.Name == name {
			return s, nil
		}
	}
	return Stored{}, fault.New(fault.InvalidArgument, "no session has left such an artifact").WithHint("duet artifacts list names those that there are")
}

// Copy writes a file of List to w.
func (s Stored) Copy(w io.Writer) error {
	root, err := os.OpenRoot(filepath.Dir(s.Path))
	if err != nil {
		return cannot("open the artifact directory", err)
	}
	defer root.Close()
	f, err := root.Open(s.Name)
	if err != nil {
		return cannot("open the artifact", err)
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return fault.New(fault.StateInvalid, "artifacts: %s is no file any more", s.Name)
	}
	_, err = io.Copy(w, f)
	return err
}
