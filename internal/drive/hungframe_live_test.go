package drive

import (
	"errors"
	"strings"
	"testing"
	"time"

	"duet/internal/fault"
)

// A frame whose page never comes to rest holds up no wait for what another document
// shows, and a wait that ends says that it did not answer.
func TestLiveAWaitIsNotHeldUpByAFrameThatHangs(t *testing.T) {
	pages := site{
		"/":  `<p id=p>Loading</p><script>var f=document.createElement('iframe');f.src=location.href.replace('127.0.0.1','localhost')+'f';document.body.append(f)</script>`,
		"/f": `<p>frame</p><script>setTimeout(function(){for(;;);},300)</script>`,
	}
	for name, c := range map[string]struct {
		want WaitSpec
		do   string
	}{
		"a selector":   {WaitSpec{Selector: "#done"}, `setTimeout(function(){var b=document.createElement('b');b.id='done';b.textContent='Done';document.body.append(b)},4000)`},
		"a text":       {WaitSpec{Text: "Ready"}, `setTimeout(function(){p.textContent='Ready'},4000)`},
		"a text to go": {WaitSpec{Gone: "Loading"}, `setTimeout(function(){p.textContent='Ready'},4000)`},
	} {
		t.Run(name, func(t *testing.T) {
			onSite(t, pages, func(t *testing.T, p *page) {
				if _, err := p.tab.Wait(deadline(t, 3*time.Second), WaitSpec{Selector: "iframe"}); err != nil {
					t.Fatal(explain(err))
				}
				pause(p.ctx(), 700*time.Millisecond)
				if _, err := p.tab.Eval(p.ctx(), c.do); err != nil {
					t.Fatal(explain(err))
				}
				start := time.Now()
				w, err := p.tab.Wait(deadline(t, 15*time.Second), c.want)
				if took := time.Since(start); err != nil || took > 8*time.Second {
					t.Fatalf("after %v: %s", took, explain(err))
				}
				if !strings.Contains(w.Last, "1 frame does not answer") {
					t.Errorf("it says %q", w.Last)
				}
				_, err = p.tab.Wait(deadline(t, 2*time.Second), WaitSpec{Selector: "#never"})
				if !errors.Is(err, fault.Timeout) || !strings.Contains(fault.From(err).Message, "1 frame does not answer") {
					t.Errorf("at the end: %s", explain(err))
				}
			})
		})
	}
}
