// Package env is the one place that reads the environment: every variable that
// duet knows is registered here with its meaning. It imports nothing of ours.
package env

import (
	"os"
	"slices"
	"strconv"
)

// Var is one environment variable.
type Var struct {
	Name    string
	Default string
	Help    string // one sentence
}

var all []*Var

func register(name, def, help string) *Var {
	v := &Var{name, def, help}
	all = append(all, v)
	return v
}

// The variables.
var (
	Browser          = register("DUET_BROWSER", "", "Browser to use: chrome, chromium, edge or firefox.")
	Headed           = register("DUET_HEADED", "", "1 shows the browser's window.")
	Timeout          = register("DUET_TIMEOUT", "5000", "Default call timeout in milliseconds.")
	SpillBytes       = register("DUET_SPILL_BYTES", "2048", "Texts longer than this go to a file.")
	MapBytes         = register("DUET_MAP_BYTES", "8192", "Maps up to this size stay inline.")
	MaxResponseBytes = register("DUET_MAX_RESPONSE_BYTES", "32768", "Largest result of one call.")
	ArtifactsDir     = register("DUET_ARTIFACTS_DIR", "", "Directory for artifacts; default under the user's cache directory.")
	WireLog          = register("DUET_WIRELOG", "", "File that the protocol log is written to.")
	WireLogSecrets   = register("DUET_WIRELOG_SECRETS", "", "1 leaves typed text, cookies and headers unmasked in the protocol log.")
	Emulate          = register("DUET_EMULATE", "", "What pages are told from the start, one NAME=VALUE a line, as --emulate has them.")
	Proxy            = register("DUET_PROXY", "", "Proxy that pages are loaded through.")
	InsecureCerts    = register("DUET_INSECURE_CERTS", "", "1 opens pages whose certificate is not trusted.")
	PierceClosed     = register("DUET_PIERCE_CLOSED", "", "1 reads and acts in closed shadow roots too.")
	Debug            = register("DUET_DEBUG", "", "Comma list: show, keep, bidi-only.")
	BidiOnly         = register("DUET_BIDI_ONLY", "", "1 strips vendor members from every incoming frame.")
	Caller           = register("DUET_CALLER", "", "Name whose last map the next diff is made against.")
	Session          = register("DUET_SESSION", "", "Name of the daemon session that the CLI uses.")
	RuntimeDir       = register("DUET_RUNTIME_DIR", "", "Directory for sockets and locks; default under XDG_RUNTIME_DIR or the user's cache directory.")
	CacheDir         = register("DUET_CACHE_DIR", "", "Directory for template profiles and drivers; default under the user's cache directory.")
	DataDir          = register("DUET_DATA_DIR", "", "Directory for kept profiles and saved states; default under XDG_DATA_HOME or ~/.local/share.")
	StatePassphrase  = register("DUET_STATE_PASSPHRASE", "", "File whose first line is the passphrase that saved states are encrypted with (age).")
	StateRecipients  = register("DUET_STATE_RECIPIENTS", "", "File of the age recipients that saved states are encrypted for.")
	StateIdentity    = register("DUET_STATE_IDENTITY", "", "File of the age identities that read saved states; alone, they are encrypted for these.")
	ChromePath       = register("DUET_CHROME_PATH", "", "Chrome or Chromium binary.")
	ChromedriverPath = register("DUET_CHROMEDRIVER_PATH", "", "chromedriver binary.")
	FirefoxPath      = register("DUET_FIREFOX_PATH", "", "Firefox binary.")
	EdgePath         = register("DUET_EDGE_PATH", "", "Edge binary.")
	EdgedriverPath   = register("DUET_EDGEDRIVER_PATH", "", "msedgedriver binary.")
	GeckodriverPath  = register("DUET_GECKODRIVER_PATH", "", "geckodriver binary; none starts Firefox without it.")
	IdleExit         = register("DUET_IDLE_EXIT", "30m", "Idle time after which the session daemon ends; 0 is never.")
	TempDir          = register("TMPDIR", "", "Directory for temporary profiles; unset, they stand in memory where Linux has room, else in the system's temporary directory.")
	Path             = register("PATH", "", "Where browsers and drivers are looked for.")
	Home             = register("HOME", "", "The user's home directory.")
	XDGRuntimeDir    = register("XDG_RUNTIME_DIR", "", "Base of the runtime directory.")
	XDGCacheHome     = register("XDG_CACHE_HOME", "", "Base of the cache directory.")
	XDGDataHome      = register("XDG_DATA_HOME", "", "Base of the data directory.")
	Display          = register("DISPLAY", "", "X display, handed to a headed browser.")
	WaylandDisplay   = register("WAYLAND_DISPLAY", "", "Wayland display, handed to a headed browser.")
	Lang             = register("LANG", "", "Locale, handed to the browser.")
	LCAll            = register("LC_ALL", "", "Locale, handed to the browser.")
	TZ               = register("TZ", "", "Time zone, handed to the browser.")
	XAuthority       = register("XAUTHORITY", "", "X authority file, handed to a headed browser.")
	ProgramFiles     = register("ProgramFiles", "", "Where Windows keeps browsers.")
	ProgramFilesX86  = register("ProgramFiles(x86)", "", "Where Windows keeps browsers.")
	LocalAppData     = register("LOCALAPPDATA", "", "Where Windows keeps a user's browsers.")
	SystemRoot       = register("SystemRoot", "", "Windows' directory, handed to the browser.")
	CI               = register("CI", "", "Any value: what the tests need must be there, not skipped.")
)

// Value returns the variable's value, or its default where it is unset or empty.
func (v *Var) Value() string {
	if s := os.Getenv(v.Name); s != "" {
		return s
	}
	return v.Default
}

// Set reports whether the variable is set and not empty.
func (v *Var) Set() bool { return os.Getenv(v.Name) != "" }

// Bool reports whether the value is 1, true or yes.
func (v *Var) Bool() bool {
	switch v.Value() {
	case "1", "true", "yes":
		return true
	}
	return false
}

// Int returns the value as a number, or the default where it is not one.
func (v *Var) Int() int {
	if n, err := strconv.Atoi(v.Value()); err == nil {
		return n
	}
	n, _ := strconv.Atoi(v.Default)
	return n
}

// Named returns the value of a variable that the user named, and whether it is
// set: for values that are handed over by environment instead of by argument.
func Named(name string) (string, bool) { return os.LookupEnv(name) }

// All returns every registered variable, sorted by name.
func All() []*Var {
	vars := slices.Clone(all)
	slices.SortFunc(vars, func(a, b *Var) int {
		if a.Name < b.Name {
			return -1
		}
		return 1
	})
	return vars
}
