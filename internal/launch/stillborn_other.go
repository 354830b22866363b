//go:build !linux

package launch

import "context"

// noticeStillborn does nothing: here the driver's deadline is what tells.
func noticeStillborn(context.Context, int, context.CancelCauseFunc) {}
