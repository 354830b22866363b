//go:build linux

package browsers

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// site serves the suite's pages on 127.0.0.1; {{ALT}} in a page is the same
// server under another site's name.
func site(t *testing.T) string {
	t.Helper()
	var alt string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := os.ReadFile(filepath.Join("pages", filepath.Base(r.URL.Path)))
		if err != nil {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(bytes.ReplaceAll(body, []byte("{{ALT}}"), []byte(alt)))
	}))
	t.Cleanup(server.Close)
	alt = strings.Replace(server.URL, "127.0.0.1", "localhost", 1)
	return server.URL
}

// onePage serves one page, whatever is asked for.
func onePage(t *testing.T, page string) *httptest.Server {
	t.Helper()
	return pagesBy(t, func(string) string { return page })
}

// pagesAt serves pages by their paths.
func pagesAt(t *testing.T, pages map[string]string) *httptest.Server {
	t.Helper()
	return pagesBy(t, func(path string) string { return pages[path] })
}

func pagesBy(t *testing.T, page func(path string) string) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(page(r.URL.Path)))
	}))
	t.Cleanup(server.Close)
	return server
}

var volatile = []struct {
	what *regexp.Regexp
	by   string
}{
	{regexp.MustCompile(`(127\.0\.0\.1|localhost):\d+`), "$1:PORT"},
	{regexp.MustCompile(`/[^\s"]*/([a-z0-9-]+\.(png|txt|json))`), "DIR/$1"},
	{regexp.MustCompile(`\b\d+ bytes\b`), "N bytes"},
	{regexp.MustCompile(`"bytes":\d+`), `"bytes":N`},
	{regexp.MustCompile(`"durationMs":\d+`), `"durationMs":N`},
}

// normal returns text without ports, directories and sizes.
func normal(text string) string {
	for _, v := range volatile {
		text = v.what.ReplaceAllString(text, v.by)
	}
	return text
}
