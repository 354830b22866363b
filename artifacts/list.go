package artifacts

import (
	"io"
	"io/fs"
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
	Files   int       `json:"files,omitzero"` // it is a directory of so many files: a trace
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
			if err != nil || !plain(f.Name()) || f.Name() == downloads {
				continue
			}
			one := Stored{Session: s.Name(), Name: f.Name(), Path: filepath.Join(dir, f.Name()), Bytes: info.Size(), Time: info.ModTime()}
			switch {
			case info.IsDir():
				one.Files, one.Bytes = held(one.Path)
			case !info.Mode().IsRegular():
				continue
			}
			all = append(all, one)
		}
	}
	slices.SortStableFunc(all, func(a, b Stored) int { return a.Time.Compare(b.Time) })
	return all, nil
}

// held is how many plain files a directory holds, and how many bytes.
func held(dir string) (files int, bytes int64) {
	_ = filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err != nil {
			return nil // what cannot be read holds nothing
		}
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			files++
			bytes += info.Size()
		}
		return nil
	})
	return files, bytes
}

// Of reports whether it is of a session: by the name of its directory, or the one that
// the session was given.
func (s Stored) Of(session string) bool {
	return s.Session == session || strings.HasSuffix(s.Session, "-"+bare(session))
}

// Find returns the newest file of a name, or of a path as List gives it, and how many
// there are. A name is that of the file, or what follows the number in it: the name by
// which a download was told.
func Find(root, name string) (newest Stored, of int, err error) {
	all, err := List(root)
	if err != nil {
		return Stored{}, 0, err
	}
	for _, fits := range []func(Stored) bool{
		func(s Stored) bool { return s.Name == name || s.Path == name || s.Session+"/"+s.Name == name },
		func(s Stored) bool {
			_, rest, ok := strings.Cut(s.Name, "-")
			return ok && s.Files == 0 && rest == savedAs(name)
		},
	} {
		for _, s := range slices.Backward(all) {
			if fits(s) {
				if of++; of == 1 {
					newest = s
				}
			}
		}
		if of > 0 {
			return newest, of, nil
		}
	}
	return Stored{}, 0, fault.New(fault.InvalidArgument, "no session has left such an artifact").WithHint("duet artifacts list names those that there are")
}

// Copy writes a file of List to w.
func (s Stored) Copy(w io.Writer) error {
	if s.Files > 0 {
		return fault.New(fault.InvalidArgument, "%s is a directory of %d files", s.Name, s.Files).WithHint("duet trace show shows a trace")
	}
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
