package launch

import (
	"fmt"
	"path/filepath"
	"strings"
)

// chromeDisabled are features that would reach for the network, show something
// to a person who is not there, or make runs differ.
var chromeDisabled = []string{
	"AcceptCHFrame",
	"AutofillServerCommunication",
	"CertificateTransparencyComponentUpdater",
	"DestroyProfileOnBrowserClose",
	"DialMediaRouteProvider",
	"GlobalMediaControls",
	"HttpsUpgrades",
	"HttpsFirstBalancedModeAutoEnable",
	"DeferRendererTasksAfterInput",
	"InterestFeedContentSuggestions",
	"LensOverlay",
	"MediaRouter",
	"OptimizationGuideModelDownloading",
	"OptimizationHints",
	"OptimizationTargetPrediction",
	"PaintHolding",
	"PasswordLeakDetection",
	"PrivacySandboxSettings4",
	"RenderDocument", // a navigation within a site takes a sixth longer with it, and no page can tell
	"SafetyCheck",
	"Translate",
	"WebUIOmniboxAimPopup", // with it or the next each window loads a page of its own for the address bar
	"WebUIOmniboxPopup",
}

// chromeFlags returns the command line: constants, the profile and the size.
// The sandbox is on unless noSandbox says that it cannot be had. DevTools are
// reached through a pipe: no port for other users of the machine, and a browser
// that ends when its driver does. inMemory says where the profile stands.
func chromeFlags(profile string, o Options, noSandbox, smallShm, inMemory bool) []string {
	flags := []string{
		"--remote-debugging-pipe",
		"--user-data-dir=" + profile,
		fmt.Sprintf("--window-size=%d,%d", o.Width, o.Height),
		// The driver loses the frames of a page that comes back from that cache, and answers
		// nothing in its tab from then on. Chrome 156.
		"--disable-back-forward-cache",
		"--disable-background-networking",
		"--disable-background-timer-throttling",
		"--disable-backgrounding-occluded-windows",
		"--disable-breakpad",
		"--disable-client-side-phishing-detection",
		"--disable-component-extensions-with-background-pages",
		"--disable-component-update",
		"--disable-default-apps",
		"--disable-domain-reliability",
		"--disable-extensions",
		"--disable-field-trial-config",
		"--disable-hang-monitor",
		"--disable-ipc-flooding-protection",
		"--disable-notifications",
		"--disable-popup-blocking",
		"--disable-prompt-on-repost",
		"--disable-quic",
		"--disable-renderer-backgrounding",
		"--disable-search-engine-choice-screen",
		"--disable-sync",
		"--force-color-profile=srgb",
		"--metrics-recording-only",
		"--mute-audio",
		"--no-default-browser-check",
		"--no-first-run",
		"--no-pings",
		"--no-service-autorun",
		"--password-store=basic",
		"--use-mock-keychain",
		"--disable-features=" + strings.Join(chromeDisabled, ","),
	}
	if !o.Headed {
		flags = append(flags, "--headless=new", "--hide-scrollbars")
	}
	if noSandbox {
		flags = append(flags, "--no-sandbox")
	}
	if inMemory {
		// Chrome lets its cache grow to 320 MB and more, by the room that it sees. What media
		// are cached of is in the same one.
		flags = append(flags, fmt.Sprintf("--disk-cache-size=%d", cacheInMemory))
	}
	if smallShm {
		flags = append(flags, "--disable-dev-shm-usage")
	}
	return flags
}

// chromePrefs are preferences of the profile that have no flag.
func chromePrefs(downloads string) map[string]any {
	return map[string]any{
		"credentials_enable_service":                    false,
		"profile.password_manager_enabled":              false,
		"profile.password_manager_leak_detection":       false,
		"profile.default_content_setting_values.popups": 1,
		"autofill.profile_enabled":                      false,
		"autofill.credit_card_enabled":                  false,
		"safebrowsing.enabled":                          false,
		"search.suggest_enabled":                        false,
		"translate.enabled":                             false,
		"download.default_directory":                    downloads,
		"download.prompt_for_download":                  false,
	}
}

// chromeCapabilities are what a session is created with.
func chromeCapabilities(c choice, o Options, flags []string, downloads string) map[string]any {
	options := map[string]any{
		"binary": c.binary,
		"args":   flags,
		"prefs":  chromePrefs(downloads),
	}
	key := "goog:chromeOptions"
	if c.browser == edge {
		key = "ms:edgeOptions"
	}
	always := commonCapabilities(o)
	always[key] = options
	return always
}

// chromedriverPort finds the port in what chromedriver prints. Its first line
// speaks of port 0: the one that was asked for.
func chromedriverPort(line string) (string, bool) {
	_, port, ok := strings.Cut(line, "was started successfully on port ")
	return digits(port), ok && digits(port) != ""
}

func digits(s string) string {
	end := strings.IndexFunc(s, func(r rune) bool { return r < '0' || r > '9' })
	if end >= 0 {
		s = s[:end]
	}
	return s
}

// chromedriverVersion finds the version in chromedriver's first line.
func chromedriverVersion(output string) string {
	for line := range strings.Lines(output) {
		if f := strings.Fields(line); len(f) > 2 && f[0] == "Starting" {
			return f[2]
		}
	}
	return ""
}

// chromeSession starts chromedriver and a session.
func chromeSession(c choice) starter {
	return starter{
		path:    c.driver,
		args:    []string{"--port=0", "--enable-chrome-logs"},
		match:   chromedriverPort,
		name:    strings.TrimSuffix(filepath.Base(c.driver), ".exe"),
		version: chromedriverVersion,

		undelivered: chromeUndelivered,
	}
}
