package launch

import (
	"errors"
	"fmt"
	"io"
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
	if !passable(filepath.Dir(c.binary)) {
		return fmt.Sprintf("an unprivileged user cannot reach %s", c.binary)
	}
	if o.ProfileDir != "" && !passable(filepath.Dir(o.ProfileDir)) {
		return fmt.Sprintf("an unprivileged user cannot reach the profile in %s", o.ProfileDir)
	}
	return ""
}

// lendDriver returns a path of the driver that the browser's user can reach: a
// copy where it lies behind a directory that lets nobody else in. A driver is one
// file; a browser is not.
func (p *Process) lendDriver(pl plan, program string) (string, error) {
	if pl.uid < 0 || passable(filepath.Dir(program)) {
		return program, nil
	}
	from, err := os.Open(program)
	if err != nil {
		return "", err
	}
	defer from.Close()
	copied := p.dirs.path(filepath.Base(program))
	to, err := os.OpenFile(copied, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o755)
	if err != nil {
		return "", err
	}
	_, err = io.Copy(to, from)
	return copied, errors.Join(err, to.Chmod(0o755), to.Close())
}
