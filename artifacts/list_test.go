package artifacts

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
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
		s, err := Find(root, name)
		var b bytes.Buffer
		if err == nil {
			err = s.Copy(&b)
		}
		if err != nil || b.String() != "hello" {
			t.Errorf("%s: %q, %v", name, b.String(), err)
		}
	}
	if _, err := Find(root, "0002-link.txt"); !errors.Is(err, fault.InvalidArgument) {
		t.Errorf("a link: %v", err)
	}
}
