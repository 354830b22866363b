package drive

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"duet/internal/fault"
	"duet/snapshot"
)

const pixel = `data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=`

// auditSite has findings in the page, in a shadow root, and in frames of every kind;
// the page replaces what axe-core uses, listens for what it could leave, and forbids
// scripts of others.
func auditSite(t *testing.T) http.Handler {
	child := `<!doctype html><html><head></head><body><h4>Deep</h4><img id="c" src="` + pixel + `"><main>m</main></body></html>`
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch r.URL.Path {
		case "/child":
			_, _ = w.Write([]byte(child))
		case "/big":
			_, _ = w.Write([]byte(`<!doctype html><html lang="en"><title>Big</title><main><h1>Big</h1>` + strings.Repeat(`<img src="`+pixel+`">`, 150) + `</main>`))
		case "/spin":
			_, _ = w.Write([]byte(`<!doctype html><html lang="en"><title>s</title><p>spin<script>setTimeout(()=>{const e=performance.now()+7000;while(performance.now()<e);},200)</script>`))
		case "/busy":
			_, _ = fmt.Fprintf(w, `<!doctype html><html lang="en"><title>Busy</title><main><h1>x</h1><iframe title="f" src="http://localhost:%s/spin"></iframe></main>`, portOf(r.Host))
		default:
			w.Header().Set("Content-Security-Policy", "script-src 'unsafe-inline'; require-trusted-types-for 'script'")
			_, _ = fmt.Fprintf(w, `<!doctype html><html lang="en"><head><title>Audited</title></head><body><main><h1>One</h1><h3>Skipped</h3>
<img id="no-alt" src="%s"><form id="f"><input id="x"><input id="pw" type="password" value="hunter2secret"><button></button></form>
<p id="grey" style="color:#aaa;background:#fff">low contrast</p>
<div id="host"><template shadowrootmode="open"><img src="%s"></template></div>
<iframe src="/child" width="300" height="100"></iframe>
<iframe title="other" src="http://localhost:%s/child" width="300" height="100"></iframe>
<iframe title="box" sandbox srcdoc="<h1>Box</h1><img src='%s'>" width="300" height="100"></iframe>
<iframe title="hidden" style="display:none" src="/child"></iframe>
</main>
<script>
  window.seen = []
  new MutationObserver((rs) => seen.push('mutation ' + rs.length)).observe(document, {subtree: true, childList: true, attributes: true, characterData: true})
  for (const type of ['message', 'focusin', 'scroll', 'error']) addEventListener(type, (e) => seen.push(type), true)
  const names = new Set(Object.getOwnPropertyNames(window))
  window.left = () => JSON.stringify([seen, Object.getOwnPropertyNames(window).filter((n) => !names.has(n) && n !== 'left' && n !== 'names'), document.elementsFromPoint === Document.prototype.elementsFromPoint, document.body.innerHTML.length === size])
  var size = document.body.innerHTML.length
  Document.prototype.querySelectorAll = Element.prototype.querySelectorAll = () => []
  Element.prototype.getAttribute = () => 'fooled'
  window.getComputedStyle = () => { throw new Error('caught') }
  Array.prototype.map = () => { throw new Error('caught') }
  window.axe = {run: 'mine'}
  names.add('axe')
</script></body></html>`, pixel, pixel, portOf(r.Host), pixel)
		}
	})
}

func portOf(host string) string { return host[strings.LastIndexByte(host, ':')+1:] }

var usual = AuditSpec{Impact: "minor", Limit: 100, Nodes: 10}

// said is a report in lines that are alike in both browsers.
func said(a Audit, base string) []string {
	var out []string
	for _, v := range a.Violations {
		for _, n := range v.Nodes {
			row := a.Places[AuditPlace{n.At, n.N}]
			frame := strings.ReplaceAll(strings.TrimPrefix(row.Frame, base), ":"+portOf(base), "")
			out = append(out, strings.TrimSpace(fmt.Sprintf("%s %s | %s | %s", v.Impact, v.ID, row.Path, frame)))
		}
	}
	return out
}

// An audit finds the same in both browsers: in the page, its shadow roots and frames of
// every kind, judged together; and the page cannot tell that it was audited.
func TestLiveAudit(t *testing.T) {
	want := []string{
		"critical button-name | #f > button |",
		"critical image-alt | #no-alt |",
		"critical image-alt | img |",
		"critical image-alt | #c | /child",
		"critical image-alt | #c | http://localhost/child",
		"critical image-alt | html > body > img | about:srcdoc",
		"critical label | #x |",
		"critical label | #pw |",
		"serious color-contrast | #grey |",
		"serious frame-title | html > body > main > iframe:nth-of-type(1) |",
		"serious target-size | #f > button |",
	}
	eachBrowser(t, auditSite(t), func(t *testing.T, tab *Tab, base string) {
		ctx := deadline(t, 30*time.Second)
		refs := snapshot.NewLedger()
		tab.b.SetRefs(refs)
		if _, err := tab.Navigate(ctx, base+"/", NavOptions{}); err != nil {
			t.Fatal(err)
		}
		before, err := tab.Tree(ctx, TreeOptions{Fresh: true})
		if err != nil {
			t.Fatal(err)
		}
		mark := tab.Mark()
		version := before.Docs[before.Top].Version
		a, err := tab.Audit(ctx, nil, usual)
		if err != nil {
			t.Fatal(err)
		}
		got := said(a, base)
		for _, w := range want {
			if !slices.Contains(got, strings.TrimSpace(w)) {
				t.Errorf("not found: %s", w)
			}
		}
		for _, g := range got {
			if strings.HasPrefix(g, "serious") || strings.HasPrefix(g, "critical") {
				if !slices.ContainsFunc(want, func(w string) bool { return strings.TrimSpace(w) == g }) {
					t.Errorf("found as well: %s", g)
				}
			}
		}
		if len(a.Unjudged) > 0 || len(a.Errors) > 0 {
			t.Errorf("not judged: %v, %v", a.Unjudged, a.Errors)
		}
		// The frames have no h1 and no title of their own, which only pages need; the box
		// has an h1, so the page has one, and its heading follows those before it.
		for _, g := range got {
			for _, no := range []string{"document-title", "landmark-one-main", "page-has-heading-one", "bypass"} {
				if strings.Contains(g, no) {
					t.Errorf("a frame is judged as a page: %s", g)
				}
			}
		}
		// Nothing is left, and nothing changed.
		after, err := tab.Tree(ctx, TreeOptions{Fresh: true})
		if err != nil {
			t.Fatal(err)
		}
		if v := after.Docs[after.Top].Version; v != version {
			t.Errorf("version %d, before %d", v, version)
		}
		if f := tab.Since(mark); f.Errors > 0 || f.FailedRequests > 0 {
			t.Errorf("the audit left %d errors, %d failed requests", f.Errors, f.FailedRequests)
		}
		left, err := tab.Eval(ctx, "left()")
		if err != nil {
			t.Fatal(err)
		}
		if s := string(left.Value); !strings.Contains(s, "[[],[],true,true]") {
			t.Errorf("left: %s", s)
		}
		// The numbers are those of the map, so a ref names the same element.
		for _, v := range a.Violations {
			for _, n := range v.Nodes {
				row := a.Places[AuditPlace{n.At, n.N}]
				el, err := tab.Element(ctx, refs.Ref(row.Key, row.Stamp))
				if err != nil {
					t.Fatal(err)
				}
				if _, err := el.State(ctx); err != nil {
					t.Errorf("%s %s: %v", v.ID, row.Path, err)
				}
			}
		}
	})
}

// A part of the page, chosen rules, and impacts; what is cut is counted; an unknown
// rule is told.
func TestLiveAuditChoices(t *testing.T) {
	eachBrowser(t, auditSite(t), func(t *testing.T, tab *Tab, base string) {
		ctx := deadline(t, 30*time.Second)
		if _, err := tab.Navigate(ctx, base+"/", NavOptions{}); err != nil {
			t.Fatal(err)
		}
		audit := func(selector string, spec AuditSpec) ([]string, Audit) {
			t.Helper()
			var e *Element
			if selector != "" {
				var err error
				if e, err = tab.Element(ctx, selector); err != nil {
					t.Fatal(err)
				}
			}
			a, err := tab.Audit(ctx, e, spec)
			if err != nil {
				t.Fatal(err)
			}
			return said(a, base), a
		}
		if got, _ := audit("#f", AuditSpec{Rules: []string{"label", "image-alt"}, Limit: 9, Nodes: 9, Impact: "minor"}); len(got) != 2 {
			t.Errorf("a part: %q", got)
		}
		if got, _ := audit("#host", AuditSpec{Rules: []string{"image-alt"}, Limit: 9, Nodes: 9, Impact: "minor"}); len(got) != 1 {
			t.Errorf("a shadow root: %q", got)
		}
		if got, _ := audit("iframe[title=other]", AuditSpec{Rules: []string{"image-alt"}, Limit: 9, Nodes: 9, Impact: "minor"}); len(got) != 1 || !strings.Contains(got[0], "localhost") {
			t.Errorf("a frame: %q", got)
		}
		if got, _ := audit("iframe[title=other] >> #c", AuditSpec{Rules: []string{"image-alt"}, Limit: 9, Nodes: 9, Impact: "minor"}); len(got) != 1 {
			t.Errorf("an element in a frame: %q", got)
		}
		if got, _ := audit("", AuditSpec{Rules: []string{"wcag2aa"}, Without: []string{"html-has-lang"}, Limit: 9, Nodes: 9, Impact: "minor"}); len(got) != 1 || !strings.Contains(got[0], "color-contrast") {
			t.Errorf("a tag: %q", got)
		}
		_, a := audit("", AuditSpec{Impact: "critical", Limit: 1, Nodes: 1})
		if a.Total != 3 || a.Nodes != 8 || a.Below == 0 || len(a.Violations) != 1 || len(a.Violations[0].Nodes) != 1 {
			t.Errorf("bounded: %d rules, %d nodes, %d below, %+v", a.Total, a.Nodes, a.Below, a.Violations)
		}
		_, err := tab.Audit(ctx, nil, AuditSpec{Rules: []string{"image-alts"}, Limit: 1, Nodes: 1})
		if u := RulesUnknown(err); u == nil || u.Names[0] != "image-alts" || len(u.Known) < 90 {
			t.Errorf("unknown: %v", err)
		}
		if _, err := tab.Audit(ctx, nil, AuditSpec{Rules: []string{"label"}, Without: []string{"label"}, Limit: 1, Nodes: 1}); !errors.Is(err, fault.InvalidArgument) {
			t.Errorf("no rule: %v", err)
		}
		if _, err := tab.Navigate(ctx, base+"/big", NavOptions{}); err != nil {
			t.Fatal(err)
		}
		_, a = audit("", AuditSpec{Impact: "minor", Limit: 5, Nodes: 2})
		if a.Violations[0].Total != 150 || len(a.Violations[0].Nodes) != 2 {
			t.Errorf("a long list: %+v", a.Violations)
		}
		short, stop := context.WithTimeoutCause(ctx, 20*time.Millisecond, context.DeadlineExceeded)
		defer stop()
		if _, err := tab.Audit(short, nil, usual); !errors.Is(err, fault.Timeout) {
			t.Errorf("too little time: %v", err)
		}
	})
}

// A frame that gives no answer costs its own document alone, and is named.
func TestLiveAuditOfABusyFrame(t *testing.T) {
	eachBrowser(t, auditSite(t), func(t *testing.T, tab *Tab, base string) {
		ctx := deadline(t, 30*time.Second)
		if _, err := tab.Navigate(ctx, base+"/busy", NavOptions{}); err != nil {
			t.Fatal(err)
		}
		if !pause(ctx, 400*time.Millisecond) {
			t.Fatal("no time")
		}
		a, err := tab.Audit(ctx, nil, usual)
		if err != nil {
			t.Fatal(err)
		}
		if len(a.Unjudged) != 1 || !strings.Contains(a.Unjudged[0].URL, "/spin") || a.Unjudged[0].Reason != "it gave no answer in time" {
			t.Errorf("not judged: %+v", a.Unjudged)
		}
		if a.Passes < 5 {
			t.Errorf("the page itself: %d rules passed", a.Passes)
		}
	})
}
