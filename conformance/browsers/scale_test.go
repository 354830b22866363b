//go:build linux

package browsers

import (
	"strings"
	"testing"
)

// largePages are pages of one kind of thing, very many of it.
var largePages = map[string]string{
	"/controls": `<!doctype html><title>Controls</title><body><script>
let h = ''; for (let i = 0; i < 200000; i++) h += '<button>B' + i + '</button>'; document.body.innerHTML = h</script>`,
	"/nested": `<!doctype html><title>Nested</title><body><button>Top</button><script>
let d = document.body; for (let i = 0; i < 500; i++) { const x = document.createElement('div'); d.append(x); d = x } d.textContent = 'bottom'
document.body.append(Object.assign(document.createElement('button'), { textContent: 'Last' }))</script>`,
	"/text": `<!doctype html><title>Text</title><button>Go</button><p id="p"></p><script>
p.textContent = 'lorem ipsum '.repeat(400000)</script>`,
}

// A page that is far too large is answered within the time of a call, by a map of
// the usual size that says what it leaves out.
func TestAVeryLargePageHasAMap(t *testing.T) {
	server := pagesAt(t, largePages)
	each(t, func(t *testing.T, s setup) {
		for path, want := range map[string][]string{
			"/controls": {`button "B0"`, "elements not read"},
			"/nested":   {`button "Top"`, `button "Last"`},
			"/text":     {`button "Go"`, `text "lorem ipsum`},
		} {
			c := serve(t, s)
			c.ok("browser_navigate", map[string]any{"url": server.URL + path, "timeout_ms": 60000})
			says(t, c, "browser_snapshot", nil, want...)
			if n := strings.Count(c.ok("browser_snapshot", nil), "\n") + 1; n > mapLines {
				t.Errorf("%s: the map has %d lines", path, n)
			}
			c.close()
		}
	})
}
