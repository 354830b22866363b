package drive

import (
	"slices"
	"strings"
)

// device is what a page can tell of one: the size of its viewport, the pixels of a
// CSS pixel, and how its browser names itself.
type device struct {
	name          string
	width, height int
	ratio         string
	agent         string
}

const (
	agentPhone  = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1"
	agentPad    = "Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1"
	agentMobile = "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Mobile Safari/537.36"
	agentTablet = "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36"
)

// devices are the presets. A laptop has the browser's own name.
var devices = []device{
	{"iPhone SE", 375, 667, "2", agentPhone},
	{"iPhone 15", 393, 852, "3", agentPhone},
	{"iPhone 15 Pro Max", 430, 932, "3", agentPhone},
	{"iPad Mini", 768, 1024, "2", agentPad},
	{"iPad Pro", 1024, 1366, "2", agentPad},
	{"Pixel 8", 412, 915, "2.625", agentMobile},
	{"Galaxy S24", 360, 780, "3", agentMobile},
	{"Galaxy Tab S9", 753, 1205, "2.125", agentTablet},
	{"Laptop", 1280, 800, "1", ""},
	{"Laptop HiDPI", 1440, 900, "2", ""},
	{"Desktop", 1920, 1080, "1", ""},
}

// touch reports whether it has a touch screen.
func (d device) touch() bool { return d.agent != "" }

// deviceOf finds a preset, however its name is capitalised and spaced.
func deviceOf(name string) (device, bool) {
	fold := func(s string) string {
		return strings.ToLower(strings.NewReplacer(" ", "", "-", "", "_", "").Replace(s))
	}
	i := slices.IndexFunc(devices, func(d device) bool { return fold(d.name) == fold(name) })
	if i < 0 {
		return device{}, false
	}
	return devices[i], true
}

// DeviceNames returns the names of the presets.
func DeviceNames() []string {
	var names []string
	for _, d := range devices {
		names = append(names, d.name)
	}
	return names
}
