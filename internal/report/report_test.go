package report_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-json"

	"duet/internal/fault"
	"duet/internal/golden"
	"duet/internal/report"
	"duet/internal/trace"
)

const example = "../trace/testdata/example"

// write renders a trace.
func write(t *testing.T, name string) string {
	t.Helper()
	s, err := report.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var b bytes.Buffer
	if err := report.Write(&b, s); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// records makes a trace of these lines, behind a start of its own.
func records(t *testing.T, lines ...string) string {
	t.Helper()
	dir := t.TempDir()
	start := `{"kind":"start","t":0,"version":1,"name":"made","began":"2026-05-04T10:00:00.000000Z","policy":{"screenshots":true,"wire":false,"bytes":1}}`
	text := strings.Join(append([]string{start}, lines...), "\n") + "\n"
	if err := os.WriteFile(filepath.Join(dir, "trace.ndjson"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

var (
	dataBlock = regexp.MustCompile(`(?s)<script type="application/json" id="([^"]+)">(.*?)</script>`)
	pictures  = regexp.MustCompile(`(<script type="text/plain"[^>]*>)[^<]*`)
	ownScript = regexp.MustCompile(`(?s)<script>(.*?)</script>`)
	ownStyle  = regexp.MustCompile(`(?s)<style>(.*?)</style>`)
	hashes    = regexp.MustCompile(`&#39;sha256-.*?&#39;`)
)

// data is the block of a name, read.
func data(t *testing.T, page, id string) any {
	t.Helper()
	for _, m := range dataBlock.FindAllStringSubmatch(page, -1) {
		if m[1] == id {
			var v any
			if err := json.Unmarshal([]byte(m[2]), &v); err != nil {
				t.Fatalf("%s: %v", id, err)
			}
			return v
		}
	}
	t.Fatalf("the page has no block %s", id)
	return nil
}

// The page of the example holds what the trace holds, in the places where the
// viewer looks for it.
func TestPage(t *testing.T) {
	page := write(t, example)
	page = ownScript.ReplaceAllString(page, "<script>…</script>")
	page = ownStyle.ReplaceAllString(page, "<style>…</style>")
	page = pictures.ReplaceAllString(page, "$1…")
	page = hashes.ReplaceAllString(page, "SHA256")
	page = dataBlock.ReplaceAllStringFunc(page, func(block string) string {
		m := dataBlock.FindStringSubmatch(block)
		var b bytes.Buffer
		if err := json.Indent(&b, []byte(m[2]), "", " "); err != nil {
			t.Errorf("%s: %v", m[1], err)
		}
		return fmt.Sprintf("<script type=\"application/json\" id=\"%s\">\n%s\n</script>", m[1], &b)
	})
	golden.Check(t, "testdata/example.html", page)
}

// The page may run its own scripts and styles, by the hashes of their bytes as they
// stand in it, and load nothing.
func TestPolicy(t *testing.T) {
	page := write(t, example)
	policy := report.Policy()
	if !strings.Contains(html.UnescapeString(page), `content="`+policy+`"`) {
		t.Errorf("the page does not state its policy")
	}
	var own []string
	for _, m := range append(ownScript.FindAllStringSubmatch(page, -1), ownStyle.FindAllStringSubmatch(page, -1)...) {
		sum := sha256.Sum256([]byte(m[1]))
		own = append(own, "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'")
	}
	for _, h := range own {
		if !strings.Contains(policy, h) {
			t.Errorf("the policy lacks %s", h)
		}
	}
	if n := strings.Count(policy, "sha256-"); n != len(own) {
		t.Errorf("the policy has %d hashes for %d scripts and styles", n, len(own))
	}
	for _, want := range []string{"default-src 'none'", "img-src blob: data:;", "base-uri 'none'", "form-action 'none'", "require-trusted-types-for 'script'"} {
		if !strings.Contains(policy, want) {
			t.Errorf("the policy lacks %s", want)
		}
	}
	for _, never := range []string{"unsafe", "http:", "https:", "*", "'self'"} {
		if strings.Contains(policy, never) {
			t.Errorf("the policy has %s", never)
		}
	}
	if strings.Contains(page, "<link rel=\"stylesheet\"") || regexp.MustCompile(`(src|href)="(https?:)?//`).MatchString(page) {
		t.Error("the page names something outside")
	}
	for _, m := range ownScript.FindAllStringSubmatch(page, -1) {
		for _, never := range []string{"innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval(", "Function(", "fetch(", "XMLHttpRequest", "import("} {
			if strings.Contains(m[1], never) {
				t.Errorf("a script of the page has %s", never)
			}
		}
	}
}

const evil = `</script><script>document.title='owned'</script><img src=x onerror="document.title='owned'"><!--<script>`

// hostileLines have markup, and characters that nobody sees, wherever a page of the
// web, or whoever wrote the file, may put a text.
func hostileLines(t *testing.T) []string {
	t.Helper()
	q, err := json.MarshalWithOption(evil+"\u202e\u2028 \x00end", json.DisableHTMLEscape())
	if err != nil {
		t.Fatal(err)
	}
	e := string(q)
	observed, err := json.MarshalWithOption("page: "+evil+" — http://a.test/  epoch 2  (full map: first look)\ne1: button "+fmt.Sprintf("%q", evil)+"\nerrors: 1 (logCursor 3)\ndialog open: alert "+fmt.Sprintf("%q", evil), json.DisableHTMLEscape())
	if err != nil {
		t.Fatal(err)
	}
	return []string{
		`{"kind":"call","t":1,"call":1,"tool":` + e + `,"verb":` + e + `,"acts":true,"target":` + e + `,"args":{` + e + `:` + e + `},"caller":` + e + `,"tab":1,"url":` + e + `}`,
		`{"kind":"shot","t":2,"call":1,"when":"before","skipped":` + e + `}`,
		`{"kind":"console","t":3,"seq":1,"type":` + e + `,"level":` + e + `,"text":` + e + `,"url":` + e + `,"line":1,"tab":1}`,
		`{"kind":"console","t":3,"seq":2,"type":"exception","level":"error","text":` + e + `,"tab":1}`,
		`{"kind":"network","t":4,"seq":3,"failed":true,"method":` + e + `,"url":` + e + `,"type":` + e + `,"error":` + e + `,"mime":` + e + `,"protocol":` + e + `}`,
		`{"kind":"done","t":5,"call":1,"ok":false,"ms":4,"result":` + e + `,"error":{"code":` + e + `,"message":` + e + `,"hint":` + e + `,"detail":{"x":` + e + `},"phase":` + e + `,"effect":` + e + `},"observation":` + string(observed) + `,"notes":[` + e + `],"cut":[` + e + `],"url":` + e + `}`,
		`{"kind":"browser","t":6,"event":"lost","browser":{"name":` + e + `,"version":` + e + `},"reason":` + e + `}`,
		`{"kind":"drop","t":7,"what":` + e + `,"count":1,"why":` + e + `}`,
	}
}

// Text from a page cannot become markup or script, wherever it stands, and hides nothing.
func TestHostileText(t *testing.T) {
	dir := records(t, hostileLines(t)...)
	name, err := json.MarshalWithOption(evil, json.DisableHTMLEscape())
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "trace.ndjson")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.Replace(text, []byte(`"made"`), name, 1)
	text = bytes.Replace(text, []byte(`"policy"`), []byte(`"duet":`+string(name)+`,"session":`+string(name)+`,"browser":{"name":`+string(name)+`},"policy"`), 1)
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	hostile, plain := write(t, dir), write(t, records(t))
	count := func(page, what string) int { return strings.Count(strings.ToLower(page), what) }
	for _, tag := range []string{"<img", "<!--", "<iframe", "onerror=\""} {
		if got, want := count(hostile, tag), count(plain, tag); got != want {
			t.Errorf("%q occurs %d times instead of %d", tag, got, want)
		}
	}
	// One block of details more, for the action that is there.
	if got, want := count(hostile, "<script"), count(plain, "<script")+1; got != want {
		t.Errorf("the page has %d scripts instead of %d", got, want)
	}
	if got, want := count(hostile, "</script"), count(plain, "</script")+1; got != want {
		t.Errorf("the page has %d ends of scripts instead of %d", got, want)
	}
	for _, r := range []string{"\u202e", "\u2028", "\x00"} {
		if strings.Contains(hostile, r) {
			t.Errorf("%U stands in the page", []rune(r)[0])
		}
	}
	for _, id := range []string{"data-index", "data-detail-0", "data-console", "data-network"} {
		if text := fmt.Sprint(data(t, hostile, id)); !strings.Contains(text, "document.title='owned'") {
			t.Errorf("%s does not show the text", id)
		}
	}
	if text := fmt.Sprint(data(t, hostile, "data-console")); !strings.Contains(text, "⟨U+202E⟩") {
		t.Errorf("what turns the order of reading is not shown: %s", text)
	}
}

// A trace whose process died is shown up to where it reached, and says so.
func TestTruncated(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(example, "trace.ndjson"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	at := bytes.Index(text, []byte(`"code":"STALE_REF"`))
	text = append(append(text[:at:at], '\n'), []byte("{\"kind\":\"of tomorrow\",\"t\":1300}\n")...)
	if err := os.WriteFile(filepath.Join(dir, "trace.ndjson"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	page := write(t, dir)
	for _, want := range []string{"The trace has no end", "1 record could not be read."} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say: %s", want)
		}
	}
	rows := data(t, page, "data-index").(map[string]any)["rows"].([]any)
	if len(rows) != 5 || rows[4].(map[string]any)["state"] != "open" {
		t.Errorf("rows = %v, want five, the last one open", rows)
	}
}

// No name in a trace leads out of it, and what is no picture is not one.
func TestPicturesOfTheTraceAlone(t *testing.T) {
	shot := func(call int, file string) string {
		return fmt.Sprintf(`{"kind":"call","t":%d,"call":%d,"tool":"browser_click","verb":"click","args":{}}`, call, call) + "\n" +
			fmt.Sprintf(`{"kind":"shot","t":%d,"call":%d,"when":"before","file":%q,"type":"image/png"}`, call, call, file)
	}
	outside := t.TempDir()
	png, err := os.ReadFile(filepath.Join(example, "shots", "0001-before.png"))
	if err != nil {
		t.Fatal(err)
	}
	dir := records(t, shot(1, "../secret.png"), shot(2, outside+"/secret.png"), shot(3, "link.png"), shot(4, "text.png"), shot(5, "."), shot(6, "gone.png"), shot(7, "fine.png"), shot(8, "fine.png"))
	for name, data := range map[string][]byte{
		filepath.Join(outside, "secret.png"): png, filepath.Join(filepath.Dir(dir), "secret.png"): png,
		filepath.Join(dir, "text.png"): []byte("<svg onload=alert(1)>"), filepath.Join(dir, "fine.png"): png,
	} {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(outside, "secret.png"), filepath.Join(dir, "link.png")); err != nil {
		t.Fatal(err)
	}
	page := write(t, dir)
	if n := strings.Count(page, `<script type="text/plain" id="image-`); n != 1 {
		t.Errorf("the page holds %d pictures, want the one that lies in the trace", n)
	}
	rows := data(t, page, "data-index").(map[string]any)["rows"].([]any)
	for i, r := range rows {
		want := -1.0
		if i >= 6 {
			want = 0
		}
		if got := r.(map[string]any)["before"]; got != want {
			t.Errorf("action %d has picture %v, want %v", i+1, got, want)
		}
	}
}

// A trace is opened by its directory, its records, or an archive of either form.
func TestOpen(t *testing.T) {
	want := write(t, example)
	if got := write(t, filepath.Join(example, "trace.ndjson")); got != want {
		t.Error("the file of records gives another page than its directory")
	}
	whole := filepath.Join(t.TempDir(), "trace.zip")
	packed := filepath.Join(t.TempDir(), "packed.zip")
	empty := filepath.Join(t.TempDir(), "empty.zip")
	archive(t, whole, "")
	archive(t, empty, "a/b/")
	f, err := os.Create(packed)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(trace.Archive(f, os.DirFS(example), nil), f.Close()); err != nil {
		t.Fatal(err)
	}
	if got := write(t, whole); got != want {
		t.Error("an archive of the directory gives another page than it")
	}
	// The protocol log stays where it is.
	shown := func(page string) string { return dataBlock.ReplaceAllString(page, "") }
	if got, want := pictures.FindAllString(shown(write(t, packed)), -1), pictures.FindAllString(shown(want), -1); len(want) == 0 || !slices.Equal(got, want) {
		t.Errorf("the archive that stopping makes shows %d pictures, its directory %d", len(got), len(want))
	}
	if got, want := data(t, write(t, packed), "data-detail-0"), data(t, want, "data-detail-0"); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Error("the archive that stopping makes shows other actions than its directory")
	}
	text := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(text, []byte("no trace"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{t.TempDir(), empty, text, "testdata/nothing"} {
		if _, err := report.Open(name); !errors.Is(err, fault.InvalidArgument) {
			t.Errorf("Open(%s) = %v, want INVALID_ARGUMENT", name, err)
		}
	}
	other := t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "trace.ndjson"), []byte("{\"kind\":\"start\",\"version\":99}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := report.Open(other)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var b bytes.Buffer
	if err := report.Write(&b, s); !errors.Is(err, fault.InvalidArgument) || b.Len() > 0 {
		t.Errorf("a trace of another version: %v, and %d bytes", err, b.Len())
	}
}

// archive packs the example.
func archive(t *testing.T, name, prefix string) {
	t.Helper()
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	err = fs.WalkDir(os.DirFS(example), ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(example, path))
		if err != nil {
			return err
		}
		w, err := z.Create(prefix + path)
		if err == nil {
			_, err = w.Write(text)
		}
		return err
	})
	if err = errors.Join(err, z.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
}

// What is too much for a page is left out, and the page says so.
func TestLimits(t *testing.T) {
	var lines []string
	long := strings.Repeat("long ", 10_000)
	for i := range 20_003 {
		lines = append(lines, fmt.Sprintf(`{"kind":"call","t":%d,"call":%d,"tool":"browser_press","verb":"press","args":{"key":"a"}}`, i, i+1))
	}
	lines = append(lines, fmt.Sprintf(`{"kind":"console","t":5,"seq":1,"type":"console","level":"info","text":%q}`, long))
	page := write(t, records(t, lines...))
	if !strings.Contains(page, "Of 20003 actions the first 20000 are shown.") {
		t.Error("the page does not say that actions are missing")
	}
	text := data(t, page, "data-console").([]any)[0].(map[string]any)["text"].(string)
	if len(text) > 17<<10 || !strings.HasSuffix(text, "bytes more)") {
		t.Errorf("a long message has %d bytes and ends with %q", len(text), text[max(0, len(text)-40):])
	}
}
