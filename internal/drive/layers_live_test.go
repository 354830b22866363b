package drive

import (
	"errors"
	"strings"
	"testing"

	"duet/internal/fault"
	"duet/internal/pagejs"
)

// Of several open modal dialogs the one that was opened last is what a person can
// act in, wherever it stands in the document.
func TestLiveTheModalOpenedLastIsOnTop(t *testing.T) {
	for _, c := range []struct{ name, body string }{
		{"before the other in the document", `<dialog id=sure><button id=ok onclick="say('ok')">OK</button></dialog>
<dialog id=edit style="width:600px;height:400px"><button id=save onclick="say('save')">Save</button></dialog>
<script>edit.showModal();sure.showModal()</script>`},
		{"in no place of the view", `<dialog id=sure style="margin:0;top:300vh"><button id=ok onclick="say('ok')">OK</button></dialog>
<dialog id=edit><button id=save onclick="say('save')">Save</button></dialog>
<script>edit.showModal();sure.showModal();scrollTo(0,0)</script>`},
		{"around the other in the document", `<dialog id=sure style="width:600px;height:400px"><button id=ok onclick="say('ok')">OK</button>
<dialog id=edit><button id=save onclick="say('save')">Save</button></dialog></dialog>
<script>edit.showModal();sure.showModal()</script>`},
		{"within the other in the document", `<dialog id=edit style="width:600px;height:400px"><button id=save onclick="say('save')">Save</button>
<dialog id=sure><button id=ok onclick="say('ok')">OK</button></dialog></dialog>
<script>edit.showModal();sure.showModal()</script>`},
		{"in a shadow root of the first", `<div id=h1></div><dialog id=edit><button id=save onclick="say('save')">Save</button></dialog>
<script>h1.attachShadow({mode:'open'}).innerHTML='<dialog><button id=ok>OK</button></dialog>';h1.shadowRoot.querySelector('#ok').onclick=function(){say('ok')}
edit.showModal();h1.shadowRoot.querySelector('dialog').showModal()</script>`},
		{"of three", `<dialog id=sure><button id=ok onclick="say('ok')">OK</button></dialog>
<dialog id=edit><button id=save onclick="say('save')">Save</button></dialog><dialog id=third>third</dialog>
<script>edit.showModal();third.showModal();sure.showModal()</script>`},
	} {
		t.Run(c.name, func(t *testing.T) {
			onPage(t, say+c.body, func(t *testing.T, p *page) {
				tree, err := p.tab.Tree(p.ctx(), TreeOptions{})
				if err != nil {
					t.Fatal(err)
				}
				top := tree.Docs[tree.Top]
				if !holdsNamed(top.Kids, top.Modal, "OK") {
					t.Errorf("the map takes another for the topmost: %d", top.Modal)
				}
				if c.name != "around the other in the document" {
					_, err = p.el("#save").Click(p.short(), ClickOptions{})
					if !errors.Is(err, fault.ClickIntercepted) || !strings.Contains(fault.From(err).Message, "behind an open modal dialog") {
						t.Errorf("the one below was pressed: %s", explain(err))
					}
				}
				if c.name == "in no place of the view" {
					return
				}
				if _, err := p.el("#ok").Click(p.short(), ClickOptions{}); err != nil {
					t.Errorf("the one on top was refused: %s", explain(err))
				}
				p.reads("#out", "ok")
			})
		})
	}
}

// holdsNamed reports whether the node with a number holds one of a name.
func holdsNamed(list []*pagejs.Node, id int, name string) bool {
	for _, n := range list {
		if id == 0 && n.Name == name || n.ID == id && holdsNamed(n.Kids, 0, name) || holdsNamed(n.Kids, id, name) {
			return true
		}
	}
	return false
}

// Of several open popovers the one opened last comes first.
func TestLiveThePopoverOpenedLastIsOnTop(t *testing.T) {
	for _, c := range []struct{ name, body string }{
		{"before the other in the document", `<div popover=manual id=b style="inset:auto;top:200px;left:0"><button>OK</button></div>
<div popover=manual id=a style="inset:auto;top:0;left:0"><button>Save</button></div><script>a.showPopover();b.showPopover()</script>`},
		{"over the other", `<div popover=manual id=b><button>OK</button></div>
<div popover=manual id=a><button>Save</button></div><script>a.showPopover();b.showPopover()</script>`},
		{"after the other in the document", `<div popover=manual id=a><button>Save</button></div>
<div popover=manual id=b><button>OK</button></div><script>a.showPopover();b.showPopover()</script>`},
		{"for the second time", `<div popover=manual id=b style="inset:auto;top:200px;left:0"><button>OK</button></div>
<div popover=manual id=a style="inset:auto;top:0;left:0"><button>Save</button></div>
<script>b.showPopover();a.showPopover();setTimeout(function(){b.hidePopover();setTimeout(function(){b.showPopover();setTimeout(function(){document.body.id='shown'},50)},50)},50)</script>`},
	} {
		t.Run(c.name, func(t *testing.T) {
			onPage(t, say+c.body, func(t *testing.T, p *page) {
				if strings.Contains(c.body, "shown") {
					if _, err := p.tab.Wait(p.ctx(), WaitSpec{Selector: "#shown", State: "attached"}); err != nil {
						t.Fatal(explain(err))
					}
				}
				tree, err := p.tab.Tree(p.ctx(), TreeOptions{})
				if err != nil {
					t.Fatal(err)
				}
				top := tree.Docs[tree.Top]
				if !holdsNamed(top.Kids, top.Over, "OK") {
					t.Errorf("the map takes another for the topmost: %d", top.Over)
				}
			})
		})
	}
}
