package trace_test

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/goccy/go-json"
	"github.com/google/go-cmp/cmp"

	"duet/artifacts"
	"duet/internal/golden"
	"duet/internal/trace"
)

// picture is a page of that many bars, as a PNG.
func picture(t *testing.T, bars int) trace.Picture {
	t.Helper()
	img := image.NewPaletted(image.Rect(0, 0, 320, 200), color.Palette{color.White, color.Gray{0x60}, color.RGBA{0x22, 0x66, 0xcc, 0xff}})
	for i := range bars {
		draw.Draw(img, image.Rect(20, 20+30*i, 300-20*i, 40+30*i), image.NewUniform(img.Palette[1+i%2]), image.Point{}, draw.Src)
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return trace.Picture{Type: "image/png", Data: b.Bytes(), Width: 320, Height: 200, Tab: 1}
}

// example writes the trace that lies in testdata/example: one of every kind of record.
func example(t *testing.T) *trace.Recorder {
	t.Helper()
	now := time.Date(2026, 5, 4, 10, 0, 0, 0, time.UTC)
	tick := func(ms int) { now = now.Add(time.Duration(ms) * time.Millisecond) }
	files := artifacts.New(artifacts.Options{Root: t.TempDir()})
	t.Cleanup(func() { files.Close() })
	r, err := trace.Begin(files, trace.Options{
		Name: "checkout", Duet: "0.2.0", Screenshots: true, Wire: true,
		Browser: trace.Browser{Name: "chrome", Version: "156.0"}, Now: func() time.Time { return now },
	})
	if err != nil {
		t.Fatal(err)
	}
	shot := func(call int, when string, bars int) {
		p := picture(t, bars)
		p.At = now
		r.Shot(call, when, p)
	}
	args := func(s string) json.RawMessage { return json.RawMessage(s) }
	const shop, basket = "http://127.0.0.1:8900/shop?page=2", "http://127.0.0.1:8900/basket"

	tick(12)
	call := r.Call(trace.Call{Tool: "browser_navigate", Verb: "open", Acts: true, Args: args(`{"url":"http://127.0.0.1:8900/shop?page=2"}`), Tab: 1, URL: "about:blank"})
	shot(call, "before", 0)
	tick(140)
	r.Network(now, trace.Network{
		Seq: 1, Tab: 1, Method: "GET", URL: shop, Type: "document", Status: 200, Mime: "text/html", Protocol: "http/1.1",
		Size: 5120, Began: 14, Timing: &trace.Timing{DNS: 1, Connect: 3, Wait: 40.5, Receive: 2.25},
	})
	r.Network(now, trace.Network{Seq: 2, Tab: 1, Method: "GET", URL: "http://127.0.0.1:8900/missing.png", Type: "image", Status: 404, Failed: true, Began: 90})
	r.Console(now, trace.Console{Seq: 3, Type: "console", Level: "info", Text: "shop is ready", URL: "http://127.0.0.1:8900/shop.js", Line: 12, Tab: 1})
	tick(60)
	shot(call, "after", 3)
	r.Done(trace.Done{
		Call: call, OK: true, Ms: 200, Result: args(`{"ok":true,"url":"http://127.0.0.1:8900/shop?page=2","status":200}`), Tab: 1, URL: shop,
		Observation: "page: Shop — http://127.0.0.1:8900/shop?page=2  epoch 2  (full map: first look)\ne1: heading \"Shop\" [level=1]\n" +
			"e2: textbox \"Voucher\" #voucher\ne3: button \"Buy\"\nerrors: 0 (logCursor 3)\nfailed requests: 1",
	})

	tick(500)
	batch := r.Call(trace.Call{Tool: "browser_batch", Verb: "batch", Acts: true, Args: args(`{"steps":["browser_fill","browser_click"]}`), Tab: 1, URL: shop})
	tick(1)
	call = r.Call(trace.Call{Parent: batch, Step: 1, Tool: "browser_fill", Verb: "fill", Acts: true, Target: "e2", Args: args(`{"selector":"e2","value":"•••"}`), Tab: 1, URL: shop})
	shot(call, "before", 3)
	tick(45)
	shot(call, "after", 4)
	r.Done(trace.Done{Call: call, OK: true, Ms: 45, Result: args(`{"ok":true,"selector":"e2"}`), Tab: 1, URL: shop})
	call = r.Call(trace.Call{Parent: batch, Step: 2, Tool: "browser_click", Verb: "click", Acts: true, Target: "e3", Args: args(`{"selector":"e3"}`), Tab: 1, URL: shop})
	shot(call, "before", 4)
	tick(90)
	r.Console(now, trace.Console{Seq: 4, Type: "exception", Level: "error", Text: "TypeError: total is undefined", URL: "http://127.0.0.1:8900/shop.js", Line: 40, Tab: 1})
	tick(30)
	shot(call, "after", 5)
	r.Done(trace.Done{Call: call, OK: true, Ms: 120, Result: args(`{"ok":true,"selector":"e3"}`), Tab: 1, URL: basket})
	tick(4)
	r.Done(trace.Done{
		Call: batch, OK: true, Ms: 170, Tab: 1, URL: basket,
		Result:      args(`{"ok":true,"steps":[{"tool":"browser_fill","ok":true,"durationMs":45},{"tool":"browser_click","ok":true,"durationMs":120}]}`),
		Observation: "~ e2: textbox \"Voucher\" value=\"•••\" #voucher\n+ e4: status \"1 thing in the basket\"\n- e3: button \"Buy\"\nerrors: 1 (logCursor 4)\nnavigated: http://127.0.0.1:8900/basket",
	})

	tick(300)
	call = r.Call(trace.Call{Tool: "browser_click", Verb: "click", Acts: true, Target: "e3", Args: args(`{"selector":"e3"}`), Tab: 1, URL: basket})
	shot(call, "before", 5)
	tick(15)
	r.NoShot(call, "after", "the command did nothing")
	r.Done(trace.Done{Call: call, Ms: 15, Tab: 1, URL: basket, Error: &trace.Fault{
		Code: "STALE_REF", Message: "click: e3 is stale: the element is gone", Hint: "choose from a fresh map; a ref is never resolved to another element",
		Detail: args(`{"reason":"detached","ref":"e3"}`), Phase: "precondition", Effect: "none",
		Recovery: "page: Basket — http://127.0.0.1:8900/basket  epoch 2\ne1: heading \"Basket\" [level=1]\ne4: status \"1 thing in the basket\"",
	}})

	tick(20)
	r.Drop("console", 120, "the log lets go of old entries faster than they are read")
	r.Browser(trace.BrowserEvent{Event: "lost", Browser: trace.Browser{Name: "chrome", Version: "156.0"}, Reason: "the browser ended: killed"})
	call = r.Call(trace.Call{Tool: "browser_expect", Verb: "expect", Args: args(`{"what":"text","selector":"e4","expected":"2 things"}`), Target: "e4"})
	tick(3)
	r.Done(trace.Done{Call: call, Ms: 3, Error: &trace.Fault{
		Code: "BROWSER_LOST", Message: "expect: the browser ended", Hint: "the next call starts a new browser", Phase: "precondition", Effect: "none", Retryable: true,
	}})
	if _, err := r.Wire().Write([]byte("# t=0.000\n> {\"id\":1,\"method\":\"session.status\",\"params\":{}}\n")); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Stop("stop"); err != nil {
		t.Fatal(err)
	}
	return r
}

// The example is what the recorder writes: who renders traces may build on it.
func TestExample(t *testing.T) {
	r := example(t)
	dir, err := r.Dir().FS()
	if err != nil {
		t.Fatal(err)
	}
	err = fs.WalkDir(dir, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := fs.ReadFile(dir, name)
		if err != nil {
			return err
		}
		path := filepath.Join("testdata", "example", filepath.FromSlash(name))
		if filepath.Ext(name) == ".png" {
			// What the encoder of another Go version writes may differ: it is drawn, not compared.
			if _, err := os.Stat(path); err != nil {
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					return err
				}
				return os.WriteFile(path, data, 0o644)
			}
			return nil
		}
		golden.Check(t, path, string(data))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// What is written is read back: each command with its outcome and its pictures.
func TestRead(t *testing.T) {
	f, err := os.Open("testdata/example/" + trace.File)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	tr, err := trace.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	type line struct {
		Verb          string
		Parent        int
		OK            bool
		Code          string
		Before, After string
	}
	var got []line
	for _, a := range tr.Actions {
		l := line{Verb: a.Verb, Parent: a.Parent, OK: a.Done.OK}
		if a.Done.Error != nil {
			l.Code = a.Done.Error.Code
		}
		if a.Before != nil {
			l.Before = a.Before.File
		}
		if a.After != nil {
			l.After = a.After.File
		}
		got = append(got, l)
	}
	want := []line{
		{"open", 0, true, "", "shots/0001-before.png", "shots/0001-after.png"},
		{"batch", 0, true, "", "", ""},
		{"fill", 2, true, "", "shots/0001-after.png", "shots/0003-after.png"},
		{"click", 2, true, "", "shots/0003-after.png", "shots/0004-after.png"},
		{"click", 0, false, "STALE_REF", "shots/0004-after.png", ""},
		{"expect", 0, false, "BROWSER_LOST", "", ""},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if len(tr.Console) != 2 || len(tr.Network) != 2 || len(tr.Browsers) != 1 || len(tr.Drops) != 1 || tr.Stop == nil || tr.Broken != 0 {
		t.Errorf("console %d, network %d, browsers %d, drops %d, stop %v, broken %d", len(tr.Console), len(tr.Network), len(tr.Browsers), len(tr.Drops), tr.Stop, tr.Broken)
	}
}

// A trace whose process died is read up to its last whole line.
func TestReadCut(t *testing.T) {
	data, err := os.ReadFile("testdata/example/" + trace.File)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{len(data) - 1, len(data) - 20, len(data) * 2 / 3, len(data) / 2} {
		tr, err := trace.Read(bytes.NewReader(data[:n]))
		if err != nil {
			t.Fatalf("cut at %d: %v", n, err)
		}
		if tr.Broken > 1 || len(tr.Actions) == 0 {
			t.Errorf("cut at %d: %d broken lines, %d commands", n, tr.Broken, len(tr.Actions))
		}
	}
	for _, bad := range []string{"", "{", "{}\n", `{"kind":"start","version":9}`, "PK\x03\x04"} {
		if _, err := trace.Read(bytes.NewReader([]byte(bad))); err == nil {
			t.Errorf("%q is taken for a trace", bad)
		}
	}
}
