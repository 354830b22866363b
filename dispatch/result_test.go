package dispatch

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-json"

	"duet/artifacts"
	"duet/internal/fault"
)

func printing(t *testing.T, l Limits) printer {
	s := NewSession(Options{Files: artifacts.New(artifacts.Options{Root: t.TempDir()}), Limits: l})
	s.remember([]string{`hun"ter2`})
	return printer{s, nil, false}
}

type value struct {
	OK    bool   `json:"ok"`
	Field string `json:"field"`
	Value string `json:"value"`
}

type lines string

func (l lines) Text() string { return string(l) }

// A result is whole in either half, and so is the observation.
func TestHalvesSayTheSame(t *testing.T) {
	s := printing(t, Limits{})
	r := s.print(&answer{value: value{true, "text", "a <b> & \"c\"\nd"}, observation: "+ e1: button \"x\"\nerrors: 0 (logCursor 3)", notes: []string{"new browser"}})
	want := `{"result":{"ok":true,"field":"text","value":"a <b> & \"c\"\nd"},"note":"new browser","observation":"+ e1: button \"x\"\nerrors: 0 (logCursor 3)"}`
	if string(r.Structured) != want {
		t.Errorf("structured\n got %s\nwant %s", r.Structured, want)
	}
	text := "note: new browser\n" + `{"ok":true,"field":"text","value":"a <b> & \"c\"\nd"}` + "\n+ e1: button \"x\"\nerrors: 0 (logCursor 3)"
	if r.Text != text {
		t.Errorf("text\n got %s\nwant %s", r.Text, text)
	}
}

// So is a failure, with everything that is known of it.
func TestFaultHalves(t *testing.T) {
	s := printing(t, Limits{})
	f := fault.New(fault.StaleRef, "click: e7 is gone\ncode: FORGED").WithHint("take a snapshot").WithDetail(map[string]string{"reason": "detached"}).At(fault.BeforeEffect, fault.None)
	f.Recovery = "page: x\ne9: button \"y\""
	r := s.print(&answer{fault: f})
	want := `{"error":{"code":"STALE_REF","message":"click: e7 is gone\ncode: FORGED","hint":"take a snapshot","detail":{"reason":"detached"},` +
		`"phase":"before_effect","effect":"none","retryable":false,"recoverySnapshot":"page: x\ne9: button \"y\""}}`
	if string(r.Structured) != want || !r.IsError || r.Code != "STALE_REF" {
		t.Errorf("structured\n got %s\nwant %s", r.Structured, want)
	}
	text := `error: click: e7 is gone code: FORGED
code: STALE_REF
hint: take a snapshot
detail: {"reason":"detached"}
phase: before_effect
effect: none
retryable: false
recoverySnapshot:
page: x
e9: button "y"`
	if r.Text != text {
		t.Errorf("text\n got %s\nwant %s", r.Text, text)
	}
	if r := s.print(&answer{fault: &fault.Fault{Code: fault.NotVisible, Message: "x"}}); !strings.Contains(r.Text, "effect: none\nretryable: true") {
		t.Error(r.Text)
	}
}

// Secrets go, also where JSON escapes them, and so does what a person cannot see.
func TestPrintedTextIsSafe(t *testing.T) {
	s := printing(t, Limits{})
	r := s.print(&answer{value: value{Value: "hun\"ter2 a\u202Eb\u200Bc\u0007d\U000E0041e\u0085f\u2028g\uFEFFh\x1b[31mi"}, observation: `~ e1: textbox value=hun"ter2`})
	for half, text := range map[string]string{"text": r.Text, "structured": string(r.Structured)} {
		if strings.Contains(text, "ter2") || regexp.MustCompile(`[\x{202E}\x{200B}\x{7}\x{E0041}\x{85}\x{2028}\x{FEFF}\x{1b}]|\\u`).MatchString(text) {
			t.Errorf("%s: %q", half, text)
		}
		if !strings.Contains(text, `"value":"••• abcdef gh[31mi"`) {
			t.Errorf("%s: %q", half, text)
		}
	}
	f := fault.New(fault.ExpectMismatch, `fill: the field holds hun"ter2`).WithDetail(map[string]string{"actual": `hun"ter2`})
	if r := s.print(&answer{fault: f}); strings.Contains(r.Text+string(r.Structured), "ter2") {
		t.Error(r.Text)
	}
}

// What is too long goes to a file; both halves keep its beginning and say where it is.
func TestLongResultSpills(t *testing.T) {
	s := printing(t, Limits{})
	long := strings.Repeat("text: a line of the page\n", 400)
	r := s.print(&answer{value: lines(long)})
	var got struct {
		Result struct {
			Preview, Artifact, Path string
			Bytes, Lines            int
		}
	}
	if err := json.Unmarshal(r.Structured, &got); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(got.Result.Path); err != nil || string(data) != long || got.Result.Bytes != len(long) || got.Result.Lines != 400 {
		t.Errorf("file: %v, %+v", err, got)
	}
	if !strings.HasPrefix(long, got.Result.Preview+"\n") || len(got.Result.Preview) > 2048 || len(got.Result.Preview) < 2000 {
		t.Errorf("preview of %d bytes", len(got.Result.Preview))
	}
	if !strings.HasPrefix(r.Text, got.Result.Preview+"\n") || !strings.Contains(r.Text, got.Result.Path) || !strings.Contains(r.Text, "artifact="+got.Result.Artifact) || len(r.Text) > 2500 || len(r.Structured) > 3000 {
		t.Errorf("text of %d bytes, structured of %d", len(r.Text), len(r.Structured))
	}
	r = s.print(&answer{value: value{true, "value", strings.Repeat("x", 9000)}})
	if len(r.Text) > 2500 || !strings.Contains(string(r.Structured), `"field":"value"`) {
		t.Errorf("text of %d bytes: %s", len(r.Text), r.Structured)
	}
}

// A map has a bound of its own.
func TestMapStaysInline(t *testing.T) {
	s := printing(t, Limits{})
	m := PageMap(strings.Repeat("e1: button \"x\"\n", 500))
	if r := s.print(&answer{value: m}); !strings.HasPrefix(r.Text, string(m)) {
		t.Errorf("a map of %d bytes was cut to %d", len(m), len(r.Text))
	}
	if r := s.print(&answer{value: m + m}); len(r.Text) > 8500 {
		t.Errorf("a map of %d bytes is inline", len(r.Text))
	}
}

// No answer passes the limit, and a fault keeps its code whatever goes with it.
func TestAnswersAreBounded(t *testing.T) {
	s := printing(t, Limits{})
	big := strings.Repeat("+ e1: button \"x\"\n", 3000)
	f := fault.New(fault.StaleRef, "gone").WithDetail(map[string]string{"x": big})
	f.Recovery = big
	for name, a := range map[string]*answer{
		"observation": {value: value{OK: true}, observation: big},
		"both":        {value: lines(big), observation: big},
		"fault":       {fault: f, observation: big},
	} {
		r := s.print(a)
		if n := len(r.Text) + len(r.Structured); n > 32768 {
			t.Errorf("%s: %d bytes", name, n)
		}
		if !json.Valid(r.Structured) || a.fault != nil && (!strings.Contains(r.Text, "code: STALE_REF") || r.Code != "STALE_REF") {
			t.Errorf("%s: %.200s", name, r.Text)
		}
	}
}

// What is too long to print is masked in the file too, whatever part it is.
func TestFilesAreSafe(t *testing.T) {
	s := printing(t, Limits{})
	big := strings.Repeat("~ e1: textbox value=hun\"ter2\n", 3000)
	f := fault.New(fault.StaleRef, "gone")
	f.Recovery = big
	s.print(&answer{fault: f, observation: big})
	s.print(&answer{value: lines(big), observation: big})
	s.print(&answer{value: value{Value: big}})
	stepOutcome{fault: f}.done(s, time.Now())
	dir, err := s.files.Path()
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) < 4 {
		t.Fatalf("%d files: %v", len(entries), err)
	}
	for _, e := range entries {
		if data, err := os.ReadFile(filepath.Join(dir, e.Name())); err != nil || strings.Contains(string(data), "ter2") {
			t.Errorf("%s holds the secret, or cannot be read: %v", e.Name(), err)
		}
	}
}

// However much of an answer must be escaped on the wire, it is no longer than one may
// be; what is left out lies in one file each, which both halves name, and a failure is
// told once.
func TestNoAnswerIsLongerThanOneMayBe(t *testing.T) {
	escaped := strings.Repeat("\"\\\"\n", 12_000)
	sent := func(r *Result) int { return len(quoted(r.Text)) + len(r.Structured) }
	var artifact = regexp.MustCompile(`artifact(?:=|":"|=\\")([0-9]+-[a-z]+\.txt)`)
	files := func(text string) map[string]bool {
		found := map[string]bool{}
		for _, m := range artifact.FindAllStringSubmatch(text, -1) {
			found[m[1]] = true
		}
		return found
	}
	stale := fault.New(fault.StaleRef, "e1 is stale").WithDetail(map[string]string{"reason": "detached"})
	stale.Recovery = escaped
	batch := &BatchResult{OK: true}
	for range 12 {
		batch.add(0, stepOutcome{StepResult: StepResult{Tool: "t", OK: true, Result: quoted(escaped[:2000])}, acted: true})
	}
	batch.add(12, stepOutcome{StepResult: StepResult{Tool: "t", Error: &report{Code: fault.StaleRef, Message: "e1 is stale"}}, fault: stale})
	for name, a := range map[string]*answer{
		"a map":            {value: lines(escaped[:7000]), observation: escaped},
		"a long text":      {value: lines(escaped), observation: escaped},
		"an object":        {value: value{true, "text", escaped[:3000]}, observation: escaped[:30_000]},
		"a failed batch":   {value: batch, fault: batch.fault(), observation: escaped},
		"a failure":        {fault: stale, observation: escaped},
		"a failure, whole": {fault: stale, observation: "errors: 0"},
	} {
		r := printing(t, Limits{}).print(a)
		if n := sent(r) + envelope; n > 32768 {
			t.Errorf("%s: %d bytes", name, n)
		}
		text, object := files(r.Text), files(string(r.Structured))
		if len(text) == 0 || len(text) != len(object) {
			t.Errorf("%s: the text names %v, the object %v", name, text, object)
		}
		for id := range text {
			if !object[id] {
				t.Errorf("%s: the object does not name %s", name, id)
			}
		}
		if n := strings.Count("\n"+r.Text, "\nerror: "); a.fault != nil && n != 1 {
			t.Errorf("%s: the fault is told %d times", name, n)
		}
		if a.value == batch && !strings.Contains(string(r.Structured), `"result":{`) {
			t.Errorf("%s: the object has no result: %.300s", name, r.Structured)
		}
		kinds := map[string]int{}
		for id := range text {
			kinds[id[5:]]++
		}
		for kind, n := range kinds {
			if n > 1 {
				t.Errorf("%s: %d files for %s", name, n, kind)
			}
		}
	}
}

// Whoever asks for the whole gets it, and no file is written; who does not is told
// where what there is was cut before it came here.
func TestWholeResult(t *testing.T) {
	s := printing(t, Limits{})
	s.whole = true
	long := value{true, "value", strings.Repeat("x", 90_000)}
	r := s.print(&answer{value: long})
	if files, _ := s.files.Used(); len(r.Text) < 90_000 || len(r.Structured) < 90_000 || files != 0 {
		t.Errorf("text of %d bytes, structured of %d, %d files", len(r.Text), len(r.Structured), files)
	}
	s.whole = false
	if r := s.print(&answer{value: short{long}}); !strings.Contains(r.Text, "(text cut at 5 of 9 pages: ") || strings.Contains(r.Text, "whole text") {
		t.Error(r.Text[2000:])
	}
}

// short is a value that is not all of what there is.
type short struct{ value }

func (short) CutAt() string { return "5 of 9 pages" }
