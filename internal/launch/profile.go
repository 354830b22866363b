package launch

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

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
	made, err := os.Lstat(filepath.Join(dir, "SingletonLock"))
	if err != nil || !livingSince(pid, made.ModTime()) {
		return ""
	}
	return fmt.Sprintf("a browser, process %d", pid)
}

// livingSince reports whether a process lives that was there at a time: neither one
// that has ended and that nobody has waited for, nor a later one with its number.
// Where it errs towards no, the browser itself refuses the profile.
func livingSince(pid int, then time.Time) bool {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return false
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if len(fields) < 20 || fields[0] == "Z" || fields[0] == "X" {
		return false
	}
	ticks, err := strconv.ParseInt(fields[19], 10, 64)
	kernel, err2 := os.ReadFile("/proc/stat")
	if err != nil || err2 != nil {
		return true
	}
	for line := range strings.Lines(string(kernel)) {
		text, ok := strings.CutPrefix(line, "btime ")
		if !ok {
			continue
		}
		boot, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
		started := time.Unix(boot, 0).Add(time.Duration(ticks) * time.Second / ticksASecond)
		return err != nil || started.Before(then.Add(bootSlack))
	}
	return true
}

// ticksASecond is the kernel's unit of a process's start; bootSlack covers that it
// tells its own start in whole seconds.
const (
	ticksASecond = 100
	bootSlack    = 3 * time.Second
)
