// Package report makes pages for people: the viewer of a trace, one HTML document
// that holds all it shows.
//
// The page asks no network for anything and runs no script but its own: its policy
// names them by their hashes, and forbids markup made of text. What a trace holds
// comes from web pages, and may be hostile; it stands in blocks of JSON that no
// parser of HTML can end early, and reaches the document as text alone.
package report
