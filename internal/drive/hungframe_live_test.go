package drive

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"duet/internal/fault"
)

// A frame whose page never comes to rest holds up no wait for what another document
// shows, and a wait that ends says that it did not answer. That something is gone is not
// known while it does not.
func TestLiveAWaitIsNotHeldUpByAFrameThatHangs(t *testing.T) {
	pages := site{
		"/":  `<p id=p>Loading</p><script>var f=document.createElement('iframe');f.src=location.href.replace('127.0.0.1','localhost')+'f';document.body.append(f)</script>`,
		"/f": `<p>frame</p><script>setTimeout(function(){for(;;);},150)</script>`,
	}
	waits := map[string]WaitSpec{"a selector": {Selector: "#done"}, "a text": {Text: "Ready"}}
	// It comes once the first look has given the frame up.
	comes := frameBound + 500*time.Millisecond
	onSite(t, pages, func(t *testing.T, p *page) {
		if _, err := p.tab.Wait(deadline(t, 3*time.Second), WaitSpec{Selector: "iframe"}); err != nil {
			t.Fatal(explain(err))
		}
		pause(p.ctx(), 500*time.Millisecond)
		js := fmt.Sprintf(`setTimeout(function(){p.textContent='Ready';var b=document.createElement('b');b.id='done';b.textContent='Done';document.body.append(b)},%d)`, comes.Milliseconds())
		if _, err := p.tab.Eval(p.ctx(), js); err != nil {
			t.Fatal(explain(err))
		}
		var all sync.WaitGroup
		start := time.Now()
		for name, spec := range waits { // together: each meets the frame unprepared
			all.Go(func() {
				w, err := p.tab.Wait(deadline(t, 15*time.Second), spec)
				if took := time.Since(start); err != nil || took > comes+4*time.Second {
					t.Errorf("%s: after %v: %s", name, took, explain(err))
					return
				}
				if !strings.Contains(w.Last, "1 frame does not answer") {
					t.Errorf("%s: it says %q", name, w.Last)
				}
			})
		}
		all.Wait()
		for name, spec := range map[string]WaitSpec{"a selector": {Selector: "#never"}, "a text": {Text: "Never"}, "a text to go": {Gone: "Ready"},
			"a text that may be there": {Gone: "Loading"}, "an element that may be there": {Selector: "#p2", State: "detached"}, "one that may be seen": {Selector: "#p2", State: "hidden"}} {
			all.Go(func() {
				_, err := p.tab.Wait(deadline(t, 2*time.Second), spec)
				if !errors.Is(err, fault.Timeout) || !strings.Contains(fault.From(err).Message, "1 frame does not answer") {
					t.Errorf("%s: at the end: %s", name, explain(err))
				}
			})
		}
		all.Wait()
	})
}
