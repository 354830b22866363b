package dispatch_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/goccy/go-json"

	"duet/artifacts"
	"duet/bidi"
	"duet/dispatch"
	"duet/internal/drive"
	"duet/internal/fault"
)

// oneTab is a browser of one tab at an address. It answers what a start needs,
// and everything else with an error.
type oneTab struct {
	url   string
	frame string // address of a frame in it, "" for none
	out   chan []byte
	done  chan struct{}
	once  sync.Once

	mu   sync.Mutex // guards the rest
	sent []string   // methods
}

func (b *oneTab) Read(ctx context.Context) ([]byte, error) {
	select {
	case f := <-b.out:
		return f, nil
	case <-b.done:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (b *oneTab) Write(_ context.Context, frame []byte) error {
	var c struct {
		ID     int    `json:"id"`
		Method string `json:"method"`
	}
	if err := json.Unmarshal(frame, &c); err != nil {
		return err
	}
	b.mu.Lock()
	b.sent = append(b.sent, c.Method)
	b.mu.Unlock()
	answers := map[string]string{
		"browsingContext.getTree":          `{"contexts":[{"context":"t1","url":"` + b.url + `","children":[],"userContext":"default","clientWindow":"w","originalOpener":null}]}`,
		"session.subscribe":                `{"subscription":"s"}`,
		"script.addPreloadScript":          `{"script":"p"}`,
		"network.addIntercept":             `{"intercept":"i"}`,
		"browsingContext.setViewport":      `{}`,
		"browser.setDownloadBehavior":      `{}`,
		"browsingContext.activate":         `{}`,
		"browsingContext.handleUserPrompt": `{}`,
	}
	if c.Method == "session.subscribe" {
		b.out <- fmt.Appendf(nil, `{"type":"event","method":"browsingContext.contextCreated","params":{"context":"t1","url":%q,"parent":null,"children":null,"originalOpener":null}}`, b.url)
		if b.frame != "" {
			b.out <- fmt.Appendf(nil, `{"type":"event","method":"browsingContext.contextCreated","params":{"context":"f1","url":%q,"parent":"t1","children":null,"originalOpener":null}}`, b.frame)
		}
		b.out <- []byte(`{"type":"event","method":"log.entryAdded","params":{"type":"javascript","level":"error","source":{"realm":"r","context":"t1"},"text":"Error: x","timestamp":1}}`)
	}
	if a, ok := answers[c.Method]; ok {
		b.out <- fmt.Appendf(nil, `{"type":"success","id":%d,"result":%s}`, c.ID, a)
		return nil
	}
	b.out <- fmt.Appendf(nil, `{"type":"error","id":%d,"error":"unknown error","message":"not here"}`, c.ID)
	return nil
}

func (b *oneTab) Close() error {
	b.once.Do(func() { close(b.done) })
	return nil
}

func (b *oneTab) methods() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]string{}, b.sent...)
}

// at is a session with a browser of one tab, and commands that read, act, open
// an address, and say what may be uploaded.
func at(t *testing.T, url string, o dispatch.Options) (*dispatch.Session, dispatch.Catalog, *oneTab) {
	b := &oneTab{url: url, out: make(chan []byte, 1000), done: make(chan struct{})}
	if o.Files == nil {
		o.Files = artifacts.New(artifacts.Options{Root: t.TempDir()})
	}
	o.Open = func(ctx context.Context, _ func(string)) (*dispatch.Live, error) {
		browser, err := drive.New(ctx, b, bidi.Options{}, drive.Info{Browser: "chrome", SessionExists: true})
		if err != nil {
			return nil, err
		}
		return &dispatch.Live{Browser: browser, Done: browser.Lost(), Lost: browser.LostErr, Close: func(context.Context) error { return browser.Close() }}, nil
	}
	s := dispatch.NewSession(o)
	t.Cleanup(func() { s.Close(context.Background()) })
	spec := func(name string) dispatch.Spec { return dispatch.Spec{Verb: name, Tool: name, Summary: "Test."} }
	fresh, logs := spec("open"), spec("logs")
	fresh.Away, logs.Idle = []string{dispatch.AnyAction}, true
	commands := []*dispatch.Command{
		dispatch.Define(spec("read"), func(context.Context, *dispatch.Read, label) (done, error) { return done{true, "content"}, nil }),
		dispatch.Define(spec("act"), func(context.Context, *dispatch.Act, label) (done, error) { return done{true, "acted"}, nil }),
		dispatch.Define(fresh, func(ctx context.Context, c *dispatch.Act, a label) (done, error) {
			_, err := c.Tab().Navigate(ctx, a.Name, drive.NavOptions{})
			return done{OK: err == nil}, err
		}),
		dispatch.Define(spec("upload"), func(_ context.Context, c *dispatch.Act, a label) (done, error) {
			_, err := c.UploadPath(a.Name)
			return done{OK: err == nil}, err
		}),
		dispatch.Define(logs, func(_ context.Context, c *dispatch.Read, _ label) (done, error) {
			return done{true, fmt.Sprint(len(c.Log(drive.LogFilter{}).Entries), " entries, ", c.Errors(0).Count, " errors")}, nil
		}),
		dispatch.Define(spec("batch"), dispatch.RunBatch, dispatch.CheckBatch()),
	}
	return s, s.Catalog(dispatch.NewRegistry(commands, dispatch.Access{}), true), b
}

func noFiles(address string) error {
	if strings.HasPrefix(address, "file:") {
		return fault.New(fault.URLBlocked, "no files here")
	}
	return nil
}

// A caller's judge is asked for every address, however the call comes to it: by a
// command, by a step of a batch. Another caller of the session has its own.
func TestEveryWayToAnAddressIsJudged(t *testing.T) {
	_, c, b := at(t, "http://x/", dispatch.Options{})
	for tool, args := range map[string]string{
		"open":  `{"name":"file:///etc/passwd"}`,
		"batch": `{"steps":[{"tool":"open","arguments":{"name":"file:///etc/passwd"}}]}`,
	} {
		r := c.Do(t.Context(), dispatch.Request{Tool: tool, Args: []byte(args), Judge: noFiles})
		if r.Code != "URL_BLOCKED" || !strings.Contains(r.Text, "effect: none") {
			t.Errorf("%s: %s", tool, r.Text)
		}
	}
	for _, m := range b.methods() {
		if m == "browsingContext.navigate" {
			t.Error("the address was sent")
		}
	}
	if r := c.Do(t.Context(), dispatch.Request{Tool: "open", Args: []byte(`{"name":"file:///etc/passwd"}`)}); r.Code == "URL_BLOCKED" {
		t.Errorf("without a judge: %s", r.Text)
	}
}

// A page that one caller has opened is not shown to a caller that may not open it.
func TestAShownPageIsJudged(t *testing.T) {
	_, c, b := at(t, "file:///etc/passwd", dispatch.Options{})
	do := func(tool, args string, judge func(string) error) *dispatch.Result {
		return c.Do(t.Context(), dispatch.Request{Tool: tool, Args: []byte(args), Judge: judge, Observe: dispatch.ObserveDelta})
	}
	if r := do("read", `{}`, nil); r.IsError {
		t.Errorf("by the one who may: %s", r.Text)
	}
	for tool, args := range map[string]string{"read": `{}`, "act": `{}`, "batch": `{"steps":[{"tool":"read"}]}`} {
		if r := do(tool, args, noFiles); r.Code != "URL_BLOCKED" || strings.Contains(r.Text, "content") {
			t.Errorf("%s: %s", tool, r.Text)
		}
	}
	for want, judge := range map[string]func(string) error{"0 entries": noFiles, "1 entries": nil} {
		if r := do("logs", `{}`, judge); !strings.Contains(r.Text, want) {
			t.Errorf("want %s: %s", want, r.Text)
		}
	}
	if r := do("open", `{"name":"http://x/"}`, noFiles); r.Code == "URL_BLOCKED" {
		t.Errorf("a way out: %s", r.Text)
	}
	// What it said stays hidden when the tab shows another page, and when it is closed.
	for _, event := range []string{
		`"browsingContext.navigationStarted","params":{"context":"t1","navigation":"n","timestamp":1,"url":"http://x/"}`,
		`"browsingContext.navigationCommitted","params":{"context":"t1","navigation":"n","timestamp":1,"url":"http://x/"}`,
		`"log.entryAdded","params":{"type":"javascript","level":"error","source":{"realm":"r","context":"t1"},"text":"Error: y","timestamp":1}`,
		`"browsingContext.contextDestroyed","params":{"context":"t1","url":"http://x/","parent":null,"children":null,"originalOpener":null}`,
	} {
		b.out <- []byte(`{"type":"event","method":` + event + `}`)
		do("open", `{"name":"http://x/"}`, noFiles) // its answer comes after the event
	}
	for want, judge := range map[string]func(string) error{"1 entries, 1 errors": noFiles, "2 entries, 2 errors": nil} {
		if r := do("logs", `{}`, judge); !strings.Contains(r.Text, want) {
			t.Errorf("later: want %s: %s", want, r.Text)
		}
	}
}

// Directories that a caller names are that caller's alone.
func TestUploadsAreTheCallersOwn(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.txt")
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, c, _ := at(t, "http://x/", dispatch.Options{})
	args := []byte(`{"name":"` + file + `"}`)
	if r := c.Do(t.Context(), dispatch.Request{Tool: "upload", Args: args, Uploads: []string{dir}}); r.IsError {
		t.Error(r.Text)
	}
	if r := c.Do(t.Context(), dispatch.Request{Tool: "upload", Args: args}); !r.IsError {
		t.Error("another caller may upload it too")
	}
}

// What the browser downloaded can be uploaded, whatever else the session holds.
func TestADownloadCanBeUploaded(t *testing.T) {
	files := artifacts.New(artifacts.Options{Root: t.TempDir()})
	dir, err := files.Downloads()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "report.pdf")
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, c, _ := at(t, "http://x/", dispatch.Options{Files: files})
	if r := c.Do(t.Context(), dispatch.Request{Tool: "upload", Args: []byte(`{"name":"` + file + `"}`)}); r.IsError {
		t.Error(r.Text)
	}
}

// A caller whose map was dropped is not told again what it was told.
func TestADroppedCallerIsToldErrorsOnce(t *testing.T) {
	_, c, _ := at(t, "http://x/", dispatch.Options{})
	act := func(caller string) string {
		return c.Do(t.Context(), dispatch.Request{Tool: "act", Caller: caller, Observe: dispatch.ObserveDelta}).Text
	}
	if got := act("a"); !strings.Contains(got, "errors: at least 1 ") {
		t.Fatal(got)
	}
	for i := range 16 {
		act(fmt.Sprint("other", i))
	}
	if got := act("a"); !strings.Contains(got, "errors: at least 0 ") {
		t.Error(got)
	}
}

// A file that stands in a frame is a file all the same.
func TestAFileInAFrameIsJudged(t *testing.T) {
	_, c, b := at(t, "http://x/", dispatch.Options{})
	b.frame = "file:///etc/passwd"
	if r := c.Do(t.Context(), dispatch.Request{Tool: "read", Judge: noFiles}); r.Code != "URL_BLOCKED" {
		t.Error(r.Text)
	}
}
