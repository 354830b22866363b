//go:build linux

package browsers

import "time"

var robustnessCases = []pageCase{
	{name: "50-hung-renderer", run: hungRenderer},
}

func hungRenderer(k *kase) {
	k.open("/")
	busy := k.tabs()[0].number()
	began := time.Now()
	k.click("role=button[name=Crunch]")
	const limit = 2 * time.Second
	var r result
	var took time.Duration
	for r.code() == "" && time.Since(began) < 5*time.Second { // the loop begins a moment after the click
		at := time.Now()
		r = k.call("browser_read", "selector", "#out", "timeout_ms", limit.Milliseconds())
		took = time.Since(at)
	}
	k.fails("reading the busy tab", r, "TIMEOUT")
	if took < limit-100*time.Millisecond || took > limit+time.Second {
		k.faultf("reading the busy tab took %d ms, want about %d", took.Milliseconds(), limit.Milliseconds())
	}
	k.fails("the map of the busy tab", k.call("browser_snapshot"), "TIMEOUT")
	for r = k.call("browser_page", "action", "open", "url", k.base+"/ok.html"); r.code() == "TIMEOUT" && k.s.name != "chrome"; {
		r = k.call("browser_page", "action", "open", "url", k.base+"/ok.html")
	}
	if r.IsError {
		k.endf("opening another tab: %.300s", r.Text)
	}
	k.line(k.snap(), `heading "Fine"`)
	if k.s.name == "chrome" && time.Since(began) > 12*time.Second {
		k.faultf("the other tab answered after %v only", time.Since(began))
	}
	k.ok("browser_page", "action", "select", "target", busy)
	k.ok("browser_wait", "kind", "text", "target", "crunched", "timeout_ms", 20000)
	k.reads("#out", "crunched")
}
