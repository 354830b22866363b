package drive

import (
	"context"
	"time"

	"duet/internal/fault"
)

func (t *Tab) selectorStep(selector, state string) func(context.Context, time.Duration) (bool, string, error) {
	return func(ctx context.Context, stay time.Duration) (bool, string, error) {
		return false, "", fault.New(fault.Internal, "wait: not built")
	}
}
