package app

import "strings"

// elsewhere are the words that people type for what has another name here, each with
// the commands that do it. What a word is nearest to by its letters says less.
var elsewhere = map[string][]string{
	"access": {"a11y"}, "accessibility": {"a11y"}, "axe": {"a11y"},
	"alert": {"dialog accept"}, "confirm": {"dialog accept"}, "prompt": {"dialog accept"},
	"assert": {"expect text '#total' 5"}, "verify": {"expect text '#total' 5"},
	"close": {"page close", "quit"}, "exit": {"quit"}, "kill": {"quit"}, "stop": {"quit", "daemon stop"},
	"console": {"logs"}, "errors": {"logs --kind error"}, "network": {"requests"},
	"cookie": {"state list"}, "cookies": {"state list", "state save NAME"}, "storage": {"state list"}, "localstorage": {"state list", "eval 'localStorage'"},
	"login":       {"state save NAME"},
	"contextmenu": {"click e7 --button right"}, "rightclick": {"click e7 --button right"}, "right-click": {"click e7 --button right"}, "tap": {"click e7"},
	"count":    {"exists SELECTOR", "expect count SELECTOR 3"},
	"deselect": {"uncheck SELECTOR", "select SELECTOR ''"}, "unselect": {"uncheck SELECTOR", "select SELECTOR ''"},
	"device": {"viewport 'iPhone 15'"}, "geolocation": {"emulate geolocation=52.5,13.4"}, "locale": {"emulate locale=de-DE"},
	"timezone": {"emulate timezone=Europe/Berlin"}, "useragent": {"emulate user_agent=TEXT"}, "offline": {"emulate offline=on"}, "throttle": {"emulate offline=on"},
	"dom": {"snapshot", "eval document.documentElement.outerHTML"}, "html": {"eval document.documentElement.outerHTML"},
	"source": {"eval document.documentElement.outerHTML"}, "content": {"text", "eval document.documentElement.outerHTML"},
	"tree": {"snapshot"}, "inspect": {"snapshot", "find SELECTOR"}, "query": {"find SELECTOR"},
	"download": {"artifacts list"}, "downloads": {"artifacts list"}, "files": {"artifacts list"},
	"drag": {"mouse down --selector e7", "mouse up --selector e9"}, "drop": {"mouse down --selector e7", "mouse up --selector e9"},
	"draganddrop": {"mouse down --selector e7", "mouse up --selector e9"},
	"evaluate":    {"eval document.title"}, "execute": {"eval document.title"}, "exec": {"eval document.title"}, "js": {"eval document.title"}, "script": {"eval document.title", "run FILE"},
	"fetch": {"requests", "mock reply '**/api' --body '{}'"}, "intercept": {"mock reply '**/api' --body '{}'"}, "route": {"mock reply '**/api' --body '{}'"}, "block": {"mock block '**/ads/**'"},
	"frame": {"snapshot", "click 'iframe >> text=Pay'"}, "iframe": {"snapshot", "click 'iframe >> text=Pay'"},
	"headers": {"request 1", "emulate 'header=X-Test: 1'"},
	"input":   {"fill e4 TEXT", "type TEXT"}, "keyboard": {"press Enter", "type TEXT"}, "keydown": {"key down Shift"}, "keyup": {"key up Shift"}, "enter": {"press Enter"}, "submit": {"press Enter", "fill e4 TEXT --submit"},
	"install": {"doctor"}, "launch": {"open ADDRESS"}, "start": {"open ADDRESS"}, "visit": {"open ADDRESS"},
	"newtab": {"page open ADDRESS"}, "tab": {"tabs", "page select 2", "page open ADDRESS", "page close 2"}, "switch": {"page select 2"}, "window": {"tabs", "viewport 1280x800"},
	"print": {"pdf"}, "record": {"trace start NAME"}, "video": {"trace start NAME"},
	"refresh": {"reload"}, "resize": {"viewport 1280x800"}, "size": {"viewport 1280x800"},
	"sleep": {"wait text=Saved", "wait --kind load"}, "waitfor": {"wait text=Saved"}, "wait-for": {"wait text=Saved"}, "pause": {"wait text=Saved"},
	"swipe": {"scroll e7", "mouse wheel --selector e7 --delta-y 300"}, "wheel": {"mouse wheel --selector e7 --delta-y 300"},
	"title": {"eval document.title", "expect title TEXT"}, "url": {"status", "expect url ADDRESS"}, "location": {"status", "expect url ADDRESS"},
}

// named is an error about a word that is no command, with what is meant by it: what has
// another name here, or what is written nearly so.
func (e *usageError) named(word string, candidates []string) *usageError {
	commands := elsewhere[strings.ToLower(strings.ReplaceAll(word, "_", "-"))]
	if len(commands) == 0 {
		return e.meant(word, candidates)
	}
	e.hint = "that is: " + ourName + " " + strings.Join(commands, ", or "+ourName+" ")
	if strings.HasPrefix(commands[0], "mouse down") {
		e.hint = "that is: " + ourName + " " + strings.Join(commands, ", then "+ourName+" ")
	}
	return e
}
