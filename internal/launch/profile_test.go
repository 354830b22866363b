//go:build linux

package launch

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// A profile is held by the browser that made its lock, while that lives.
func TestAProfilesHolderLives(t *testing.T) {
	host, err := os.Hostname()
	if err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	lock := func(pid int) {
		_ = os.Remove(filepath.Join(dir, "SingletonLock"))
		if err := os.Symlink(host+"-"+strconv.Itoa(pid), filepath.Join(dir, "SingletonLock")); err != nil {
			t.Fatal(err)
		}
	}
	lock(os.Getpid())
	if singletonHolder(dir) == "" {
		t.Error("a living holder is not seen")
	}
	if livingSince(os.Getpid(), time.Now().Add(-24*time.Hour)) {
		t.Error("a process is said to be older than it is")
	}
	ended := exec.Command("true")
	if err := ended.Start(); err != nil {
		t.Fatal(err)
	}
	lock(ended.Process.Pid)
	limit := time.Now().Add(5 * time.Second)
	for singletonHolder(dir) != "" && time.Now().Before(limit) { // until it has ended; it is not waited for
		_, _ = os.ReadFile("/proc/self/stat")
	}
	if singletonHolder(dir) != "" {
		t.Error("one that has ended, and is not waited for, holds the profile")
	}
	_ = ended.Wait()
	if singletonHolder(dir) != "" {
		t.Error("one that is gone holds the profile")
	}
}
