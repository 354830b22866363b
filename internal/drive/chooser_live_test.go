package drive

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"duet/internal/fault"
)

// A button that opens the chooser takes files, one or several, whether its input is
// in the document or not; what opens none says so.
func TestUploadThroughTheChooser(t *testing.T) {
	page := `<button id=one onclick="i=document.createElement('input');i.type='file';i.onchange=()=>out.textContent=[...i.files].map(f=>f.name);i.click()">Choose</button>
<input type=file hidden multiple id=in onchange="out.textContent=[...this.files].map(f=>f.name)"><a href="#" id=two onclick="document.getElementById('in').click();return false">Choose several</a>
<button id=none>Nothing</button><h1 id=no>Title</h1><output id=out></output>`
	eachBrowser(t, site{"/": page}, func(t *testing.T, tab *Tab, base string) {
		ctx := deadline(t, 25*time.Second)
		if _, err := tab.Navigate(ctx, base, NavOptions{}); err != nil {
			t.Fatal(err)
		}
		dir, err := os.MkdirTemp("", "duet-chooser-")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		var paths []string
		for _, name := range []string{"a.txt", "b.txt"} {
			paths = append(paths, filepath.Join(dir, name))
			if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		try := func(selector string, paths []string) (string, error) {
			el, err := tab.Element(ctx, selector)
			if err != nil {
				t.Fatal(err)
			}
			_, err = el.Upload(ctx, paths)
			out, _ := tab.Eval(ctx, "out.textContent")
			return string(out.Value), err
		}
		if out, err := try("#one", paths[:1]); err != nil || out != `"a.txt"` {
			t.Errorf("one: %s, %v: %v", out, err, fault.From(err))
		}
		if out, err := try("#two", paths); err != nil || out != `"a.txt,b.txt"` {
			t.Errorf("several: %s, %v", out, err)
		}
		if _, err := try("#one", paths); !errors.Is(err, fault.InvalidArgument) {
			t.Errorf("several for one: %v", err)
		}
		if _, err := try("#none", paths); !errors.Is(err, fault.NotEditable) {
			t.Errorf("a button that asks for none: %v", err)
		}
		if _, err := try("#no", paths[:1]); !errors.Is(err, fault.NotEditable) {
			t.Errorf("a heading: %v", err)
		}
	})
}
