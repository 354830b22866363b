package launch

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"duet/internal/env"
	"duet/internal/fault"
)

// machine is a finder over a made-up file system.
func machine(goos string, vars map[string]string, files ...string) finder {
	return finder{
		goos:   goos,
		path:   []string{"/usr/local/bin", "/usr/bin"},
		isExec: func(p string) bool { return slices.Contains(files, p) },
		env:    func(v *env.Var) string { return vars[v.Name] },
	}
}

// The default is Chrome first, then Firefox; a driver that is absent is only
// Firefox's to do without.
func TestChoose(t *testing.T) {
	const (
		bin    = "/nowhere/chromium"
		driver = "/usr/bin/chromedriver"
	)
	google := []string{"/opt/google/chrome/chrome", driver}
	for _, c := range []struct {
		name  string
		f     finder
		o     Options
		want  choice
		fails string // part of the message
	}{
		{name: "nothing", f: machine("linux", nil), fails: "no browser found"},
		{name: "google", f: machine("linux", nil, google...), want: choice{chrome, "/opt/google/chrome/chrome", driver}},
		{
			name: "chrome before firefox", f: machine("linux", nil, append(google, "/nowhere/firefox", "/usr/bin/geckodriver")...),
			want: choice{chrome, "/opt/google/chrome/chrome", driver},
		},
		{
			name: "chromium stands in for chrome", o: Options{Browser: chrome},
			f:    machine("linux", map[string]string{"DUET_CHROME_PATH": bin}, bin, driver),
			want: choice{chromium, bin, driver},
		},
		{
			name: "chrome without a driver, firefox whole",
			f:    machine("linux", map[string]string{"DUET_FIREFOX_PATH": "/nowhere/firefox"}, "/opt/google/chrome/chrome", "/nowhere/firefox"),
			want: choice{firefox, "/nowhere/firefox", ""},
		},
		{name: "only chrome without a driver", f: machine("linux", nil, "/opt/google/chrome/chrome"), fails: "chromedriver not found"},
		{name: "edge", o: Options{Browser: edge}, f: machine("linux", nil, "/opt/microsoft/msedge/msedge", "/usr/bin/msedgedriver"),
			want: choice{edge, "/opt/microsoft/msedge/msedge", "/usr/bin/msedgedriver"}},
		{name: "edge absent", o: Options{Browser: edge}, f: machine("linux", nil, google...), fails: "edge not found"},
		{
			name: "geckodriver", o: Options{Browser: firefox},
			f:    machine("linux", map[string]string{"DUET_FIREFOX_PATH": "/x/firefox"}, "/x/firefox", "/usr/local/bin/geckodriver"),
			want: choice{firefox, "/x/firefox", "/usr/local/bin/geckodriver"},
		},
		{
			name: "firefox alone by option", o: Options{Browser: firefox, Driver: DriverNone},
			f:    machine("linux", map[string]string{"DUET_FIREFOX_PATH": "/x/firefox"}, "/x/firefox", "/usr/local/bin/geckodriver"),
			want: choice{firefox, "/x/firefox", ""},
		},
		{
			name: "firefox alone by variable", o: Options{Browser: firefox},
			f:    machine("linux", map[string]string{"DUET_FIREFOX_PATH": "/x/firefox", "DUET_GECKODRIVER_PATH": "none"}, "/x/firefox", "/usr/local/bin/geckodriver"),
			want: choice{firefox, "/x/firefox", ""},
		},
		{
			name: "geckodriver asked for and absent", o: Options{Browser: firefox, Driver: DriverGeck},
			f:     machine("linux", map[string]string{"DUET_FIREFOX_PATH": "/x/firefox"}, "/x/firefox"),
			fails: "geckodriver not found",
		},
		{
			name: "a variable that names nothing", f: machine("linux", map[string]string{"DUET_CHROMEDRIVER_PATH": "/gone"}, google...), o: Options{Browser: chrome},
			fails: "DUET_CHROMEDRIVER_PATH=/gone is not a program",
		},
		{
			name: "a variable that names nothing, and a default that is there", f: machine("linux", map[string]string{"DUET_FIREFOX_PATH": "/gone"}, google...),
			fails: "DUET_FIREFOX_PATH=/gone is not a program",
		},
		{
			name: "a driver's variable that names nothing", f: machine("linux", map[string]string{"DUET_GECKODRIVER_PATH": "/gone"}, google...),
			fails: "DUET_GECKODRIVER_PATH=/gone is not a program",
		},
		{
			name: "no geckodriver is no file", f: machine("linux", map[string]string{"DUET_GECKODRIVER_PATH": "none"}, google...),
			want: choice{chrome, "/opt/google/chrome/chrome", driver},
		},
		{
			name: "mac", f: machine("darwin", nil, "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome", driver),
			want: choice{chrome, "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome", driver},
		},
		{name: "unknown", o: Options{Browser: "lynx"}, f: machine("linux", nil), fails: "unknown browser"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := c.f.choose(c.o)
			if c.fails != "" {
				if err == nil || !strings.Contains(err.Message, c.fails) || err.Hint == "" {
					t.Errorf("err = %v, hint %q", err, hintOf(err))
				}
				return
			}
			if err != nil {
				t.Fatal(err, err.Hint)
			}
			if got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

func hintOf(f *fault.Fault) string {
	if f == nil {
		return ""
	}
	return f.Hint
}

// What is absent is named with every place that was looked at.
func TestNotFoundNamesThePlaces(t *testing.T) {
	_, err := machine("linux", nil).choose(Options{Browser: firefox})
	for _, want := range []string{"firefox on PATH", "firefox-esr on PATH", "/usr/lib/firefox-esr/firefox-esr", "/snap/bin/firefox"} {
		if !strings.Contains(err.Message, want) {
			t.Errorf("%q lacks %q", err.Message, want)
		}
	}
}

// The install command fits the system.
func TestInstallHint(t *testing.T) {
	for _, c := range []struct {
		osRelease, browser, driver, want string
	}{
		{"ID=debian\n", chrome, "", "apt-get install -y chromium chromium-driver"},
		{"ID=debian\n", chromium, "chromedriver", "apt-get install -y chromium-driver"},
		{"ID=debian\n", firefox, "", "apt-get install -y firefox-esr"},
		{"ID=raspbian\nID_LIKE=\"debian\"\n", firefox, "", "apt-get install"},
		{"ID=ubuntu\nID_LIKE=debian\n", chrome, "", "snap install chromium"},
		{"ID=ubuntu\nID_LIKE=debian\n", firefox, "geckodriver", "snap"},
		{"ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n", firefox, "", "snap"},
		{"ID=fedora\n", firefox, "", "dnf install firefox"},
		{"ID=void\n", chrome, "", "the system's packages"},
	} {
		if got := installHint(c.browser, c.driver, distroOf(c.osRelease)); !strings.Contains(got, c.want) {
			t.Errorf("%q %s %s: %q", c.osRelease, c.browser, c.driver, got)
		}
	}
	for _, d := range []distro{"darwin", "windows"} {
		for _, b := range browsers {
			if installHint(b, "", d) == "" {
				t.Errorf("%s %s: no hint", d, b)
			}
		}
	}
}

// Chromium is good enough for who asked for Chrome, and the other way round it is not.
func TestFits(t *testing.T) {
	for _, c := range []struct {
		asked, running string
		want           bool
	}{
		{"", firefox, true}, {chrome, chrome, true}, {chrome, chromium, true}, {chromium, chrome, false}, {firefox, chrome, false},
	} {
		if Fits(c.asked, c.running) != c.want {
			t.Errorf("Fits(%q, %q) = %v", c.asked, c.running, !c.want)
		}
	}
}

// A driver beside its browser is preferred to one on the path.
func TestDriverBesideTheBrowser(t *testing.T) {
	f := machine("linux", nil, "/opt/x/chromedriver", "/usr/bin/chromedriver")
	if s := f.driver(chrome, filepath.FromSlash("/opt/x/chrome")); s.path != "/opt/x/chromedriver" {
		t.Errorf("driver %q", s.path)
	}
}
