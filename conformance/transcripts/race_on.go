//go:build race

package transcripts

// thin is by how much the failures that are tried are thinned: the race detector makes
// each several times as dear, and what it looks for is in all of them.
const thin = 8
