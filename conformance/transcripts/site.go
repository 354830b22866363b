package transcripts

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// port is that of the pages in transcripts, whatever it is when they are recorded.
const port = ":8001"

// pagesDir is where the pages lie, which is also where uploads come from.
func pagesDir() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "pages")
}

// serve serves the pages on 127.0.0.1 and returns its port, as ":1234". A page
// that is asked for as localhost is one of another site.
func serve(t testing.TB) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := filepath.Base(r.URL.Path)
		switch name {
		case "favicon.ico", "nothing":
			w.WriteHeader(http.StatusNoContent)
			return
		case "private":
			if name, password, ok := r.BasicAuth(); ok && name == "ada" && password == "difference engine" {
				_, _ = w.Write([]byte("let in")) // a browser that is gone
				return
			}
			w.Header().Set("WWW-Authenticate", `Basic realm="pages"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		case "cut":
			panic(http.ErrAbortHandler)
		}
		body, err := os.ReadFile(filepath.Join(pagesDir(), name))
		if err != nil {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Cache-Control", "no-store")
		switch filepath.Ext(name) {
		case ".html":
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
		case ".csv":
			w.Header().Set("Content-Type", "text/csv")
			w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
		}
		_, _ = w.Write([]byte(strings.ReplaceAll(string(body), port, ":"+portOf(r.Host)))) // a browser that is gone
	}))
	t.Cleanup(server.Close)
	return ":" + portOf(server.Listener.Addr().String())
}

func portOf(address string) string { return address[strings.LastIndexByte(address, ':')+1:] }
