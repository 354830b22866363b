package transcripts_test

import (
	"path/filepath"
	"strings"
	"testing"

	"duet/conformance/transcripts"
)

// all are the transcripts, one folder a scenario, one file a browser.
func all(t *testing.T) []*transcripts.Case {
	t.Helper()
	return transcripts.Glob(t, "*/*.txtar")
}

func name(c *transcripts.Case) string {
	return filepath.Base(filepath.Dir(c.Path)) + "/" + c.Name()
}

// Today's client says to a browser what it said when the transcript was recorded,
// frame by frame, and answers the same.
func TestReplay(t *testing.T) {
	for _, c := range all(t) {
		t.Run(name(c), func(t *testing.T) {
			t.Parallel()
			c.Replay(t)
		})
	}
}

// Both browsers are asked the same.
func TestTheSameCallsOnEveryBrowser(t *testing.T) {
	first := map[string]*transcripts.Case{}
	count := map[string]int{}
	for _, c := range all(t) {
		scenario := filepath.Base(filepath.Dir(c.Path))
		count[scenario]++
		other := first[scenario]
		if other == nil {
			first[scenario] = c
			continue
		}
		if len(other.Calls) != len(c.Calls) || other.About != c.About {
			t.Errorf("%s and %s differ in what they do", other.Path, c.Path)
			continue
		}
		for i := range c.Calls {
			if c.Calls[i].Tool != other.Calls[i].Tool || c.Calls[i].Args != other.Calls[i].Args {
				t.Errorf("%s and %s differ in call %d", other.Path, c.Path, i+1)
			}
		}
	}
	for scenario, n := range count {
		if n != len(setups) {
			t.Errorf("%s is recorded on %d of %d browsers", scenario, n, len(setups))
		}
	}
}

// Whatever command of a call fails, and however it does, the answer tells the truth.
func TestInject(t *testing.T) {
	cases := all(t)
	for _, s := range setups {
		t.Run(s, func(t *testing.T) {
			t.Parallel()
			var in transcripts.Injection
			tries := 0
			for _, c := range cases {
				// What is refused sends what the others send, and less of it.
				if c.Browser.Setup == s && !strings.HasPrefix(name(c), "refused-") {
					tries += in.Inject(t, c)
				}
			}
			t.Logf("%d failures", tries)
		})
	}
}
