package launch

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"duet/internal/env"
	"duet/internal/fault"
)

// Diagnose looks at the whole chain, for `duet doctor`: what is installed, the
// directories, and for every browser a start to its endpoint and an end, timed.
// ctx bounds it.
func Diagnose(ctx context.Context) []Check {
	f := systemFinder(runtime.GOOS)
	checks := []Check{{Name: "system", OK: true, Text: fmt.Sprintf("%s/%s, %s", runtime.GOOS, runtime.GOARCH, readDistro(runtime.GOOS))}}
	found := Detect()
	if c, err := f.choose(Options{}); err != nil {
		checks = append(checks, Check{Name: "default browser", Text: err.Message, Hint: err.Hint})
	} else {
		checks = append(checks, Check{Name: "default browser", OK: true, Text: c.browser + " " + c.binary})
	}
	for _, wrong := range f.allMisnamed() {
		checks = append(checks, Check{Name: "environment", Text: wrong.Message, Hint: wrong.Hint})
	}
	for _, c := range found {
		checks = append(checks, f.diagnoseBrowser(c)...)
	}
	checks = append(checks, diagnoseDirectories()...)
	for _, c := range found {
		checks = append(checks, diagnoseStart(ctx, Options{Browser: c.Browser}, c.Browser))
		if c.Browser == firefox && c.Driver != "" {
			checks = append(checks, diagnoseStart(ctx, Options{Browser: firefox, Driver: DriverNone}, "firefox without geckodriver"))
		}
	}
	return checks
}

// diagnoseBrowser names a browser's binary and driver.
func (f finder) diagnoseBrowser(c Candidate) []Check {
	checks := []Check{{Name: c.Browser, OK: true, Text: c.Path}}
	if version, _ := appINI(c.Path); version != "" {
		checks[0].Text += " " + version
	}
	driver := Check{Name: c.Browser + " driver", OK: c.Driver != "", Text: c.Driver}
	if !driver.OK {
		p, _ := driverPlace(c.Browser)
		driver.Text = p.names[0] + " not found"
		driver.Hint = installHint(c.Browser, p.names[0], readDistro(f.goos))
		if c.Browser == firefox {
			driver.OK = true // Firefox does without
			driver.Text += "; Firefox is started without it"
			driver.Hint = ""
		}
	}
	return append(checks, driver)
}

// diagnoseDirectories looks at where sessions and templates are kept.
func diagnoseDirectories() []Check {
	dir := Check{Name: "session directory"}
	profiles := Check{Name: "temporary profiles", OK: true}
	shared := runtime.GOOS == "linux" && os.Getuid() == 0
	if base, err := scratchBase(shared); err != nil {
		dir.Text, dir.Hint = err.Error(), "make the temporary directory writable, or set TMPDIR"
		profiles.OK, profiles.Text = false, "no directory for them"
	} else {
		dir.OK, dir.Text = true, base
		var why string
		if profiles.Text, why = systemMemory().base(base, shared); why != "" {
			profiles.Text = base + ": " + why
		} else {
			profiles.Text += ", in memory"
		}
	}
	cache := Check{Name: "cache directory", OK: true}
	if base, err := cacheDir(); err != nil {
		cache.OK, cache.Text, cache.Hint = false, err.Error(), "set "+env.CacheDir.Name
	} else {
		cache.Text = base
		if t, _ := filepath.Glob(filepath.Join(base, "firefox-template", "*", "compatibility.ini")); len(t) > 0 {
			cache.Text += ", with a Firefox template"
		}
	}
	checks := []Check{dir, profiles, cache}
	if smallShm() {
		checks = append(checks, Check{Name: "/dev/shm", OK: true, Text: "small: Chrome is told to use files instead"})
	}
	return checks
}

// diagnoseStart starts a browser and ends it.
func diagnoseStart(ctx context.Context, o Options, name string) Check {
	check := Check{Name: "start " + name}
	began := time.Now()
	p, err := Start(ctx, o)
	if err != nil {
		f := fault.From(err)
		check.Text, check.Hint = f.Message, f.Hint
		return check
	}
	ready := time.Since(began)
	_ = p.Close(ctx)
	e := p.Endpoint()
	check.OK = true
	check.Text = fmt.Sprintf("%s %s ready in %d ms, ended in %d ms", e.Browser, e.Version, ready.Milliseconds(), (time.Since(began) - ready).Milliseconds())
	if e.Driver != "" {
		check.Text += ", through " + e.Driver
	}
	if n := p.Note(); n != "" {
		check.Text += "; " + n
		check.Hint = "start duet as an ordinary user"
		if !strings.Contains(n, "root") {
			check.Hint = "allow unprivileged user namespaces"
		}
	}
	return check
}
