package launch

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// nobody is the uid and gid that a browser gets when this program runs as root:
// Chrome's sandbox refuses root, and a page should not be one step from it.
const nobody = 65534

// plan is one way to run a browser; the first that works is taken.
type plan struct {
	uid       int // -1: our own
	noSandbox bool
	note      string // what the user should know of it
}

// plans returns the ways to run, best first. Without a sandbox comes last, and
// never where one is required.
func plans(c choice, o Options) []plan {
	isRoot := runtime.GOOS == "linux" && os.Getuid() == 0
	if !isRoot {
		all := []plan{{uid: -1}}
		if c.browser != firefox && !o.RequireSandbox {
			all = append(all, plan{uid: -1, noSandbox: true, note: "running without the browser's sandbox: this system does not let it have one"})
		}
		return all
	}
	var all []plan
	obstacle := whyNotNobody(c, o)
	if obstacle == "" || o.RequireSandbox {
		all = append(all, plan{uid: nobody})
	}
	if !o.RequireSandbox {
		note := "running as root without the browser's sandbox"
		if obstacle != "" {
			note += ": " + obstacle
		}
		all = append(all, plan{uid: -1, noSandbox: c.browser != firefox, note: note})
	}
	return all
}

// whyNotNobody returns what keeps an unprivileged user from running the
// browser, or "".
func whyNotNobody(c choice, o Options) string {
	for _, program := range []string{c.binary, c.driver} {
		if program != "" && !passable(filepath.Dir(program)) {
			return fmt.Sprintf("an unprivileged user cannot reach %s", program)
		}
	}
	if o.ProfileDir != "" && !passable(filepath.Dir(o.ProfileDir)) {
		return fmt.Sprintf("an unprivileged user cannot reach the profile in %s", o.ProfileDir)
	}
	return ""
}
