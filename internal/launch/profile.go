package launch

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"duet/internal/fault"
)

// profileLock is the lock file beside a kept profile's files. Its text names
// who has it.
const profileLock = ".duet-lock"

// takeProfile locks a kept profile for this session and hands it to the
// browser's user. A lock that is held is an error that names its holder; so is a
// browser that somebody else started on it.
func (p *Process) takeProfile(pl plan) *failure {
	dir, err := filepath.Abs(p.options.ProfileDir)
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	if err != nil {
		return &failure{text: "the profile directory: " + err.Error(), cause: err}
	}
	f, err := os.OpenFile(dir+profileLock, os.O_CREATE|os.O_RDWR|noFollow, 0o600)
	if err != nil {
		return &failure{text: "the profile directory: " + err.Error(), cause: err}
	}
	if !tryLock(f) {
		who := make([]byte, 64)
		n, _ := f.ReadAt(who, 0)
		f.Close()
		return profileBusy(dir, strings.TrimSpace(string(who[:n])))
	}
	if holder := singletonHolder(dir); holder != "" {
		f.Close()
		return profileBusy(dir, holder)
	}
	_ = f.Truncate(0)
	_, _ = f.WriteAt([]byte(fmt.Sprintf("duet, process %d\n", os.Getpid())), 0)
	p.unlock = func() { f.Close() }
	p.profile = dir
	if pl.uid < 0 {
		return nil
	}
	if err := p.dirs.give(dir); err != nil {
		return &failure{text: "the profile directory: " + err.Error(), sandbox: true, cause: err}
	}
	return nil
}

func profileBusy(dir, who string) *failure {
	if who == "" {
		who = "another process"
	}
	return &failure{cause: fault.New(fault.LaunchFailed, "the profile %s is in use by %s", filepath.Base(dir), who).
		WithHint("close that browser, or use another profile")}
}

// singletonHolder returns which living Chrome has a profile, from the link
// HOST-PID that it leaves in it, or "".
func singletonHolder(dir string) string {
	link, err := os.Readlink(filepath.Join(dir, "SingletonLock"))
	if err != nil {
		return ""
	}
	i := strings.LastIndexByte(link, '-')
	if i < 0 {
		return ""
	}
	host, err := os.Hostname()
	if err != nil || host != link[:i] {
		return ""
	}
	pid, err := strconv.Atoi(link[i+1:])
	if err != nil {
		return ""
	}
	if _, err := os.Stat(filepath.Join("/proc", strconv.Itoa(pid))); errors.Is(err, os.ErrNotExist) {
		return ""
	}
	return fmt.Sprintf("a browser, process %d", pid)
}
