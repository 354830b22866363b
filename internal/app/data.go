package app

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"duet/internal/drive"
	"duet/internal/env"
	"duet/internal/fault"
)

// dataDir is where what the user wants kept lies. purpose says what is looked for.
func dataDir(purpose string) (string, error) {
	base := env.DataDir.Value()
	if base == "" && env.XDGDataHome.Set() {
		base = filepath.Join(env.XDGDataHome.Value(), "duet")
	}
	if base == "" {
		if !env.Home.Set() {
			return "", fault.New(fault.LaunchFailed, "there is no place for %s: HOME is not set", purpose).WithHint("set DUET_DATA_DIR")
		}
		base = filepath.Join(env.Home.Value(), ".local", "share", "duet")
	}
	return base, nil
}

// profileDir is where a kept profile lies; "" is a fresh one.
func profileDir(name string) (string, error) {
	if name == "" {
		return "", nil
	}
	base, err := dataDir("the profile " + name)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(base, "profiles", name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fault.New(fault.LaunchFailed, "the profile %s could not be made: %v", name, err).Because(err)
	}
	return dir, nil
}

// maxState bounds a state file.
const maxState = 32 << 20

// stateName reports whether a --state is the name of a kept state, not a file.
func stateName(s string) bool { return sessionName(s) }

// statePath is the file of a --state: a name lies in the data directory.
func statePath(s string) (string, error) {
	if !stateName(s) {
		return s, nil
	}
	base, err := dataDir("the state " + s)
	return filepath.Join(base, "states", s+".json"), err
}

// savedState reads and judges what --state names; nil where it names nothing. A
// kept state holds cookies: one that others can read is refused.
func savedState(s string) (*drive.SavedState, error) {
	if s == "" {
		return nil, nil
	}
	path, err := statePath(s)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, unreadable(s, path, err)
	case !info.Mode().IsRegular():
		return nil, fault.New(fault.StateInvalid, "the saved state %s is no plain file", path)
	case stateName(s) && othersRead(info):
		return nil, fault.New(fault.StateInvalid, "the saved state %s can be read by others", path).WithHint("chmod 600 %s", path)
	case info.Size() > maxState:
		return nil, fault.New(fault.StateInvalid, "the saved state %s is larger than %d MiB", path, maxState>>20)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, unreadable(s, path, err)
	}
	state, err := drive.ParseState(bytes.TrimPrefix(text, []byte("\ufeff")))
	if err != nil {
		return nil, err
	}
	return state, nil
}

func unreadable(s, path string, err error) error {
	reason := err.Error()
	var why *fs.PathError
	if errors.As(err, &why) {
		reason = why.Err.Error()
	}
	f := fault.New(fault.StateInvalid, "the saved state %s cannot be read: %s", path, reason).Because(err)
	if stateName(s) {
		f = f.WithHint("--state takes the name of a state in %s, or a file: ./%s", filepath.Dir(path), s)
	}
	return f
}

// othersRead reports whether a file's mode lets anybody but its owner at it.
func othersRead(info fs.FileInfo) bool {
	return filepath.Separator == '/' && info.Mode().Perm()&0o077 != 0
}
