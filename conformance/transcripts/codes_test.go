package transcripts_test

import (
	"regexp"
	"strings"
	"testing"

	"duet/conformance/transcripts"
	"duet/internal/fault"
)

// elsewhere are the codes that no transcript can show, each with what shows it, or
// with why nothing returns it yet.
var elsewhere = map[fault.Code]string{
	fault.Busy:               "a full queue: the tests of dispatch",
	fault.Cancelled:          "a caller that goes away: the tests of dispatch and mcpserver",
	fault.LaunchFailed:       "a browser that is not there: the tests of launch",
	fault.Internal:           "a defect: the tests of dispatch",
	fault.ReadOnlyMode:       "not returned: in read-only mode what acts does not exist",
	fault.LeaseExpired:       "not returned: there are no leases yet",
	fault.HandleInvalid:      "not returned: there are no leases yet",
	fault.NoProfileAvailable: "not returned: there are no leases yet",
}

var codeLine = regexp.MustCompile(`(?m)^\s*code: ([A-Z_]+)$`)

// Every code occurs in a transcript, or is on the list of those that cannot. The
// list only shrinks.
func TestEveryCodeHappens(t *testing.T) {
	seen := map[fault.Code]bool{}
	for _, c := range append(all(t), transcripts.Glob(t, "../../tools/testdata/*.txtar")...) {
		for _, call := range c.Calls {
			for _, m := range codeLine.FindAllStringSubmatch(call.Result, -1) {
				seen[fault.Code(strings.TrimSpace(m[1]))] = true
			}
		}
	}
	for _, code := range fault.Codes() {
		switch reason := elsewhere[code]; {
		case !seen[code] && reason == "":
			t.Errorf("%s occurs in no transcript", code)
		case seen[code] && reason != "":
			t.Errorf("%s occurs in a transcript: take it off the list (%s)", code, reason)
		}
	}
}
