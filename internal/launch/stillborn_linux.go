package launch

import (
	"context"
	"time"
)

// stillbornEvery is the time between two looks at the driver's children.
const stillbornEvery = 200 * time.Millisecond

// noticeStillborn calls end when a child of the driver has ended and stays so: a
// driver that speaks to its browser through pipes does not look, and would wait for
// it until its own deadline. It returns when ctx ends.
func noticeStillborn(ctx context.Context, driver int, end context.CancelCauseFunc) {
	tick := time.NewTicker(stillbornEvery)
	defer tick.Stop()
	dead := 0
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		now := deadChild(driver)
		if now != 0 && now == dead {
			end(errStillborn)
			return
		}
		dead = now
	}
}

// deadChild returns a child of a process that has ended and was not waited for, or 0.
func deadChild(parent int) int {
	for _, pid := range processes() {
		if state, of, ok := statOf(pid); ok && state == "Z" && of == parent {
			return pid
		}
	}
	return 0
}
