package transcripts

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-json"

	"duet/bidi"
	"duet/internal/env"
	"duet/internal/fakebrowser"
	"duet/internal/fault"
	"duet/internal/pagejs"
	"duet/internal/wirelog"
	"duet/tools"
)

// ways are the ways in which a command fails.
var ways = []struct {
	name string
	err  error
}{
	{"is never written", bidi.ErrUnsent},
	{"is written and the connection lost", errors.New("injected loss")},
	{"is answered with an error", &bidi.Error{Code: bidi.CodeUnknownError, Message: "injected failure"}},
}

const (
	unsent = iota
	lost
	refused
)

// atDesk is how many times fewer of the failures are tried where nobody asks for all,
// so that the tests are run often. CI tries all.
const atDesk = 4

// longest is the time that a call with the usual timeout of 5 s may take: its grace,
// the question whether the driver lives, and a look at the page are bounded too.
const longest = 12 * time.Second

// Injection remembers which failures were tried, so that what transcripts have in
// common is tried once.
type Injection struct {
	tried map[string]bool
	thin  int
}

// Inject fails each command of each call of the case once, in each way, and reports
// an outcome that is none: a defect, a claim about the effect that the frames that
// left contradict, a success of what failed, a call that does not end.
func (in *Injection) Inject(t *testing.T, c *Case) (tries int) {
	t.Helper()
	if in.tried == nil {
		in.tried, in.thin = map[string]bool{}, thin
		if !env.CI.Set() {
			in.thin *= atDesk
		}
	}
	dir := t.TempDir()
	var whole played
	bubble(t, func(t *testing.T, quiet func()) { whole = c.play(t.Context(), dir, quiet, playing{}) })
	if whole.misfit != nil {
		t.Errorf("%s: %v", c.Path, whole.misfit)
		return 0
	}
	segment, n := 0, 0
	for i, frames := range whole.frames {
		k := c.Calls[i]
		signature := c.Browser.Setup + " " + k.Tool + " " + strings.Join(kinds(frames), " ")
		for at, frame := range frames {
			n++
			for way := range ways {
				key := fmt.Sprint(signature, at, way)
				if in.tried[key] {
					continue
				}
				in.tried[key] = true
				if len(in.tried)%in.thin != 0 {
					continue
				}
				tries++
				var got played
				bubble(t, func(t *testing.T, quiet func()) {
					got = c.play(t.Context(), dir, quiet, playing{calls: i + 1, before: func(b *fakebrowser.Browser, connection int) {
						if connection == segment {
							b.FailNth("", n, ways[way].err)
						}
					}})
				})
				if problem := verdict(got, i, at, k, frame, way); problem != "" {
					t.Errorf("%s, call %d (%s %s), where command %d of %d %s: %s\n  > %.300s\n%s",
						c.Path, i+1, k.Tool, k.Args, at+1, len(frames), ways[way].name, problem, frame, indent(got.last(i)))
				}
			}
		}
		for _, e := range k.Wire {
			if _, closed := e.Closed(); closed {
				segment, n = segment+1, 0
			}
		}
	}
	return tries
}

func (p played) last(i int) string {
	if i < len(p.answers) {
		return p.answers[i]
	}
	return "(no answer)"
}

func indent(text string) string { return "  | " + strings.ReplaceAll(text, "\n", "\n  | ") }

var (
	effectLine = regexp.MustCompile(`(?m)^effect: (\w+)$`)
	phaseLine  = regexp.MustCompile(`(?m)^phase: (\w+)$`)
)

// verdict says what is wrong with the outcome of a call whose frame failed, "" for
// nothing.
func verdict(got played, i, at int, k Call, frame string, way int) string {
	recorded := k.Result
	if got.misfit != nil {
		return "the replay broke: " + got.misfit.Error()
	}
	r := got.results[i]
	if got.took[i] > longest {
		return fmt.Sprintf("it took %v", got.took[i])
	}
	left, most := 0, 0 // acting frames that left and were not refused; with those that may not have acted
	// A page function that acts looks first, and is sent again where it could not act
	// yet. Where the call is refused even when nothing fails, none of them did.
	idle := strings.Contains(recorded, "\neffect: none")
	for j, f := range got.frames[i] {
		again := j < at && strings.HasPrefix(commandOf(f).Method, "script.") && (idle || sameFunction(f, frame))
		if !acts(k.Tool, f) || j == at && way == refused {
			continue
		}
		most++
		if !again {
			left++
		}
	}
	if idle && commandOf(frame).Method == "browsingContext.getTree" {
		return "" // the question whether the driver lives: what came before it is under way
	}
	if !r.IsError {
		if acts(k.Tool, frame) && !heldBack(k.Wire, at) {
			return "it is said to be done"
		}
		return ""
	}
	effect := fault.Effect(firstOf(effectLine, r.Text))
	phase := fault.Phase(firstOf(phaseLine, r.Text))
	switch {
	case r.Code == string(fault.Internal):
		return "it is called a defect"
	case !fails(k.Tool, fault.Code(r.Code)):
		return k.Tool + " does not declare " + r.Code
	case r.Code == "" || effect == "" || phase == "":
		return "it has no code, effect or phase"
	case effect == fault.None && left > 0:
		return "nothing is said to have happened, and an acting frame left"
	case effect != fault.None && most == 0 && !(way == refused && acts(k.Tool, frame)):
		return "something is said to have happened, and no acting frame left"
	case (phase == fault.Precondition || phase == fault.BeforeEffect) != (effect == fault.None):
		return fmt.Sprintf("phase %s and effect %s do not go together", phase, effect)
	}
	return ""
}

// heldBack reports whether the page answered the frame at a place that it did nothing,
// since the one before it was slow: then it was sent again.
func heldBack(log wirelog.Log, at int) bool {
	var id int64 = -1
	n := 0
	for _, e := range log {
		got, method, _ := wirelog.SplitID(e.Text)
		switch {
		case e.Kind == wirelog.Sent:
			if n == at {
				id = got
			}
			n++
		case e.Kind == wirelog.Arrived && method == "" && got == id:
			return strings.Contains(string(e.Text), `\"held\":true`)
		}
	}
	return false
}

// fails reports whether a tool declares that its calls fail with a code.
func fails(tool string, code fault.Code) bool {
	for _, c := range tools.All() {
		if c.Tool == tool {
			return c.Fails(code)
		}
	}
	return false
}

func sameFunction(a, b string) bool {
	name := func(frame string) string {
		first, _, _ := strings.Cut(commandOf(frame).Params.Function, "\n") // of what has no name
		return strings.TrimPrefix(strings.TrimPrefix(first, "@"), "+")
	}
	return commandOf(a).Method == commandOf(b).Method && name(a) == name(b)
}

func firstOf(line *regexp.Regexp, text string) string {
	all := line.FindAllStringSubmatch(text, -1)
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1][1]
}

// command is what is looked at of a frame.
type command struct {
	Method string `json:"method"`
	Params struct {
		Function string `json:"functionDeclaration"`
	} `json:"params"`
}

func commandOf(frame string) (c command) {
	_ = json.Unmarshal([]byte(frame), &c) // a frame of ours is JSON
	return c
}

// kinds are the methods of frames, with the names of their page functions.
func kinds(frames []string) []string {
	var out []string
	for _, f := range frames {
		c := commandOf(f)
		out = append(out, c.Method+c.Params.Function)
	}
	return out
}

// acting are the methods that change what a page or its user has.
var acting = map[string]bool{
	"input.performActions": true, "input.setFiles": true, "browsingContext.navigate": true, "browsingContext.reload": true,
	"browsingContext.traverseHistory": true, "browsingContext.handleUserPrompt": true, "browsingContext.create": true,
	"browsingContext.close": true, "script.evaluate": true, "storage.setCookie": true, "storage.deleteCookies": true, "network.setExtraHeaders": true, "permissions.setPermission": true,
}

// nudge is the input by which a page is made one that its user has touched, so that
// it may ask before it is left: nothing moves by it.
const nudge = `{"type":"scroll","x":0,"y":0,"deltaX":0,"deltaY":-1}`

var heading = regexp.MustCompile(`(?m)^// \w+\(lib.*\bacts\.`)

// acts reports whether a frame changes something in a page: by its method, or by a
// page function that says so in its first line. That requests are held no longer ends
// a mock; elsewhere nobody notices it.
func acts(tool, frame string) bool {
	c := commandOf(frame)
	if c.Method == "network.removeIntercept" {
		return tool == "browser_mock"
	}
	if c.Method != "script.callFunction" {
		// The size that tabs begin with has no pixel ratio.
		resized := c.Method == "browsingContext.setViewport" && strings.Contains(frame, `"devicePixelRatio"`)
		return resized || strings.HasPrefix(c.Method, "emulation.") || acting[c.Method] && !strings.Contains(frame, nudge)
	}
	switch name := strings.TrimPrefix(strings.TrimPrefix(c.Params.Function, "@"), "+"); name {
	case "focus":
		return true
	case "measure":
		return strings.Contains(frame, `\"scroll\":true`)
	default:
		text, ok := pagejs.Expand("@" + name)
		return !ok || heading.MatchString(text)
	}
}
