package drive

import (
	"errors"
	"testing"
	"time"

	"duet/internal/fault"
)

// A tab with dialogs open closes where it is to be left all the same, and not without
// that word.
func TestLiveATabClosesUnderADialog(t *testing.T) {
	for name, body := range map[string]string{
		"alert":   `<button onclick="alert('one')">Ask</button>`,
		"several": `<button onclick="alert('one');confirm('two');prompt('three')">Ask</button>`,
		"asking":  `<button onclick="alert('one')">Ask</button><script>addEventListener('beforeunload',function(e){e.preventDefault()})</script>`,
	} {
		t.Run(name, func(t *testing.T) {
			onPage(t, body, func(t *testing.T, p *page) {
				b := p.tab.b
				if _, err := b.Open(p.ctx()); err != nil {
					t.Fatal(err)
				}
				if _, err := b.Select(p.ctx(), p.tab.Number()); err != nil {
					t.Fatal(err)
				}
				p.click("text=Ask")
				if _, err := b.CloseTab(p.ctx(), p.tab.Number(), false); !errors.Is(err, fault.DialogOpen) {
					t.Errorf("without leave: %v", err)
				}
				f, err := b.CloseTab(p.ctx(), p.tab.Number(), true)
				if err != nil || f.Dialog != nil || !p.tab.Closed() {
					t.Errorf("closed %v, facts %+v, %s", p.tab.Closed(), f, explain(err))
				}
			})
		})
	}
}

// A page that takes its time to ask is asked once, also where the close is sent again
// meanwhile; who dismisses that keeps the tab.
func TestLiveATabThatIsSlowToAskIsAskedOnce(t *testing.T) {
	const body = `<input id=i><script>addEventListener('beforeunload',function(e){for(const t=Date.now();Date.now()-t<900;);e.preventDefault()})</script>`
	onPage(t, body, func(t *testing.T, p *page) {
		b := p.tab.b
		p.click("#i")
		if _, err := b.Open(p.ctx()); err != nil {
			t.Fatal(err)
		}
		f, err := b.CloseTab(p.ctx(), p.tab.Number(), false)
		if err != nil || f.Dialog == nil {
			t.Fatalf("facts %+v, %s", f, explain(err))
		}
		if _, _, err := p.tab.AnswerDialog(p.ctx(), false, nil); err != nil {
			t.Fatal(explain(err))
		}
		pause(p.ctx(), 1500*time.Millisecond)
		if d := p.tab.Dialog(); d != nil || p.tab.Closed() {
			t.Errorf("after it was dismissed: dialog %+v, closed %v", d, p.tab.Closed())
		}
	})
}
