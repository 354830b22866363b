package drive

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"duet/internal/fault"
)

// picture is bytes that are no text.
var picture = append([]byte("\x89PNG\r\n\x1a\n\x00\xff\xfe\x80"), bytes.Repeat([]byte{0, 200, 255}, 300)...)

func network() http.Handler {
	mux := http.NewServeMux()
	page := func(w http.ResponseWriter, text string) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<!doctype html><title>Net</title>"+text)
	}
	say := func(path, kind, text string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			_, _ = io.WriteString(w, text)
		})
	}
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) {
		page(w, `<link rel=stylesheet href=/s.css><script src=/app.js></script><output id=out>-</output><script>
(async () => {
  const get = (u, o) => fetch(u, o).then(r => r.text(), () => '')
  await get('/moved')
  await get('/post', {method: 'POST', headers: {'content-type': 'application/json'}, body: '{"user":"al"}'})
  await get('/gz'); await get('/cached'); await get('/cached'); await get('/gone'); await get('/drop'); await get('/pic')
  const c = new AbortController(); setTimeout(() => c.abort(), 50); await get('/hang', {signal: c.signal})
  await get('data:text/plain,hello')
  await new Promise(done => { const x = new XMLHttpRequest(); x.open('GET', '/xhr'); x.onloadend = done; x.send() })
  new Worker('/w.js').onmessage = () => { document.title = 'ready' }
})()
</script>`)
	})
	mux.HandleFunc("/other", func(w http.ResponseWriter, _ *http.Request) { page(w, "other") })
	say("/s.css", "text/css", "body{color:black}")
	say("/app.js", "text/javascript", "console.log('app')")
	say("/target", "text/plain", "target")
	say("/post", "application/json", `{"ok":true}`)
	say("/xhr", "text/plain", "x")
	say("/pic", "image/png", string(picture))
	say("/w.js", "text/javascript", "console.log('in the worker'); fetch('/fromworker').then(() => postMessage(1))")
	say("/fromworker", "text/plain", "w")
	mux.HandleFunc("/moved", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/target", http.StatusFound) })
	mux.HandleFunc("/gz", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Set("Content-Type", "text/plain")
		z := gzip.NewWriter(w)
		_, _ = io.WriteString(z, strings.Repeat("x", 20000))
		_ = z.Close()
	})
	mux.HandleFunc("/cached", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Cache-Control", "max-age=600")
		_, _ = io.WriteString(w, "cached body")
	})
	mux.HandleFunc("/gone", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", http.StatusNotFound) })
	mux.HandleFunc("/drop", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	mux.HandleFunc("/hang", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	return mux
}

// Both browsers tell of the same requests in the same words, and give their bodies
// after the page is left too.
func TestRequestsAreTheSameOnBothBrowsers(t *testing.T) {
	eachBrowser(t, network(), func(t *testing.T, tab *Tab, base string) {
		b := tab.b
		ctx := deadline(t, 25*time.Second)
		if _, err := b.Capture(ctx); err != nil {
			t.Fatal(err)
		}
		after := b.Requests(RequestFilter{}).Cursor
		if _, err := tab.Navigate(ctx, base+"/", NavOptions{}); err != nil {
			t.Fatal(err)
		}
		for tab.b.Requests(RequestFilter{After: after, Contains: "/fromworker", Statuses: []int{200}}).Total == 0 {
			if _, err := b.AwaitRequest(ctx, RequestFilter{After: after, Contains: "/fromworker", States: []string{RequestPending, RequestFinished}}); err != nil {
				t.Fatal(err)
			}
			_ = tab.Sync(ctx)
		}
		posted := b.Requests(RequestFilter{After: after, Methods: []string{"POST"}}).Requests
		if len(posted) != 1 {
			t.Fatalf("%d requests were posted", len(posted))
		}
		if body, err := b.Body(ctx, &posted[0], false); err != nil || string(body.Bytes) != `{"user":"al"}` {
			t.Errorf("what was posted: %q, %v", body.Bytes, err)
		}
		if _, err := tab.Navigate(ctx, base+"/other", NavOptions{}); err != nil {
			t.Fatal(err)
		}
		seen := map[string]Request{}
		for _, r := range b.Requests(RequestFilter{After: after}).Requests {
			path := strings.TrimPrefix(r.URL, base)
			t.Logf("%d %s %s %s %d %q %s from %d, cache %v, %v + %v, content %d, %v, %+v %s", r.Seq, r.Method, path, r.Type, r.Status, r.MIME, r.State, r.From, r.FromCache, r.Sent, r.Received, r.Content, r.Took, r.Timing, r.Reason)
			if _, twice := seen[path]; twice && path == "/cached" {
				path = "/cached again"
			}
			seen[path] = r
			sum := max(0, r.Timing.Blocked) + max(0, r.Timing.DNS) + max(0, r.Timing.Connect) + max(0, r.Timing.Send) + max(0, r.Timing.Wait) + max(0, r.Timing.Receive)
			if whole := float64(r.Took.Microseconds()) / 1000; r.Ended != 0 && (sum > whole+0.01 || sum < whole-0.01) {
				t.Errorf("%s: the parts are %v ms, the whole is %v ms", path, sum, whole)
			}
			if time.Since(r.Began) > time.Minute || time.Since(r.Began) < 0 {
				t.Errorf("%s began at %v", path, r.Began)
			}
		}
		for path, want := range map[string]string{
			"/": "document 200 finished", "/s.css": "stylesheet 200 finished", "/app.js": "script 200 finished", "/moved": "fetch 302 finished",
			"/target": "fetch 200 finished", "/post": "fetch 200 finished", "/gz": "fetch 200 finished", "/cached again": "fetch 200 finished",
			"/gone": "fetch 404 finished", "/drop": "fetch 0 failed", "/hang": "fetch 0 aborted", "/xhr": "xhr 200 finished",
			"/w.js": "script 200 finished", "data:text/plain,hello": "other 200 finished", "/pic": "fetch 200 finished",
		} {
			r := seen[path]
			if got := strings.Join([]string{r.Type, strconv.Itoa(r.Status), r.State}, " "); got != want {
				t.Errorf("%s is %q, want %q", path, got, want)
			}
		}
		if r := seen["/target"]; r.From != seen["/moved"].Seq {
			t.Errorf("/target comes from %d, not from %d", r.From, seen["/moved"].Seq)
		}
		if !seen["/cached again"].FromCache || seen["/gz"].Received.Body > 1000 {
			t.Errorf("cache %v, %d bytes of gzip", seen["/cached again"].FromCache, seen["/gz"].Received.Body)
		}
		sent, got := seen["/post"], seen["/post"]
		headers, _ := sent.Headers()
		_, answered := got.Headers()
		if !hasHeader(headers, "content-type", "application/json") || !hasHeader(answered, "content-type", "application/json") {
			t.Errorf("headers are %v and %v", headers, answered)
		}
		for path, want := range map[string]string{"/post": `{"ok":true}`, "/gz": strings.Repeat("x", 20000), "/pic": string(picture), "/target": "target", "/gone": "no\n"} {
			r := seen[path]
			body, err := b.Body(ctx, &r, true)
			if err != nil || string(body.Bytes) != want || body.Garbled {
				t.Errorf("the body of %s: %.60q (%d bytes, want %d), garbled %v, %v", path, body.Bytes, len(body.Bytes), len(want), body.Garbled, err)
			}
		}
		for _, path := range []string{"/drop", "/moved"} {
			r := seen[path]
			if body, err := b.Body(ctx, &r, true); !errors.Is(err, fault.StateInvalid) {
				t.Errorf("the body of %s: %q, %v", path, body.Bytes, err)
			}
		}
		r := seen["/post"]
		if err := b.EndCapture(ctx); err != nil {
			t.Error(err)
		}
		if _, err := b.Body(ctx, &r, true); !errors.Is(err, fault.StateInvalid) {
			t.Errorf("after the capture: %v", err)
		}
	})
}

func hasHeader(all []Header, name, value string) bool {
	for _, h := range all {
		if strings.EqualFold(h.Name, name) && h.Value == value {
			return true
		}
	}
	return false
}
