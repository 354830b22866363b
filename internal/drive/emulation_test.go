package drive

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"duet/internal/fault"
)

// Settings are judged before anything is sent; what is wrong is named with what is
// right, and the value of a header is not shown.
func TestParseEmulation(t *testing.T) {
	for _, good := range []string{
		"viewport=390x844", "viewport=", "dpr=2.5", "device=iphone 15", "device=Pixel-8", "locale=de-DE", "locale=zh-Hant-TW", "timezone=Etc/GMT+5", "timezone=+05:30",
		"geolocation=-33.9,151.2", "geolocation=0,0,50", "user_agent=a=b; c", "color_scheme=dark", "color-scheme=light", "reduced_motion=reduce", "offline=on",
		"header=X-A: b: c", "header=X-A:", "permission=geolocation:granted", "permission=camera:denied@https://a.example:8443",
	} {
		if _, err := ParseEmulation([]string{good}); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
	for bad, words := range map[string]string{
		"viewport=390": "WIDTHxHEIGHT", "viewport=0x5": "WIDTHxHEIGHT", "viewport=99999x1": "WIDTHxHEIGHT", "dpr=0": "0.1", "dpr=NaN": "0.1", "device=toaster": "preset",
		"locale=german!": "de-DE", "timezone=a b": "Europe", "geolocation=91,0": "LATITUDE", "geolocation=1": "LATITUDE", "geolocation=NaN,0": "LATITUDE",
		"color_scheme=blue": "light or dark", "offline=maybe": "on or off", "header=no colon s3cret": "NAME: VALUE", "header=A b: s3cret": "NAME: VALUE",
		"permission=geolocation": "granted", "permission=geolocation:granted@nowhere": "ORIGIN", "size=1x1": "viewport, dpr, device", "locale": "name=value", "proxy=http://a:1": "start",
	} {
		_, err := ParseEmulation([]string{bad})
		if !errors.Is(err, fault.InvalidArgument) || !strings.Contains(err.Error(), words) || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

// Pages are counted where they lie open and where they lie in streams of objects.
func TestPagesOf(t *testing.T) {
	if n := pagesOf([]byte("%PDF-1.4\n1 0 obj <</Type /Pages /Count 2>>\n2 0 obj <</Type /Page>>\n3 0 obj <</Type/Page\n>>")); n != 2 {
		t.Errorf("%d pages", n)
	}
}

// What the page does not show is not said to be set.
func TestWhatThePageDoesNotShowIsAMismatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shown := `{"width":800,"height":600,"ratio":1,"locale":"en-US","timezone":"UTC","userAgent":"x","online":true}`
		tab, _ := begun(t, "chrome", func(w *wire, c command) {
			switch name, _ := asked(c); {
			case name == "seen":
				w.doc(c, shown)
			case name != "":
				w.doc(c, emptyDoc)
			case strings.HasPrefix(c.Method, "browsingContext.set") || strings.HasPrefix(c.Method, "emulation."):
				w.reply(c, `{}`)
			default:
				w.started(c)
			}
		})
		e, err := ParseEmulation([]string{"locale=de-DE"})
		if err != nil {
			t.Fatal(err)
		}
		_, err = tab.Emulate(t.Context(), e)
		if f := fault.From(err); f == nil || f.Code != fault.ExpectMismatch || f.Effect != fault.Confirmed {
			t.Errorf("a locale that the page does not show: %v", explain(err))
		}
	})
}
