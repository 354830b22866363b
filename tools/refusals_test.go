package tools_test

import (
	"context"
	"strings"
	"testing"

	"duet/artifacts"
	"duet/dispatch"
	"duet/tools"
)

// What is wrong by its arguments alone is refused before the page is touched: here
// there is none.
func TestRefusedBeforeThePageIsTouched(t *testing.T) {
	s := dispatch.NewSession(dispatch.Options{
		Files: artifacts.New(artifacts.Options{Root: t.TempDir()}),
		Open: func(context.Context, func(string)) (*dispatch.Live, error) {
			return &dispatch.Live{Done: make(chan struct{}), Close: func(context.Context) error { return nil }}, nil
		},
	})
	defer func() { _ = s.Close(context.Background()) }()
	c := s.Catalog(dispatch.NewRegistry(tools.All(), dispatch.Access{}), true)
	for _, call := range [][2]string{
		{"browser_press", `{"key":"NoSuchKey","selector":"#a"}`},
		{"browser_read", `{"selector":"#a","limit":5}`},
		{"browser_page", `{"action":"open","url":"javascript:alert(1)"}`},
		{"browser_page", `{"action":"open","target":"example.com"}`},
		{"browser_page", `{"action":"open","target":"http://127.0.0.1/","url":"http://127.0.0.1/a"}`},
	} {
		r := c.Do(t.Context(), dispatch.Request{Tool: call[0], Args: []byte(call[1])})
		if r.Code != "INVALID_ARGUMENT" && r.Code != "URL_BLOCKED" || !strings.Contains(r.Text, "effect: none") {
			t.Errorf("%s %s: %s", call[0], call[1], r.Text)
		}
	}
}
