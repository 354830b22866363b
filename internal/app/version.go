package app

import (
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
)

// version is what `duet --version` says: the module's version as the Go
// toolchain noted it, or devel.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "devel"
	}
	return strings.TrimPrefix(info.Main.Version, "v")
}

// build tells this program from one that was built since: the version, and for
// what was not released the time of the file. A daemon keeps what it was at its
// start.
var build = sync.OnceValue(func() string {
	v := version()
	if v != "devel" && !strings.Contains(v, "-") && !strings.Contains(v, "+") {
		return v
	}
	self, err := os.Executable()
	if err != nil {
		return v
	}
	info, err := os.Stat(self)
	if err != nil {
		return v
	}
	return v + "@" + strconv.FormatInt(info.ModTime().UnixMilli(), 36)
})

func versionLine() string {
	return "duet " + version() + " (" + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH + ")\n"
}
