// Package browsers is the live suite: duet's own binary against the browsers
// that are installed, with the same expectations for each of them.
package browsers
