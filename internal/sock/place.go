// Package sock is the one local door of a daemon: an owner-only, peer-checked
// Unix socket a project, and the start of the daemon behind it under a lock.
package sock

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"

	"duet/internal/env"
	"duet/internal/fault"
)

// Place is where the daemon of one project is met. Dir is private to the user.
type Place struct {
	Root   string // the project's real path
	Dir    string // directory of the files below
	Socket string // what clients dial
	Log    string // what the daemon writes, from its first line
}

func (p Place) lifeLock() string  { return filepath.Join(p.Dir, "daemon.lock") } // held while the daemon lives
func (p Place) startLock() string { return filepath.Join(p.Dir, "start.lock") }  // held by a client that starts one

// markers are files and directories that make a directory a project's root.
var markers = []string{
	".git", "go.mod", "package.json", "pyproject.toml", "Cargo.toml", "deno.json", "pom.xml",
	"build.gradle", "build.gradle.kts", "Gemfile", "composer.json", "mix.exs", ".hg",
}

// Root returns the real path of the nearest ancestor of dir that looks like a
// project, or of dir itself where none does.
func Root(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	start, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return "", err
	}
	for at := start; ; at = filepath.Dir(at) {
		for _, m := range markers {
			if _, err := os.Lstat(filepath.Join(at, m)); err == nil {
				return at, nil
			}
		}
		if filepath.Dir(at) == at {
			return start, nil
		}
	}
}

// At returns the place of the project that dir lies in, and makes its private
// directory. A runtime directory that is a symbolic link, is somebody else's or
// is open to others is refused.
func At(dir string) (Place, error) {
	root, err := Root(dir)
	if err != nil {
		return Place{}, fault.New(fault.StateInvalid, "the project directory cannot be read: %v", err).Because(err)
	}
	base, err := runtimeDir()
	if err != nil {
		return Place{}, err
	}
	own := filepath.Join(base, name(root))
	if err := private(own); err != nil {
		return Place{}, err
	}
	return Place{
		Root:   root,
		Dir:    own,
		Socket: filepath.Join(own, "sock"),
		Log:    filepath.Join(own, "daemon.log"),
	}, nil
}

// runtimeDir returns the private directory of all places of this user.
func runtimeDir() (string, error) {
	dir := env.RuntimeDir.Value()
	if dir == "" {
		dir = base()
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(abs), 0o700); err != nil {
		return "", fault.New(fault.StateInvalid, "the runtime directory cannot be made: %v", err).Because(err)
	}
	return abs, private(abs)
}

func base() string {
	if run := env.XDGRuntimeDir.Value(); run != "" {
		return filepath.Join(run, "duet")
	}
	if cache := env.XDGCacheHome.Value(); cache != "" {
		return filepath.Join(cache, "duet", "run")
	}
	if home := env.Home.Value(); home != "" {
		return filepath.Join(home, ".cache", "duet", "run")
	}
	return filepath.Join(os.TempDir(), "duet-"+owner())
}

// name is the directory name of a project: its base for people, a hash for
// uniqueness.
func name(root string) string {
	clean := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_', r == '.':
			return r
		}
		return '_'
	}, filepath.Base(root))
	sum := sha256.Sum256([]byte(root))
	return clean[:min(len(clean), 32)] + "-" + hex.EncodeToString(sum[:6])
}
