// Package transcripts records what duet says to real browsers and replays it
// without one: the same calls must send the same frames and give the same results.
// It serves tests alone.
package transcripts
