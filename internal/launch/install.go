package launch

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// distro is the kind of system that an install command is for.
type distro string

func readDistro(goos string) distro {
	if goos != "linux" {
		return distro(goos)
	}
	b, _ := os.ReadFile("/etc/os-release")
	return distroOf(string(b))
}

func distroOf(osRelease string) distro {
	var id, like string
	for line := range strings.Lines(osRelease) {
		k, v, _ := strings.Cut(strings.TrimSpace(line), "=")
		switch v = strings.Trim(v, `"'`); k {
		case "ID":
			id = v
		case "ID_LIKE":
			like = v
		}
	}
	all := strings.Fields(id + " " + like)
	for _, d := range []string{"ubuntu", "debian", "fedora", "arch", "alpine", "suse"} {
		if slices.Contains(all, d) {
			return distro(d)
		}
	}
	return "linux"
}

// installHint returns the command that installs a browser with its driver, or
// the driver alone.
func installHint(browser, driver string, d distro) string {
	ff := browser == firefox
	switch d {
	case "debian":
		switch {
		case ff && driver != "":
			return "download geckodriver from https://github.com/mozilla/geckodriver/releases into a directory on PATH, or set DUET_GECKODRIVER_PATH=none"
		case ff:
			return "sudo apt-get install -y firefox-esr"
		case browser == edge:
			return "packages of https://www.microsoft.com/edge and msedgedriver"
		case browser == chrome && driver != "":
			return "the chromedriver of Chrome's own version from https://googlechromelabs.github.io/chrome-for-testing/"
		case driver != "":
			return "sudo apt-get install -y chromium-driver"
		}
		return "sudo apt-get install -y chromium chromium-driver"
	case "ubuntu":
		if ff {
			return "sudo snap install firefox (geckodriver comes with the snap as /snap/bin/geckodriver)"
		}
		return "sudo snap install chromium (its driver is /snap/bin/chromium.chromedriver)"
	case "fedora":
		if ff {
			return "sudo dnf install firefox"
		}
		return "sudo dnf install chromium chromedriver"
	case "arch":
		if ff {
			return "sudo pacman -S firefox geckodriver"
		}
		return "sudo pacman -S chromium"
	case "alpine":
		if ff {
			return "apk add firefox geckodriver"
		}
		return "apk add chromium chromium-chromedriver"
	case "darwin":
		if ff {
			return "brew install --cask firefox && brew install geckodriver"
		}
		return "brew install --cask google-chrome chromedriver"
	case "windows":
		if ff {
			return "winget install Mozilla.Firefox Mozilla.GeckoDriver"
		}
		return "winget install Google.Chrome Chromium.ChromeDriver"
	}
	if ff {
		return "Firefox and geckodriver by the system's packages"
	}
	return fmt.Sprintf("%s and its driver by the system's packages, of the same version", browser)
}
