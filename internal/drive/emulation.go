package drive

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"duet/internal/fault"
	"duet/internal/lazyregexp"
)

// Emulation is what pages are to be told of the device, the place and the user, in
// the order in which it was given. The zero value changes nothing.
type Emulation []setting

// setting is one name and its value, judged. An empty value gives back the
// browser's own. device is the preset that it is a part of, "" where it was named
// itself: what a browser lacks of a preset is left out, and not refused.
type setting struct {
	name, value, device string
	started             bool // the browser was started with it
}

// settingKind is what there is to set.
type settingKind struct {
	name string
	form string // what a value looks like
	good func(value string) bool
}

// settingKinds are listed in the order of messages.
var settingKinds = []settingKind{
	{"viewport", "WIDTHxHEIGHT, such as 390x844, each from 1 to " + strconv.Itoa(maxSide), func(v string) bool { _, _, ok := sizeOf(v); return ok }},
	{"dpr", "a number from 0.1 to 10", func(v string) bool { return between(v, 0.1, 10) }},
	{"device", "a preset's name", func(v string) bool { _, ok := deviceOf(v); return ok }},
	{"touch", "on or off", oneOf("on", "off", "true", "false")},
	{"locale", "such as de-DE", func(v string) bool { return localeTag().MatchString(v) }},
	{"timezone", "such as Europe/Berlin or +05:30", func(v string) bool { return zoneName().MatchString(v) }},
	{"geolocation", "LATITUDE,LONGITUDE or LATITUDE,LONGITUDE,METRES, such as 52.52,13.4", func(v string) bool { _, ok := placeOf(v); return ok }},
	{"user_agent", "one line of text", line},
	{"color_scheme", "light or dark", oneOf("light", "dark")},
	{"reduced_motion", "reduce or no-preference", oneOf("reduce", "no-preference")},
	{"offline", "on or off", oneOf("on", "off", "true", "false")},
	{"header", "NAME: VALUE, such as X-Test: 1", func(v string) bool { _, _, ok := headerOf(v); return ok }},
	{"permission", "NAME:granted, NAME:denied or NAME:prompt, then perhaps @ORIGIN, such as geolocation:granted", func(v string) bool { _, ok := permissionOf(v); return ok }},
}

// EmulationNames returns the names that can be set.
func EmulationNames() []string {
	var names []string
	for _, k := range settingKinds {
		names = append(names, k.name)
	}
	return names
}

// ParseEmulation reads settings of the form name=value; a value may be empty, which
// ends what was set. It fails with INVALID_ARGUMENT, which names what there is and
// shows no header's value.
func ParseEmulation(list []string) (Emulation, error) {
	var e Emulation
	for _, text := range list {
		name, value, ok := strings.Cut(text, "=")
		name, value = strings.ReplaceAll(strings.TrimSpace(name), "-", "_"), strings.TrimSpace(value)
		i := slices.IndexFunc(settingKinds, func(k settingKind) bool { return k.name == name })
		switch {
		case slices.Contains([]string{"proxy", "insecure_certs"}, name):
			return nil, fault.New(fault.InvalidArgument, "%s can only be chosen at a browser's start", name).
				WithHint("%s", fault.Either("it is the user's to choose, where duet is started: ", "end this one (duet quit), and start another with ")+"--"+strings.ReplaceAll(name, "_", "-"))
		case !ok && i >= 0:
			return nil, fault.New(fault.InvalidArgument, "%s is set as name=value; the value is %s, or empty for the browser's own", name, settingKinds[i].form)
		case i < 0:
			name, _, _ = strings.Cut(name, ":") // a header without header= before it shows no value
			return nil, fault.New(fault.InvalidArgument, "%q is no setting: write name=value, where name is one of %s", cut(name, 40), strings.Join(EmulationNames(), ", "))
		case value != "" && !settingKinds[i].good(value):
			f := fault.New(fault.InvalidArgument, "%s is %s, or empty for the browser's own", name, settingKinds[i].form)
			if name == "device" {
				f = f.WithHint("there are %s", strings.Join(DeviceNames(), ", "))
			}
			return nil, f
		}
		if switched := map[string]string{"true": "on", "false": "off"}[value]; name == "touch" && switched != "" {
			value = switched
		}
		if name != "device" {
			e = append(e, setting{name: name, value: value})
			continue
		}
		d, _ := deviceOf(value) // none: everything that a device sets is given back
		size, touch := "", ""
		if value != "" {
			size = fmt.Sprintf("%dx%d", d.width, d.height)
			touch = map[bool]string{true: "on", false: "off"}[d.touch()]
		}
		for _, part := range []setting{{name: "viewport", value: size}, {name: "dpr", value: d.ratio}, {name: "touch", value: touch}, {name: "user_agent", value: d.agent}} {
			part.device = cmp.Or(d.name, "none")
			e = append(e, part)
		}
	}
	return e, nil
}

// Value returns the last value of a name, "" where it is not set.
func (e Emulation) Value(name string) string {
	value := ""
	for _, s := range e {
		if s.name == name {
			value = s.value
		}
	}
	return value
}

// Started returns the settings, those of some names as ones that the browser was
// started with: there is nothing to be sent for them.
func (e Emulation) Started(names ...string) Emulation {
	e = slices.Clone(e)
	for i := range e {
		e[i].started = slices.Contains(names, e[i].name)
	}
	return e
}

// Unplaced reports whether a permission names no origin.
func (e Emulation) Unplaced() bool {
	return slices.ContainsFunc(e, func(s setting) bool {
		p, _ := permissionOf(s.value)
		return s.name == "permission" && p.origin == ""
	})
}

func oneOf(words ...string) func(string) bool {
	return func(v string) bool { return slices.Contains(words, v) }
}

func line(v string) bool {
	return !strings.ContainsFunc(v, func(r rune) bool { return r < ' ' || r == 0x7f })
}

func between(v string, low, high float64) bool {
	n, err := strconv.ParseFloat(v, 64)
	return err == nil && n >= low && n <= high
}

// maxSide is the longest side of a viewport: a browser draws all of it.
const maxSide = 10000

func sizeOf(v string) (width, height int, ok bool) {
	w, h, ok := strings.Cut(v, "x")
	width, err := strconv.Atoi(w)
	height, err2 := strconv.Atoi(h)
	return width, height, ok && err == nil && err2 == nil && width > 0 && height > 0 && width <= maxSide && height <= maxSide
}

// place is a point on earth; accuracy in metres.
type place struct{ latitude, longitude, accuracy float64 }

func placeOf(v string) (place, bool) {
	parts := strings.Split(v, ",")
	if len(parts) == 2 {
		parts = append(parts, "1")
	}
	if len(parts) != 3 {
		return place{}, false
	}
	var n [3]float64
	for i, limit := range []float64{90, 180, 1e7} {
		var err error
		if n[i], err = strconv.ParseFloat(strings.TrimSpace(parts[i]), 64); err != nil || !(n[i] >= -limit && n[i] <= limit) {
			return place{}, false
		}
	}
	return place{n[0], n[1], n[2]}, n[2] >= 0
}

// What values look like. headerName is a token of RFC 9110.
var (
	localeTag      = lazyregexp.New(`^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,6}$`)
	zoneName       = lazyregexp.New(`^([A-Za-z][A-Za-z0-9_+/-]{1,60}|[+-][0-9]{2}:[0-9]{2})$`)
	headerName     = lazyregexp.New("^[A-Za-z0-9!#$%&'*+.^_`|~-]+$")
	permissionName = lazyregexp.New(`^[a-z-]{1,40}$`)
)

func headerOf(v string) (name, value string, ok bool) {
	name, value, ok = strings.Cut(v, ":")
	return name, strings.TrimSpace(value), ok && headerName().MatchString(name) && line(value)
}

// permission is an answer to a page's question, given before it asks. Origin is ""
// for that of the active tab.
type permission struct{ name, state, origin string }

func permissionOf(v string) (permission, bool) {
	v, origin, named := strings.Cut(v, "@")
	name, state, ok := strings.Cut(v, ":")
	p := permission{name, state, ""}
	if named {
		u, err := url.Parse(origin)
		if err != nil || u.Scheme == "" || u.Host == "" || u.User != nil {
			return p, false
		}
		p.origin = u.Scheme + "://" + u.Host
	}
	return p, ok && permissionName().MatchString(name) && slices.Contains([]string{"granted", "denied", "prompt"}, state)
}
