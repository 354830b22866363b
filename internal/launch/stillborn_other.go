//go:build !linux

package launch

import (
	"context"
	"errors"
)

// errStillborn is the cause of a start in which the browser ended before it spoke.
var errStillborn = errors.New("the browser ended while it started")

// noticeStillborn does nothing: here the driver's deadline is what tells.
func noticeStillborn(context.Context, int, context.CancelCauseFunc) {}
