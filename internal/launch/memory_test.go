//go:build unix

package launch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// roomy is a system on which everything is as it should be for profiles in memory.
func roomy(t *testing.T) memory {
	root := t.TempDir()
	return memory{
		root:     root,
		tmpfs:    func(dir string) bool { return dir == root },
		passable: func(string) bool { return true },
		free:     func(string) uint64 { return memoryNeeded },
		size:     func(string) uint64 { return memoryNeeded },
		emptied:  func() bool { return false },
	}
}

// Profiles stand in memory where that is safe, and a reason is given where it is not.
func TestWhereProfilesStand(t *testing.T) {
	for want, change := range map[string]func(*memory){
		"":                           func(*memory) {},
		"TMPDIR is set":              func(m *memory) { m.told = true },
		"in memory itself":           func(m *memory) { m.tmpfs = func(string) bool { return true } },
		"is not in memory":           func(m *memory) { m.tmpfs = func(string) bool { return false } },
		"cannot pass":                func(m *memory) { m.passable = func(string) bool { return false } },
		"logs out":                   func(m *memory) { m.emptied = func() bool { return true } },
		"less than 2 GiB":            func(m *memory) { m.free = func(string) uint64 { return memoryNeeded - 1 } },
		"than pages may fill":        func(m *memory) { m.size = func(string) uint64 { return 2 * memoryNeeded } },
		"has no directory in memory": func(m *memory) { m.root = "" },
		"no such file":               func(m *memory) { m.root += "/none"; m.tmpfs = func(dir string) bool { return dir == m.root } },
		"not a directory":            func(m *memory) { m.root = os.Args[0]; m.tmpfs = func(dir string) bool { return dir == m.root } },
	} {
		m := roomy(t)
		change(&m)
		base, why := m.base("/disk", true)
		if want == "" {
			st, err := os.Stat(base)
			if base != filepath.Join(m.root, baseName()) || why != "" || err != nil || st.Mode().Perm() != 0o711 {
				t.Errorf("%q, %q, %v", base, why, err)
			}
			if got := m.bases(); len(got) != 1 || got[0] != base {
				t.Errorf("bases %q", got)
			}
		} else if base != "" || !strings.Contains(why, want) {
			t.Errorf("%q: %q, %q", want, base, why)
		}
	}
	m := roomy(t)
	m.passable = func(string) bool { return false } // our own user's browser need not
	base, why := m.base("/disk", false)
	if st, err := os.Stat(base); err != nil || st.Mode().Perm() != 0o700 {
		t.Errorf("%q, %q, %v", base, why, err)
	}
}

// What the machine or a control group has to give is what is free.
func TestHeadroom(t *testing.T) {
	files := map[string]string{
		"/proc/meminfo":                              "MemTotal: 900 kB\nMemAvailable:    800 kB\n",
		"/proc/self/cgroup":                          "1:name=x:/y\n0::/user.slice/a\n",
		"/sys/fs/cgroup/user.slice/a/memory.max":     "max\n",
		"/sys/fs/cgroup/user.slice/a/memory.current": "5\n",
	}
	read := func(path string) string { return files[path] }
	if got := headroom(read); got != 800<<10 {
		t.Errorf("the machine's: %d", got)
	}
	files["/sys/fs/cgroup/user.slice/memory.max"], files["/sys/fs/cgroup/user.slice/memory.current"] = "9000\n", "8000\n"
	if got := headroom(read); got != 1000 {
		t.Errorf("a group's above: %d", got)
	}
	files["/sys/fs/cgroup/memory.max"], files["/sys/fs/cgroup/memory.current"] = "10", "20"
	if got := headroom(read); got != 0 {
		t.Errorf("a group that is over its limit: %d", got)
	}
	if got := headroom(func(string) string { return "" }); got == 0 {
		t.Error("a system that does not say has nothing to give")
	}
}

// A fleeting session has profile and home in memory and what may be large on disk; one
// that keeps something has all on disk. Both go whole.
func TestTheTwoPartsOfASession(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	m := roomy(t)
	s, err := newScratchIn(m, -1, -1, true)
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range []struct{ path, root string }{
		{s.profile(), m.root}, {s.home(), m.root},
		{s.path("tmp"), os.TempDir()}, {s.path("lent"), os.TempDir()}, {s.path("downloads"), os.TempDir()},
	} {
		if st, err := os.Stat(in.path); err != nil || st.Mode().Perm() != 0o700 || !strings.HasPrefix(in.path, in.root+"/") {
			t.Errorf("%s, not in %s: %v", in.path, in.root, err)
		}
	}
	if len(s.dirs()) != 2 || len(s.locks()) != 2 {
		t.Errorf("%q", s.dirs())
	}
	for _, lock := range s.locks() {
		if again, err := os.Open(lock.Name()); err != nil || tryLock(again) {
			t.Errorf("%s is not locked: %v", lock.Name(), err)
		}
	}
	s.release(false)
	for _, dir := range s.dirs() {
		if _, err := os.Stat(dir); !os.IsNotExist(err) {
			t.Errorf("%s: %v", dir, err)
		}
	}
	s, err = newScratchIn(m, -1, -1, false)
	if err != nil {
		t.Fatal(err)
	}
	defer s.release(false)
	if !strings.HasPrefix(s.profile(), os.TempDir()) || !strings.HasPrefix(s.home(), os.TempDir()) {
		t.Errorf("a profile that is kept is in %s", s.profile())
	}
}

// What a dead session left is removed on disk and in memory, also by a start that
// takes the other place itself; what lives stays.
func TestDeadSessionsAreRemovedFromBothPlaces(t *testing.T) {
	for name, then := range map[string]func(*memory) bool{ // changes the place, says whether the next is fleeting
		"in memory": func(*memory) bool { return true },
		"on disk":   func(m *memory) bool { m.told = true; return true },
		"kept":      func(*memory) bool { return false },
		"no room":   func(m *memory) bool { m.free = func(string) uint64 { return 0 }; return true },
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("TMPDIR", t.TempDir())
			m := roomy(t)
			start := func(fleeting bool) *scratch {
				s, err := newScratchIn(m, -1, -1, fleeting)
				if err != nil {
					t.Fatal(err)
				}
				return s
			}
			dead, alive := start(true), start(true)
			defer alive.release(false)
			for _, lock := range dead.locks() {
				lock.Close()
			}
			next := start(then(&m))
			defer next.release(false)
			deadline := time.After(5 * time.Second)
			for _, dir := range dead.dirs() {
				for gone := false; !gone; {
					_, err := os.Stat(dir)
					gone = os.IsNotExist(err)
					select {
					case <-time.After(10 * time.Millisecond):
					case <-deadline:
						t.Fatalf("%s is still there", dir)
					}
				}
			}
			for _, dir := range append(alive.dirs(), next.dirs()...) {
				if _, err := os.Stat(filepath.Join(dir, lockName)); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// What an ordinary user runs outside of a login of that user outlives the last one.
func TestWhatOutlivesALogin(t *testing.T) {
	for group, want := range map[string]bool{
		"/": false, "/user.slice/user-1000.slice/session-3.scope": false, "/user.slice/user-1000.slice/user@1000.service/app.slice": false,
		"/system.slice/ci.service": true, "/user.slice/user-0.slice/session-1.scope": true, "/own.slice/ci.service": true,
	} {
		if got := outlivesLogin(1000, group); got != want {
			t.Errorf("%s: %v", group, got)
		}
		if outlivesLogin(0, group) || outlivesLogin(999, group) {
			t.Errorf("%s: of a user of the system", group)
		}
	}
}
