//go:build !race

package transcripts

// thin is how many of the failures are tried: every one.
const thin = 1
