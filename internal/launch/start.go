package launch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"duet/internal/env"
	"duet/internal/fault"
)

// starter says how a driver is started and understood.
type starter struct {
	path  string
	args  []string
	match func(line string) (string, bool) // finds the port
	// undelivered finds a message that the driver only prints; nil: it delivers all.
	undelivered func(line string) ([]byte, bool)
	name        string
	version     func(output string) string
}

// lastWords is how long a connection's end may be ahead of its process's.
const lastWords = 2 * time.Second

// errStillborn is the cause of a start in which the browser ended before it spoke.
var errStillborn = errors.New("the browser ended while it started")

// failure is why a start did not work.
type failure struct {
	text    string // one line
	hint    string
	sandbox bool // another plan may work
	inUse   bool // the browser or its driver says that another one has the profile
	ended   bool // the browser ended while it started, for no reason of its profile's
	cause   error
}

func (f *failure) fault(c choice) *fault.Fault {
	var own *fault.Fault
	if errors.As(f.cause, &own) {
		return own
	}
	err := fault.New(fault.LaunchFailed, "%s did not start: %s", c.browser, f.text).Because(f.cause)
	if f.hint != "" {
		err = err.WithHint("%s", f.hint)
	} else {
		err = err.WithHint("duet doctor checks the whole chain; the binary is %s", c.binary)
	}
	return err
}

// begin runs one plan: directory, profile, guard, driver, session.
func begin(ctx context.Context, o Options, c choice, pl plan) (*Process, *failure) {
	gid := pl.uid
	// A snap may use no directory in memory but its own.
	fleeting := o.ProfileDir == "" && !o.KeepProfile && !strings.Contains(c.binary, "/snap/")
	dirs, err := newScratch(pl.uid, gid, fleeting)
	if err != nil {
		return nil, &failure{text: "no temporary directory: " + err.Error(), cause: err}
	}
	p := &Process{
		choice: c, options: o, dirs: dirs, note: pl.note,
		profile: dirs.profile(), done: make(chan struct{}),
	}
	if failed := p.start(ctx, pl); failed != nil {
		if p.tree != nil {
			p.tree.kill()
			failed.addOutput(p.out)
		}
		failed.correct(o.ProfileDir == "")
		p.release()
		return nil, failed
	}
	go p.follow()
	return p, nil
}

func (p *Process) start(ctx context.Context, pl plan) *failure {
	if p.options.KeepProfile {
		_ = os.WriteFile(p.dirs.path(keepName), nil, 0o600)
	}
	if p.options.ProfileDir != "" {
		if failed := p.takeProfile(pl); failed != nil {
			return failed
		}
	}
	if err := p.takeDownloads(); err != nil {
		return &failure{text: "the download directory: " + err.Error(), cause: err}
	}
	p.endpoint = Endpoint{Browser: p.choice.browser, Headed: p.options.Headed, Prefers: p.choice.browser == firefox}
	var failed *failure
	switch {
	case p.choice.browser != firefox:
		failed = p.startDriver(ctx, pl, chromeSession(p.choice), func() any {
			flags := chromeFlags(p.profile, p.options, pl.noSandbox, smallShm(), p.dirs.memory != nil)
			return chromeCapabilities(p.choice, p.options, flags, p.DownloadDir())
		})
	case p.choice.driver != "":
		if err := p.prepareFirefox(); err != nil {
			return &failure{text: "the profile: " + err.Error(), cause: err}
		}
		failed = p.startDriver(ctx, pl, geckoSession(p.choice, p.dirs.path("tmp")), func() any {
			c := p.choice
			c.binary = tether(p.dirs.dir, c.binary)
			return geckoCapabilities(c, p.options, prefsOf(p.options, p.dirs.memory != nil), firefoxArgs(p.profile, p.options))
		})
	default:
		if err := p.prepareFirefox(); err != nil {
			return &failure{text: "the profile: " + err.Error(), cause: err}
		}
		failed = p.startAlone(ctx, pl)
	}
	return failed
}

// spawn starts a program under a guard and waits for the line that match finds.
func (p *Process) spawn(ctx context.Context, pl plan, path string, args []string, out *tail) (string, *failure) {
	s := spec{
		Path: path, Args: args, Env: p.environment(), Dir: p.dirs.home(),
		UID: pl.uid, GID: pl.uid, Marks: p.dirs.dirs(),
	}
	if !p.options.KeepProfile {
		s.Remove = s.Marks
	}
	p.out = out
	t, err := startTree(s, p.dirs.locks(), p.out)
	if err != nil {
		return "", &failure{text: fmt.Sprintf("%s: %v", path, err), sandbox: pl.uid >= 0, cause: err}
	}
	p.tree = t
	select {
	case found := <-p.out.found:
		return found, nil
	case <-t.done:
		select { // both can have happened
		case found := <-p.out.found:
			return found, nil
		default:
		}
		return "", &failure{text: fmt.Sprintf("%s ended with %s before it was ready", filepath.Base(path), t.how)}
	case <-ctx.Done():
		return "", &failure{text: filepath.Base(path) + " was not ready in time", cause: context.Cause(ctx)}
	}
}

// startDriver starts a driver and makes a session. The session's request is the
// first thing that the driver is sent: that it prints its port is readiness.
func (p *Process) startDriver(ctx context.Context, pl plan, st starter, capabilities func() any) *failure {
	program, err := p.lendDriver(pl, st.path)
	if err != nil {
		return &failure{text: "the driver could not be handed to the browser's user: " + err.Error(), sandbox: true, cause: err}
	}
	out := newTail(p.options.Stderr, st.match)
	out.undelivered = st.undelivered
	port, failed := p.spawn(ctx, pl, program, st.args, out)
	if failed != nil {
		return failed
	}
	p.client = newDriverClient(port)
	asked, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	go noticeStillborn(asked, p.tree.pid, stop)
	s, err := p.client.create(asked, capabilities())
	if err != nil {
		var refusal *driverError
		switch {
		case errors.As(err, &refusal):
		case errors.Is(context.Cause(asked), errStillborn):
			err = errStillborn
		case ctx.Err() != nil:
			err = context.Cause(ctx)
		case p.tree.wait(ctx, lastWords):
			err = errors.New(st.name + " ended with " + p.tree.how)
		}
		return driverFailure(p.choice, err)
	}
	p.session = s.ID
	if pid := s.known.pid(); pid > 0 {
		p.tree.watch(pid)
	}
	version := st.version(p.out.text())
	if version == "" {
		version = s.known.GeckoVersion
	}
	p.endpoint.URL = s.known.WebSocketURL
	p.endpoint.SessionExists = true
	p.endpoint.Capabilities = s.Capabilities
	p.endpoint.Version = s.known.Version
	p.endpoint.Driver = strings.TrimSpace(st.name + " " + version)
	return nil
}

// startAlone starts Firefox without a driver.
func (p *Process) startAlone(ctx context.Context, pl plan) *failure {
	args := append([]string{"--remote-debugging-port=0"}, firefoxArgs(p.profile, p.options)...)
	// With an address that is not the empty page's own the page has the focus from
	// the start. Otherwise the address bar has it, and no field ever loses it: no
	// change or blur event. A driver moves it itself.
	args = append(args, "about:blank#")
	url, failed := p.spawn(ctx, pl, p.choice.binary, args, newTail(p.options.Stderr, firefoxEndpoint))
	if failed != nil {
		return failed
	}
	p.endpoint.URL = url + "/session"
	p.endpoint.Capabilities = newCapabilities(p.options)
	p.endpoint.Version, _ = appINI(p.choice.binary)
	return nil
}

// driverFailure reads a driver's refusal.
func driverFailure(c choice, err error) *failure {
	f := &failure{text: firstLine(err.Error()), cause: err}
	low := strings.ToLower(err.Error())
	switch {
	case strings.Contains(low, "only supports") && strings.Contains(low, "version"):
		f.text = strings.Join(strings.Fields(strings.ReplaceAll(err.Error(), "\n", " ")), " ")
		if i := strings.Index(f.text, " Stacktrace"); i > 0 {
			f.text = f.text[:i]
		}
		f.hint = fmt.Sprintf("browser and driver must have the same major version: %s", installHint(c.browser, filepath.Base(c.driver), readDistro(runtime.GOOS)))
	case inUse(low):
		f.setInUse()
	case strings.Contains(low, "sandbox"):
		f.sandbox = true
	}
	return f
}

func (f *failure) setInUse() {
	f.inUse = true
	f.text = "the profile is in use by another browser"
	f.hint = "close that browser, or use another profile"
}

// correct puts right what the browser can only guess: nobody else has a profile
// that was made a moment ago. A machine under load makes browsers say so.
func (f *failure) correct(fresh bool) {
	if f.inUse && fresh {
		f.ended = true
		f.text, f.hint = "it ended while it started", ""
	}
}

// addOutput adds what the child printed, and reads the reason from it.
func (f *failure) addOutput(out *tail) {
	<-out.ended
	text := out.text()
	low := strings.ToLower(text)
	switch {
	case inUse(text):
		f.setInUse()
		return
	case strings.Contains(low, "no usable sandbox") || strings.Contains(low, "without --no-sandbox") ||
		strings.Contains(low, "failed to move to new namespace"):
		f.text = "the system gives the browser no sandbox"
		f.hint = "allow unprivileged user namespaces (sysctl kernel.apparmor_restrict_unprivileged_userns=0 on Ubuntu)"
		f.sandbox = true
		return
	case strings.Contains(low, "permission denied") || strings.Contains(low, "operation not permitted"):
		f.sandbox = true
	case strings.Contains(low, "missing x server") || strings.Contains(low, "cannot open display"):
		f.hint = "there is no display: leave out --headed"
	}
	if last := out.last(3); last != "" {
		f.text += "; it printed: " + strconv.Quote(last)
	}
}

// environment is all that browser and driver get of ours: an allow-list, with a
// home and a temporary directory of their own.
func (p *Process) environment() []string {
	e := []string{
		"HOME=" + p.dirs.home(),
		"TMPDIR=" + p.dirs.path("tmp"),
		"MOZ_CRASHREPORTER_DISABLE=1",
		fmt.Sprintf("MOZ_HEADLESS_WIDTH=%d", p.options.Width),
		fmt.Sprintf("MOZ_HEADLESS_HEIGHT=%d", p.options.Height),
	}
	hand := []*env.Var{env.Path, env.Lang, env.LCAll, env.TZ, env.SystemRoot}
	if p.options.Headed {
		hand = append(hand, env.Display, env.WaylandDisplay, env.XAuthority, env.XDGRuntimeDir)
	} else {
		e = append(e, "DBUS_SESSION_BUS_ADDRESS=disabled:")
	}
	for _, v := range hand {
		if s := v.Value(); s != "" {
			e = append(e, v.Name+"="+s)
		}
	}
	return e
}
