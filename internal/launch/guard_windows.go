package launch

import (
	"io"
	"os"
)

// GuardMain is not used here: the tree is ended by its parent.
func GuardMain(_ []string, _ io.Reader) int { return 2 }

func killMarked(...string) {}

func remove(dirs ...string) {
	for _, dir := range dirs {
		_ = os.RemoveAll(dir)
	}
}
