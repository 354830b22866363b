// Package trace keeps what happened in a session as files: a directory with one
// NDJSON file, written as it happens, and the pictures that it names.
//
// The directory:
//
//	trace.ndjson    one record a line, in the order of writing
//	shots/          the pictures, as 0001-before.png
//	wire.log        what went over the wire, where that was asked for; the form of DUET_WIRELOG, masked
//
// Each line of trace.ndjson is one JSON object, whole: it is written by a single
// write, so that a trace whose process died is readable up to its last line. A
// reader skips a last line that is cut, kinds that it does not know, and members
// that it does not know.
//
// Every record has kind and t. t is a time in milliseconds since the trace began,
// with a fraction down to the microsecond; the first record says when that was.
// Lines stand in the order in which they were written; t of a console or network
// record is when that happened, and so may be a little before that of the line
// above it.
//
//	start     Start: always the first line
//	browser   BrowserEvent: a browser that was started or lost after the first line
//	call      Call: a command begins
//	shot      Shot: a picture of the tab before or after a command, or why there is none
//	done      Done: a command has ended; its call is the one with the same number
//	console   Console: a console message, exception or warning
//	network   Network: a request that ended
//	drop      Drop: what was not kept, how much of it, and why
//	stop      Stop: the last line of a trace that was ended; there is none where the process died
//
// No record holds a secret of the session: what was typed into a secret field, or
// given as a secret, stands there as •••; so does every text that a command enters,
// and what it was given as headers, bodies and passwords.
package trace
