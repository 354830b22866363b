package transcripts

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// killBrowser kills what this process started, but for drivers and guards: the
// browser and its helpers, as a crash does. It works where there is a /proc.
func killBrowser() {
	parents := map[int]int{}
	dirs, _ := filepath.Glob("/proc/[0-9]*") // the pattern is in order
	for _, dir := range dirs {
		stat, err := os.ReadFile(filepath.Join(dir, "stat"))
		if err != nil {
			continue // it has just ended
		}
		pid, _ := strconv.Atoi(filepath.Base(dir))
		fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
		if len(fields) > 1 {
			parents[pid], _ = strconv.Atoi(fields[1])
		}
	}
	self, _ := os.Readlink("/proc/self/exe")
	for pid := range parents {
		exe, err := os.Readlink("/proc/" + strconv.Itoa(pid) + "/exe")
		if err != nil || exe == self || strings.Contains(exe, "driver") || !below(parents, pid, os.Getpid()) {
			continue
		}
		if p, err := os.FindProcess(pid); err == nil {
			_ = p.Kill() // it may have ended with another one
		}
	}
}

func below(parents map[int]int, pid, root int) bool {
	for seen := 0; pid > 1 && seen < 100; seen++ {
		if pid = parents[pid]; pid == root {
			return true
		}
	}
	return false
}
