package snapshot

import (
	"duet/internal/pagejs"
	"duet/internal/secret"
)

// withheld reports whether the value of a node must not be printed. The page
// script has judged the field by all its attributes; this is the second lock.
func withheld(n *pagejs.Node) bool {
	return n.Secret || secret.Name(n.Name) || secret.Name(n.Hint)
}
