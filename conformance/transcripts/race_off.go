//go:build !race

package transcripts

// thin is by how much the failures that are tried are thinned: every one is.
const thin = 1
