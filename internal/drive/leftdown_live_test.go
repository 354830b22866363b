package drive

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"duet/internal/fault"
)

// A button that was down when the page went is down no longer: what is pressed after it
// goes down, whatever presses.
func TestAButtonThatANavigationLeftDown(t *testing.T) {
	page := site{"/": `<!doctype html><html lang="en"><title>Left</title><button id="b">Go</button><p id="p"></p>
<script>for (const type of ['mousedown', 'click']) b.addEventListener(type, () => { p.textContent += type + ' ' })</script></html>`}
	eachBrowser(t, page, func(t *testing.T, tab *Tab, base string) {
		element := func(selector string) *Element {
			t.Helper()
			e, err := tab.Element(deadline(t, 5*time.Second), selector)
			if err != nil {
				t.Fatal(explain(err))
			}
			return e
		}
		x, y := 20.0, 20.0
		for name, press := range map[string]func() error{
			"click": func() error { _, err := element("#b").Click(deadline(t, 5*time.Second), ClickOptions{}); return err },
			"down":  func() error { _, err := element("#b").MouseDown(deadline(t, 5*time.Second), "left", nil); return err },
			"hover": func() error {
				if _, err := element("#b").Hover(deadline(t, 5*time.Second), nil); err != nil {
					return err
				}
				_, err := tab.Mouse(deadline(t, 5*time.Second), MouseAction{Do: "click", X: &x, Y: &y})
				return err
			},
		} {
			open(t, tab, base+"/")
			if _, err := element("#b").MouseDown(deadline(t, 5*time.Second), "left", nil); err != nil {
				t.Fatal(explain(err))
			}
			open(t, tab, base+"/?"+name)
			if err := press(); err != nil {
				t.Errorf("%s: %s", name, explain(err))
			}
			if got, err := element("#p").Text(deadline(t, 5*time.Second), 200); err != nil || !strings.Contains(got.Text, "mousedown") {
				t.Errorf("%s: the page saw %q, %v", name, got.Text, err)
			}
		}
	})
}

// Where a browser gives an input for directories none of the files, it does not say that
// they are in it.
func TestUploadIntoADirectoryInput(t *testing.T) {
	dir := t.TempDir()
	for _, d := range []string{dir, filepath.Dir(dir)} {
		if err := os.Chmod(d, 0o755); err != nil { // the browser may run as another user
			t.Fatal(err)
		}
	}
	file := filepath.Join(dir, "f.txt")
	if err := os.WriteFile(file, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	page := site{"/": `<!doctype html><html lang="en"><title>Directory</title><input id="d" type="file" webkitdirectory aria-label="Directory"></html>`}
	eachBrowser(t, page, func(t *testing.T, tab *Tab, base string) {
		open(t, tab, base+"/")
		e, err := tab.Element(deadline(t, 5*time.Second), "#d")
		if err != nil {
			t.Fatal(err)
		}
		out, err := e.Upload(deadline(t, 5*time.Second), []string{file})
		if f := fault.From(err); err != nil && (f.Code != fault.ExpectMismatch || !strings.Contains(f.Message, "directory")) || err == nil && out.Held != nil {
			t.Errorf("%+v, %s", out, explain(err))
		}
	})
}

// A page that draws an element anew again and again is not told as one that is silent.
func TestAnElementThatIsDrawnAgainAndAgain(t *testing.T) {
	page := site{"/": `<!doctype html><html lang="en"><title>Anew</title><div id="app"></div><script>
const draw = () => { app.innerHTML = '<input id="c" type="checkbox" aria-label="C"><button id="b">Go</button>' }
draw(); setInterval(draw); for (const type of ['mousemove', 'pointerover', 'focusin']) document.addEventListener(type, draw, true)
</script></html>`}
	eachBrowser(t, page, func(t *testing.T, tab *Tab, base string) {
		open(t, tab, base+"/")
		for n := range 4 {
			ctx := deadline(t, 700*time.Millisecond)
			e, err := tab.Element(ctx, "#b")
			if err != nil {
				continue // it was just gone
			}
			if _, err := e.Click(ctx, ClickOptions{}); err != nil && strings.Contains(err.Error(), "works for long") {
				t.Errorf("%d: %s", n, explain(err))
			}
		}
	})
}
