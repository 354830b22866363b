package transcripts

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"duet/artifacts"
	"duet/bidi"
	"duet/dispatch"
	"duet/internal/drive"
	"duet/internal/fakebrowser"
	"duet/internal/fault"
	"duet/internal/golden"
	"duet/internal/pagejs"
	"duet/internal/profile"
	"duet/internal/wirelog"
	"duet/tools"
)

// stage is a session with what stands around it.
type stage struct {
	session *dispatch.Session
	catalog dispatch.Catalog
	files   *artifacts.Dir
	shown   []string // every answer so far
}

// mostFiles is how many files a session may leave, fewer than usual.
const mostFiles = 40

// newStage makes a session whose files lie under dir.
func newStage(dir, uploads string, open dispatch.Opener) *stage {
	s := &stage{files: artifacts.New(artifacts.Options{Root: dir, MaxFiles: mostFiles})}
	s.session = dispatch.NewSession(dispatch.Options{
		Open: open, Files: s.files, Uploads: []string{uploads}, States: profile.NewStore(filepath.Join(dir, "states"), profile.Keys{}),
		Limits: dispatch.Limits{Timeout: 5 * time.Second, Launch: time.Minute},
	})
	s.keepStates(filepath.Join(dir, "states"))
	s.catalog = s.session.Catalog(dispatch.NewRegistry(tools.All(), dispatch.Access{}), false)
	return s
}

// keepStates puts the states of the pages' directory where saved ones lie.
func (s *stage) keepStates(dir string) {
	found, _ := filepath.Glob(filepath.Join(pagesDir(), "states", "*.json")) // the pattern is right
	for _, path := range found {
		text, err := os.ReadFile(path)
		if err == nil {
			err = errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(filepath.Join(dir, filepath.Base(path)), text, 0o600))
		}
		if err != nil {
			panic(err) // the test's own directory
		}
	}
}

// do runs a call and returns its answer as text.
func (s *stage) do(ctx context.Context, k Call, translate *strings.Replacer) (*dispatch.Result, string, error) {
	if k.Tool == full {
		for err := error(nil); err == nil; {
			_, err = s.files.Write("left", "txt", nil)
		}
		s.shown = append(s.shown, "")
		return &dispatch.Result{}, "", nil
	}
	args, err := k.arguments(s.shown)
	if err != nil {
		return nil, "", err
	}
	r := s.catalog.Do(ctx, dispatch.Request{
		Tool: k.Tool, Args: []byte(translate.Replace(string(args))), Observe: dispatch.ObserveDelta, Caller: "transcript",
	})
	text := r.Text
	if r.ArgError != nil {
		text = "argument error: " + r.ArgError.Message
	}
	s.shown = append(s.shown, text)
	return r, text, nil
}

// attach makes a live browser of a transport, as internal/app does.
func attach(ctx context.Context, wire bidi.Transport, log *wirelog.Writer, info drive.Info, end func(context.Context) error) (*dispatch.Live, error) {
	b, err := drive.New(ctx, wire, bidi.Options{Log: log}, info)
	if err != nil {
		return nil, err
	}
	return &dispatch.Live{
		Browser: b,
		Close:   func(ctx context.Context) error { return errors.Join(end(ctx), b.Close()) },
		Done:    b.Lost(),
		Lost:    b.LostErr,
		Info:    dispatch.Info{Browser: info.Browser, PierceClosed: info.PierceClosed},
	}, nil
}

func collapse(text string) string {
	if name, ok := pagejs.Collapse(text); ok {
		return name
	}
	return text
}

// changing is what differs from run to run in an answer.
var changing = []struct {
	what *regexp.Regexp
	by   string
}{
	{regexp.MustCompile(`"bytes":\d+`), `"bytes":0`},
	{regexp.MustCompile(`"durationMs":\d+`), `"durationMs":0`},
	{regexp.MustCompile(`"uptime_s":\d+`), `"uptime_s":0`},
	{regexp.MustCompile(`"saved":"[^"]*"`), `"saved":"2000-01-01T00:00:00Z"`},
	{regexp.MustCompile(`(?m)^(\d+ (?:ok|FAILED) \S+) \d+ ms`), `$1 0 ms`},
	{regexp.MustCompile(`not within [0-9.]+m?s`), `not within 0s`},
	{regexp.MustCompile(`(?m)^(request: .*) \d+ ms`), `$1 0 ms`},
	{regexp.MustCompile(`"ms":\d+`), `"ms":0`},
	{regexp.MustCompile(`"state":"failed","reason"`), `"state":"failed","ms":0,"reason"`}, // refused in no time, or in a moment
	{regexp.MustCompile(`"began":"[^"]*"`), `"began":""`},
	{regexp.MustCompile(`"timing":\{[^}]*\}`), `"timing":{}`},
}

// normal is an answer without what differs from run to run.
func normal(text string, pairs ...string) string {
	text = strings.NewReplacer(pairs...).Replace(text)
	for _, c := range changing {
		text = c.what.ReplaceAllString(text, c.by)
	}
	return text
}

// played is what a replay came to.
type played struct {
	answers []string
	results []*dispatch.Result
	took    []time.Duration // in virtual time
	wires   []wirelog.Log   // of each call, as it came to pass
	frames  [][]string      // that left the client in each call
	misfit  error
	at      int // the call in which it came
}

// playing says how to replay.
type playing struct {
	loose  bool
	calls  int // how many, 0 for all
	before func(*fakebrowser.Browser, int)
}

// play replays a case in a synctest bubble, where settle is synctest.Wait.
func (c *Case) play(ctx context.Context, dir string, settle func(), o playing) (out played) {
	// A client may still be at work when its call has ended: one waits at a time.
	turn := make(chan struct{}, 1)
	quiet := func() {
		turn <- struct{}{}
		settle()
		<-turn
	}
	segments := c.segments()
	var fakes []*fakebrowser.Browser
	pairs := []string{}
	open := func(ctx context.Context, _ func(string)) (*dispatch.Live, error) {
		if len(fakes) == len(segments) {
			return nil, fault.New(fault.LaunchFailed, "the transcript has no further browser")
		}
		fake := fakebrowser.New(segments[len(fakes)], fakebrowser.Options{
			Collapse: collapse, Pairs: pairs, Quiet: quiet, Loose: o.loose,
		})
		if o.before != nil {
			o.before(fake, len(fakes))
		}
		fakes = append(fakes, fake)
		return attach(ctx, fake, nil, drive.Info{
			Browser: c.Browser.Name, SessionExists: c.Browser.Session, Capabilities: c.Browser.Capabilities, DownloadDir: "$artifacts/downloads",
			PierceClosed: c.Browser.PierceClosed,
		}, func(context.Context) error { return nil })
	}
	s := newStage(dir, pagesDir(), open)
	defer func() { _ = s.session.Close(context.WithoutCancel(ctx)) }()
	if path, err := s.files.Path(); err == nil {
		pairs = append(pairs, path, "$artifacts")
	}
	pairs = append(pairs, pagesDir(), "$pages")
	total := func() (frames []string, wire wirelog.Log) {
		for _, f := range fakes {
			frames = append(frames, f.Taken()...)
			wire = append(wire, f.Played()...)
		}
		return frames, wire
	}
	sent, passed := 0, 0
	for i, k := range c.Calls {
		if o.calls > 0 && i == o.calls {
			break
		}
		begin := time.Now()
		var r *dispatch.Result
		text := ""
		if k.Tool != crash {
			var err error
			if r, text, err = s.do(ctx, k, none); err != nil {
				out.misfit, out.at = err, i
				return out
			}
		}
		out.took = append(out.took, time.Since(begin))
		if len(fakes) > 0 {
			last := fakes[len(fakes)-1]
			last.Rest(ctx)
			for quiet(); last.Rest(ctx); quiet() {
				// What a client does after its call brings replies too.
			}
			if err := last.Err(); err != nil && strings.Contains(err.Error(), "the client sent") {
				out.misfit, out.at = err, i
				return out
			}
		}
		frames, wire := total()
		out.answers = append(out.answers, normal(text, pairs...))
		out.results = append(out.results, r)
		out.wires = append(out.wires, wire[passed:])
		out.frames = append(out.frames, frames[sent:])
		sent, passed = len(frames), len(wire)
		if len(fakes) > 0 && i+1 < len(c.Calls) {
			fakes[len(fakes)-1].Proceed()
		}
	}
	for _, f := range fakes {
		if err := f.Err(); err != nil && out.misfit == nil && o.calls == 0 {
			out.misfit, out.at = err, len(c.Calls)-1
		}
	}
	return out
}

var none = strings.NewReplacer()

// Replay runs the case's calls against the recorded browser and fails the test
// where a frame or an answer is another one.
func (c *Case) Replay(t *testing.T) {
	t.Helper()
	if !c.recorded() {
		t.Fatalf("%s is not recorded yet: %s", c.Path, c.recipe())
	}
	bubble(t, func(t *testing.T, quiet func()) {
		got := c.play(t.Context(), t.TempDir(), quiet, playing{})
		c.judge(t, got)
	})
}

// judge compares a replay with what was recorded. Where only words of the answers
// changed, and no frame did, GOLDEN=update accepts them.
func (c *Case) judge(t testing.TB, got played) {
	t.Helper()
	if got.misfit != nil {
		t.Errorf("%s, call %d (%s %s):\n%v\nwhere the change is meant: %s",
			c.Path, got.at+1, c.Calls[got.at].Tool, c.Calls[got.at].Args, got.misfit, c.recipe())
		return
	}
	if golden.Updating(t) && len(got.answers) == len(c.Calls) {
		if err := c.reworded(got.answers); err != nil {
			t.Error(err)
		}
		return
	}
	for i, answer := range got.answers {
		if want := c.Calls[i].Result; answer != want {
			t.Errorf("%s, call %d (%s %s): the answer differs\n%s\nwhere the change is meant: %s",
				c.Path, i+1, c.Calls[i].Tool, c.Calls[i].Args, difference(want, answer), c.recipe())
			return
		}
	}
}

// reworded keeps the case with these answers.
func (c *Case) reworded(answers []string) error {
	changed := false
	for i, answer := range answers {
		changed = changed || c.Calls[i].Result != answer
		c.Calls[i].Result = answer
	}
	if !changed {
		return nil
	}
	return c.Save()
}
