package drive

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"duet/internal/fault"
)

// A script of several lines that does not parse is told with its line, on each
// browser the same; one of a single line has none to tell. Nothing of it runs.
func TestLiveTheLineOfAScriptThatDoesNotParse(t *testing.T) {
	onPage(t, `<p>x`, func(t *testing.T, p *page) {
		for code, line := range map[string]int{
			"document.title='ran'\nconst b = 2\nreturn a +* b": 3,
			"document.title +\n  foo(1, 2":                     2,
			"let x = {\n a: 1,\n b: }\nreturn x":               3,
			"if (a) {\n  b()\n":                                2,
			"foo(1,\n 2,,\n 3)":                                2,
			"foo bar":                                          0,
		} {
			_, err := p.tab.Eval(p.ctx(), code)
			said := fmt.Sprintf(", line %d: ", line)
			if line == 0 {
				said = "does not parse: "
			}
			if f := fault.From(err); !errors.Is(err, fault.EvalThrew) || f.Effect != fault.None || !strings.Contains(f.Message, said) {
				t.Errorf("%q: want line %d: %s", code, line, explain(err))
			}
		}
		if v, err := p.tab.Eval(p.ctx(), "document.title"); err != nil || strings.Contains(string(v.Value), "ran") {
			t.Errorf("some of it ran: %s %v", v.Value, err)
		}
	})
}
