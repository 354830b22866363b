//go:build linux

package browsers

import (
	"strings"
	"time"
)

var waitingCases = []pageCase{
	{name: "93-wait-conditions", run: waitConditions, alone: true},
}

func waitConditions(k *kase) {
	k.open("/")
	k.waitText("Total: 3 items")
	k.ok("browser_wait", "target", "#spin", "state", "hidden")
	seen := 0
	for range 10 {
		k.click("role=button[name=Flash]")
		if r := k.call("browser_wait", "kind", "text", "target", "Blink", "timeout_ms", 3000); !r.IsError {
			seen++
		}
		k.ok("browser_wait", "kind", "gone", "target", "Blink")
	}
	if seen < 9 {
		k.faultf("the flash was seen in %d of 10 runs", seen)
	}
	at := time.Now()
	r := k.call("browser_wait", "kind", "text", "target", "Never", "timeout_ms", 700)
	if took := time.Since(at); took < 700*time.Millisecond || took > 1500*time.Millisecond {
		k.faultf("waiting for what never comes took %d ms", took.Milliseconds())
	}
	k.fails("waiting for what never comes", r, "TIMEOUT")
	k.says("the answer", r.Text, "Never", "700")
	// A long one is honoured, or refused before it is waited for; what is there ends it.
	if r := k.call("browser_wait", "kind", "text", "target", "Total", "timeout_ms", 120000); r.IsError {
		k.fails("a long wait", r, "INVALID_ARGUMENT")
	}
	refused := k.call("browser_wait", "kind", "text", "target", "Total", "timeout_ms", 300001)
	if refused.Error == nil || !strings.Contains(string(refused.Error.Data)+refused.Error.Message, "timeout_ms") {
		k.faultf("a wait beyond the limit: %v %.300s", refused.Error, refused.Text)
	}
}
