package mcpserver

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// post sends a body to a test server with headers, "" leaving one out.
func post(t *testing.T, url, body string, headers map[string]string) (status int, answer string) {
	t.Helper()
	return request(t, http.MethodPost, url, body, headers)
}

func request(t *testing.T, method, url, body string, headers map[string]string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for k, v := range headers {
		if k == "Host" {
			r.Host = v
			continue
		}
		r.Header.Set(k, v)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.Header.Get("Access-Control-Allow-Origin") != "" {
		t.Error("a page was allowed to read the answer")
	}
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(b)
}

func front(t *testing.T) string {
	t.Helper()
	s := httptest.NewServer(HTTPHandler(&catalog{}, Options{Name: "duet", Version: "1"}, HTTPOptions{}))
	t.Cleanup(s.Close)
	return s.URL + "/mcp"
}

// Only requests that are addressed to this machine by one of its names, and come
// from no page or from one of it, are served; whatever the method.
func TestGuard(t *testing.T) {
	url := front(t)
	for _, c := range []struct {
		header, value string
		ok            bool
	}{
		{"Host", "localhost", true}, {"Host", "LOCALHOST:99", true}, {"Host", "127.0.0.1:1", true}, {"Host", "[::1]", true}, {"Host", "[::1]:8", true},
		{"Host", "127.0.0.1.evil.test", false}, {"Host", "localhost.evil.test", false}, {"Host", "evil.test", false}, {"Host", "localhost.", false},
		{"Host", "localhost.evil.test:80", false}, {"Host", "0.0.0.0", false},
		{"Origin", "http://localhost:3000", true}, {"Origin", "http://127.0.0.1", true}, {"Origin", "https://[::1]:1", true},
		{"Origin", "null", false}, {"Origin", "http://evil.test", false}, {"Origin", "http://127.0.0.1.evil.test", false},
		{"Origin", "https://localhost@evil.test", false}, {"Origin", "http://user@localhost", false}, {"Origin", "file://localhost", false},
		{"Origin", "http://localhost/x", false}, {"Origin", "localhost", false},
	} {
		for _, method := range []string{http.MethodPost, http.MethodGet, http.MethodDelete, http.MethodOptions} {
			status, _ := request(t, method, url, `{"jsonrpc":"2.0","id":1,"method":"ping"}`, map[string]string{c.header: c.value})
			if (status != http.StatusForbidden) != c.ok {
				t.Errorf("%s with %s %s: %d", method, c.header, c.value, status)
			}
		}
	}
}

// A body that is not one message is answered as such, before the SDK meets it.
func TestBodies(t *testing.T) {
	url := front(t)
	for _, c := range []struct {
		body, kind string
		status     int
		want       string
	}{
		{`{`, "application/json", 400, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700`},
		{`[]`, "application/json", 400, `"code":-32600`},
		{`{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, "application/json", 400, `"code":-32600`},
		{`{"jsonrpc":"2.0","id":1,"method":"ping"}`, "text/plain", 415, ``},
		{strings.Repeat(" ", MaxLine+1), "application/json", 413, `"code":-32700`},
		{helloLine, "application/json; charset=utf-8", 200, `"protocolVersion":"2025-11-25"`},
	} {
		status, got := post(t, url, c.body, map[string]string{"Content-Type": c.kind})
		if status != c.status || !strings.Contains(got, c.want) {
			t.Errorf("%s: %d %s", clip(c.body), status, clip(got))
		}
	}
}

// One path serves both eras.
func TestBothErasOverHTTP(t *testing.T) {
	url := front(t)
	status, got := post(t, url, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"status","arguments":{},`+modernMeta+`}}`,
		map[string]string{"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "status"})
	if status != 200 || !strings.Contains(got, `"resultType":"complete"`) || !strings.Contains(got, `"text":"ok {}"`) {
		t.Errorf("stateless: %d %s", status, got)
	}
	status, got = post(t, url, `{"jsonrpc":"2.0","id":1,"method":"prompts/list","params":{`+modernMeta+`}}`,
		map[string]string{"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "prompts/list"})
	if status != 404 || !strings.Contains(got, `"code":-32601`) {
		t.Errorf("undeclared method: %d %s", status, got)
	}
	r, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(helloLine))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	id := map[string]string{"Mcp-Session-Id": resp.Header.Get("Mcp-Session-Id"), "Mcp-Protocol-Version": "2025-11-25"}
	if status, got := post(t, url, statusCall, id); status != 200 || !strings.Contains(got, `"text":"ok {}"`) {
		t.Errorf("handshake: %d %s", status, got)
	}
	if status, _ := request(t, http.MethodDelete, url, "", id); status/100 != 2 {
		t.Errorf("end of the session: %d", status)
	}
}
