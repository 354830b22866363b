package artifacts

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"duet/internal/fault"
)

// A saved file becomes an artifact under a name of ours, readable for us alone,
// whatever its own name was.
func TestKeep(t *testing.T) {
	d := New(Options{Root: t.TempDir()})
	defer d.Close()
	down, err := d.Downloads()
	if err != nil {
		t.Fatal(err)
	}
	for saved, want := range map[string][2]string{
		"Report Q3.PDF": {"-reportq3.pdf", "application/pdf"}, "rép \u202e\"x\".txt": {"-rpx.txt", "text/plain"}, "été": {"-t.bin", "application/octet-stream"}, "..": {"", ""},
	} {
		if want[0] == "" {
			if _, err := d.Keep(filepath.Join(down, saved), saved); err == nil {
				t.Errorf("%q is kept", saved)
			}
			continue
		}
		if err := os.WriteFile(filepath.Join(down, saved), []byte("text"), 0o666); err != nil {
			t.Fatal(err)
		}
		k, err := d.Keep(filepath.Join(down, saved), saved)
		if err != nil || k.Bytes != 4 || k.Type != want[1] || k.ID[4:] != want[0] {
			t.Errorf("%q: %+v, %v", saved, k, err)
		}
		info, err := os.Stat(k.Path)
		if err != nil || info.Mode().Perm() != 0o600 || filepath.Dir(k.Path) != filepath.Dir(down) {
			t.Errorf("%q lies at %s: %v, %v", saved, k.Path, info, err)
		}
		if _, err := d.Read(k.ID, 0, 10, 100); err != nil {
			t.Errorf("%q as an artifact: %v", saved, err)
		}
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(down, "link.txt")); err == nil {
		if k, err := d.Keep(filepath.Join(down, "link.txt"), "link.txt"); err == nil {
			t.Errorf("a link is kept: %+v", k)
		}
	}
}

// Downloads have a share of their own: what a page saves leaves room for the rest.
func TestDownloadsUseTheirOwnShare(t *testing.T) {
	d := New(Options{Root: t.TempDir(), MaxFiles: 10, MaxBytes: 1000})
	defer d.Close()
	down, err := d.Downloads()
	if err != nil {
		t.Fatal(err)
	}
	kept := 0
	for i := range 6 {
		saved := filepath.Join(down, "a.txt")
		if err := os.WriteFile(saved, make([]byte, 10), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := d.Keep(saved, filepath.Base(saved))
		if err == nil {
			kept++
		} else if !errors.Is(err, fault.Quota) {
			t.Fatal(err)
		}
		if _, err := os.Lstat(saved); i >= 2 && !errors.Is(err, os.ErrNotExist) {
			t.Errorf("what is not kept stays: %v", err)
		}
	}
	if kept != 2 {
		t.Errorf("%d downloads are kept, not a fifth of 10", kept)
	}
	for i := range 8 {
		if _, err := d.Write("x", "txt", make([]byte, 10)); err != nil {
			t.Errorf("file %d: %v", i+1, err)
		}
	}
	if _, err := d.Write("x", "txt", nil); !errors.Is(err, fault.Quota) {
		t.Errorf("more than the quota: %v", err)
	}
}
