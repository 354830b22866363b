// Package wirelog is the protocol log: writing it, reading it back, hiding what is
// secret in it. It imports nothing of ours.
package wirelog
