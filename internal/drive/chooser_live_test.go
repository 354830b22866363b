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
		dir := readableDir(t)
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

// What a click has asked for takes the files that the element is given next, without
// another press; so it does again later, also where the browser opens no chooser for
// the same input any more.
func TestUploadAfterTheChooserOpened(t *testing.T) {
	page := `<input type=file hidden id=in onchange="out.textContent+=this.files[0].name+';'"><button onclick="presses++;document.getElementById('in').click()">Choose</button><output id=out></output><script>presses=0</script>`
	eachBrowser(t, site{"/": page}, func(t *testing.T, tab *Tab, base string) {
		ctx := deadline(t, 25*time.Second)
		if _, err := tab.Navigate(ctx, base, NavOptions{}); err != nil {
			t.Fatal(err)
		}
		dir := readableDir(t)
		el, err := tab.Element(ctx, "text=Choose")
		if err != nil {
			t.Fatal(err)
		}
		give := func(name string) {
			t.Helper()
			path := filepath.Join(dir, name)
			if err := os.WriteFile(path, []byte(name), 0o644); err != nil {
				t.Fatal(err)
			}
			if _, err := el.Upload(ctx, []string{path}); err != nil {
				t.Fatal(fault.From(err))
			}
		}
		c, err := el.Click(ctx, ClickOptions{})
		if err != nil || !c.Facts.Chooser {
			t.Fatalf("%+v, %v", c.Facts, err)
		}
		give("a")
		if out, _ := tab.Eval(ctx, "out.textContent+presses"); string(out.Value) != `"a;1"` {
			t.Errorf("after the click: %s", out.Value)
		}
		give("b")
		give("c")
		if out, _ := tab.Eval(ctx, "out.textContent+presses"); string(out.Value) != `"a;b;c;3"` {
			t.Errorf("again: %s", out.Value)
		}
	})
}

func TestQuirkChooserOnce(t *testing.T) {
	page := `<input type=file hidden id=in><button onclick="document.getElementById('in').click()">Choose</button>`
	eachBrowser(t, site{"/": page}, func(t *testing.T, tab *Tab, base string) {
		open(t, tab, base+"/")
		if f := click(t, tab, "text=Choose"); !f.Chooser {
			t.Fatalf("%+v", f)
		}
		mark := tab.Mark()
		click(t, tab, "text=Choose")
		pause(t.Context(), time.Second)
		if again := tab.Since(mark).Chooser; again == tab.b.quirks.ChooserOnce {
			t.Errorf("it opens again: %v; the table says once: %v", again, tab.b.quirks.ChooserOnce)
		}
	})
}

// readableDir is a directory that another user's browser may read.
func readableDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "duet-chooser-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}
