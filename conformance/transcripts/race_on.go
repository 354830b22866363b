//go:build race

package transcripts

// thin is how many of the failures are tried: the race detector makes each several
// times as dear, and what it looks for is in all of them.
const thin = 8
