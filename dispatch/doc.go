// Package dispatch runs declared commands: one session, one slot, one path from
// request to result. It also owns the vocabulary: Spec, Request, Result.
package dispatch
