package bidi

import "errors"

// ErrClosed is the cause of a call that Close ended.
var ErrClosed = errors.New("connection closed")

// ErrUnsent is wrapped by a transport's Write where no byte of the frame has left.
var ErrUnsent = errors.New("nothing was written")

// Error is the failure of one command. Code is the protocol's error code where the
// browser answered with one, and empty where no reply came; then Err is the cause:
// the end of the caller's context, the loss of the connection, or a result that
// could not be decoded.
type Error struct {
	Method     string
	Code       string
	Message    string
	Stacktrace string // the remote end's, for a report
	// Sent is false only when no byte of the command can have reached the browser.
	Sent bool
	Err  error
}

// Error names the command and the reason.
func (e *Error) Error() string {
	switch {
	case e.Code != "" && e.Message != "":
		return e.Method + ": " + e.Code + ": " + e.Message
	case e.Code != "":
		return e.Method + ": " + e.Code
	case e.Err != nil:
		return e.Method + ": " + e.Err.Error()
	}
	return e.Method + ": failed"
}

// Unwrap returns the cause of a command that was not answered.
func (e *Error) Unwrap() error { return e.Err }

// CodeOf returns the protocol's error code of err, or "" where it carries none.
func CodeOf(err error) string {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Code
	}
	return ""
}

// The error codes of the specification.
// https://w3c.github.io/webdriver-bidi/#errors
const (
	CodeInvalidArgument                = "invalid argument"
	CodeInvalidSelector                = "invalid selector"
	CodeInvalidSessionID               = "invalid session id"
	CodeInvalidWebExtension            = "invalid web extension"
	CodeMoveTargetOutOfBounds          = "move target out of bounds"
	CodeNoSuchAlert                    = "no such alert"
	CodeNoSuchNetworkCollector         = "no such network collector"
	CodeNoSuchElement                  = "no such element"
	CodeNoSuchFrame                    = "no such frame"
	CodeNoSuchHandle                   = "no such handle"
	CodeNoSuchHistoryEntry             = "no such history entry"
	CodeNoSuchIntercept                = "no such intercept"
	CodeNoSuchNetworkData              = "no such network data"
	CodeNoSuchNode                     = "no such node"
	CodeNoSuchRequest                  = "no such request"
	CodeNoSuchScreencast               = "no such screencast"
	CodeNoSuchScript                   = "no such script"
	CodeNoSuchStoragePartition         = "no such storage partition"
	CodeNoSuchUserContext              = "no such user context"
	CodeNoSuchWebExtension             = "no such web extension"
	CodeSessionNotCreated              = "session not created"
	CodeUnableToCaptureScreen          = "unable to capture screen"
	CodeUnableToCloseBrowser           = "unable to close browser"
	CodeUnableToSetCookie              = "unable to set cookie"
	CodeUnableToSetFileInput           = "unable to set file input"
	CodeUnavailableNetworkData         = "unavailable network data"
	CodeUnderspecifiedStoragePartition = "underspecified storage partition"
	CodeUnknownCommand                 = "unknown command"
	CodeUnknownError                   = "unknown error"
	CodeUnsupportedOperation           = "unsupported operation"
)
