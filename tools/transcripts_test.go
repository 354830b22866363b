package tools_test

import (
	"flag"
	"strings"
	"testing"

	"duet/conformance/transcripts"
	"duet/tools"
)

var (
	record = flag.Bool("record", false, "record transcripts anew instead of replaying them")
	setup  = flag.String("browser", "chrome", "set-up to record on: chrome or firefox")
)

// Every command has a transcript, recorded and never typed, and says to a browser
// what it says there.
func TestTranscripts(t *testing.T) {
	told := map[string]bool{}
	for _, c := range transcripts.Glob(t, "testdata/*.txtar") {
		verb, _, _ := strings.Cut(c.Name(), "-")
		told[verb] = true
		t.Run(c.Name(), func(t *testing.T) {
			if !*record {
				t.Parallel()
				c.Replay(t)
				return
			}
			got, err := c.Record(t, *setup)
			if err != nil {
				t.Fatal(err)
			}
			if err := got.Save(); err != nil {
				t.Fatal(err)
			}
		})
	}
	for _, c := range tools.All() {
		if !told[c.Verb] {
			t.Errorf("%s has no transcript: write its calls to testdata/%s.txtar, then: just record %s", c.Verb, c.Verb, c.Verb)
		}
	}
}

// Whatever command of a call fails, the answer tells the truth.
func TestTranscriptsInject(t *testing.T) {
	if *record {
		t.Skip("records")
	}
	var in transcripts.Injection
	tries := 0
	for _, c := range transcripts.Glob(t, "testdata/*.txtar") {
		tries += in.Inject(t, c)
	}
	t.Logf("%d failures", tries)
}
