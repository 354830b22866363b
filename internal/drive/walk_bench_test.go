package drive

import (
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"duet/bidi"
	"duet/snapshot"
)

// rowsPage has 1,000 rows and 9,000 elements.
const rowsPage = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Large</title></head><body><h1>Large</h1><p id="s" role="status">ready</p>
<table><thead><tr><th>Item</th><th>Stock</th><th>Price</th><th>State</th><th>Action</th></tr></thead><tbody id="rows"></tbody></table>
<script>let h='';for(let i=1;i<=1000;i++)h+='<tr><td><a href="#item-'+i+'">Item '+i+'</a></td><td>'+(i*7)%90+'</td><td>'+(i*13%500)/10+' EUR</td><td><span>open</span></td><td><button>Add item '+i+'</button></td></tr>';
document.getElementById('rows').innerHTML=h</script></body></html>`

// BenchmarkWalk reads a page of 9,000 elements as a map: for the first time, and
// again after one row has changed. The two are set against a bare call of a page
// function that only lists what has a box, in the same run: in the page's own realm,
// and in a sandbox, where every page function of duet runs and where Firefox looks at
// each node through a wrapper.
func BenchmarkWalk(b *testing.B) {
	bare, err := os.ReadFile("../../../shared/bench/walk.js")
	if err != nil {
		b.Skipf("BENCH SKIPPED: %v", err)
	}
	for _, name := range []string{"chrome", "firefox"} {
		b.Run(name, func(b *testing.B) {
			browser := liveOn(b, name)
			server := httptest.NewServer(site{"/": rowsPage})
			defer server.Close()
			ctx := deadline(b, 10*time.Minute)
			tab, err := browser.Open(ctx)
			if err != nil {
				b.Fatal(err)
			}
			var spent struct{ bare, sandboxed, first, again, second time.Duration }
			timed := func(sum *time.Duration, do func() error) {
				b.Helper()
				at := time.Now()
				if err := do(); err != nil {
					b.Fatal(err)
				}
				*sum += time.Since(at)
			}
			callIn := func(sandbox, text string) error {
				_, err := bidi.ScriptCallFunction.Call(ctx, browser.conn, bidi.ScriptCallFunctionParameters{
					FunctionDeclaration: text, Target: bidi.ScriptContextTarget{Context: tab.id, Sandbox: sandbox}, Arguments: []bidi.ScriptLocalValue{},
				})
				return err
			}
			call := func(text string) error { return callIn("", text) }
			l := snapshot.NewLedger()
			var last *snapshot.Map
			look := func() error {
				tree, err := tab.Tree(ctx, TreeOptions{Fresh: true})
				if err != nil {
					return err
				}
				m, err := snapshot.Render(tree, l, snapshot.Limits{})
				if err == nil && last != nil {
					_ = snapshot.Diff(last, m, l).Text
				}
				last = m
				return err
			}
			for b.Loop() {
				if _, err := tab.Navigate(ctx, server.URL+"/", NavOptions{}); err != nil {
					b.Fatal(err)
				}
				last = nil
				timed(&spent.bare, func() error { return call(string(bare)) })
				timed(&spent.first, look)
				if err := call("() => { document.querySelectorAll('tr')[500].cells[1].textContent = 'changed' }"); err != nil {
					b.Fatal(err)
				}
				timed(&spent.second, look)
				timed(&spent.bare, func() error { return call(string(bare)) })
				timed(&spent.sandboxed, func() error { return callIn(sandbox, string(bare)) })
				timed(&spent.again, look)
			}
			n := float64(b.N)
			each := func(d time.Duration) float64 { return float64(d.Milliseconds()) / n }
			b.ReportMetric(each(spent.bare)/2, "bare-ms")
			b.ReportMetric(each(spent.sandboxed), "sandboxed-ms")
			b.ReportMetric(each(spent.first), "first-ms")
			b.ReportMetric(each(spent.second), "second-ms")
			b.ReportMetric(2*spent.first.Seconds()/spent.bare.Seconds(), "first/bare")
			b.ReportMetric(spent.first.Seconds()/spent.sandboxed.Seconds(), "first/sandboxed")
			b.ReportMetric(2*spent.again.Seconds()/spent.bare.Seconds(), "again/bare")
			b.ReportMetric(spent.second.Seconds()/spent.first.Seconds(), "second/first")
			b.ReportMetric(0, "ns/op")
		})
	}
}
