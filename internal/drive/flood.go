package drive

import (
	"errors"
	"fmt"
	"time"

	"duet/internal/fault"
)

// floodWindow is how long is listened whether the browser still delivers, when a
// ping has no answer yet.
const floodWindow = 200 * time.Millisecond

// ErrFlood is the cause of a TIMEOUT where the browser still delivers what its
// pages log and request: a further look would wait behind it too.
var ErrFlood = errors.New("what its pages log and request floods the connection")

// noise counts what pages cause on the wire without being asked.
type noise struct {
	logs, requests int
	events         int     // of every kind
	loggedAt       float64 // ms since 1970, by the browser's clock: of the last message delivered
}

// since returns what came after an earlier count.
func (n noise) since(before noise) noise {
	return noise{events: n.events - before.events, logs: n.logs - before.logs, requests: n.requests - before.requests, loggedAt: n.loggedAt}
}

func (b *Browser) noiseNow() noise {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.noise
}

// floodFault is the answer of a command that waits behind what pages cause.
func floodFault(doing string, heard noise, now time.Time, why error) *fault.Fault {
	text := fmt.Sprintf("%d log messages and %d requests in %d ms", heard.logs, heard.requests, floodWindow.Milliseconds())
	if more := heard.events - heard.logs - heard.requests; more > 0 && heard.logs+heard.requests == 0 {
		text = fmt.Sprintf("%d events in %d ms, such as changes of an address", more, floodWindow.Milliseconds())
	}
	if behind := float64(now.UnixMilli()) - heard.loggedAt; heard.logs > 0 && behind >= 1000 {
		text += fmt.Sprintf("; what it delivers now was logged %.1f s ago", behind/1000)
	}
	return fault.New(fault.Timeout, "%s: no answer by the deadline: the browser is still delivering what its pages do: %s", doing, text).
		WithHint("nothing is lost: call again when the flood is over, or raise %s; %s", fault.Arg("timeout_ms"), leaveIt).
		Because(errors.Join(ErrFlood, why))
}
