package transcripts

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-json"

	"duet/internal/fakebrowser"
	"duet/internal/txtar"
	"duet/internal/wirelog"
)

// Case is a transcript: calls in order, the frames that each exchanged with the
// browser, and what it answered. As a file it is a text archive:
//
//	What is true, in a sentence.
//	-- browser --
//	{"setup":"chrome","name":"chromium","session":true}
//	-- call browser_click --
//	{"selector":"{{button \"Save\"}}"}
//	-- wire --
//	> {"id":7,"method":"input.performActions",…}
//	< {"type":"success","id":7,"result":{}}
//	-- result --
//	{"ok":true}
//
// with a call, a wire and a result section for each call. {{…}} in an argument is
// the ref of the first line of the last map that holds these words. Of a case that
// was not recorded yet the wire and result sections are missing.
type Case struct {
	Path    string
	About   string
	Browser Profile
	Calls   []Call
}

// Profile is what a browser's driver said of it.
type Profile struct {
	Setup        string          `json:"setup"`   // what it was recorded on: chrome or firefox
	Name         string          `json:"name"`    // as drive is told it
	Session      bool            `json:"session"` // the driver made the session
	Capabilities json.RawMessage `json:"capabilities,omitempty"`
	PierceClosed bool            `json:"pierce_closed,omitzero"` // closed shadow roots are read: set it before the case is recorded
}

// Call is one call of a transcript.
type Call struct {
	Tool   string // or "crash": the browser is killed; or "full": no more files may be left
	Args   string // JSON, with {{…}} for refs
	Wire   wirelog.Log
	Result string
}

// What is done by a name that is no tool's.
const (
	crash = "crash" // kills the browser
	full  = "full"  // leaves as many files as a session may
)

// Load reads a transcript.
func Load(path string) (*Case, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	a := txtar.Parse(string(text))
	c := &Case{Path: path, About: strings.TrimSpace(a.Comment)}
	for _, f := range a.Files {
		tool, isCall := strings.CutPrefix(f.Name, "call ")
		last := len(c.Calls) - 1
		switch {
		case f.Name == "browser":
			err = json.Unmarshal([]byte(f.Data), &c.Browser)
		case isCall:
			c.Calls = append(c.Calls, Call{Tool: tool, Args: strings.TrimSpace(f.Data)})
		case last < 0:
			err = fmt.Errorf("section %q comes before the first call", f.Name)
		case f.Name == "wire":
			c.Calls[last].Wire, err = wirelog.Parse(strings.NewReader(f.Data))
		case f.Name == "result":
			c.Calls[last].Result = strings.TrimSuffix(f.Data, "\n")
		default:
			err = fmt.Errorf("section %q is none of browser, call, wire, result", f.Name)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	if len(c.Calls) == 0 || c.About == "" {
		return nil, fmt.Errorf("%s: a transcript has a sentence and at least one call", path)
	}
	return c, nil
}

// Glob loads the transcripts that a pattern matches, and fails where there are none.
func Glob(t testing.TB, pattern string) []*Case {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("no transcripts at %s: %v", pattern, err)
	}
	var cases []*Case
	for _, path := range paths {
		c, err := Load(path)
		if err != nil {
			t.Fatal(err)
		}
		cases = append(cases, c)
	}
	return cases
}

// Save writes the transcript to its path.
func (c *Case) Save() error {
	a := &txtar.Archive{Comment: c.About + "\n"}
	profile, err := json.MarshalWithOption(c.Browser, json.DisableHTMLEscape())
	if err != nil {
		return err
	}
	add := func(name, data string) { a.Files = append(a.Files, txtar.File{Name: name, Data: data}) }
	add("browser", string(profile))
	for _, k := range c.Calls {
		add("call "+k.Tool, k.Args)
		add("wire", string(k.Wire.Bytes()))
		add("result", k.Result)
	}
	return os.WriteFile(c.Path, []byte(a.Format()), 0o644)
}

// Name is the transcript's name: its file without the extension.
func (c *Case) Name() string { return strings.TrimSuffix(filepath.Base(c.Path), ".txtar") }

// recorded reports whether the transcript holds what a browser said.
func (c *Case) recorded() bool { return c.Browser.Name != "" }

// segments are the wires of the case's connections, one after another: a new one
// begins after the end of the one before. Gates keep the calls apart.
func (c *Case) segments() []wirelog.Log {
	segments := []wirelog.Log{nil}
	for i, k := range c.Calls {
		last := len(segments) - 1
		if i > 0 && len(segments[last]) > 0 {
			segments[last] = append(segments[last], fakebrowser.Gate())
		}
		for _, e := range k.Wire {
			segments[last] = append(segments[last], e)
			if _, closed := e.Closed(); closed {
				segments = append(segments, nil)
				last++
			}
		}
	}
	return segments
}

var placeholder = regexp.MustCompile(`\{\{.*?\}\}`)

// arguments are the call's arguments with the refs that the maps so far have shown.
func (k Call) arguments(shown []string) (json.RawMessage, error) {
	var failed error
	args := placeholder.ReplaceAllStringFunc(k.Args, func(p string) string {
		words := strings.ReplaceAll(strings.Trim(p, "{}"), `\"`, `"`)
		for i := len(shown) - 1; i >= 0; i-- {
			if ref := refOf(shown[i], words); ref != "" {
				return ref
			}
		}
		failed = fmt.Errorf("no line holds %s", words)
		return p
	})
	if args == "" {
		args = "{}"
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, []byte(args)); err != nil {
		return nil, err
	}
	return compact.Bytes(), failed
}

// refOf is the ref of the first line of a map that holds the words.
func refOf(text, words string) string {
	for line := range strings.SplitSeq(text, "\n") {
		ref, rest, ok := strings.Cut(strings.TrimLeft(line, " +~"), ": ")
		if _, renewed, arrow := strings.Cut(ref, "→"); arrow {
			ref = renewed
		}
		if ok && strings.HasPrefix(ref, "e") && strings.Contains(rest, words) {
			return ref
		}
	}
	return ""
}
