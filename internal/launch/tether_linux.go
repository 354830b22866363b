package launch

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// tether writes a program that starts a browser so that the kernel ends it when
// its driver ends, and returns its path. Chrome ends by itself when its driver's
// pipe does; Firefox is the driver's child and no more, and where guard and
// parent are killed together nobody else is left to end it. Where no tether can be
// had it returns binary, and the sweep of the next start has to do.
func tether(dir, binary string) string {
	setpriv, err := exec.LookPath("setpriv") // of util-linux; other makes lack the option
	if err != nil || strings.Contains(resolved(setpriv), "busybox") || strings.ContainsAny(setpriv+binary, "'\n") {
		return binary
	}
	var fs unix.Statfs_t
	if unix.Statfs(dir, &fs) != nil || fs.Flags&unix.ST_NOEXEC != 0 {
		return binary
	}
	bin := filepath.Join(dir, "bin")
	if os.Mkdir(bin, 0o755) != nil || os.Chmod(bin, 0o755) != nil {
		return binary
	}
	path := filepath.Join(bin, filepath.Base(binary))
	script := "#!/bin/sh\nexec '" + setpriv + "' --pdeathsig KILL -- '" + binary + "' \"$@\"\n"
	if os.WriteFile(path, []byte(script), 0o755) != nil || os.Chmod(path, 0o755) != nil {
		return binary
	}
	// The driver reads the browser's version from a file beside its binary, and
	// would start it once more to ask for it otherwise.
	for _, name := range []string{"application.ini", "platform.ini"} {
		_ = os.Symlink(filepath.Join(filepath.Dir(binary), name), filepath.Join(bin, name))
	}
	return path
}

// resolved follows links as far as they lead.
func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}
