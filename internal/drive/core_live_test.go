package drive

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"duet/internal/fault"
	"duet/internal/pagejs"
)

func click(t *testing.T, tab *Tab, target string) Facts {
	t.Helper()
	start := time.Now()
	e, err := tab.Element(deadline(t, 5*time.Second), target)
	if err != nil {
		t.Fatalf("click %s: %v", target, err)
	}
	c, err := e.Click(deadline(t, 5*time.Second), ClickOptions{})
	if err != nil {
		t.Fatalf("click %s: %v", target, err)
	}
	t.Logf("click %s: %+v in %v", target, c.Facts, time.Since(start).Round(time.Millisecond))
	return c.Facts
}

func open(t *testing.T, tab *Tab, url string) NavResult {
	t.Helper()
	start := time.Now()
	r, err := tab.Navigate(deadline(t, 5*time.Second), url, NavOptions{})
	if err != nil {
		t.Fatalf("open %s: %v", url, err)
	}
	t.Logf("open %s: %s %s in %v", url, r.Outcome, r.Ready, time.Since(start).Round(time.Millisecond))
	return r
}

func text(t *testing.T, tab *Tab, target string) string {
	t.Helper()
	e, err := tab.Element(deadline(t, 5*time.Second), target)
	if err != nil {
		t.Fatalf("text of %s: %v", target, err)
	}
	r, err := e.Text(deadline(t, 5*time.Second), 1000)
	if err != nil {
		t.Fatalf("text of %s: %v", target, err)
	}
	return r.Text
}

func answer(t *testing.T, tab *Tab, accept bool, text *string) (Dialog, Facts) {
	t.Helper()
	start := time.Now()
	d, f, err := tab.AnswerDialog(deadline(t, 5*time.Second), accept, text)
	if err != nil {
		t.Fatalf("answer: %v", err)
	}
	t.Logf("answer %s: %+v in %v", d.Line(), f, time.Since(start).Round(time.Millisecond))
	return d, f
}

var dialogPages = site{
	"/": `<title>D</title><button id=a onclick="alert('Hello')">Alert</button>
<button id=c onclick="out.textContent=confirm('Sure?')">Confirm</button>
<button id=p onclick="out.textContent=prompt('Name?','Bob')">Prompt</button>
<button id=l onclick="setTimeout(()=>{out.textContent=confirm('Later?')},0)">Later</button>
<button id=twice onclick="alert('one');alert('two');out.textContent='both'">Twice</button>
<output id=out>-</output>
<iframe srcdoc="<button id=f onclick=&quot;o.textContent=confirm('Frame asks')&quot;>Ask</button><output id=o>-</output>"></iframe>`,
	"/unload": `<title>U</title><input id=i aria-label=Draft><script>addEventListener('beforeunload',e=>e.preventDefault())</script>`,
	"/other":  `<title>O</title><h1>Other</h1>`,
	"/alert":  `<title>A</title><script>alert('Maintenance')</script><h1>Welcome</h1>`,
}

func TestDialogsAreFactsAndAreAnswered(t *testing.T) {
	eachBrowser(t, dialogPages, func(t *testing.T, tab *Tab, base string) {
		open(t, tab, base+"/")
		if f := click(t, tab, "#a"); f.Dialog == nil || f.Dialog.Message != "Hello" || f.Dialog.Type != "alert" {
			t.Fatalf("alert: %+v", f)
		}
		if _, err := tab.Tree(deadline(t, time.Second), TreeOptions{}); !errors.Is(err, fault.DialogOpen) {
			t.Errorf("reading behind a dialog: %v", err)
		}
		if _, err := tab.Navigate(deadline(t, time.Second), base+"/other", NavOptions{}); !errors.Is(err, fault.DialogOpen) {
			t.Errorf("navigating behind a dialog: %v", err)
		}
		if _, err := tab.Screenshot(deadline(t, time.Second), Shot{}); !errors.Is(err, fault.DialogOpen) {
			t.Errorf("screenshot behind a dialog: %v", err)
		}
		answer(t, tab, true, nil)
		click(t, tab, "#c")
		answer(t, tab, false, nil)
		if got := text(t, tab, "#out"); got != "false" {
			t.Errorf("confirm dismissed: %q", got)
		}
		click(t, tab, "#p")
		name := "Ann"
		answer(t, tab, true, &name)
		if got := text(t, tab, "#out"); got != "Ann" {
			t.Errorf("prompt: %q", got)
		}
		click(t, tab, "#p")
		answer(t, tab, true, nil)
		if got := text(t, tab, "#out"); got != "Bob" {
			t.Errorf("prompt with its default: %q", got)
		}
		click(t, tab, "#twice")
		if _, f := answer(t, tab, true, nil); f.Dialog == nil || f.Dialog.Message != "two" {
			t.Fatalf("second dialog: %+v", f)
		}
		answer(t, tab, true, nil)
		if got := text(t, tab, "#out"); got != "both" {
			t.Errorf("two dialogs: %q", got)
		}
		click(t, tab, "#l")
		if err := tab.b.await(deadline(t, time.Second), func() bool { return tab.dialogLocked() != nil }); err != nil {
			t.Fatal(err)
		}
		answer(t, tab, true, nil)
		if got := text(t, tab, "#out"); got != "true" {
			t.Errorf("deferred: %q", got)
		}
		if f := click(t, tab, "#f"); f.Dialog == nil || f.Dialog.Message != "Frame asks" {
			t.Fatalf("in a frame: %+v", f)
		}
		answer(t, tab, true, nil)
		if got := text(t, tab, "#o"); got != "true" {
			t.Errorf("in a frame: %q", got)
		}
		if _, _, err := tab.AnswerDialog(deadline(t, time.Second), true, nil); !errors.Is(err, fault.NoDialog) {
			t.Errorf("no dialog: %v", err)
		}
	})
}

func TestADialogDuringLoadOrUnloadIsAnOutcome(t *testing.T) {
	eachBrowser(t, dialogPages, func(t *testing.T, tab *Tab, base string) {
		start := time.Now()
		r := open(t, tab, base+"/alert")
		if r.Outcome != AwaitsDialog || r.Facts.Dialog == nil || time.Since(start) > 2*time.Second {
			t.Fatalf("alert during load: %+v", r)
		}
		answer(t, tab, true, nil)
		if got := text(t, tab, "h1"); got != "Welcome" || tab.URL() != base+"/alert" {
			t.Errorf("after the alert: %q at %s", got, tab.URL())
		}
		open(t, tab, base+"/unload")
		e, err := tab.Element(deadline(t, 5*time.Second), "#i")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.Click(deadline(t, 5*time.Second), ClickOptions{}); err != nil {
			t.Fatal(err)
		}
		if _, err := tab.Type(deadline(t, 5*time.Second), "abc"); err != nil {
			t.Fatal(err)
		}
		if r := open(t, tab, base+"/other"); r.Outcome != AwaitsDialog || r.Facts.Dialog == nil || r.Facts.Dialog.Type != "beforeunload" {
			t.Fatalf("leaving: %+v", r)
		}
		if _, f := answer(t, tab, false, nil); f.Navigated || tab.URL() != base+"/unload" {
			t.Errorf("after staying: %+v", f)
		}
		if r := open(t, tab, base+"/other"); r.Outcome != AwaitsDialog {
			t.Fatalf("leaving: %+v", r)
		}
		if _, f := answer(t, tab, true, nil); !f.Navigated || tab.URL() != base+"/other" {
			t.Errorf("after leaving: %+v at %s", f, tab.URL())
		}
		if got := text(t, tab, "h1"); got != "Other" {
			t.Errorf("h1 %q", got)
		}
		open(t, tab, base+"/unload")
		click(t, tab, "#i")
		if _, err := tab.Type(deadline(t, 5*time.Second), "abc"); err != nil {
			t.Fatal(err)
		}
		f, err := tab.b.CloseTab(deadline(t, 5*time.Second), tab.Number(), false)
		if err != nil || f.Closed || f.Dialog == nil {
			t.Errorf("closing a tab that asks: %+v %v", f, err)
		}
		if _, f := answer(t, tab, true, nil); !f.Closed {
			t.Errorf("closed by the answer: %+v", f)
		}
	})
}

func causePages() http.Handler {
	mux := http.NewServeMux()
	for path, body := range (site{
		"/": `<title>S</title><a id=go href=/slow>Next</a> <a id=fast href=/b>Fast</a> <a id=none href=/204>Quiet</a> <a id=file href=/file>File</a>
<form action=/b><button id=sub>Send</button></form>
<button id=fetch onclick="fetch('/data').then(r=>r.text()).then(s=>out.textContent=s)">Fetch</button>
<button id=dom onclick="out.textContent='dom';requestAnimationFrame(()=>requestAnimationFrame(()=>{}))">DOM</button>
<button id=nothing>Nothing</button>
<button id=push onclick="history.pushState({},'','/pushed')">Push</button>
<button id=pop onclick="open('/pop','','width=300,height=200')">Popup</button>
<button id=err onclick="console.error('bad');setTimeout(()=>{},0);throw new Error('boom')">Err</button>
<output id=out>-</output>`,
		"/b":      `<title>B</title><h1>B</h1><a id=back href=/>Back</a>`,
		"/pushed": `<title>S</title><button>Nothing</button>`, // a page that comes back is loaded anew
		"/pop":    `<title>Pop</title><h1>Pop</h1><button id=done onclick="opener.out.textContent='picked';window.close()">Done</button>`,
		"/top":    `<title>Top</title><h1>Top</h1><iframe title=one src=/b></iframe><iframe title=two srcdoc="<p>srcdoc</p><iframe title=deep src=/b></iframe>"></iframe>`,
	}) {
		if path == "/" {
			path = "/{$}"
		}
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, body)
		})
	}
	after := func(d time.Duration, r *http.Request) {
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-r.Context().Done():
		}
	}
	mux.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) {
		after(300*time.Millisecond, r)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<title>Slow</title><h1>Slow</h1>")
	})
	mux.HandleFunc("/data", func(w http.ResponseWriter, r *http.Request) {
		after(200*time.Millisecond, r)
		fmt.Fprint(w, "fetched")
	})
	mux.HandleFunc("/204", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(204) })
	mux.HandleFunc("/file", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Disposition", `attachment; filename="report.bin"`)
		fmt.Fprint(w, "hello")
	})
	return mux
}

func dump(tree *pagejs.Tree) string {
	if tree == nil {
		return "no tree"
	}
	var b strings.Builder
	var walk func(d *pagejs.Doc, ns []*pagejs.Node, depth int)
	var doc func(id string, depth int)
	walk = func(d *pagejs.Doc, ns []*pagejs.Node, depth int) {
		for _, n := range ns {
			fmt.Fprintf(&b, "%s%s %q\n", strings.Repeat("  ", depth), n.Role, n.Name)
			walk(d, n.Kids, depth+1)
			if inner := d.Frames[n.ID]; inner != "" {
				doc(inner, depth+1)
			}
		}
	}
	doc = func(id string, depth int) {
		d := tree.Docs[id]
		if d == nil {
			fmt.Fprintf(&b, "%sno document\n", strings.Repeat("  ", depth))
			return
		}
		if d.Failed != "" {
			fmt.Fprintf(&b, "%sfailed: %s\n", strings.Repeat("  ", depth), d.Failed)
		}
		walk(d, d.Kids, depth)
	}
	doc(tree.Top, 0)
	return b.String()
}

func TestFramesAreReadWithTheirDocuments(t *testing.T) {
	eachBrowser(t, causePages(), func(t *testing.T, tab *Tab, base string) {
		tab.Observe(true)
		open(t, tab, base+"/top")
		start := time.Now()
		tree, err := tab.Tree(deadline(t, 5*time.Second), TreeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%v\n%s", time.Since(start), dump(tree))
		if got := dump(tree); strings.Count(got, `heading "B"`) != 2 || !strings.Contains(got, "srcdoc") || strings.Contains(got, "no document") {
			t.Errorf("frames:\n%s", got)
		}
		again, err := tab.Tree(deadline(t, 5*time.Second), TreeOptions{Fresh: true})
		if err != nil || dump(again) != dump(tree) {
			t.Errorf("read again: %v\n%s", err, dump(again))
		}
	})
}

func TestPopupsAreToldAndLeaveTheActiveTabAlone(t *testing.T) {
	eachBrowser(t, causePages(), func(t *testing.T, tab *Tab, base string) {
		open(t, tab, base+"/")
		f := click(t, tab, "#pop")
		if len(f.Popups) != 1 || f.Popups[0].Opener != tab.Number() || f.Popups[0].URL != base+"/pop" {
			t.Fatalf("popup: %+v", f)
		}
		if now, err := tab.b.Tab(deadline(t, time.Second)); err != nil || now != tab {
			t.Errorf("active tab is %v (%v)", now, err)
		}
		if got := text(t, tab, "#out"); got != "-" {
			t.Errorf("opener: %q", got)
		}
		pop, err := tab.b.Select(deadline(t, 5*time.Second), f.Popups[0].Tab)
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		if got := text(t, pop, "h1"); got != "Pop" {
			t.Errorf("popup's heading: %q", got)
		}
		t.Logf("read the popup in %v", time.Since(start))
		if f := click(t, pop, "#done"); !f.Closed {
			t.Errorf("popup that closes itself: %+v", f)
		}
		if now, err := tab.b.Tab(deadline(t, time.Second)); err != nil || now != tab {
			t.Errorf("after the popup the active tab is %v (%v)", now, err)
		}
		if got := text(t, tab, "#out"); got != "picked" {
			t.Errorf("opener: %q", got)
		}
	})
}

func TestHistoryIsTraversedWithoutWaitingForEvents(t *testing.T) {
	eachBrowser(t, causePages(), func(t *testing.T, tab *Tab, base string) {
		tab.Observe(true)
		open(t, tab, base+"/")
		first := tab.Epoch()
		click(t, tab, "#push")
		open(t, tab, base+"/b")
		for _, c := range []struct {
			do              func() (NavResult, error)
			outcome, url, h string
		}{
			{func() (NavResult, error) { return tab.Back(deadline(t, 5*time.Second), NavOptions{}) }, Loaded, "/pushed", "Nothing"},
			{func() (NavResult, error) { return tab.Back(deadline(t, 5*time.Second), NavOptions{}) }, SameDocument, "/", "Nothing"},
			{func() (NavResult, error) { return tab.Forward(deadline(t, 5*time.Second), NavOptions{}) }, SameDocument, "/pushed", "Nothing"},
			{func() (NavResult, error) { return tab.Forward(deadline(t, 5*time.Second), NavOptions{}) }, Loaded, "/b", `heading "B"`},
			{func() (NavResult, error) { return tab.Reload(deadline(t, 5*time.Second), NavOptions{}) }, Loaded, "/b", `heading "B"`},
		} {
			start := time.Now()
			epoch := tab.Epoch()
			r, err := c.do()
			t.Logf("%s %s epoch %d -> %d in %v (%v)", r.Outcome, r.URL, epoch, tab.Epoch(), time.Since(start).Round(time.Millisecond), err)
			if err != nil || r.Outcome != c.outcome || r.URL != base+c.url {
				t.Errorf("got %+v (%v), want %s %s", r, err, c.outcome, c.url)
			}
			if want := epoch + map[string]int{Loaded: 1}[c.outcome]; tab.Epoch() != want {
				t.Errorf("%s: epoch %d, want %d", c.url, tab.Epoch(), want)
			}
			tree, err := tab.Tree(deadline(t, 5*time.Second), TreeOptions{})
			if err != nil || !strings.Contains(dump(tree), c.h) {
				t.Errorf("%s: %v\n%s", c.url, err, dump(tree))
			}
		}
		if _, err := tab.Forward(deadline(t, 5*time.Second), NavOptions{}); !errors.Is(err, fault.StateInvalid) {
			t.Errorf("beyond the end: %v", err)
		}
		if first != 2 {
			t.Errorf("the first page is epoch %d, want 2", first)
		}
	})
}
