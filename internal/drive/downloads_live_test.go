package drive

import (
	"context"
	"io"
	"net/http"
	"testing"
	"time"
)

const burstPage = `<button id=one onclick="save(1)">One</button><button id=many onclick="save(14)">Many</button><script>
function save(n) {
	for (let i = 0; i < n; i++) {
		const a = document.createElement('a')
		a.href = '/file' + i
		a.download = 'x'
		a.click()
	}
}</script>`

func burstSite() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/{$}", site{"/": burstPage})
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		_, _ = io.WriteString(w, "hello")
	})
	return mux
}

// A link that was never in the document saves a file too.
func TestLiveADetachedLinkSavesAFile(t *testing.T) {
	eachBrowser(t, burstSite(), func(t *testing.T, tab *Tab, base string) {
		open(t, tab, base+"/")
		if f := click(t, tab, "#one"); len(f.Downloads) != 1 || f.DownloadsCut {
			t.Errorf("%+v", f)
		}
	})
}

// Of a burst one browser drops what goes beyond ten; the facts say that it may have,
// and on no other browser.
func TestLiveQuirkDownloadsDropped(t *testing.T) {
	eachBrowser(t, burstSite(), func(t *testing.T, tab *Tab, base string) {
		dropped, want := tab.b.quirks.DownloadsDropped, 14
		if dropped {
			want = DownloadsAtOnce
		}
		open(t, tab, base+"/")
		mark := tab.Mark()
		click(t, tab, "#many")
		settled, stop := context.WithTimeout(t.Context(), 3*time.Second)
		defer stop()
		begun := func() bool {
			n := 0
			for _, d := range tab.b.downloads {
				if d.began > mark.event {
					n++
				}
			}
			return n >= want
		}
		if err := tab.b.await(settled, begun); err != nil {
			t.Error(err)
		}
		f := tab.Since(mark)
		if len(f.Downloads) != want || f.DownloadsCut != dropped {
			t.Errorf("%d downloads, cut %v; the table says that some are dropped: %v", len(f.Downloads), f.DownloadsCut, dropped)
		}
	})
}
