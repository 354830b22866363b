package artifacts_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"duet/artifacts"
	"duet/internal/fault"
)

func dir(t *testing.T, o artifacts.Options) *artifacts.Dir {
	t.Helper()
	if o.Root == "" {
		o.Root = t.TempDir()
	}
	d := artifacts.New(o)
	t.Cleanup(func() { d.Close() })
	return d
}

// Files and their directory are the owner's alone, and nothing exists before it is needed.
func TestModes(t *testing.T) {
	root := t.TempDir()
	d := dir(t, artifacts.Options{Root: root, Session: "../Odd name"})
	if entries, _ := os.ReadDir(root); len(entries) != 0 {
		t.Fatalf("something was made before the first use: %v", entries)
	}
	f, err := d.Write("screenshot", "png", []byte("x"))
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]os.FileMode{f.Path: 0o600, filepath.Dir(f.Path): 0o700} {
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v %v, want %v", path, info, err, want)
		}
	}
	if filepath.Dir(filepath.Dir(f.Path)) != root || f.ID != "0001-screenshot.png" {
		t.Errorf("file is %+v", f)
	}
}

// A planted link or file cannot redirect a write: its name is passed over.
func TestPlanted(t *testing.T) {
	d := dir(t, artifacts.Options{})
	path, err := d.Path()
	if err != nil {
		t.Fatal(err)
	}
	target := filepath.Join(t.TempDir(), "target")
	os.WriteFile(target, []byte("old"), 0o600)
	if err := os.Symlink(target, filepath.Join(path, "0001-result.txt")); err != nil {
		t.Fatal(err)
	}
	os.Symlink(filepath.Join(t.TempDir(), "dangling"), filepath.Join(path, "0002-result.txt"))
	f, err := d.Write("result", "txt", []byte("new"))
	if err != nil || f.ID != "0003-result.txt" {
		t.Fatalf("Write = %+v, %v", f, err)
	}
	if data, _ := os.ReadFile(target); string(data) != "old" {
		t.Errorf("the target of a link was written: %q", data)
	}
	if _, err := d.Read("0001-result.txt", 0, 10, 1000); err == nil {
		t.Error("a link that leads out was read")
	}
}

// Only what lies in the session's directory can be read, by name or by path.
func TestReadStaysInside(t *testing.T) {
	d := dir(t, artifacts.Options{})
	f, err := d.Write("result", "txt", []byte("one\ntwo\nthree\n"))
	if err != nil {
		t.Fatal(err)
	}
	outside := filepath.Join(filepath.Dir(filepath.Dir(f.Path)), "outside.txt")
	os.WriteFile(outside, []byte("secret"), 0o600)
	for _, id := range []string{"", ".", "..", "../outside.txt", outside, "/etc/passwd", "0001-result.txt/..", `..\outside.txt`,
		"downloads/../../outside.txt", ".hidden", "-x", "CON", "com1.txt", "a\x00b", strings.Repeat("x", 300), "none.txt"} {
		if s, err := d.Read(id, 0, 10, 1000); !errors.Is(err, fault.InvalidArgument) {
			t.Errorf("Read(%q) = %+v, %v", id, s, err)
		} else if strings.Contains(err.Error(), "outside") || strings.Contains(err.Error(), "passwd") {
			t.Errorf("Read(%q) echoes the path: %v", id, err)
		}
	}
	for _, id := range []string{f.ID, f.Path} {
		s, err := d.Read(id, 1, 1, 1000)
		if err != nil || s.Text != "two" || s.Total != 3 || s.Lines != 1 || s.Offset != 1 {
			t.Errorf("Read(%q) = %+v, %v", id, s, err)
		}
	}
	if s, err := d.Read(f.ID, 9, 5, 1000); err != nil || s.Text != "" || s.Total != 3 {
		t.Errorf("past the end: %+v, %v", s, err)
	}
}

// A picture is not read as text.
func TestReadNeedsText(t *testing.T) {
	d := dir(t, artifacts.Options{})
	f, _ := d.Write("screenshot", "png", []byte("\x89PNG\x00"))
	if _, err := d.Read(f.ID, 0, 10, 1000); !errors.Is(err, fault.InvalidArgument) {
		t.Errorf("err = %v", err)
	}
}

// Files and bytes are bounded, what the browser wrote included.
func TestQuota(t *testing.T) {
	d := dir(t, artifacts.Options{MaxFiles: 3, MaxBytes: 100})
	down, err := d.Downloads()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Write("a", "txt", make([]byte, 40)); err != nil {
		t.Fatal(err)
	}
	os.WriteFile(filepath.Join(down, "page.bin"), make([]byte, 40), 0o600)
	if _, err := d.Write("a", "txt", make([]byte, 40)); !errors.Is(err, fault.Quota) {
		t.Errorf("bytes: err = %v", err)
	}
	if _, err := d.Write("a", "txt", nil); err != nil {
		t.Error(err)
	}
	if _, err := d.Write("a", "txt", nil); !errors.Is(err, fault.Quota) {
		t.Errorf("files: err = %v", err)
	}
}

// What is too long leaves whole lines and says where the rest is.
func TestSpill(t *testing.T) {
	d := dir(t, artifacts.Options{})
	text := strings.Repeat("a line of text\n", 100)
	sp, err := d.Spill("result", text, 50)
	if err != nil {
		t.Fatal(err)
	}
	if sp.Inline != "a line of text\na line of text\na line of text" || sp.Lines != 100 || sp.File.Bytes != int64(len(text)) {
		t.Errorf("Spill = %+v", sp)
	}
	if data, err := os.ReadFile(sp.File.Path); err != nil || string(data) != text {
		t.Errorf("file: %v", err)
	}
	if !strings.Contains(sp.Note(), sp.File.Path) || !strings.Contains(sp.Note(), "1500 bytes") {
		t.Error(sp.Note())
	}
	if got := artifacts.Head("äöüäöü", 8); got != "äö…" {
		t.Errorf("Head cuts a line to %q", got)
	}
}

// Old sessions are cleaned away, and nothing else is: no session whose process
// lives, however long it was idle.
func TestClean(t *testing.T) {
	root := t.TempDir()
	d := dir(t, artifacts.Options{Root: root})
	f, err := d.Write("a", "txt", []byte("x"))
	if err != nil {
		t.Fatal(err)
	}
	ended := strings.Replace(filepath.Dir(f.Path), fmt.Sprint("-", os.Getpid()), "-999999999", 1)
	file := filepath.Join(ended, "a.txt")
	if err := errors.Join(os.Mkdir(ended, 0o700), os.WriteFile(file, nil, 0o600), os.Mkdir(filepath.Join(root, "mine"), 0o700)); err != nil {
		t.Fatal(err)
	}
	if n, err := artifacts.Clean(root, time.Hour); n != 0 || err != nil {
		t.Errorf("Clean = %d, %v", n, err)
	}
	old := time.Now().Add(-8 * 24 * time.Hour)
	for _, p := range []string{f.Path, filepath.Dir(f.Path), file, ended, filepath.Join(root, "mine")} {
		os.Chtimes(p, old, old)
	}
	dir(t, artifacts.Options{Root: root, Session: "next"}).Path()
	if _, err := os.Stat(ended); !os.IsNotExist(err) {
		t.Errorf("the next session left the old one: %v", err)
	}
	if _, err := os.Stat(f.Path); err != nil {
		t.Errorf("a session that lives was cleaned away: %v", err)
	}
	if entries, _ := os.ReadDir(root); len(entries) != 3 {
		t.Errorf("left: %v", entries)
	}
	if n, err := artifacts.Clean(filepath.Join(root, "none"), time.Hour); n != 0 || err != nil {
		t.Errorf("no root: %d, %v", n, err)
	}
}

// A directory of its own is the owner's alone too, its files count, and what leads out
// of it is refused.
func TestSub(t *testing.T) {
	d := dir(t, artifacts.Options{MaxFiles: 3, MaxBytes: 100})
	s, err := d.Sub("trace", "../Odd name")
	if err != nil {
		t.Fatal(err)
	}
	if s.ID != "0001-trace-oddname" {
		t.Errorf("it is called %s", s.ID)
	}
	if err := s.Mkdir("shots"); err != nil {
		t.Fatal(err)
	}
	if err := s.Write("shots/1.png", []byte("0123456789")); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]os.FileMode{s.Path: 0o700, filepath.Join(s.Path, "shots"): 0o700, filepath.Join(s.Path, "shots/1.png"): 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v %v, want %v", path, info, err, want)
		}
	}
	if err := s.Write("../../up", nil); err == nil {
		t.Error("a file outside was written")
	}
	if err := os.Symlink(t.TempDir(), filepath.Join(s.Path, "out")); err == nil {
		if err := s.Write("out/x", nil); err == nil {
			t.Error("a planted link was followed")
		}
	}
	f, err := s.Create("log")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Write(make([]byte, 80)); err != nil {
		t.Fatal(err)
	}
	if n, err := f.Write(make([]byte, 20)); !errors.Is(err, fault.Quota) || n != 0 {
		t.Errorf("over the limit: %d %v", n, err)
	}
	if files, bytes := d.Used(); files != 2 || bytes != 90 || f.File().Bytes != 80 {
		t.Errorf("%d files, %d bytes used; the file has %d", files, bytes, f.File().Bytes)
	}
	if _, err := d.Create("trace", "zip"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Create("more"); !errors.Is(err, fault.Quota) {
		t.Errorf("one file too many: %v", err)
	}
}
