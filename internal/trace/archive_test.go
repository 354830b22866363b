package trace_test

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"duet/internal/trace"
)

// archived makes the archive of a directory.
func archived(t *testing.T, dir string, clean func([]byte) []byte) string {
	t.Helper()
	var b bytes.Buffer
	if err := trace.Archive(&b, os.DirFS(dir), clean); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "trace.zip")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// The archive says the same as the directory, and each of its names stays inside.
func TestArchive(t *testing.T) {
	path := archived(t, "testdata/example", nil)
	z, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	var names []string
	for _, f := range z.File {
		names = append(names, f.Name)
		if !filepath.IsLocal(f.Name) || strings.Contains(f.Name, `\`) {
			t.Errorf("a member is called %q", f.Name)
		}
	}
	want := "duet/trace.ndjson resources/0001-before.png resources/0001-after.png resources/0003-after.png resources/0004-after.png 0-trace.trace 0-trace.network"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("members are %s, want %s", got, want)
	}
	for _, p := range []string{path, "testdata/example"} {
		o, err := trace.Open(p)
		if err != nil {
			t.Fatal(err)
		}
		if len(o.Actions) != 6 || o.Stop == nil {
			t.Errorf("%s: %d commands, stop %v", p, len(o.Actions), o.Stop)
		}
		if data, err := o.Picture(o.Actions[0].After); err != nil || !bytes.HasPrefix(data, []byte("\x89PNG")) {
			t.Errorf("%s: picture: %d bytes, %v", p, len(data), err)
		}
		if _, err := o.Picture(&trace.Shot{File: "shots/../trace.ndjson"}); err == nil {
			t.Errorf("%s: a picture leads out of its directory", p)
		}
		if err := o.Close(); err != nil {
			t.Error(err)
		}
	}
}

// What came to be a secret after it was written does not get into the archive.
func TestArchiveIsCleaned(t *testing.T) {
	path := archived(t, "testdata/example", func(line []byte) []byte {
		return bytes.ReplaceAll(line, []byte("basket"), []byte("•••"))
	})
	z, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if _, err := b.ReadFrom(r); err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(b.Bytes(), []byte("basket")) {
			t.Errorf("%s holds it", f.Name)
		}
	}
}

// A process that died leaves a directory of which an archive can still be made.
func TestArchiveOfTheDead(t *testing.T) {
	dir := t.TempDir()
	data, err := os.ReadFile("testdata/example/" + trace.File)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, trace.File), data[:len(data)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	o, err := trace.Open(archived(t, dir, nil))
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	if len(o.Actions) == 0 || o.Broken != 0 {
		t.Errorf("%d commands, %d broken lines", len(o.Actions), o.Broken)
	}
}
