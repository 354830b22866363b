//go:build unix

package launch

import (
	"os"
	"path/filepath"
	"testing"
)

// A name that somebody else has taken in the directory that all users share does not
// keep duet from starting: another one is taken, and the same by the next start.
func TestATakenDirectoryIsLeftAlone(t *testing.T) {
	for what, take := range map[string]func(string) error{
		"writable by others": func(name string) error {
			if err := os.Mkdir(name, 0o777); err != nil {
				return err
			}
			return os.Chmod(name, 0o777)
		},
		"a file": func(name string) error { return os.WriteFile(name, nil, 0o600) },
		"a link": func(name string) error { return os.Symlink(os.TempDir(), name) },
	} {
		root := t.TempDir()
		for _, name := range []string{"duet-1", "duet-1-0"} {
			if err := take(filepath.Join(root, name)); err != nil {
				t.Fatal(err)
			}
		}
		first, err := ownIn(root, "duet-1", 0o700)
		if err != nil || first == filepath.Join(root, "duet-1") || first == filepath.Join(root, "duet-1-0") || private(first) != nil {
			t.Errorf("%s: %s, %v", what, first, err)
		}
		if again, err := ownIn(root, "duet-1", 0o700); again != first || err != nil {
			t.Errorf("%s: %s, then %s, %v", what, first, again, err)
		}
	}
	root := t.TempDir()
	if base, err := ownIn(root, "duet-1", 0o700); base != filepath.Join(root, "duet-1") || err != nil {
		t.Errorf("%s, %v", base, err)
	}
}
