package drive

import (
	"context"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-json"

	"duet/bidi"
	"duet/snapshot"
)

// idlePage has a form, a list and a table, and does nothing by itself.
// noisyPage is the same and logs a hundred messages and makes ten requests a
// second.
const (
	idlePage = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Idle</title></head><body><h1>Idle</h1><p id="s" role="status">ready</p>
<form onsubmit="document.getElementById('s').textContent='sent '+this.name.value;return false"><label>Name <input id="name" name="name"></label><button id="b" type="button">Press</button></form>
<ul id="l"></ul><table><thead><tr><th>Item</th><th>Price</th></tr></thead><tbody id="t"></tbody></table>
<script>let l='',t='';for(let i=1;i<=8;i++){l+='<li><a href="#a'+i+'">Entry '+i+'</a></li>';t+='<tr><td>Item '+i+'</td><td>'+i+' EUR</td></tr>'}
document.getElementById('l').innerHTML=l;document.getElementById('t').innerHTML=t</script></body></html>`
	noisyPage = idlePage + `<script>setInterval(()=>console.log('tick '+Date.now()),10);setInterval(()=>fetch('/quiet?'+Date.now()).then(a=>a.text()),100)</script>`
)

const frameTime = 16 * time.Millisecond

// bench is a tab with what an observation needs, and the bare commands beside it.
type bench struct {
	b      *testing.B
	ctx    context.Context
	tab    *Tab
	ledger *snapshot.Ledger
	last   *snapshot.Map
	walk   string
}

func newBench(b *testing.B, browser *Browser, url string) *bench {
	b.Helper()
	walk, err := os.ReadFile("../../../shared/bench/walk.js")
	if err != nil {
		b.Skipf("BENCH SKIPPED: %v", err)
	}
	r := &bench{b: b, ctx: deadline(b, 10*time.Minute), ledger: snapshot.NewLedger(), walk: string(walk)}
	if r.tab, err = browser.Open(r.ctx); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _, _ = browser.CloseTab(deadline(b, 5*time.Second), r.tab.Number(), true) })
	if _, err := r.tab.Navigate(r.ctx, url, NavOptions{}); err != nil {
		b.Fatal(err)
	}
	browser.SetRefs(r.ledger)
	r.observe()
	return r
}

// observe is what follows an action: the tree, the map, the difference.
func (r *bench) observe() {
	r.b.Helper()
	tree, err := r.tab.Tree(r.ctx, TreeOptions{})
	if err != nil {
		r.b.Fatal(err)
	}
	m, err := snapshot.Render(tree, r.ledger, snapshot.Limits{})
	if err != nil {
		r.b.Fatal(err)
	}
	if r.last != nil {
		_ = snapshot.Diff(r.last, m, r.ledger).Text
	}
	_ = m.Text()
	r.last = m
}

// ref is the ref of the line that holds the hint, as a caller reads it in the map.
func (r *bench) ref(hint string) string {
	r.b.Helper()
	for line := range strings.Lines(r.last.Text()) {
		if ref, rest, _ := strings.Cut(strings.TrimSpace(line), ":"); strings.Contains(rest+" ", hint) {
			return ref
		}
	}
	r.b.Fatalf("no %s in\n%s", hint, r.last.Text())
	return ""
}

// act is an action as a caller has it: to the element, and what it changed. No
// caller follows the map within a frame, in which the page can still move.
func (r *bench) act(target string, do func(*Element) error) time.Duration {
	r.b.Helper()
	pause(r.ctx, 2*frameTime)
	at := time.Now()
	r.tab.Observe(true)
	e, err := r.tab.Element(r.ctx, target)
	if err == nil {
		err = do(e)
	}
	if err != nil {
		r.b.Fatal(err)
	}
	r.observe()
	return time.Since(at)
}

// bare is the fixed list of commands that an action is set against: one call that
// measures, the input, one call that walks.
func (r *bench) bare(target string, input func(x, y float64) []bidi.InputSourceActions) time.Duration {
	r.b.Helper()
	pause(r.ctx, 2*frameTime)
	at := time.Now()
	var p [2]float64
	text := r.call(`(s) => { const e = document.querySelector(s), r = e.getBoundingClientRect(); if (e.focus && e.localName === 'input') { e.focus(); e.select() } return JSON.stringify([r.x + r.width / 2, r.y + r.height / 2]) }`, bidi.StringValue(target))
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		r.b.Fatal(err)
	}
	if _, err := bidi.InputPerformActions.Call(r.ctx, r.tab.b.conn, bidi.InputPerformActionsParameters{Context: r.tab.id, Actions: input(p[0], p[1])}); err != nil {
		r.b.Fatal(err)
	}
	r.call(r.walk)
	return time.Since(at)
}

func (r *bench) call(text string, arguments ...bidi.ScriptLocalValue) string {
	r.b.Helper()
	out, err := bidi.ScriptCallFunction.Call(r.ctx, r.tab.b.conn, bidi.ScriptCallFunctionParameters{
		FunctionDeclaration: text, Target: bidi.ScriptContextTarget{Context: r.tab.id}, Arguments: append([]bidi.ScriptLocalValue{}, arguments...),
	})
	if err != nil {
		r.b.Fatal(err)
	}
	s, _ := out.Result.AsString()
	return s
}

func median(d []time.Duration) float64 {
	slices.Sort(d)
	return float64(d[len(d)/2].Microseconds()) / 1000
}

// BenchmarkAct sets a click, a fill with Enter and a hover, each with its
// observation, against the bare commands, alternating on an idle page.
func BenchmarkAct(b *testing.B) {
	acts := map[string]struct {
		target string
		duet   func(context.Context, *Element) error
		bare   func(x, y float64) []bidi.InputSourceActions
	}{
		"click": {"#b", func(ctx context.Context, e *Element) error { _, err := e.Click(ctx, ClickOptions{}); return err }, barePress},
		"fill": {"#name", func(ctx context.Context, e *Element) error {
			_, err := e.Fill(ctx, "ada", FillOptions{Submit: true})
			return err
		}, bareKeys},
		"hover": {"#b", func(ctx context.Context, e *Element) error { _, err := e.Hover(ctx, nil); return err }, bareMove},
	}
	for _, name := range []string{"chrome", "firefox"} {
		for _, verb := range []string{"click", "fill", "hover"} {
			b.Run(name+"/"+verb, func(b *testing.B) {
				server := httptest.NewServer(site{"/": idlePage})
				defer server.Close()
				r := newBench(b, liveOn(b, name), server.URL+"/")
				a := acts[verb]
				ref := r.ref(a.target)
				var ours, bare []time.Duration
				for b.Loop() {
					ours = append(ours, r.act(ref, func(e *Element) error { return a.duet(r.ctx, e) }))
					bare = append(bare, r.bare(a.target, a.bare))
				}
				report(b, "duet", median(ours), "bare", median(bare))
			})
		}
	}
}

// BenchmarkNoise sets a click on a page that logs and requests against the same
// on a quiet one.
func BenchmarkNoise(b *testing.B) {
	for _, name := range []string{"chrome", "firefox"} {
		b.Run(name, func(b *testing.B) {
			server := httptest.NewServer(site{"/": idlePage, "/noisy": noisyPage, "/quiet": "ok"})
			defer server.Close()
			browser := liveOn(b, name)
			press := func(r *bench) time.Duration {
				return r.act(r.ref("#b"), func(e *Element) error { _, err := e.Click(r.ctx, ClickOptions{}); return err })
			}
			var quiet, noisy []time.Duration
			series := func(page string, into *[]time.Duration) {
				r := newBench(b, browser, server.URL+page)
				for range 20 {
					*into = append(*into, press(r))
				}
				_, _ = browser.CloseTab(r.ctx, r.tab.Number(), true)
			}
			for b.Loop() {
				series("/", &quiet)
				series("/noisy", &noisy)
			}
			report(b, "noisy", median(noisy), "quiet", median(quiet))
		})
	}
}

func report(b *testing.B, one string, ours float64, other string, theirs float64) {
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(ours, one+"-ms")
	b.ReportMetric(theirs, other+"-ms")
	b.ReportMetric(ours/theirs, "ratio")
}

func bareMove(x, y float64) []bidi.InputSourceActions {
	return bareMouse(bidi.InputPointerMoveAction{X: x, Y: y})
}

func barePress(x, y float64) []bidi.InputSourceActions {
	return bareMouse(bidi.InputPointerMoveAction{X: x, Y: y}, bidi.InputPointerDownAction{}, bidi.InputPointerUpAction{})
}

func bareMouse(does ...bidi.InputPointerSourceAction) []bidi.InputSourceActions {
	return []bidi.InputSourceActions{bidi.InputPointerSourceActions{ID: "bare-mouse", Parameters: &bidi.InputPointerParameters{PointerType: bidi.InputPointerTypeMouse}, Actions: does}}
}

func bareKeys(x, y float64) []bidi.InputSourceActions {
	var keys []bidi.InputKeySourceAction
	for _, k := range []string{"a", "d", "a", "\uE007"} {
		keys = append(keys, bidi.InputKeyDownAction{Value: k}, bidi.InputKeyUpAction{Value: k})
	}
	return []bidi.InputSourceActions{bidi.InputKeySourceActions{ID: "bare-keys", Actions: keys}}
}
