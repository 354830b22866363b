// Package profile keeps saved states on disk: their names, their files, and their
// encryption. It knows nothing of what is in them.
package profile

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"duet/internal/fault"
)

// MaxState bounds a state file, in bytes.
const MaxState = 32 << 20

// Store is a directory of saved states. Its files are NAME.json, readable for their
// owner alone, and are replaced whole: who writes the same name at the same time
// leaves one of both. Safe for concurrent use, by several processes too.
type Store struct {
	dir  string
	keys Keys
}

// NewStore makes a store of a directory, which need not be there yet.
func NewStore(dir string, keys Keys) *Store { return &Store{dir, keys} }

// Dir is where the states lie.
func (s *Store) Dir() string { return s.dir }

// Info is what can be said of a state without reading it.
type Info struct {
	Name      string    `json:"name"`
	Saved     time.Time `json:"saved"`
	Bytes     int64     `json:"bytes"`
	Encrypted bool      `json:"encrypted,omitzero"`
}

// maxName is the longest name of a state.
const maxName = 64

// reserved are the names that a system keeps for its devices.
var reserved = []string{"con", "prn", "aux", "nul"}

// ValidName reports whether a text is the name of a state: letters, digits, - and _,
// a letter or digit first.
func ValidName(s string) bool {
	for i, r := range s {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		if !letter && (i == 0 || r != '-' && r != '_') {
			return false
		}
	}
	lower := strings.ToLower(s)
	device := len(s) == 4 && (strings.HasPrefix(lower, "com") || strings.HasPrefix(lower, "lpt")) && s[3] >= '0' && s[3] <= '9'
	return s != "" && len(s) <= maxName && !slices.Contains(reserved, lower) && !device
}

// Check refuses what is no name, and a store without a place.
func (s *Store) Check(name string) error {
	if !ValidName(name) {
		return fault.New(fault.InvalidArgument, "a state's name has 1 to %d letters, digits, - and _, a letter or digit first, and is no file", maxName)
	}
	if s == nil || s.dir == "" {
		return fault.New(fault.StateInvalid, "there is no place for saved states").WithHint("set HOME or DUET_DATA_DIR")
	}
	return nil
}

const ending = ".json"

// List returns the states by name. What is no state's file is left out; the
// list is never nil.
func (s *Store) List() ([]Info, error) {
	if s == nil || s.dir == "" {
		return []Info{}, nil
	}
	entries, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return []Info{}, nil
	}
	if err != nil {
		return nil, s.broken("list the saved states", err)
	}
	root, err := os.OpenRoot(s.dir)
	if err != nil {
		return nil, s.broken("list the saved states", err)
	}
	defer func() { _ = root.Close() }() // it was read only
	all := []Info{}
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ending)
		if !ok || !e.Type().IsRegular() || !ValidName(name) {
			continue
		}
		info, err := e.Info()
		if err != nil {
			continue // gone meanwhile
		}
		one := Info{Name: name, Saved: info.ModTime().UTC().Truncate(time.Second), Bytes: info.Size()}
		if f, err := root.Open(e.Name()); err == nil {
			head := make([]byte, len(armored))
			n, _ := io.ReadFull(f, head) // a shorter file is not encrypted
			one.Encrypted = encrypted(head[:n])
			_ = f.Close()
		}
		all = append(all, one)
	}
	return all, nil
}

// Read returns a state's text, decrypted. A state that others can read is refused.
func (s *Store) Read(name string) ([]byte, error) {
	if err := s.Check(name); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(s.dir)
	if err != nil {
		return nil, s.missing(name, err)
	}
	defer func() { _ = root.Close() }() // it was read only
	info, err := root.Lstat(name + ending)
	switch {
	case err != nil:
		return nil, s.missing(name, err)
	case !info.Mode().IsRegular():
		return nil, fault.New(fault.StateInvalid, "the saved state %s is no plain file", name)
	case othersRead(info):
		return nil, fault.New(fault.StateInvalid, "the saved state %s can be read by others", name).
			WithHint("chmod 600 %s", filepath.Join(s.dir, name+ending))
	}
	f, err := root.Open(name + ending)
	if err != nil {
		return nil, s.missing(name, err)
	}
	defer func() { _ = f.Close() }()
	return s.open("the saved state "+name, f)
}

// ReadFile returns the text of a file that a person named, decrypted.
func (s *Store) ReadFile(path string) ([]byte, error) {
	what := "the saved state " + path
	f, err := os.Open(path)
	if err != nil {
		return nil, fault.New(fault.StateInvalid, "%s cannot be read: %s", what, reason(err)).Because(err)
	}
	defer func() { _ = f.Close() }()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, fault.New(fault.StateInvalid, "%s is no plain file", what)
	}
	return s.open(what, f)
}

func (s *Store) open(what string, f io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(f, MaxState+1))
	switch {
	case err != nil:
		return nil, fault.New(fault.StateInvalid, "%s cannot be read: %s", what, reason(err)).Because(err)
	case len(text) > MaxState:
		return nil, fault.New(fault.StateInvalid, "%s is larger than %d MiB", what, MaxState>>20)
	}
	if encrypted(text) {
		if text, err = s.keys.decrypt(what, text); err != nil {
			return nil, err
		}
	}
	return bytes.TrimPrefix(text, []byte("\ufeff")), nil
}

// Write saves a state's text under a name, encrypted where there are keys, which it
// reports. The file that was there stays until the new one lies whole on the disk.
func (s *Store) Write(name string, text []byte) (sealed bool, err error) {
	if err := s.Check(name); err != nil {
		return false, err
	}
	if text, sealed, err = s.keys.encrypt(text); err != nil {
		return sealed, err
	}
	if len(text) > MaxState {
		return sealed, fault.New(fault.Quota, "the state has %d bytes, more than %d MiB", len(text), MaxState>>20)
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return sealed, s.broken("save the state "+name, err)
	}
	root, err := os.OpenRoot(s.dir)
	if err != nil {
		return sealed, s.broken("save the state "+name, err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	if info, err := root.Stat("."); err == nil && othersRead(info) {
		return sealed, fault.New(fault.StateInvalid, "the directory of the saved states can be read by others").WithHint("chmod 700 %s", s.dir)
	}
	if err := replace(root, name+ending, text); err != nil {
		return sealed, s.broken("save the state "+name, err)
	}
	return sealed, nil
}

// replace writes a file beside and puts it in the place of the one of that name.
func replace(root *os.Root, name string, text []byte) (err error) {
	beside := "." + name + "." + random() + ".tmp"
	f, err := root.OpenFile(beside, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = root.Remove(beside) // the error above is what matters
		}
	}()
	_, err = f.Write(text)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := root.Rename(beside, name); err != nil {
		return err
	}
	if dir, err := root.Open("."); err == nil { // the rename too; not every system can
		_ = dir.Sync()
		_ = dir.Close()
	}
	return nil
}

func random() string {
	b := make([]byte, 8)
	_, _ = rand.Read(b) // never fails
	return hex.EncodeToString(b)
}

// Delete removes a state.
func (s *Store) Delete(name string) error {
	if err := s.Check(name); err != nil {
		return err
	}
	root, err := os.OpenRoot(s.dir)
	if err != nil {
		return s.missing(name, err)
	}
	defer func() { _ = root.Close() }() // nothing is written through it
	if err := root.Remove(name + ending); err != nil {
		return s.missing(name, err)
	}
	return nil
}

func (s *Store) missing(name string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fault.New(fault.StateInvalid, "no state is saved as %s", name).Because(err).WithHint("list the saved ones: %s", fault.Call("browser_state", "action", "list"))
	}
	return s.broken("read the saved state "+name, err)
}

func (s *Store) broken(doing string, err error) error {
	return fault.New(fault.StateInvalid, "%s: %s", doing, reason(err)).Because(err)
}

// reason is what a system call failed for, without the path.
func reason(err error) string {
	var why *fs.PathError
	if errors.As(err, &why) {
		return why.Err.Error()
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		return link.Err.Error()
	}
	return err.Error()
}

// othersRead reports whether a file's mode lets anybody but its owner at it.
func othersRead(info fs.FileInfo) bool {
	return filepath.Separator == '/' && info.Mode().Perm()&0o077 != 0
}
