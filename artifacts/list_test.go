package artifacts

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"duet/internal/fault"
)

// What sessions have left behind is found by name and shown; links are not.
func TestListAndFind(t *testing.T) {
	root := t.TempDir()
	if all, err := List(filepath.Join(root, "absent")); err != nil || len(all) != 0 {
		t.Errorf("no root: %v, %v", all, err)
	}
	d := New(Options{Root: root, Session: "s"})
	defer d.Close()
	f, err := d.Write("result", "txt", []byte("hello"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(filepath.Dir(f.Path), "0002-link.txt")); err != nil {
		t.Skip(err)
	}
	all, err := List(root)
	if err != nil || len(all) != 1 || all[0].Path != f.Path || all[0].Bytes != 5 {
		t.Fatalf("List = %+v, %v", all, err)
	}
	for _, name := range []string{f.ID, f.Path} {
		s, _, err := Find(root, name)
		var b bytes.Buffer
		if err == nil {
			err = s.Copy(&b)
		}
		if err != nil || b.String() != "hello" {
			t.Errorf("%s: %q, %v", name, b.String(), err)
		}
	}
	sub, err := d.Sub("trace", "t")
	if err == nil {
		err = sub.Write("trace.ndjson", []byte("12345678"))
	}
	if all, _ := List(root); err != nil || len(all) != 2 || all[1].Files != 1 || all[1].Bytes != 8 || !errors.Is(all[1].Copy(io.Discard), fault.InvalidArgument) {
		t.Errorf("with a directory: %+v, %v", all, err)
	}
	if !all[0].Of("s") || !all[0].Of(all[0].Session) || all[0].Of("other") {
		t.Errorf("%s is of the wrong session", all[0].Session)
	}
	if _, _, err := Find(root, "0002-link.txt"); !errors.Is(err, fault.InvalidArgument) {
		t.Errorf("a link: %v", err)
	}
}

// A saved file is found by the name that the page gave it, where that says which.
func TestSavedFilesAreFoundByTheirOwnNames(t *testing.T) {
	root := t.TempDir()
	keep := func(d *Dir, name, text string) Kept {
		t.Helper()
		down, err := d.Downloads()
		if err == nil {
			err = os.WriteFile(filepath.Join(down, "saved"), []byte(text), 0o600)
		}
		k, keepErr := d.Keep(filepath.Join(down, "saved"), name)
		if err != nil || keepErr != nil {
			t.Fatal(err, keepErr)
		}
		return k
	}
	d := New(Options{Root: root, Session: "a"})
	defer d.Close()
	k := keep(d, "Q3 Report.csv", "one")
	if s, err := d.Read("Q3 Report.csv", 0, 10, 100); err != nil || s.Text != "one" {
		t.Errorf("by its own name: %+v, %v", s, err)
	}
	if s, of, err := Find(root, "Q3 Report.csv"); err != nil || of != 1 || s.Path != k.Path {
		t.Errorf("Find: %+v of %d, %v", s, of, err)
	}
	keep(d, "Q3 Report.csv", "two")
	if _, err := d.Read("Q3 Report.csv", 0, 10, 100); !errors.Is(err, fault.InvalidArgument) || !strings.Contains(fault.From(err).Hint, k.ID) {
		t.Errorf("two of a name: %v", err)
	}
	if _, err := d.Named("../" + k.ID); err != nil {
		t.Error(err)
	}
	other := New(Options{Root: root, Session: "b"})
	defer other.Close()
	again := keep(other, "Q3 Report.csv", "three")
	if s, of, err := Find(root, k.ID); err != nil || of != 2 || s.Path != again.Path {
		t.Errorf("in two sessions: %+v of %d, %v", s, of, err)
	}
}
