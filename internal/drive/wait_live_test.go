package drive

import (
	"errors"
	"strings"
	"testing"
	"time"

	"duet/internal/fault"
	"duet/internal/pagejs"
)

var waitPages = site{
	"/": `<title>W</title><p>Total: <b>3</b> <i>items</i></p><div id=spin>busy</div><div id=flash></div>
<button id=go onclick="setTimeout(()=>{flash.textContent='Blink';setTimeout(()=>flash.textContent='',300)},200)">Flash</button>
<button id=nav onclick="setTimeout(()=>location.href='/two',300)">Leave</button>
<button id=push onclick="setTimeout(()=>history.pushState({},'','/pushed?x=1'),200)">Push</button>
<button id=crunch onclick="setTimeout(()=>{const e=performance.now()+3000;while(performance.now()<e);flash.textContent='crunched'},400)">Crunch</button>
<button id=add onclick="setTimeout(()=>{const p=document.createElement('p');p.id='late';p.textContent='here';document.body.append(p);setTimeout(()=>p.style.display='none',200);setTimeout(()=>p.remove(),400)},200)">Add</button>
<iframe srcdoc="<p id=f>-</p><script>setTimeout(()=>f.textContent='in the frame',700)</script>"></iframe>
<div style="height:3000px"></div><p id=far style="width:120px;height:40px;margin:0">far</p>
<script>setTimeout(()=>spin.style.visibility='hidden',400)</script>`,
	"/two": `<title>Two</title><h1>Step 2 ready</h1>`,
}

func TestWaitsEndWithTheirCauseOrAtTheDeadline(t *testing.T) {
	eachBrowser(t, waitPages, func(t *testing.T, tab *Tab, base string) {
		wait := func(w WaitSpec, d time.Duration, most time.Duration, code fault.Code) {
			t.Helper()
			start := time.Now()
			got, err := tab.Wait(deadline(t, d), w)
			took := time.Since(start).Round(time.Millisecond)
			t.Logf("%+v: %+v %v in %v", w, got, err, took)
			switch {
			case code == "" && err != nil, code != "" && !errors.Is(err, code):
				t.Errorf("%+v: %v, want %q", w, err, code)
			case took > most:
				t.Errorf("%+v took %v, want at most %v", w, took, most)
			}
		}
		open(t, tab, base+"/")
		wait(WaitSpec{Text: "Total: 3 items"}, 2*time.Second, time.Second, "")
		wait(WaitSpec{Text: "in the frame"}, 3*time.Second, 2*time.Second, "")
		wait(WaitSpec{Selector: "#spin", State: "hidden"}, 3*time.Second, 2*time.Second, "")
		wait(WaitSpec{Gone: "busy"}, 3*time.Second, time.Second, "")
		for range 3 {
			click(t, tab, "#go")
			wait(WaitSpec{Text: "Blink"}, 3*time.Second, time.Second, "")
			wait(WaitSpec{Gone: "Blink"}, 3*time.Second, time.Second, "")
		}
		click(t, tab, "#add")
		wait(WaitSpec{Selector: "#late"}, 3*time.Second, time.Second, "")
		wait(WaitSpec{Selector: "#late", State: "hidden"}, 3*time.Second, time.Second, "")
		wait(WaitSpec{Selector: "#late", State: "detached"}, 3*time.Second, time.Second, "")
		wait(WaitSpec{Text: "Never"}, 700*time.Millisecond, 1200*time.Millisecond, fault.Timeout)
		wait(WaitSpec{Selector: "#never"}, 700*time.Millisecond, 1200*time.Millisecond, fault.Timeout)
		wait(WaitSpec{URL: "nowhere"}, 300*time.Millisecond, 700*time.Millisecond, fault.Timeout)
		wait(WaitSpec{}, time.Second, time.Second, fault.InvalidArgument)
		click(t, tab, "#push")
		wait(WaitSpec{URL: "*/pushed?x=*"}, 3*time.Second, time.Second, "")
		click(t, tab, "#nav")
		wait(WaitSpec{Text: "Step 2 ready"}, 5*time.Second, 2*time.Second, "")
		wait(WaitSpec{Load: "complete"}, 5*time.Second, 2*time.Second, "")
	})
}

func TestABusyPageIsATimeoutAndComesBack(t *testing.T) {
	eachBrowser(t, waitPages, func(t *testing.T, tab *Tab, base string) {
		open(t, tab, base+"/")
		click(t, tab, "#crunch")
		var err error
		var start time.Time
		for begun := time.Now(); time.Since(begun) < 3*time.Second; { // until the loop has begun
			start = time.Now()
			if _, err = tab.Tree(deadline(t, time.Second), TreeOptions{}); err != nil {
				break
			}
		}
		t.Logf("busy: %v in %v", err, time.Since(start))
		if !errors.Is(err, fault.Timeout) || time.Since(start) > 2500*time.Millisecond {
			t.Errorf("busy: %v in %v, want TIMEOUT in 1 s", err, time.Since(start))
		}
		if _, err := tab.Wait(deadline(t, 8*time.Second), WaitSpec{Text: "crunched"}); err != nil {
			t.Errorf("after the loop: %v", err)
		}
	})
}

func TestScreenshotsHaveTheSizeOfWhatTheyShow(t *testing.T) {
	eachBrowser(t, waitPages, func(t *testing.T, tab *Tab, base string) {
		open(t, tab, base+"/")
		shot := func(s Shot) Picture {
			t.Helper()
			start := time.Now()
			p, err := tab.Screenshot(deadline(t, 10*time.Second), s)
			if err != nil {
				t.Fatalf("%+v: %v", s, err)
			}
			t.Logf("%dx%d, %d bytes in %v", p.Width, p.Height, len(p.PNG), time.Since(start))
			return p
		}
		if p := shot(Shot{}); p.Height != 800 || p.Width < 1260 || p.Width > 1280 {
			t.Errorf("viewport: %dx%d", p.Width, p.Height)
		}
		if p := shot(Shot{FullPage: true}); p.Height < 3000 {
			t.Errorf("page: %dx%d", p.Width, p.Height)
		}
		e, err := tab.Element(deadline(t, 5*time.Second), "#far")
		if err != nil {
			t.Fatal(err)
		}
		key := e.Key()
		if p := shot(Shot{Element: &key}); p.Width < 118 || p.Width > 122 || p.Height < 38 || p.Height > 42 {
			t.Errorf("element: %dx%d", p.Width, p.Height)
		}
		other, err := tab.b.Open(deadline(t, 5*time.Second))
		if err != nil {
			t.Fatal(err)
		}
		shot(Shot{}) // of the tab that is behind now
		gone := pagejs.NodeKey{Context: key.Context, Doc: key.Doc, Node: 99999}
		if _, err := tab.Screenshot(deadline(t, 5*time.Second), Shot{Element: &gone}); !errors.Is(err, fault.StaleRef) {
			t.Errorf("an element that is gone: %v", err)
		}
		if _, err := tab.b.CloseTab(deadline(t, 5*time.Second), other.Number(), false); err != nil {
			t.Error(err)
		}
	})
}

func TestTabsKeepTheirNumbersAndTheLastOneStays(t *testing.T) {
	eachBrowser(t, waitPages, func(t *testing.T, tab *Tab, base string) {
		b := tab.b
		open(t, tab, base+"/two")
		for _, info := range b.Tabs() { // all but ours
			if info.Tab != tab.Number() {
				if _, err := b.CloseTab(deadline(t, 5*time.Second), info.Tab, true); err != nil {
					t.Fatal(err)
				}
			}
		}
		if _, err := b.CloseTab(deadline(t, 5*time.Second), tab.Number(), false); err != nil {
			t.Fatal(err)
		}
		left := b.Tabs()
		if len(left) != 1 || left[0].Tab != tab.Number()+1 || !left[0].Active {
			t.Fatalf("left: %+v", left)
		}
		if _, err := tab.Tree(deadline(t, time.Second), TreeOptions{}); !errors.Is(err, fault.StateInvalid) || !strings.Contains(err.Error(), "closed") {
			t.Errorf("a closed tab: %v", err)
		}
		if _, err := b.ByNumber(tab.Number()); !errors.Is(err, fault.InvalidArgument) {
			t.Errorf("its number: %v", err)
		}
		now, err := b.Tab(deadline(t, time.Second))
		if err != nil {
			t.Fatal(err)
		}
		open(t, now, base+"/two")
		if got := text(t, now, "h1"); got != "Step 2 ready" {
			t.Errorf("h1 %q", got)
		}
	})
}
