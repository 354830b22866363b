//go:build linux

package browsers

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// meter is a duet process whose talk with its browser is counted.
type meter struct {
	*client
	log  string
	read int
}

func metered(t *testing.T, s setup) *meter {
	m := &meter{log: filepath.Join(t.TempDir(), "wire.log")}
	m.client = serveWith(t, s, []string{"DUET_WIRELOG=" + m.log})
	return m
}

// cost is what a call took: commands, bytes on the wire both ways, and of its answer.
type cost struct{ commands, wire, answer int }

// costs calls a tool that must succeed.
func (m *meter) costs(tool string, args map[string]any) (string, cost) {
	m.t.Helper()
	m.passed()
	text := m.ok(tool, args)
	talk := m.passed()
	c := cost{answer: len(text)}
	for line := range bytes.Lines(talk) {
		if bytes.HasPrefix(line, []byte("> ")) {
			c.commands++
		}
		if bytes.HasPrefix(line, []byte("> ")) || bytes.HasPrefix(line, []byte("< ")) {
			c.wire += len(line)
		}
	}
	return text, c
}

// passed is what was written to the log since it was asked last.
func (m *meter) passed() []byte {
	m.t.Helper()
	all, err := os.ReadFile(m.log)
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // there is none before the browser runs
		m.t.Fatal(err)
	}
	talk := all[m.read:]
	m.read = len(all)
	return talk
}

// serving serves one page.
func serving(t *testing.T, page string) string {
	server := onePage(t, page)
	return server.URL
}

// lastRef is the largest number of a ref in a text.
func lastRef(text string) int {
	last := 0
	for line := range strings.SplitSeq(text, "\n") {
		ref, _, ok := strings.Cut(strings.TrimLeft(line, " +~-"), ": ")
		if n, err := strconv.Atoi(strings.TrimPrefix(ref, "e")); ok && err == nil && strings.HasPrefix(ref, "e") {
			last = max(last, n)
		}
	}
	return last
}

// renewed draws a thousand buttons anew with each press of Renew, which says nothing
// of it until a moment later, and says how often Touch was pressed.
const renewed = `<!doctype html><title>Renewed</title><button id=touch>Touch</button><button id=renew>Renew</button><p role=status id=said>-</p><main id=all></main><script>
let touched = 0, n = 0
const draw = () => { n++; all.replaceChildren(...Array.from({ length: 1000 }, (_, i) => Object.assign(document.createElement('button'), { textContent: 'B' + i }))) }
touch.onclick = () => { said.textContent = 'touched ' + (++touched % 10) }
renew.onclick = draw
draw()</script>`

// A session that has given out ten thousand refs sends and answers as much for a call
// as at its beginning; what the refs of the first page stood for is told by each of
// them, and no number comes back.
func TestTenThousandRefsCostNothingMore(t *testing.T) {
	url := serving(t, renewed)
	each(t, func(t *testing.T, s setup) {
		c := metered(t, s)
		c.ok("browser_navigate", arg("url", url))
		touch := func() cost {
			t.Helper()
			c.ok("browser_click", arg("selector", "#touch"))
			text, at := c.costs("browser_click", arg("selector", "#touch"))
			if !strings.Contains(text, `status "touched `) {
				t.Errorf("the click says %s", text)
			}
			return at
		}
		all := arg("limit", 1000)
		first := c.ref(c.ok("browser_snapshot", nil), `button "B0"`)
		early := touch()
		_, look := c.costs("browser_snapshot", nil)
		last := 0
		for range 12 {
			c.ok("browser_click", arg("selector", "#renew"))
			c.ok("browser_snapshot", all)
			last = lastRef(c.ok("browser_find", arg("selector", "text=B999")))
		}
		if last < 10_000 {
			t.Fatalf("only %d refs were given out", last)
		}
		late := touch()
		_, again := c.costs("browser_snapshot", nil)
		for what, pair := range map[string][2]cost{"click": {early, late}, "snapshot": {look, again}} {
			was, is := pair[0], pair[1]
			if is.commands != was.commands || is.wire > was.wire*11/10+200 || is.answer > was.answer*11/10+200 {
				t.Errorf("%s: %+v at first, %+v after %d refs", what, was, is, last)
			}
		}
		refused(t, c.client, "STALE_REF", "browser_click", arg("selector", first), "detached")
		c.ok("browser_navigate", arg("url", url+"/again"))
		refused(t, c.client, "STALE_REF", "browser_click", arg("selector", "e"+strconv.Itoa(last)), "document-changed")
		if next := lastRef(c.ok("browser_snapshot", nil)); next <= last {
			t.Errorf("after e%d the next page has refs up to e%d", last, next)
		}
	})
}

// hundredThousand is a page of 20,000 rows of five nodes each.
const hundredThousand = `<!doctype html><title>Large</title><h1>Large</h1><button id=top>Top</button><p role=status id=said>-</p><ul id=list></ul><button>Last action</button><script>
let html = ''
for (let i = 0; i < 20000; i++) html += '<li><a href="#' + i + '">Row ' + i + '</a> <b>cell</b></li>'
list.innerHTML = html

document.getElementById('top').onclick = () => { said.textContent = 'pressed' }</script>`

// A page of a hundred thousand nodes is answered within the time of a call that asks
// for no more than the usual: by a map within its budgets, read within bounds, and
// after a change by that change alone.
func TestAHundredThousandNodesStayBounded(t *testing.T) {
	const (
		readingBytes = 1 << 20 // of a page of which 25,000 elements and texts are read
		changeBytes  = 16 << 10
		mapBytes     = 8192
	)
	url := serving(t, hundredThousand)
	each(t, func(t *testing.T, s setup) {
		c := metered(t, s)
		bounded := func(what, tool string, args map[string]any, wire int, words ...string) string {
			t.Helper()
			text, cost := c.costs(tool, args)
			if n := strings.Count(text, "\n") + 1; n > mapLines || len(text) > mapBytes {
				t.Errorf("%s: the answer has %d lines and %d bytes", what, n, len(text))
			}
			if cost.wire > wire {
				t.Errorf("%s: %d bytes on the wire, want at most %d", what, cost.wire, wire)
			}
			for _, w := range words {
				if !strings.Contains(text, w) {
					t.Errorf("%s: no %q in\n%s", what, w, text)
				}
			}
			return text
		}
		bounded("the page", "browser_navigate", arg("url", url, "timeout_ms", 60000), readingBytes) // its own script and layout take seconds
		says(t, c.client, "browser_advanced_eval", arg("js", "document.querySelectorAll('*').length + document.evaluate('count(//text())', document, null, 1, null).numberValue > 100000"), "true")
		look := bounded("the map", "browser_snapshot", nil, readingBytes, `button "Top"`, "shown", "not read")
		bounded("a second look", "browser_snapshot", nil, changeBytes)
		bounded("a press", "browser_click", arg("selector", c.ref(look, `button "Top"`)), changeBytes, `status "pressed"`)
		bounded("the difference", "browser_snapshot", arg("mode", "diff"), changeBytes, "no a11y changes")
		bounded("a query", "browser_snapshot", arg("query", "Row 19999"), changeBytes, `link "Row 19999"`)
		bounded("controls alone", "browser_snapshot", arg("mode", "interactive"), readingBytes, `button "Top"`)
		bounded("a search", "browser_find", arg("selector", "role=link[name=Row 15000]"), changeBytes, `link "Row 15000"`)
		bounded("the last action", "browser_click", arg("selector", "role=button[name=Last action]"), changeBytes)
		bounded("what is not there", "browser_exists", arg("selector", "text=Row 20000"), changeBytes, "false")
	})
}
