package drive

import (
	"errors"
	"testing"

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
