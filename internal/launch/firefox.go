package launch

import (
	"bufio"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// firefoxPrefs keep Firefox quiet and its behaviour the same from run to run.
// They are written as user.js, which Firefox reads at every start.
var firefoxPrefs = map[string]any{
	// nothing of its own on the network
	"app.normandy.enabled":                                        false,
	"app.shield.optoutstudies.enabled":                            false,
	"app.update.auto":                                             false,
	"app.update.disabledForTesting":                               true,
	"browser.discovery.enabled":                                   false,
	"browser.newtabpage.activity-stream.feeds.system.topstories":  false,
	"browser.newtabpage.activity-stream.feeds.topsites":           false,
	"browser.newtabpage.activity-stream.telemetry":                false,
	"browser.region.network.url":                                  "",
	"browser.region.update.enabled":                               false,
	"browser.safebrowsing.blockedURIs.enabled":                    false,
	"browser.safebrowsing.downloads.enabled":                      false,
	"browser.safebrowsing.downloads.remote.enabled":               false,
	"browser.safebrowsing.malware.enabled":                        false,
	"browser.safebrowsing.phishing.enabled":                       false,
	"browser.safebrowsing.update.enabled":                         false,
	"browser.search.suggest.enabled":                              false,
	"browser.search.update":                                       false,
	"browser.topsites.contile.enabled":                            false,
	"captivedetect.canonicalURL":                                  "",
	"datareporting.healthreport.uploadEnabled":                    false,
	"datareporting.policy.dataSubmissionEnabled":                  false,
	"datareporting.policy.dataSubmissionPolicyBypassNotification": true,
	"datareporting.usage.uploadEnabled":                           false,
	"dom.push.connection.enabled":                                 false,
	"extensions.blocklist.enabled":                                false,
	"extensions.getAddons.cache.enabled":                          false,
	"extensions.systemAddon.update.enabled":                       false,
	"extensions.systemAddon.update.url":                           "",
	"extensions.update.enabled":                                   false,
	"media.gmp-manager.updateEnabled":                             false,
	"media.gmp-provider.enabled":                                  false,
	"network.captive-portal-service.enabled":                      false,
	"network.connectivity-service.enabled":                        false,
	"network.dns.disablePrefetch":                                 true,
	"network.http.http3.enable":                                   false,
	"network.http.speculative-parallel-limit":                     0,
	"network.prefetch-next":                                       false,
	"network.sntp.pools":                                          "",
	"network.trr.mode":                                            5,
	"nimbus.rollouts.enabled":                                     false,
	"security.remote_settings.intermediates.enabled":              false,
	"services.settings.server":                                    "data:,#remote-settings-dummy/v1",
	"services.sync.enabled":                                       false,
	"toolkit.telemetry.enabled":                                   false,
	"toolkit.telemetry.server":                                    "",
	"toolkit.telemetry.unified":                                   false,
	// nothing shown that was not asked for
	"browser.aboutConfig.showWarning":             false,
	"browser.aboutwelcome.enabled":                false,
	"browser.bookmarks.restore_default_bookmarks": false,
	"browser.download.panel.shown":                true,
	"browser.formfill.enable":                     false,
	"browser.ml.enable":                           false,
	"browser.newtabpage.enabled":                  false,
	"browser.pagethumbnails.capturing_disabled":   true,
	"browser.sessionstore.resume_from_crash":      false,
	// A page that comes back from that cache comes without its frames. Firefox 153.
	"browser.sessionhistory.max_total_viewers": 0,
	"browser.shell.checkDefaultBrowser":        false,
	"browser.startup.homepage":                 "about:blank",
	"browser.startup.homepage_override.mstone": "ignore",
	"browser.startup.page":                     0,
	"browser.startup.preXulSkeletonUI":         false,
	"browser.tabs.warnOnClose":                 false,
	"browser.translations.enable":              false,
	"browser.uitour.enabled":                   false,
	"browser.warnOnQuit":                       false,
	"devtools.jsonview.enabled":                false,
	"extensions.installDistroAddons":           false,
	"extensions.pocket.enabled":                false,
	"signon.autofillForms":                     false,
	"signon.rememberSignons":                   false,
	"startup.homepage_welcome_url":             "about:blank",
	"termsofuse.bypassNotification":            true,
	"toolkit.startup.max_resumed_crashes":      -1,
	// a page that is slow is ours to time, not the browser's to ask about
	"dom.confirm_repost.testing.always_accept": true, // no question that no event tells of
	"dom.disable_open_during_load":             false,
	"dom.ipc.reportProcessHangs":               false,
	"dom.max_chrome_script_run_time":           0,
	"dom.max_script_run_time":                  0,
	"network.manage-offline-status":            false,
	// window.print() would open a dialog that nobody can answer, and hold the page
	"print.enabled":                      false,
	"toolkit.cosmeticAnimations.enabled": false,
}

// prefsOf are the preferences of a session. What it may choose is written also where
// it does not: a kept profile remembers what another session chose.
// inMemory says where the profile stands: there the cache, which may have a gigabyte
// otherwise, is bounded. A profile that stands there is not kept.
func prefsOf(o Options, inMemory bool) map[string]any {
	prefs := maps.Clone(firefoxPrefs)
	prefs["layout.css.prefers-color-scheme.content-override"] = map[string]int{"dark": 0, "light": 1, "": 2}[o.ColorScheme]
	prefs["ui.prefersReducedMotion"] = map[string]int{"reduce": 1}[o.ReducedMotion]
	if inMemory {
		prefs["browser.cache.disk.capacity"] = cacheInMemory >> 10
		prefs["browser.cache.disk.smart_size.enabled"] = false
	}
	return prefs
}

// userJS returns the text of user.js.
func userJS(prefs map[string]any) string {
	names := make([]string, 0, len(prefs))
	for n := range prefs {
		names = append(names, n)
	}
	slices.Sort(names)
	var b strings.Builder
	for _, n := range names {
		b.WriteString("user_pref(" + strconv.Quote(n) + ", ")
		switch v := prefs[n].(type) {
		case bool:
			b.WriteString(strconv.FormatBool(v))
		case int:
			b.WriteString(strconv.Itoa(v))
		case string:
			b.WriteString(strconv.Quote(v))
		}
		b.WriteString(");\n")
	}
	return b.String()
}

// firefoxArgs are the arguments of the browser itself, whoever starts it. The
// size is of the window; the viewport is set over BiDi.
func firefoxArgs(profile string, o Options) []string {
	args := []string{"--profile", profile, "--no-remote"}
	if !o.Headed {
		args = append(args, "--headless", "--width", strconv.Itoa(o.Width), "--height", strconv.Itoa(o.Height))
	}
	return args
}

// geckoCapabilities are what a session is created with through geckodriver.
func geckoCapabilities(c choice, o Options, prefs map[string]any, args []string) map[string]any {
	always := commonCapabilities(o)
	always["moz:firefoxOptions"] = map[string]any{"binary": c.binary, "args": args, "prefs": prefs}
	return always
}

// geckoPort finds the port in what geckodriver prints.
func geckoPort(line string) (string, bool) {
	_, at, ok := strings.Cut(line, "Listening on ")
	_, port, _ := strings.Cut(at, ":")
	return digits(port), ok && strings.Contains(line, "geckodriver") && digits(port) != ""
}

// geckoSession starts geckodriver and a session.
func geckoSession(c choice, profileRoot string) starter {
	return starter{
		path:    c.driver,
		args:    []string{"--port=0", "--websocket-port=0", "--profile-root", profileRoot},
		match:   geckoPort,
		name:    "geckodriver",
		version: func(string) string { return "" },
	}
}

// firefoxEndpoint finds the address in what Firefox prints; "already running"
// is what it says, and exits with 0, when its profile is in use.
func firefoxEndpoint(line string) (string, bool) {
	if _, url, ok := strings.Cut(line, "WebDriver BiDi listening on "); ok {
		return strings.TrimSpace(url), true
	}
	return "", false
}

// inUse recognises a browser's or driver's words for a profile that another
// browser has.
func inUse(text string) bool {
	text = strings.ToLower(text)
	return strings.Contains(text, "already running") || strings.Contains(text, "already in use") ||
		strings.Contains(text, "profile appears to be in use") || strings.Contains(text, "profile cannot be loaded") ||
		strings.Contains(text, "failed to create a processsingleton")
}

// appINI reads Firefox's version and build from the file beside the binary,
// which costs no start of it.
func appINI(binary string) (version, build string) {
	for _, at := range []string{filepath.Dir(binary), filepath.Join(filepath.Dir(binary), "..", "Resources")} {
		f, err := os.Open(filepath.Join(at, "application.ini"))
		if err != nil {
			continue
		}
		defer f.Close()
		for in := bufio.NewScanner(f); in.Scan(); {
			k, v, _ := strings.Cut(in.Text(), "=")
			switch {
			case k == "Version" && version == "":
				version = v
			case k == "BuildID" && build == "":
				build = v
			}
		}
		return version, build
	}
	return "", ""
}
