package drive

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"duet/bidi"
	"duet/internal/pagejs"
)

// reread is the page as a reading without anything before it has it.
func reread(t *testing.T, ctx context.Context, tab *Tab) *pagejs.Tree {
	t.Helper()
	tab.b.mu.Lock()
	tab.docs = nil
	tab.b.mu.Unlock()
	tree, err := tab.Tree(ctx, TreeOptions{Fresh: true})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// What is put together from the changes of a page is what a whole reading of it
// has, whatever happened to the page.
func TestLiveChangesAddUpToThePage(t *testing.T) {
	pages := site{
		"/": `<!doctype html><title>T</title><h1>T</h1><ul id="l"><li><button>A</button> one</li><li><button>B</button> two</li><li><button>C</button> three</li></ul>
<input id="i" aria-label="Field"><div id="d"><iframe id="f" title="First" src="/inner"></iframe></div><p role="status" id="s">idle</p>
<script>const $=(s)=>document.querySelector(s)</script>`,
		"/inner": `<!doctype html><title>I</title><button id="x">Inside</button>`,
		"/other": `<!doctype html><title>O</title><p>Other</p>`,
	}
	eachBrowser(t, pages, func(t *testing.T, tab *Tab, base string) {
		ctx := deadline(t, 60*time.Second)
		if _, err := tab.Navigate(ctx, base+"/", NavOptions{}); err != nil {
			t.Fatal(err)
		}
		if _, err := tab.Tree(ctx, TreeOptions{Fresh: true}); err != nil {
			t.Fatal(err)
		}
		do := func(script string) {
			t.Helper()
			_, err := bidi.ScriptCallFunction.Call(ctx, tab.b.conn, bidi.ScriptCallFunctionParameters{
				FunctionDeclaration: "async () => { " + script + " }", AwaitPromise: true,
				Target: bidi.ScriptContextTarget{Context: tab.id}, Arguments: []bidi.ScriptLocalValue{},
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		check := func(what string) *pagejs.Tree {
			t.Helper()
			got, err := tab.Tree(ctx, TreeOptions{Fresh: true})
			if err != nil {
				t.Fatal(what, err)
			}
			want := reread(t, ctx, tab)
			if d := cmp.Diff(want, got, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(pagejs.Doc{}, "Version", "Delta", "Same", "Hit")); d != "" {
				t.Errorf("%s: (-whole +changes)\n%s", what, d)
			}
			return got
		}
		for _, step := range []struct{ what, script string }{
			{"nothing", ""},
			{"a text", "$('#s').textContent = 'busy'"},
			{"a value", "$('#i').value = 'x'"},
			{"an item more", "$('#l').insertAdjacentHTML('afterbegin', '<li><button>Z</button> zero</li>')"},
			{"an item less", "$('#l').children[1].remove()"},
			{"another order", "$('#l').append($('#l').firstElementChild)"},
			{"a recycled item", "$('#l').children[0].lastChild.data = ' ninth'"},
			{"hidden and shown", "$('#l').hidden = true"},
			{"shown again", "$('#l').hidden = false"},
			{"the frame put in anew", "const f = $('#f'); await new Promise((done) => { f.onload = done; f.remove(); $('#d').append(f) })"},
			{"the frame reloaded", "await new Promise((done) => { $('#f').onload = done; $('#f').contentWindow.location.reload() })"},
			{"a second frame before it", "await new Promise((done) => { const f = document.createElement('iframe'); f.title = 'Second'; f.src = '/other'; f.onload = done; $('#d').prepend(f) })"},
			{"adopted from the frame", "$('#d').append($('#f').contentDocument.querySelector('#x'))"},
			{"adopted into the frame", "$('#f').contentDocument.body.append($('#l'))"},
			{"all of it", "document.body.replaceChildren(...[1, 2].map((n) => Object.assign(document.createElement('button'), { textContent: 'New ' + n })))"},
		} {
			do(step.script)
			check(step.what)
		}
		before := check("before it is left")
		if _, err := tab.Navigate(ctx, base+"/other", NavOptions{}); err != nil {
			t.Fatal(err)
		}
		check("another document")
		if _, err := tab.Back(ctx, NavOptions{}); err != nil {
			t.Fatal(err)
		}
		if after := check("back"); after.Docs[after.Top].Doc == before.Docs[before.Top].Doc {
			t.Error("the document that came back has its old id")
		}
	})
}
