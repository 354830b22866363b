//go:build linux

package browsers

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// truthPage counts what reaches it: an answer is held against what the page saw.
const truthPage = `<!doctype html><html lang="en"><title>Truth</title>
<style>#under { position: fixed; left: 20px; bottom: 20px } #lid { position: fixed; left: 0; bottom: 0; width: 300px; height: 70px; background: #ccc } #goes { margin: 30px }</style>
<label>Emptied <input id="emptied"></label>
<button id="under">Under</button><div id="lid" role="note" aria-label="Lid"></div>
<button id="off" disabled>Off</button>
<ul><li id="row"><b>Alice</b> <button>Pay</button></li></ul>
<p><button id="goes">Goes</button></p>
<button id="gone">Gone</button>
<button id="deaf">Deaf</button>
<label><input id="stuck" type="checkbox"> Stuck</label>
<script>
const seen = { presses: 0 }
addEventListener('pointerdown', e => { seen.presses++; seen[e.target.id || e.target.tagName] = (seen[e.target.id || e.target.tagName] || 0) + 1 }, true)
addEventListener('click', e => { const k = 'click ' + (e.target.id || e.target.tagName); seen[k] = (seen[k] || 0) + 1 }, true)
emptied.oninput = () => { emptied.value = '' }
goes.onpointerenter = () => goes.remove()
deaf.onpointerdown = e => e.preventDefault()
stuck.onclick = e => e.preventDefault()
</script></html>`

// What an answer says is what the page saw: no press is reported that did not arrive,
// no text that did not stay, and one that arrived is not denied.
func TestAnswersAreWhatThePageSaw(t *testing.T) {
	server := onePage(t, truthPage)
	each(t, func(t *testing.T, s setup) {
		c := serve(t, s)
		c.ok("browser_navigate", map[string]any{"url": server.URL})
		pageMap := c.ok("browser_snapshot", nil)
		saw := func(what, want string) {
			t.Helper()
			got := c.ok("browser_advanced_eval", map[string]any{"js": what})
			if !strings.Contains(got, `"value":`+want) {
				t.Errorf("%s is %.200s, want %s", what, got, want)
			}
		}
		quick := func(most time.Duration, run func()) {
			t.Helper()
			start := time.Now()
			if run(); time.Since(start) > most {
				t.Errorf("it took %v, more than %v", time.Since(start), most)
			}
		}

		// A field that the page empties is not filled.
		refused(t, c, "EXPECT_MISMATCH", "browser_fill", map[string]any{"selector": "#emptied", "value": "alice"}, "alice")
		saw("emptied.value", `""`)

		// A covered button and a disabled one are not pressed, nor is what covers them.
		refused(t, c, "CLICK_INTERCEPTED", "browser_click", map[string]any{"selector": "#under", "timeout_ms": 300}, "Lid", "effect: none")
		refused(t, c, "NOT_ENABLED", "browser_click", map[string]any{"selector": "#off", "timeout_ms": 300}, "disabled", "effect: none")
		saw("seen.presses", "0")

		// A row that was given to somebody else is not paid by the ref of the one before.
		pay := c.ref(pageMap, `button "Pay"`)
		saw("setTimeout(() => { document.querySelector('#row b').firstChild.data = 'Bob' }, 700), 1", "1")
		c.ok("browser_wait", map[string]any{"kind": "text", "target": "Bob"}) // it shows no map
		refused(t, c, "STALE_REF", "browser_click", map[string]any{"selector": c.ref(pageMap, `"Alice`)}, "Bob")
		saw("document.querySelector('#row').remove(), seen.presses", "0")
		refused(t, c, "STALE_REF", "browser_click", map[string]any{"selector": pay}, "no longer", "effect: none")
		saw("seen.presses", "0")

		// A node that goes as the pointer comes was not clicked.
		if r := c.call("browser_click", map[string]any{"selector": "#goes", "timeout_ms": 1000}); r.code() == "" {
			t.Errorf("a node that went before the press is said to be clicked: %.300s", r.Text)
		}
		saw("seen['click goes'] || 0", "0")
		saw("document.getElementById('goes') === null", "true")
		gone := c.ref(pageMap, `button "Gone"`)
		saw("gone.remove(), 1", "1")
		refused(t, c, "STALE_REF", "browser_click", map[string]any{"selector": gone}, "effect: none")

		// A press whose default the page prevents has arrived, once.
		c.ok("browser_click", map[string]any{"selector": "#deaf"})
		saw("seen.deaf + ' ' + seen['click deaf']", `"1 1"`)

		// What does not stay checked is not checked.
		refused(t, c, "EXPECT_MISMATCH", "browser_element", map[string]any{"action": "check", "selector": "#stuck"})
		saw("stuck.checked", "false")

		// A typo costs no timeout, and gets told what is near.
		quick(2*time.Second, func() {
			refused(t, c, "NO_MATCH", "browser_click", map[string]any{"selector": "role=button[name=Def]", "timeout_ms": 20000}, "Deaf", "effect: none")
		})
	})
}

// What is dragged from frame to frame arrives there; where a browser's input cannot
// take it along, nothing is said to have been done.
func TestDragsOverFrames(t *testing.T) {
	const part = `<!doctype html><title>Part</title><style>body{user-select:none;margin:0}div{position:absolute;top:10px;width:80px;height:60px}</style>
<div id="card" role="button" draggable="true" style="left:10px">Card</div><div id="knob" role="button" style="left:110px">Knob</div><div id="zone" role="button" style="left:210px">Zone</div>
<script>const say = text => parent.postMessage(location.hash.slice(1) + text, '*')
card.ondragstart = e => e.dataTransfer.setData('text/plain', 'card of ' + location.hash.slice(1))
zone.ondragover = e => e.preventDefault(); zone.ondrop = e => { e.preventDefault(); say(' got ' + e.dataTransfer.getData('text/plain')) }
let held = 0; knob.onpointerdown = () => { held = 1 }; addEventListener('pointerup', () => { if (held) say(' let go'); held = 0 })</script>`
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if r.URL.Path == "/part" {
			fmt.Fprint(w, part)
			return
		}
		_, port, _ := strings.Cut(r.Host, ":")
		fmt.Fprintf(w, `<!doctype html><html lang="en"><title>Frames</title><p id="said" role="status">-</p>
<iframe id="near" title="Near" src="/part#near" width="320" height="120"></iframe><iframe id="next" title="Next" src="/part#next" width="320" height="120"></iframe>
<iframe id="far" title="Far" src="http://localhost:%s/part#far" width="320" height="120"></iframe>
<script>addEventListener('message', e => { said.textContent = e.data })</script></html>`, port)
	}))
	t.Cleanup(server.Close)
	each(t, func(t *testing.T, s setup) {
		c := serve(t, s)
		c.ok("browser_navigate", map[string]any{"url": server.URL})
		frames := []string{"near", "next", "far"}
		down := func(selector string) {
			t.Helper()
			c.ok("browser_advanced_eval", map[string]any{"js": "said.textContent = '-'"})
			c.ok("browser_mouse", map[string]any{"action": "down", "selector": selector})
		}
		for _, from := range frames {
			for _, to := range frames {
				down("#" + from + " >> #card")
				says(t, c, "browser_mouse", map[string]any{"action": "up", "selector": "#" + to + " >> #zone"}, `"drop":"`)
				says(t, c, "browser_expect", map[string]any{"what": "text", "selector": "#said", "expected": to + " got card of " + from})
			}
			// What no page takes was not dropped.
			down("#" + from + " >> #card")
			refused(t, c, "STATE_INVALID", "browser_mouse", map[string]any{"action": "up", "selector": "#next >> #knob"}, "did not take it", "effect: confirmed")
			// A pointer's drag ends where it began, and does not leave a process.
			down("#" + from + " >> #knob")
			if other := map[string]string{"near": "far", "next": "far", "far": "near"}[from]; other != "" {
				refused(t, c, "UNSUPPORTED", "browser_mouse", map[string]any{"action": "up", "selector": "#" + other + " >> #zone"}, "of another process", "effect: none")
			}
			c.ok("browser_mouse", map[string]any{"action": "up", "selector": "#" + from + " >> #zone"})
			says(t, c, "browser_expect", map[string]any{"what": "text", "selector": "#said", "expected": from + " let go"})
		}
	})
}

// A wait is followed by what it brought where the caller asks for that by name, and
// by nothing where it does not.
func TestAWaitIsObservedWhereItIsAskedFor(t *testing.T) {
	server := onePage(t, `<!doctype html><html lang="en"><title>Late</title><p id="said" role="status">not yet</p><button onclick="setTimeout(() => { said.textContent = 'Saved' }, 900)">Save</button></html>`)
	each(t, func(t *testing.T, s setup) {
		c := serve(t, s)
		c.ok("browser_navigate", map[string]any{"url": server.URL})
		for _, observe := range []string{"", "delta", "page"} {
			c.ok("browser_advanced_eval", map[string]any{"js": "said.textContent = 'not yet'"})
			c.ok("browser_click", map[string]any{"selector": "role=button[name=Save]"})
			params := map[string]any{"name": "browser_wait", "arguments": map[string]any{"kind": "text", "target": "Saved"}}
			if observe != "" {
				params["_meta"] = map[string]any{"duet/observe": observe}
			}
			text := string(c.request("tools/call", params))
			switch observe {
			case "":
				if strings.Contains(text, "errors: ") {
					t.Errorf("not asked for, and observed: %.400s", text)
				}
			case "delta":
				if !strings.Contains(text, `status \"Saved\"`) || !strings.Contains(text, "~ e") || !strings.Contains(text, "errors: 0") {
					t.Errorf("delta: %.400s", text)
				}
			case "page":
				if !strings.Contains(text, "page: Late") || !strings.Contains(text, `status \"Saved\"`) {
					t.Errorf("page: %.400s", text)
				}
			}
		}
	})
}

// A file input is emptied by no files, and what it holds is read back.
func TestAFileInputIsEmptied(t *testing.T) {
	server := onePage(t, `<!doctype html><html lang="en"><title>Files</title><input id="one" type="file" aria-label="One"><input id="again" type="file" aria-label="Again">
<script>again.onchange = () => { const d = new DataTransfer(); d.items.add(new File(['x'], 'kept.txt')); again.files = d.files }</script></html>`)
	each(t, func(t *testing.T, s setup) {
		dir := t.TempDir()
		file := filepath.Join(dir, "one.txt")
		if err := os.WriteFile(file, []byte("one"), 0o600); err != nil {
			t.Fatal(err)
		}
		c := serve(t, s, "--upload-root", dir)
		c.ok("browser_navigate", map[string]any{"url": server.URL})
		says(t, c, "browser_upload", map[string]any{"selector": "#one", "files": []string{file}}, `"files":1`)
		says(t, c, "browser_advanced_eval", map[string]any{"js": "one.files.length"}, `"value":1`)
		says(t, c, "browser_upload", map[string]any{"selector": "#one", "files": []string{}}, `"files":0`)
		says(t, c, "browser_advanced_eval", map[string]any{"js": "one.files.length"}, `"value":0`)
		says(t, c, "browser_upload", map[string]any{"selector": "#again", "files": []string{file}}, `"files":1`)
		refused(t, c, "EXPECT_MISMATCH", "browser_upload", map[string]any{"selector": "#again", "files": []string{}}, "holds 1")
	})
}

// pressPage has a page that meddles with a press at each moment of it.
const pressPage = `<!doctype html><html lang="en"><title>Press</title><style>button{width:120px;height:40px}</style>
<p><button id="hover">Hover</button><button id="told">Told</button><button id="down">Down</button><button id="twice">Twice</button><button id="opens">Opens</button></p>
<p><button id="off">Off</button><button id="away">Away</button><button id="held">Held</button><button id="plain">Plain</button></p><p id="said" role="status">-</p>
<script>const say = text => { said.textContent = text }
const under = el => { const n = document.createElement('button'), r = el.getBoundingClientRect(); n.textContent = 'Delete'; n.style = 'position:fixed;left:' + r.x + 'px;top:' + r.y + 'px'; n.onclick = () => say('deleted'); el.remove(); document.body.append(n) }
hover.onmousemove = () => { if (!hover.met) { hover.met = true; alert('Met'); under(hover) } }
told.onclick = () => alert('Told'); down.onmousedown = () => alert('Down'); opens.ondblclick = () => alert('Twice')
twice.onclick = () => under(twice)
off.onmousedown = () => { off.disabled = true }; off.onclick = () => say('off')
away.onmousedown = () => { away.style.marginLeft = '400px' }; away.onclick = () => say('away')
plain.onclick = () => say('plain')</script></html>`

// A press is ok where it arrived, also behind a dialog, and not where a dialog, a part of
// a double click or a release came before it or went elsewhere.
func TestPressesThatThePageMeddlesWith(t *testing.T) {
	server := onePage(t, pressPage)
	each(t, func(t *testing.T, s setup) {
		c := serve(t, s)
		c.ok("browser_navigate", map[string]any{"url": server.URL})
		for selector, double := range map[string]bool{"#told": false, "#down": false, "#opens": true} {
			says(t, c, "browser_click", map[string]any{"selector": selector, "double": double}, "dialog open: alert")
			if r := c.call("browser_dialog", map[string]any{"action": "accept"}); r.code() != "" || strings.Contains(r.Text, `"press"`) {
				t.Errorf("%s: %.300s", selector, r.Text)
			}
		}
		refused(t, c, "EFFECT_UNKNOWN", "browser_click", map[string]any{"selector": "#hover"}, "dialog open: alert", "effect: possible")
		says(t, c, "browser_dialog", map[string]any{"action": "accept"}, `"press":"taken by button \"Delete\""`, `status "deleted"`)
		refused(t, c, "CLICK_INTERCEPTED", "browser_click", map[string]any{"selector": "#twice", "double": true}, "second", "Delete", "effect: possible")
		says(t, c, "browser_click", map[string]any{"selector": "#off"}, `"click":"none"`)
		refused(t, c, "CLICK_INTERCEPTED", "browser_click", map[string]any{"selector": "#away"}, "moved", "effect: possible")
		c.ok("browser_mouse", map[string]any{"action": "down", "selector": "#held"})
		refused(t, c, "STATE_INVALID", "browser_click", map[string]any{"selector": "#plain"}, "Held", "effect: none")
		c.ok("browser_mouse", map[string]any{"action": "up", "selector": "#held"})
		if r := c.call("browser_click", map[string]any{"selector": "#plain"}); r.code() != "" || strings.Contains(r.Text, `"click"`) {
			t.Errorf("%.300s", r.Text)
		}
		says(t, c, "browser_logs", nil, "logCursor: 0") // what the press was seen by is no message
	})
}

// A drop is ok where the browser fired it on the element: not where something else came
// over it meanwhile, nor where the page dispatched events of its own.
func TestDropsThatThePageMeddlesWith(t *testing.T) {
	server := onePage(t, `<!doctype html><html lang="en"><title>Drops</title><style>body{user-select:none}div{width:90px;height:60px;margin:10px}#veil{position:fixed;left:0;top:0;width:500px;height:500px;margin:0;z-index:2}</style>
<div id="card" role="button" draggable="true">Card</div><div id="ghost" role="button" draggable="true">Hidden</div><div id="told" role="button">Told</div><div id="zone" role="button">Zone</div><div id="veil" role="note" aria-label="Veil" hidden></div>
<script>const takes = el => { el.ondragover = e => e.preventDefault(); el.ondrop = e => { e.preventDefault(); e.stopPropagation(); veil.hidden = true } }
takes(zone); takes(veil); ghost.ondragstart = () => setTimeout(() => { veil.hidden = false })
told.onpointerdown = () => { told.dispatchEvent(new DragEvent('dragstart', { bubbles: true })); zone.dispatchEvent(new DragEvent('drop', { bubbles: true })) }</script></html>`)
	each(t, func(t *testing.T, s setup) {
		c := serve(t, s)
		c.ok("browser_navigate", map[string]any{"url": server.URL})
		c.ok("browser_mouse", map[string]any{"action": "down", "selector": "#card"})
		says(t, c, "browser_mouse", map[string]any{"action": "up", "selector": "#zone"}, `"drop":"`)
		c.ok("browser_mouse", map[string]any{"action": "down", "selector": "#told"})
		if r := c.call("browser_mouse", map[string]any{"action": "up", "selector": "#zone"}); strings.Contains(r.Text, `"drop"`) {
			t.Errorf("%.300s", r.Text)
		}
		c.ok("browser_mouse", map[string]any{"action": "down", "selector": "#ghost"})
		refused(t, c, "CLICK_INTERCEPTED", "browser_mouse", map[string]any{"action": "up", "selector": "#zone"}, `"taken_by":"note`, "effect: confirmed")
	})
}
