package drive

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"duet/bidi"
	"duet/internal/fault"
	"duet/internal/pagejs"
	"duet/internal/secret"
)

// everyTab is the user context that every tab of a session stands in: what is set
// for it holds for the tabs to come too.
var everyTab = []bidi.UserContext{"default"}

// viewport is the size that was asked for last. Browser.mu guards it.
type viewport struct {
	width, height int
	ratio         float64 // 0 is the browser's own
}

// Emulate applies settings to every tab and to those to come, one after another,
// settles, and returns what the page of the tab is told now, by the names that were
// set, headers by their names alone. A setting that the page does not show is
// EXPECT_MISMATCH; one that the browser cannot is UNSUPPORTED, before anything is
// changed where that is known.
func (t *Tab) Emulate(ctx context.Context, e Emulation) (map[string]string, error) {
	if t.Closed() {
		return nil, t.closedFault()
	}
	if d := t.Dialog(); d != nil {
		return nil, dialogFault(d)
	}
	if err := t.b.able(e); err != nil {
		return nil, err
	}
	if err := t.b.settleOrigins(e, t); err != nil {
		return nil, err
	}
	mark := t.Mark()
	if err := t.b.emulate(ctx, e, t); err != nil {
		return nil, err
	}
	if _, err := t.settle(ctx, t.id, settleWant{mark: mark}); err != nil {
		return nil, err
	}
	return t.told(ctx, e)
}

// able refuses what this browser is known not to do.
func (b *Browser) able(e Emulation) error {
	for _, s := range e {
		if b.quirks.NoMediaFeatures && (s.name == "color_scheme" || s.name == "reduced_motion") {
			return fault.New(fault.Unsupported, "%s has no command that changes %s while it runs", b.info.Browser, s.name).
				WithHint("it can be chosen where the browser starts: --emulate %s=%s", s.name, s.value)
		}
		if b.quirks.NoTouch && s.name == "touch" && s.device == "" && s.value != "" {
			return fault.New(fault.Unsupported, "%s has no command that emulates a touch screen", b.info.Browser).
				WithHint("leave touch out: a device without it can be set")
		}
	}
	return nil
}

// settleOrigins refuses permissions whose origin is not known.
func (b *Browser) settleOrigins(e Emulation, t *Tab) error {
	for _, s := range e {
		if s.name != "permission" || s.value == "" {
			continue
		}
		if p, _ := permissionOf(s.value); p.origin == "" && originOf(t) == "" {
			return fault.New(fault.InvalidArgument, "a permission is set for one site, and the tab shows none").
				WithHint("open the site first, or name it: permission=%s@https://example.com", s.value)
		}
	}
	return nil
}

// originOf is the origin of the page that a tab shows, "" for none that can be named.
func originOf(t *Tab) string {
	if t == nil {
		return ""
	}
	u, err := url.Parse(t.URL())
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// emulate applies settings one after another. A failure after the first is partial.
func (b *Browser) emulate(ctx context.Context, e Emulation, t *Tab) error {
	for i, s := range e {
		var err error
		if !s.started {
			err = b.apply(ctx, s, t)
		}
		if err == nil {
			b.noteSet(s, t)
			continue
		}
		f := wireFault("set "+s.name, err)
		switch {
		case ctx.Err() != nil && bidi.CodeOf(err) == "":
			f = b.unanswered(ctx, "set "+s.name, err)
		case f.Code == fault.Unsupported:
			f = fault.New(fault.Unsupported, "%s does not support %s: %s", b.info.Browser, s.name, tidy(messageOf(err))).Because(err).At(f.Phase, f.Effect)
		case f.Code == fault.StateInvalid:
			f = fault.New(fault.InvalidArgument, "the browser does not take this %s: %s", s.name, tidy(messageOf(err))).Because(err).At(f.Phase, f.Effect)
		}
		if i > 0 {
			f = f.After()
		}
		return f
	}
	return nil
}

func messageOf(err error) string {
	var e *bidi.Error
	if errors.As(err, &e) {
		return e.Message
	}
	return err.Error()
}

// own is a value, or null for the browser's own.
func own(value string) *string {
	if value == "" {
		return nil
	}
	return &value
}

func (b *Browser) apply(ctx context.Context, s setting, t *Tab) error {
	var err error
	switch s.name {
	case "viewport", "dpr":
		return b.resize(ctx, s)
	case "touch":
		if b.quirks.NoTouch {
			return nil
		}
		params := bidi.EmulationSetTouchOverrideParameters{UserContexts: everyTab}
		if s.value == "on" {
			params.MaxTouchPoints = new(touchPoints)
		}
		_, err = bidi.EmulationSetTouchOverride.Call(ctx, b.conn, params)
	case "locale":
		_, err = bidi.EmulationSetLocaleOverride.Call(ctx, b.conn, bidi.EmulationSetLocaleOverrideParameters{Locale: own(s.value), UserContexts: everyTab})
	case "timezone":
		_, err = bidi.EmulationSetTimezoneOverride.Call(ctx, b.conn, bidi.EmulationSetTimezoneOverrideParameters{Timezone: own(s.value), UserContexts: everyTab})
	case "user_agent":
		_, err = bidi.EmulationSetUserAgentOverride.Call(ctx, b.conn, bidi.EmulationSetUserAgentOverrideParameters{UserAgent: own(s.value), UserContexts: everyTab})
	case "geolocation":
		at := bidi.Null[bidi.EmulationGeolocationCoordinates]()
		if p, ok := placeOf(s.value); ok {
			at = bidi.Some(bidi.EmulationGeolocationCoordinates{Latitude: p.latitude, Longitude: p.longitude, Accuracy: &p.accuracy})
		}
		_, err = bidi.EmulationSetGeolocationOverride.Call(ctx, b.conn, bidi.EmulationSetGeolocationOverrideParameters{Coordinates: at, UserContexts: everyTab})
	case "color_scheme", "reduced_motion":
		return b.prefer(ctx, s)
	case "offline":
		params := bidi.EmulationSetNetworkConditionsParameters{UserContexts: everyTab}
		if s.value == "on" || s.value == "true" {
			params.NetworkConditions = &bidi.EmulationNetworkConditionsOffline{}
		}
		_, err = bidi.EmulationSetNetworkConditions.Call(ctx, b.conn, params)
	case "header":
		return b.addHeader(ctx, s.value)
	case "permission":
		return b.permit(ctx, s.value, t)
	}
	return err
}

// resize sets size and ratio: of each tab, and of those to come.
func (b *Browser) resize(ctx context.Context, s setting) error {
	b.mu.Lock()
	v := b.view
	var open []bidi.Context
	for _, t := range b.tabs {
		open = append(open, t.id)
	}
	b.mu.Unlock()
	if s.name == "viewport" {
		v.width, v.height = b.info.Width, b.info.Height
		if w, h, ok := sizeOf(s.value); ok {
			v.width, v.height = w, h
		}
	} else {
		v.ratio, _ = strconv.ParseFloat(s.value, 64)
	}
	size, ratio := bidi.Some(bidi.BrowsingContextViewport{Width: v.width, Height: v.height}), bidi.Null[float64]()
	if v.ratio > 0 {
		ratio = bidi.Some(v.ratio)
	}
	pending := []*bidi.Pending[bidi.EmptyResult]{bidi.BrowsingContextSetViewport.Send(b.conn, bidi.BrowsingContextSetViewportParameters{
		UserContexts: everyTab, Viewport: size, DevicePixelRatio: ratio,
	})}
	for _, c := range open {
		pending = append(pending, bidi.BrowsingContextSetViewport.Send(b.conn, bidi.BrowsingContextSetViewportParameters{
			Context: c, Viewport: size, DevicePixelRatio: ratio,
		}))
	}
	var failed error
	done := false
	for _, p := range pending {
		_, err := p.Wait(ctx)
		switch {
		case err == nil:
			done = true
		case failed == nil && bidi.CodeOf(err) != bidi.CodeNoSuchFrame: // closed meanwhile
			failed = err
		}
	}
	if failed != nil && done {
		return wireFault("set "+s.name, failed).After()
	}
	if failed != nil {
		return failed
	}
	b.mu.Lock()
	b.view = v
	b.mu.Unlock()
	return nil
}

// prefer sets what media queries see. The command replaces all of them.
func (b *Browser) prefer(ctx context.Context, s setting) error {
	if b.quirks.NoMediaFeatures {
		return b.able(Emulation{s})
	}
	b.mu.Lock()
	features := bidi.EmulationMediaFeatures{}
	for name, value := range b.features {
		features[name] = value
	}
	b.mu.Unlock()
	name := map[string]string{"color_scheme": "prefers-color-scheme", "reduced_motion": "prefers-reduced-motion"}[s.name]
	if features[name] = s.value; s.value == "" {
		delete(features, name)
	}
	sent := features
	if len(sent) == 0 {
		sent = nil
	}
	if _, err := bidi.EmulationSetMediaFeaturesOverride.Call(ctx, b.conn, bidi.EmulationSetMediaFeaturesOverrideParameters{Features: sent, UserContexts: everyTab}); err != nil {
		return err
	}
	b.mu.Lock()
	b.features = features
	b.mu.Unlock()
	return nil
}

// addHeader adds a header to every request, or takes one back where its value is
// empty, or all where it has no name. A value that authenticates is a secret.
func (b *Browser) addHeader(ctx context.Context, text string) error {
	name, value, _ := headerOf(text)
	b.mu.Lock()
	var headers []bidi.NetworkHeader
	for _, h := range b.headers {
		if text != "" && !strings.EqualFold(h.Name, name) {
			headers = append(headers, h)
		}
	}
	b.mu.Unlock()
	if value != "" {
		b.rememberHeader(name, value)
		headers = append(headers, bidi.NetworkHeader{Name: name, Value: bidi.NetworkText(value)})
	}
	if _, err := bidi.NetworkSetExtraHeaders.Call(ctx, b.conn, bidi.NetworkSetExtraHeadersParameters{Headers: headers, UserContexts: everyTab}); err != nil {
		return err
	}
	b.mu.Lock()
	b.headers = headers
	b.mu.Unlock()
	return nil
}

// rememberHeader keeps the value of a header that carries a credential as a secret.
func (b *Browser) rememberHeader(name, value string) {
	if value != "" && secret.Header(name) {
		_, credential, _ := strings.Cut(value, " ")
		b.Remember(value)
		b.Remember(strings.TrimSpace(credential)) // after its scheme
	}
}

func (b *Browser) permit(ctx context.Context, text string, t *Tab) error {
	p, ok := permissionOf(text)
	if !ok {
		return fault.New(fault.InvalidArgument, "permission has no default to go back to: set it to NAME:prompt")
	}
	if p.origin == "" {
		if p.origin = originOf(t); p.origin == "" {
			return fault.New(fault.InvalidArgument, "permission needs @ORIGIN here, such as %s@https://example.com", text)
		}
	}
	_, err := bidi.PermissionsSetPermission.Call(ctx, b.conn, bidi.PermissionsSetPermissionParameters{
		Descriptor: bidi.PermissionsPermissionDescriptor{Name: p.name}, State: bidi.PermissionsPermissionState(p.state),
		Origin: p.origin, UserContext: everyTab[0],
	})
	return err
}

// told reads from the page what was set, and judges it.
func (t *Tab) told(ctx context.Context, e Emulation) (map[string]string, error) {
	args := pagejs.SeenArgs{Permissions: []string{}}
	for _, s := range e {
		if p, ok := permissionOf(s.value); s.name == "permission" && ok && (p.origin == "" || p.origin == originOf(t)) {
			args.Permissions = append(args.Permissions, p.name)
		}
	}
	seen, err := run(ctx, t, t.id, pagejs.Seen, args, "")
	if err != nil {
		return nil, fault.From(err).At(fault.Observation, fault.Confirmed)
	}
	out := map[string]string{}
	for _, s := range e {
		expected, actual := s.value, ""
		switch s.name {
		case "viewport":
			actual = fmt.Sprintf("%dx%d", seen.Width, seen.Height)
		case "dpr":
			actual = strconv.FormatFloat(seen.Ratio, 'f', -1, 64)
			if n, err := strconv.ParseFloat(s.value, 64); err == nil {
				expected = strconv.FormatFloat(n, 'f', -1, 64)
			}
		case "touch":
			actual = map[bool]string{true: "on", false: "off"}[seen.Touch > 0]
			if t.b.quirks.NoTouch || s.value == "off" { // off gives back the machine's own
				expected = ""
			}
		case "locale":
			actual = seen.Locale
		case "timezone":
			// One zone has several names, and browsers choose among them.
			actual, expected = cut(seen.Timezone, 60), ""
		case "user_agent":
			actual = cut(seen.UserAgent, 300)
			expected = cut(expected, 300)
		case "color_scheme":
			actual = map[bool]string{true: "dark", false: "light"}[seen.Dark]
		case "reduced_motion":
			actual = map[bool]string{true: "reduce", false: "no-preference"}[seen.Still]
		case "offline":
			actual = map[bool]string{true: "off", false: "on"}[seen.Online]
			expected = map[string]string{"true": "on", "false": "off"}[s.value]
			if expected == "" {
				expected = s.value
			}
		case "permission":
			p, _ := permissionOf(s.value)
			state, asked := seen.Permissions[p.name]
			if !asked {
				continue // of another origin
			}
			out["permission "+p.name], actual, expected = state, state, p.state
		case "header":
			t.b.mu.Lock()
			var names []string
			for _, h := range t.b.headers {
				names = append(names, h.Name)
			}
			t.b.mu.Unlock()
			out["header"] = strings.Join(names, ", ")
			continue
		case "geolocation":
			out[s.name] = s.value
			continue
		}
		if s.name != "permission" {
			out[s.name] = actual
		}
		if expected != "" && actual != "" && !strings.EqualFold(expected, actual) && e.last(s) {
			return out, fault.New(fault.ExpectMismatch, "the page does not show the %s that was set", s.name).
				WithDetail(map[string]string{"expected": expected, "actual": actual}).At(fault.InEffect, fault.Confirmed)
		}
	}
	return out, nil
}

// last reports whether no later setting of its name follows one.
func (e Emulation) last(s setting) bool { return s.name == "permission" || e.Value(s.name) == s.value }
