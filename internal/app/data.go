package app

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"duet/internal/drive"
	"duet/internal/env"
	"duet/internal/fault"
	"duet/internal/profile"
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

// stateName reports whether a --state is the name of a kept state, not a file.
func stateName(s string) bool { return profile.ValidName(s) }

// states is where saved states are kept, and the keys that they are encrypted with.
// Without a place for them each use says so.
func states() *profile.Store {
	dir := ""
	if base, err := dataDir("saved states"); err == nil {
		dir = filepath.Join(base, "states")
	}
	return profile.NewStore(dir, profile.Keys{
		Passphrase: env.StatePassphrase.Value(), Recipients: env.StateRecipients.Value(), Identity: env.StateIdentity.Value(),
	})
}

// savedState reads and judges what --state names; nil where it names nothing. A
// kept state holds cookies: one that others can read is refused.
func savedState(s string) (*drive.SavedState, error) {
	if s == "" {
		return nil, nil
	}
	read := states().Read
	if !stateName(s) {
		read = states().ReadFile
	}
	text, err := read(s)
	if err != nil {
		if f := fault.From(err); stateName(s) && f.Hint == "" || errors.Is(f.Err, fs.ErrNotExist) && stateName(s) {
			err = f.WithHint("--state takes the name of a state in %s, or a file: ./%s", states().Dir(), s)
		}
		return nil, err
	}
	return drive.ParseState(text)
}
