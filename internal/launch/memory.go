package launch

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"duet/internal/env"
)

const (
	// memoryNeeded is what must be free for a profile to stand in memory. Shared memory of
	// Chrome lies in the same place, and a profile alone takes 10 to 30 MB.
	memoryNeeded = 2 << 30

	// pagesShare is how much of the directory, in hundredths, must be free: Chrome lets
	// pages store six tenths of the whole, whatever the machine has left.
	pagesShare = 65

	// cacheInMemory bounds the HTTP cache of a browser whose profile stands in memory.
	cacheInMemory = 64 << 20
)

// memory says whether temporary profiles can stand in memory: a browser makes some two
// hundred files at its start and waits for the disk more often than that. The functions
// are the system's word.
type memory struct {
	root     string // the directory in memory, "" where there is none
	told     bool   // TMPDIR names a place: it is taken
	tmpfs    func(dir string) bool
	passable func(dir string) bool // for the browser's user
	free     func(dir string) uint64
	size     func(dir string) uint64
	emptied  func() bool // the system removes what a user has there when the user logs out
}

func systemMemory() memory {
	m := memory{told: env.TempDir.Set(), tmpfs: onTmpfs, passable: passable, free: freeMemory, size: sizeOn, emptied: emptiedAtLogout}
	if runtime.GOOS == "linux" {
		m.root = "/dev/shm"
	}
	return m
}

// base returns the directory in memory of all sessions of this user, as scratchBase
// does on disk, or why there is none.
func (m memory) base(disk string, shared bool) (base, why string) {
	switch {
	case m.root == "":
		return "", "this system has no directory in memory"
	case m.told:
		return "", env.TempDir.Name + " is set"
	case m.tmpfs(disk):
		return "", "the temporary directory is in memory itself"
	case !m.tmpfs(m.root):
		return "", m.root + " is not in memory"
	case shared && !m.passable(m.root):
		return "", m.root + ": the browser's user cannot pass"
	case m.emptied():
		return "", m.root + " is emptied when this user logs out"
	case m.free(m.root) < memoryNeeded:
		return "", "less than 2 GiB of memory is free for " + m.root
	case m.free(m.root) < m.size(m.root)/100*pagesShare:
		return "", "less memory is free than pages may fill " + m.root + " with"
	}
	mode := os.FileMode(0o700)
	if shared {
		mode = 0o711
	}
	base, err := ownIn(m.root, baseName(), mode)
	if err == nil {
		err = widen(base, mode)
	}
	if err != nil {
		return "", err.Error()
	}
	return base, ""
}

// bases returns the directories in memory that sessions of this user were in.
func (m memory) bases() []string {
	if m.root == "" {
		return nil
	}
	own := filepath.Join(m.root, baseName())
	others, _ := filepath.Glob(own + "-*")
	var bases []string
	for _, dir := range append([]string{own}, others...) {
		if private(dir) == nil {
			bases = append(bases, dir)
		}
	}
	return bases
}

// readFile reads a file of the kernel's, or returns "".
func readFile(path string) string {
	b, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return string(b)
}

// headroom is how much more memory this process can have: what the machine has left, and
// what its control groups (version 2) do. A file system in memory says free what none of
// them has to give.
func headroom(read func(path string) string) uint64 {
	least := ^uint64(0)
	for line := range strings.Lines(read("/proc/meminfo")) {
		if rest, ok := strings.CutPrefix(line, "MemAvailable:"); ok {
			kB, _ := strconv.ParseUint(strings.Fields(rest + " 0")[0], 10, 64)
			least = min(least, kB<<10)
		}
	}
	for group := controlGroup(read); ; group = filepath.Dir(group) {
		at := filepath.Join("/sys/fs/cgroup", group)
		limit, err := strconv.ParseUint(strings.TrimSpace(read(filepath.Join(at, "memory.max"))), 10, 64)
		used, err2 := strconv.ParseUint(strings.TrimSpace(read(filepath.Join(at, "memory.current"))), 10, 64)
		if err == nil && err2 == nil {
			least = min(least, limit-min(limit, used))
		}
		if group == "/" {
			return least
		}
	}
}

// controlGroup is this process's control group of version 2, or "/".
func controlGroup(read func(path string) string) string {
	for line := range strings.Lines(read("/proc/self/cgroup")) {
		if group, ok := strings.CutPrefix(strings.TrimSpace(line), "0::/"); ok {
			return filepath.Join("/", group)
		}
	}
	return "/"
}

// emptiedAtLogout reports whether systemd-logind (RemoveIPC, which is on by default) may
// remove what stands in /dev/shm below a living browser: it does when the user's last
// login ends, and what runs for an ordinary user outside that user's own logins, as a
// service or by sudo, outlives that.
func emptiedAtLogout() bool { return outlivesLogin(os.Getuid(), controlGroup(readFile)) }

func outlivesLogin(uid int, group string) bool {
	return uid >= firstUser && group != "/" && !strings.HasPrefix(group, "/user.slice/user-"+strconv.Itoa(uid)+".slice/")
}

// firstUser is the lowest uid of a person; logind spares those below.
const firstUser = 1000
