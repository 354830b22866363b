package launch

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"duet/internal/env"
	"duet/internal/fault"
)

// The browsers.
const (
	chrome   = "chrome"
	chromium = "chromium"
	edge     = "edge"
	firefox  = "firefox"
)

// browsers is the order in which a default is looked for.
var browsers = []string{chrome, chromium, edge, firefox}

// place says where a program may stand: names on the path, then files.
type place struct {
	names []string
	files []string
}

// finder looks programs up. Its functions are the system's, or a test's.
type finder struct {
	goos   string
	path   []string // directories
	isExec func(string) bool
	env    func(*env.Var) string
}

func systemFinder(goos string) finder {
	return finder{goos: goos, path: filepath.SplitList(env.Path.Value()), isExec: isExecutable, env: (*env.Var).Value}
}

func isExecutable(path string) bool {
	st, err := os.Stat(path)
	return err == nil && !st.IsDir() && (st.Mode().Perm()&0o111 != 0 || filepath.Ext(path) == ".exe")
}

// search is what a lookup found, and where it looked.
type search struct {
	path  string
	tried []string
	// wrong is set where a variable names a file that cannot be run.
	wrong string
}

func (f finder) find(override *env.Var, p place) search {
	if set := f.env(override); set != "" {
		if f.isExec(set) {
			return search{path: set}
		}
		return search{tried: []string{override.Name + "=" + set}, wrong: override.Name}
	}
	var s search
	for _, file := range p.files {
		if f.isExec(file) {
			return search{path: file}
		}
	}
	for _, name := range p.names {
		if f.goos == "windows" {
			name += ".exe"
		}
		for _, dir := range f.path {
			if file := filepath.Join(dir, name); f.isExec(file) {
				return search{path: file}
			}
		}
		s.tried = append(s.tried, name+" on PATH")
	}
	s.tried = append(s.tried, p.files...)
	return s
}

// browser looks for a browser's binary. A Debian wrapper script is passed over
// for the program it starts: the driver must be the parent of the browser itself.
func (f finder) browser(name string) search {
	v := env.ChromePath
	switch name {
	case firefox:
		v = env.FirefoxPath
	case edge:
		v = env.EdgePath
	}
	s := f.find(v, browserPlaces(f.goos, name))
	if name == chrome && s.path == "" && s.wrong == "" {
		// Chromium is Chrome to a driver and to a page.
		second := f.find(v, browserPlaces(f.goos, chromium))
		second.tried = append(s.tried, second.tried...)
		return second
	}
	return s
}

// driver looks for the driver of a browser, beside the browser's binary too.
func (f finder) driver(name, binary string) search {
	p, v := driverPlace(name)
	if binary != "" {
		p.files = append([]string{filepath.Join(filepath.Dir(binary), p.names[0])}, p.files...)
	}
	return f.find(v, p)
}

func driverPlace(browser string) (place, *env.Var) {
	switch browser {
	case firefox:
		return place{names: []string{"geckodriver"}, files: []string{"/snap/bin/geckodriver"}}, env.GeckodriverPath
	case edge:
		return place{names: []string{"msedgedriver"}}, env.EdgedriverPath
	default:
		return place{names: []string{"chromedriver", "chromium.chromedriver"},
			files: []string{"/usr/lib/chromium/chromedriver", "/usr/lib/chromium-browser/chromedriver", "/snap/bin/chromium.chromedriver"}}, env.ChromedriverPath
	}
}

func browserPlaces(goos, name string) place {
	switch goos {
	case "darwin":
		return darwinPlaces(name)
	case "windows":
		return windowsPlaces(name)
	}
	switch name {
	case chrome:
		return place{
			names: []string{"google-chrome", "google-chrome-stable", "chrome"},
			files: []string{"/opt/google/chrome/chrome"},
		}
	case chromium:
		return place{
			names: []string{"chromium", "chromium-browser"},
			files: []string{"/usr/lib/chromium/chromium", "/usr/lib64/chromium-browser/chromium-browser", "/snap/bin/chromium"},
		}
	case edge:
		return place{
			names: []string{"microsoft-edge", "microsoft-edge-stable"},
			files: []string{"/opt/microsoft/msedge/msedge"},
		}
	default:
		return place{
			names: []string{"firefox", "firefox-esr"},
			files: []string{"/usr/lib/firefox/firefox", "/usr/lib/firefox-esr/firefox-esr", "/opt/firefox/firefox", "/usr/lib64/firefox/firefox", "/snap/bin/firefox"},
		}
	}
}

func darwinPlaces(name string) place {
	app := map[string]string{
		chrome: "Google Chrome", chromium: "Chromium", edge: "Microsoft Edge", firefox: "Firefox",
	}[name]
	binary := app
	if name == firefox {
		binary = "firefox"
	}
	p := place{files: []string{"/Applications/" + app + ".app/Contents/MacOS/" + binary}}
	if home := env.Home.Value(); home != "" {
		p.files = append(p.files, filepath.Join(home, p.files[0]))
	}
	if name == chromium || name == firefox {
		p.names = []string{name}
	}
	return p
}

func windowsPlaces(name string) place {
	tail := map[string]string{
		chrome: `Google\Chrome\Application\chrome.exe`, chromium: `Chromium\Application\chrome.exe`,
		edge: `Microsoft\Edge\Application\msedge.exe`, firefox: `Mozilla Firefox\firefox.exe`,
	}[name]
	var p place
	for _, v := range []*env.Var{env.ProgramFiles, env.ProgramFilesX86, env.LocalAppData} {
		if base := v.Value(); base != "" {
			p.files = append(p.files, base+`\`+tail)
		}
	}
	return p
}

// choice is a browser and the driver that will start it.
type choice struct {
	browser string
	binary  string
	driver  string // "" is Firefox alone
}

// choose finds what o asks for, or the default: the first browser of the list
// that is there with what it needs. The failure names everything that was
// looked for and the command that installs it.
func (f finder) choose(o Options) (choice, *fault.Fault) {
	if o.Browser != "" && !slices.Contains(browsers, o.Browser) {
		return choice{}, fault.New(fault.InvalidArgument, "unknown browser %q", o.Browser).
			WithHint("one of %s", strings.Join(browsers, ", "))
	}
	if o.Browser != "" {
		return f.chooseOne(o.Browser, o.Driver)
	}
	if o.Driver == DriverGeck || o.Driver == DriverNone {
		return f.chooseOne(firefox, o.Driver)
	}
	if err := f.misnamed(); err != nil {
		return choice{}, err
	}
	var tried []string
	var half *fault.Fault // a browser that lacks its driver says more than one that is absent
	for _, name := range browsers {
		c, err := f.chooseOne(name, o.Driver)
		if err == nil {
			return c, nil
		}
		d, _ := err.Detail.(lookedFor)
		tried = append(tried, d.Tried...)
		if half == nil && d.What == "driver" {
			half = err
		}
	}
	if half != nil {
		return choice{}, half
	}
	slices.Sort(tried)
	tried = slices.Compact(tried)
	return choice{}, fault.New(fault.LaunchFailed, "no browser found; looked for %s", strings.Join(tried, ", ")).
		WithHint("install one: %s", installHint(chrome, "", readDistro(f.goos))).
		WithDetail(lookedFor{"browser", tried})
}

// misnamed is the error of the first variable that names a program which is not
// there: it was set for a reason, so a default does not pass over it.
func (f finder) misnamed() *fault.Fault {
	if wrong := f.allMisnamed(); len(wrong) > 0 {
		return wrong[0]
	}
	return nil
}

func (f finder) allMisnamed() []*fault.Fault {
	var wrong []*fault.Fault
	for _, v := range []*env.Var{env.ChromePath, env.ChromedriverPath, env.FirefoxPath, env.GeckodriverPath, env.EdgePath, env.EdgedriverPath} {
		if set := f.env(v); set == "" || v == env.GeckodriverPath && set == DriverNone {
			continue
		}
		if s := f.find(v, place{}); s.wrong != "" {
			wrong = append(wrong, f.notFound("program", v.Name, "", s))
		}
	}
	return wrong
}

// lookedFor is the detail of a failed search.
type lookedFor struct {
	What  string   `json:"what"` // browser, driver or program
	Tried []string `json:"-"`    // the message lists them
}

func (f finder) chooseOne(name, driver string) (choice, *fault.Fault) {
	b := f.browser(name)
	if b.path == "" {
		return choice{}, f.notFound("browser", name, name, b)
	}
	c := choice{browser: name, binary: realBinary(b.path)}
	if name == chrome && isChromium(c.binary) {
		c.browser = chromium
	}
	if name == firefox && (driver == DriverNone || driver == "" && f.env(env.GeckodriverPath) == "none") {
		return c, nil
	}
	d := f.driver(name, c.binary)
	switch {
	case d.path != "":
		c.driver = d.path
		return c, nil
	case name == firefox && driver == "" && d.wrong == "":
		return c, nil
	}
	p, _ := driverPlace(name)
	return choice{}, f.notFound("driver", p.names[0], c.browser, d)
}

func (f finder) notFound(what, program, browser string, s search) *fault.Fault {
	if s.wrong != "" {
		return fault.New(fault.LaunchFailed, "%s is not a program that can be run", s.tried[0]).
			WithHint("correct or unset %s", s.wrong).WithDetail(lookedFor{what, s.tried})
	}
	driver := ""
	if what == "driver" {
		driver = program
	}
	return fault.New(fault.LaunchFailed, "%s not found; looked for %s", program, strings.Join(s.tried, ", ")).
		WithHint("install it: %s", installHint(browser, driver, readDistro(f.goos))).
		WithDetail(lookedFor{what, s.tried})
}

func isChromium(binary string) bool {
	return strings.Contains(strings.ToLower(filepath.Base(binary)), "chromium")
}

// realBinary resolves links, and the wrapper scripts of Linux packages to the
// program beside or behind them.
func realBinary(path string) string {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return path
	}
	f, err := os.Open(real)
	if err != nil {
		return real
	}
	defer f.Close()
	head := make([]byte, 2)
	if n, _ := f.Read(head); n < 2 || string(head) != "#!" {
		return real
	}
	base := filepath.Base(real)
	for _, behind := range []string{
		filepath.Join(filepath.Dir(real), "chrome"), // /opt/google/chrome/google-chrome
		filepath.Join(filepath.Dir(real), "msedge"),
		filepath.Join("/usr/lib", base, base),
		filepath.Join("/usr/lib", base+"-esr", base+"-esr"),
	} {
		if isExecutable(behind) {
			return behind
		}
	}
	return real
}

// Detect returns the browsers of this machine, the default first.
func Detect() []Candidate {
	f := systemFinder(runtime.GOOS)
	var all []Candidate
	for _, name := range browsers {
		b := f.find(f.overrideOf(name), browserPlaces(f.goos, name))
		if b.path == "" || name == chrome && isChromium(realBinary(b.path)) {
			continue
		}
		binary := realBinary(b.path)
		d := f.driver(name, binary)
		all = append(all, Candidate{Browser: name, Path: binary, Driver: d.path})
	}
	return all
}

func (f finder) overrideOf(name string) *env.Var {
	switch name {
	case firefox:
		return env.FirefoxPath
	case edge:
		return env.EdgePath
	}
	return env.ChromePath
}

// Fits reports whether a running browser is what was asked for: Chromium
// stands in for Chrome.
func Fits(asked, running string) bool {
	return asked == "" || asked == running || asked == chrome && running == chromium
}
