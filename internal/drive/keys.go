package drive

import (
	"runtime"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"duet/internal/fault"
)

// keyNames are the keys without a character, by their names in UI Events, and the
// code points that WebDriver gives them.
var keyNames = map[string]string{
	"Cancel": "\uE001", "Help": "\uE002", "Backspace": "\uE003", "Tab": "\uE004", "Clear": "\uE005",
	"Enter": "\uE006", "NumpadEnter": "\uE007", "Shift": "\uE008", "Control": "\uE009", "Alt": "\uE00A",
	"Pause": "\uE00B", "Escape": "\uE00C", "Space": " ", "PageUp": "\uE00E", "PageDown": "\uE00F",
	"End": "\uE010", "Home": "\uE011", "ArrowLeft": "\uE012", "ArrowUp": "\uE013", "ArrowRight": "\uE014",
	"ArrowDown": "\uE015", "Insert": "\uE016", "Delete": "\uE017", "Meta": "\uE03D",
	"F1": "\uE031", "F2": "\uE032", "F3": "\uE033", "F4": "\uE034", "F5": "\uE035", "F6": "\uE036",
	"F7": "\uE037", "F8": "\uE038", "F9": "\uE039", "F10": "\uE03A", "F11": "\uE03B", "F12": "\uE03C",
	"ZenkakuHankaku": "\uE040",
	"ShiftRight":     "\uE050", "ControlRight": "\uE051", "AltRight": "\uE052", "MetaRight": "\uE053",
	"Numpad0": "\uE01A", "Numpad1": "\uE01B", "Numpad2": "\uE01C", "Numpad3": "\uE01D", "Numpad4": "\uE01E",
	"Numpad5": "\uE01F", "Numpad6": "\uE020", "Numpad7": "\uE021", "Numpad8": "\uE022", "Numpad9": "\uE023",
	"NumpadMultiply": "\uE024", "NumpadAdd": "\uE025", "NumpadSeparator": "\uE026", "NumpadSubtract": "\uE027",
	"NumpadDecimal": "\uE028", "NumpadDivide": "\uE029",
}

// keyAliases are what people write instead, in lower case.
var keyAliases = map[string]string{
	"return": "Enter", "esc": "Escape", "del": "Delete", "ins": "Insert", "ctrl": "Control", "option": "Alt",
	"cmd": "Meta", "command": "Meta", "super": "Meta", "win": "Meta", "left": "ArrowLeft", "right": "ArrowRight",
	"up": "ArrowUp", "down": "ArrowDown", "pgup": "PageUp", "pgdn": "PageDown", "spacebar": "Space",
	"shiftleft": "Shift", "controlleft": "Control", "altleft": "Alt", "metaleft": "Meta",
}

// modifiers may be held while another key or a button is pressed.
var modifiers = []string{"Shift", "Control", "Alt", "Meta", "ShiftRight", "ControlRight", "AltRight", "MetaRight"}

// shifted is what Shift makes of the keys of a US keyboard.
var shifted = map[string]string{
	"1": "!", "2": "@", "3": "#", "4": "$", "5": "%", "6": "^", "7": "&", "8": "*", "9": "(", "0": ")", "-": "_",
	"=": "+", "[": "{", "]": "}", `\`: "|", ";": ":", "'": `"`, "`": "~", ",": "<", ".": ">", "/": "?",
}

// chord is one key with the modifiers held around it, as they go on the wire.
type chord struct {
	held []string
	key  string
}

// parseChord reads Enter, a, Control+A, Control++ or ControlOrMeta+a. Names are
// those of UI Events, in any case; one character stands for its own key.
func parseChord(s string) (chord, error) {
	var c chord
	if s == "" {
		return c, fault.New(fault.InvalidArgument, "no key is given").WithHint("for example Enter, a, Control+A")
	}
	names := strings.Split(s, "+")
	// A plus that stands last, or alone, is the key itself.
	if n := len(names); n >= 2 && names[n-1] == "" {
		names = append(names[:n-2], "+")
	}
	shift := false
	for i, name := range names {
		key, canonical, err := keyOf(name)
		if err != nil {
			return c, err
		}
		if i == len(names)-1 {
			c.key = key
			break
		}
		if !slices.Contains(modifiers, canonical) {
			return c, fault.New(fault.InvalidArgument, "%s is no modifier in %s", strconv.Quote(name), strconv.Quote(s)).
				WithHint("modifiers: Shift, Control, Alt, Meta, ControlOrMeta")
		}
		shift = shift || strings.HasPrefix(canonical, "Shift")
		c.held = append(c.held, key)
	}
	if shift {
		if up, ok := shifted[c.key]; ok {
			c.key = up
		} else if utf8.RuneCountInString(c.key) == 1 {
			c.key = strings.ToUpper(c.key)
		}
	}
	return c, nil
}

// keyOf returns what a key's name is on the wire, and its canonical name.
func keyOf(name string) (key, canonical string, err error) {
	if utf8.RuneCountInString(name) == 1 {
		if r, _ := utf8.DecodeRuneInString(name); r == utf8.RuneError || r >= 0xE000 && r <= 0xF8FF || unicode.IsControl(r) {
			return "", "", fault.New(fault.InvalidArgument, "%s is no key", strconv.Quote(name)).WithHint("special keys go by name, such as Enter or ArrowDown")
		}
		return name, name, nil
	}
	canonical = canonicalKey(name)
	key, ok := keyNames[canonical]
	if !ok {
		return "", "", fault.New(fault.InvalidArgument, "no key is called %s", strconv.Quote(name)).
			WithHint("keys: one character, or a name such as Enter, Tab, Escape, Backspace, Delete, ArrowLeft, Home, PageDown, F5; modifiers before it: Control+A")
	}
	return key, canonical, nil
}

// canonicalKey finds a name whatever its case.
func canonicalKey(name string) string {
	low := strings.ToLower(name)
	if low == "controlormeta" || low == "cmdorctrl" || low == "commandorcontrol" {
		if runtime.GOOS == "darwin" {
			return "Meta"
		}
		return "Control"
	}
	if to, ok := keyAliases[low]; ok {
		return to
	}
	if _, ok := keyNames[name]; ok {
		return name
	}
	for known := range keyNames {
		if strings.EqualFold(known, name) {
			return known
		}
	}
	return name
}

// modifierKeys returns the wire keys of modifiers by name.
func modifierKeys(names []string) ([]string, error) {
	var keys []string
	for _, name := range names {
		key, canonical, err := keyOf(name)
		if err != nil || !slices.Contains(modifiers, canonical) {
			return nil, fault.New(fault.InvalidArgument, "%s is no modifier", strconv.Quote(name)).
				WithHint("allowed: Shift, Control, Alt, Meta, ControlOrMeta")
		}
		if !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys, nil
}

// keystrokes are the keys that type a text, one for each code point: a line break
// is Enter, a tab is Tab. What is no valid text never reaches the page.
func keystrokes(text string) []string {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	keys := make([]string, 0, len(text))
	for _, r := range text {
		switch {
		case r == '\n':
			keys = append(keys, keyNames["Enter"])
		case r == '\t':
			keys = append(keys, keyNames["Tab"])
		case r == '\b':
			keys = append(keys, keyNames["Backspace"])
		case r >= 0xE000 && r <= 0xE05D:
			// On the wire these would press special keys.
			keys = append(keys, string(utf8.RuneError))
		case unicode.IsControl(r):
		default:
			keys = append(keys, string(r))
		}
	}
	return keys
}
