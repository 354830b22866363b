package drive

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"image"
	"image/color"
	"io"
	"math"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"duet/bidi"
	"duet/internal/fault"
	"duet/internal/pagejs"
)

// The colours of the test pages stand for their parts.
var (
	red    = color.RGBA{0xff, 0, 0, 0xff}
	green  = color.RGBA{0, 0x80, 0, 0xff}
	blue   = color.RGBA{0, 0, 0xff, 0xff}
	yellow = color.RGBA{0xff, 0xff, 0, 0xff}
)

func shotSite() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		body := ""
		switch r.URL.Path {
		case "/parts":
			body = fmt.Sprintf(`<style>*{margin:0;padding:0;border:0}body{background:#fff}div{width:100px;height:50px}</style>
<div id="r" style="background:red"></div><div id="g" style="background:green"></div>
<input id="otp" name="otp" value="123456" style="position:absolute;left:300px;top:20px;width:80px;height:30px;background:yellow;color:yellow">
<input id="plain" name="q" value="open" style="position:absolute;left:300px;top:80px;width:80px;height:30px;background:yellow;color:yellow">
<div style="position:absolute;left:500px;top:0;width:120px;height:100px;overflow:auto"><p style="height:400px;background:yellow"></p><div id="deep" style="background:blue"></div></div>
<div style="height:1000px;width:10px"></div>
<iframe id="far" style="display:block;width:300px;height:200px" src="http://localhost:%s/inner"></iframe>
<div id="end" style="background:green"></div>`, portOf(r.Host))
		case "/inner":
			body = `<style>*{margin:0;padding:0;border:0}</style><div style="height:600px;background:yellow"></div>
<div id="in" style="width:120px;height:40px;background:blue"></div><input name="cvv" value="999" style="display:block;width:60px;height:20px;background:red;color:red"><div style="height:600px;background:yellow"></div>`
		case "/vh":
			body = `<style>*{margin:0;padding:0;border:0}</style><div style="height:100vh;background:green"></div><input name="otp" value="42" style="display:block;width:80px;height:30px;background:yellow;color:yellow"><div style="height:3000px"></div>`
		case "/long":
			body = `<style>*{margin:0;padding:0;border:0}</style><div style="height:19900px;background:green"></div><div style="height:100px;background:blue"></div>`
		}
		_, _ = w.Write([]byte(`<!doctype html><html lang="en"><title>Shots</title>` + body))
	})
}

// at is the colour of a point.
func at(t *testing.T, p Picture, x, y int) color.RGBA {
	t.Helper()
	img, _, err := image.Decode(bytes.NewReader(p.PNG))
	if err != nil {
		t.Fatal(err)
	}
	r, g, b, a := img.At(x, y).RGBA()
	return color.RGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), uint8(a >> 8)}
}

func near(a, b color.RGBA) bool {
	d := func(x, y uint8) float64 { return math.Abs(float64(x) - float64(y)) }
	return d(a.R, b.R)+d(a.G, b.G)+d(a.B, b.B) < 24
}

// Pictures show what they are asked for, in the pixels of the device, and nothing of
// what is to be hidden.
func TestLiveScreenshots(t *testing.T) {
	eachBrowser(t, shotSite(), func(t *testing.T, tab *Tab, base string) {
		ctx := deadline(t, 60*time.Second)
		if _, err := tab.Navigate(ctx, base+"/parts", NavOptions{}); err != nil {
			t.Fatal(err)
		}
		draw := func(s Shot) Picture {
			t.Helper()
			p, err := tab.Screenshot(ctx, s)
			if err != nil {
				t.Fatal(err)
			}
			return p
		}
		is := func(what string, p Picture, x, y int, want color.RGBA) {
			t.Helper()
			if got := at(t, p, x, y); !near(got, want) {
				t.Errorf("%s: %d,%d is %v, want %v", what, x, y, got, want)
			}
		}
		of := func(selector string) Shot {
			t.Helper()
			e, err := tab.Element(ctx, selector)
			if err != nil {
				t.Fatal(err)
			}
			return e.Shot()
		}
		size := func(what string, p Picture, w, h int) {
			t.Helper()
			if p.Width != w || p.Height != h {
				t.Errorf("%s: %dx%d, want %dx%d", what, p.Width, p.Height, w, h)
			}
		}
		for _, dpr := range []float64{1, 2} {
			k := int(dpr)
			ratio := bidi.Some(dpr)
			if _, err := bidi.BrowsingContextSetViewport.Call(ctx, tab.b.conn, bidi.BrowsingContextSetViewportParameters{Context: tab.id, DevicePixelRatio: ratio}); err != nil {
				t.Fatal(err)
			}
			p := draw(Shot{})
			if p.Height != 800*k || p.Width < 1200*k {
				t.Errorf("viewport at %v: %dx%d", dpr, p.Width, p.Height)
			}
			is("viewport", p, 10*k, 10*k, red)
			is("secret", p, 340*k, 35*k, maskColor)
			is("no secret", p, 340*k, 95*k, yellow)
			if p.Masked == 0 {
				t.Error("nothing is said to be masked")
			}
			p = draw(of("#g"))
			size("element", p, 100*k, 50*k)
			is("element", p, 50*k, 25*k, green)
			p = draw(of("#deep"))
			if near(at(t, p, 50*k, 25*k), blue) == false || !p.Scrolled {
				t.Errorf("scrolled container: %v, scrolled %v", at(t, p, 50*k, 25*k), p.Scrolled)
			}
			p = draw(of("iframe >> #in"))
			size("in a frame", p, 120*k, 40*k)
			is("in a frame", p, 60*k, 20*k, blue)
			p = draw(of("iframe >> input"))
			is("secret in a frame", p, 30*k, 10*k, maskColor)
			p = draw(Shot{}.Clipped(90, 40, 20, 20))
			size("clip", p, 20*k, 20*k)
			is("clip", p, 5*k, 5*k, red)
			is("clip", p, 5*k, 15*k, green)
			p = draw(Shot{FullPage: true})
			if p.Height != 1350*k {
				t.Errorf("full page: %dx%d", p.Width, p.Height)
			}
			is("full page", p, 50*k, 1325*k, green)
			is("secret on a full page", p, 340*k, 35*k, maskColor)
			masked := Shot{Mask: []pagejs.NodeKey{*of("#r").Element}}
			p = draw(masked)
			is("mask", p, 50*k, 25*k, maskColor)
			is("beside the mask", p, 50*k, 75*k, green)
			p = draw(Shot{Labels: []Label{{*of("#g").Element, "e17"}}})
			is("edge of a label", p, 60*k, 50*k, labelColor)
			is("within a labelled element", p, 60*k, 75*k, green)
			is("label", p, 1*k, 51*k, labelColor)
			if p.Labelled != 1 {
				t.Errorf("labelled: %d", p.Labelled)
			}
			if k == 1 {
				p = draw(Shot{Format: "jpeg"})
				if p.Format != "jpeg" || !bytes.HasPrefix(p.PNG, []byte("\xff\xd8")) {
					t.Errorf("jpeg: %s, %x", p.Format, p.PNG[:4])
				}
				if data, w, _ := Thumbnail(p.PNG, 20000); len(data) == 0 || len(data) > 20000 || w > 1280 {
					t.Errorf("thumbnail: %d bytes, %d wide", len(data), w)
				}
			}
		}
		// What was scrolled is where it was.
		if v, err := tab.Eval(ctx, "document.querySelector('#deep').parentElement.scrollTop + scrollY"); err != nil || string(v.Value) != "0" {
			t.Errorf("scrolled: %s, %v", v.Value, err)
		}
		if _, err := tab.Screenshot(ctx, Shot{Format: "webp"}); !errors.Is(err, fault.Unsupported) {
			t.Errorf("webp with a secret to hide: %v", err)
		}
		one := bidi.Some(1.0)
		if _, err := bidi.BrowsingContextSetViewport.Call(ctx, tab.b.conn, bidi.BrowsingContextSetViewportParameters{Context: tab.id, DevicePixelRatio: one}); err != nil {
			t.Fatal(err)
		}
		// A page that is laid out anew for its picture hides its secrets all the same.
		if _, err := tab.Navigate(ctx, base+"/vh", NavOptions{}); err != nil {
			t.Fatal(err)
		}
		p := draw(Shot{FullPage: true})
		img, _, err := image.Decode(bytes.NewReader(p.PNG))
		if err != nil {
			t.Fatal(err)
		}
		for y := range img.Bounds().Dy() {
			if r, g, b, _ := img.At(40, y).RGBA(); near(color.RGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 0xff}, yellow) {
				t.Fatalf("a secret is seen at %d of %d", y, img.Bounds().Dy())
			}
		}
		if _, err := tab.Navigate(ctx, base+"/long", NavOptions{}); err != nil {
			t.Fatal(err)
		}
		p = draw(Shot{FullPage: true})
		if p.Width*p.Height > maxPicture || p.Scale >= 1 || p.Scale < 0.5 {
			t.Errorf("a long page: %dx%d, scale %v", p.Width, p.Height, p.Scale)
		}
		is("the end of a long page", p, p.Width/2, p.Height-20, blue)
		is("a long page", p, p.Width/2, p.Height/2, green)
		p, err = tab.Screenshot(ctx, Shot{Format: "webp"})
		switch {
		case err == nil && (p.Format != "webp" || p.Height != 800):
			t.Errorf("webp: %s %dx%d", p.Format, p.Width, p.Height)
		case err != nil && !errors.Is(err, fault.Unsupported):
			t.Errorf("webp: %v", err)
		}
		t.Logf("webp: %v, %d bytes", err, len(p.PNG))
	})
}

// What fields with secrets hold is not on paper: two pages that differ in it alone print
// alike, and look as before afterwards.
func TestLivePaperHoldsNoSecrets(t *testing.T) {
	form := func(v string) string {
		return `<!doctype html><body style="font-family:monospace"><input type=password value="` + v + v + `"><input style="transition:all 9s;color:red" autocomplete=cc-number value="` + v + `4111"><textarea name=secret>` + v + `</textarea>
<div contenteditable=true aria-label=PIN style="width:99px;height:20px">` + v + `<b style="visibility:visible">` + v + `</b></div>`
	}
	onSite(t, site{
		"/": "x", "/a": form("aaaa") + `<iframe src="/in-a"></iframe>`, "/b": form("bb") + `<iframe src="/in-b"></iframe>`,
		"/plain": form("") + `<input value=shown-1>`, "/other": form("") + `<input value=other-2>`, "/in-a": form("aaaa"), "/in-b": form("bb"),
	}, func(t *testing.T, p *page) {
		tabs := len(p.tab.b.Tabs())
		print := func(path string, blanked int) string {
			t.Helper()
			if _, err := p.tab.Navigate(p.ctx(), p.base+path, NavOptions{}); err != nil {
				t.Fatal(explain(err))
			}
			looks := `[...document.querySelectorAll('input,textarea,div')].map((e) => [e.getAttribute('style'), getComputedStyle(e).visibility])`
			before, err := p.tab.Eval(p.ctx(), looks)
			if err != nil {
				t.Fatal(explain(err))
			}
			paper, err := p.tab.PDF(p.ctx(), Print{})
			if err != nil || paper.Blanked != blanked || paper.Unread != 0 {
				t.Errorf("%s: %d blanked, %d unread, %s", path, paper.Blanked, paper.Unread, explain(err))
			}
			if after, err := p.tab.Eval(p.ctx(), looks); err != nil || string(after.Value) != string(before.Value) {
				t.Errorf("%s: it looks like %s, and did like %s", path, after.Value, before.Value)
			}
			if n := len(p.tab.b.Tabs()); n != tabs {
				t.Errorf("%s: there are %d tabs, not %d", path, n, tabs)
			}
			return inked(paper.PDF)
		}
		if a, b := print("/a", 8), print("/b", 8); a != b {
			t.Error("what is secret makes a difference")
		}
		if print("/plain", 1) == print("/other", 1) {
			t.Error("what is not makes none: nothing is compared")
		}
	})
}

// inked is what the streams of a PDF hold but for what names the day and the address.
func inked(pdf []byte) string {
	var all []string
	for _, at := range regexp.MustCompile(`stream\r?\n`).FindAllIndex(pdf, -1) {
		z, err := zlib.NewReader(bytes.NewReader(pdf[at[1]:]))
		if err != nil {
			continue
		}
		inner, _ := io.ReadAll(z)
		if !bytes.Contains(inner, []byte("/CreationDate")) && !bytes.Contains(inner, []byte("http://")) {
			all = append(all, string(inner))
		}
	}
	return strings.Join(all, "\n")
}
