//go:build linux

package browsers

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"duet/internal/env"
)

// setup is one way to reach a browser.
type setup struct {
	name string
	args []string // for duet mcp and the CLI
	need []string // binaries, one of each comma list
}

var setups = []setup{
	{"chrome", []string{"--browser", "chrome"}, []string{"chromedriver", "chromium,google-chrome,google-chrome-stable"}},
	{"firefox-geckodriver", []string{"--browser", "firefox", "--driver", "geckodriver"}, []string{"geckodriver", "firefox-esr,firefox"}},
	{"firefox-alone", []string{"--browser", "firefox", "--driver", "none"}, []string{"firefox-esr,firefox"}},
}

var only = flag.String("browser", "", "run the live suite on the set-ups whose name begins with this")

// duet is the path of the binary under test.
var duet string

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(run(m))
}

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "duet-live-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	duet = filepath.Join(dir, "duet")
	if len(available()) > 0 && !testing.Short() {
		build := exec.Command("go", "build", "-o", duet, "duet/cmd/duet")
		build.Env = append(os.Environ(), "CGO_ENABLED=0") // as it is released
		if out, err := build.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "building duet: %v\n%s", err, out)
			return 1
		}
	}
	return m.Run()
}

// available returns the set-ups whose binaries are on this machine.
func available() []setup {
	var found []setup
	for _, s := range setups {
		if strings.HasPrefix(s.name, *only) && s.missing() == "" {
			found = append(found, s)
		}
	}
	return found
}

// missing returns the first binary that a set-up lacks.
func (s setup) missing() string {
	for _, names := range s.need {
		ok := false
		for name := range strings.SplitSeq(names, ",") {
			if _, err := exec.LookPath(name); err == nil {
				ok = true
			}
		}
		if !ok {
			return names
		}
	}
	return ""
}

// each runs a test on every set-up, and skips loudly those that are not there.
func each(t *testing.T, run func(t *testing.T, s setup)) {
	if testing.Short() {
		t.Skip("live suite: -short")
	}
	for _, s := range setups {
		t.Run(s.name, func(t *testing.T) {
			if !strings.HasPrefix(s.name, *only) {
				t.Skip("live suite: not asked for")
			}
			if lacks := s.missing(); lacks != "" {
				if env.CI.Set() {
					t.Fatalf("live suite: %s is not installed, and CI must have it", lacks)
				}
				t.Skipf("live suite SKIPPED: %s is not installed", lacks)
			}
			run(t, s)
		})
	}
}
