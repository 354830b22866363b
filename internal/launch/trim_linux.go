package launch

import (
	"bufio"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// trim gives back the pages of the program's file that its start has touched:
// code and constants, read again from the file's cache when they are needed. A
// guard that waits needs next to none.
func trim() {
	f, err := os.Open("/proc/self/maps")
	if err != nil {
		return
	}
	defer f.Close()
	type span struct{ from, to uintptr }
	var spans, constants []span
	static := true
	for in := bufio.NewScanner(f); in.Scan(); {
		// 00400000-00a1b000 r-xp 00000000 fe:00 1234 /usr/bin/duet
		w := strings.Fields(in.Text())
		if len(w) < 6 || !strings.HasPrefix(w[5], "/") {
			continue
		}
		static = static && !strings.Contains(w[5], ".so")
		a, b, _ := strings.Cut(w[0], "-")
		from, err1 := strconv.ParseUint(a, 16, 64)
		to, err2 := strconv.ParseUint(b, 16, 64)
		switch {
		case err1 != nil || err2 != nil:
		case w[1] == "r-xp":
			spans = append(spans, span{uintptr(from), uintptr(to)})
		case w[1] == "r--p":
			constants = append(constants, span{uintptr(from), uintptr(to)})
		}
	}
	if static { // a dynamic linker has written to what is now read-only
		spans = append(spans, constants...)
	}
	for _, s := range spans {
		// Not written to, and so the same after it is read again.
		_, _, _ = unix.Syscall(unix.SYS_MADVISE, s.from, s.to-s.from, unix.MADV_DONTNEED)
	}
}
