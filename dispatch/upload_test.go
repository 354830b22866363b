package dispatch

import (
	"os"
	"path/filepath"
	"testing"
)

// Only a regular file under a root, reached without a link, may be uploaded.
func TestUploadsStayInside(t *testing.T) {
	base := t.TempDir()
	root := filepath.Join(base, "root")
	for _, dir := range []string{root, filepath.Join(root, "sub"), filepath.Join(base, "other")} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	write := func(path string) {
		if err := os.WriteFile(filepath.Join(base, path), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("root/a.txt")
	write("root/sub/b.txt")
	write("other/c.txt")
	for link, to := range map[string]string{"link.txt": "a.txt", "out.txt": "../other/c.txt", "dir": "../other", "within": "sub"} {
		if err := os.Symlink(to, filepath.Join(root, link)); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]bool{
		"a.txt": true, "sub/b.txt": true, "./a.txt": true, "sub/../a.txt": true, filepath.Join(root, "a.txt"): true,
		"": false, ".": false, "sub": false, "none.txt": false, "link.txt": false, "out.txt": false, "dir/c.txt": false, "within/b.txt": false,
		"../other/c.txt": false, filepath.Join(base, "other/c.txt"): false, "/etc/passwd": false, "a.txt\x00": false,
	} {
		if _, ok := inside(root, name); ok != want {
			t.Errorf("inside(%q) = %v", name, ok)
		}
	}
	// The root itself may be called by another name.
	alias := filepath.Join(t.TempDir(), "alias")
	if err := os.Symlink(base, alias); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"root/a.txt": true, "root/sub/b.txt": true, "root/link.txt": false, "other/c.txt": false, "root/../other/c.txt": false} {
		if _, ok := inside(root, filepath.Join(alias, name)); ok != want {
			t.Errorf("inside by the alias, %q = %v", name, ok)
		}
	}
}
