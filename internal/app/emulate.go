package app

import (
	"strings"

	"duet/internal/drive"
	"duet/internal/env"
	"duet/internal/fault"
)

// emulation adds what the environment and the short flags say to what is to be
// emulated, and refuses what cannot be. What was typed comes last and wins.
func (g *globals) emulation() error {
	var all []string
	for line := range strings.Lines(env.Emulate.Value()) {
		if line = strings.TrimSpace(line); line != "" {
			all = append(all, line)
		}
	}
	if _, err := drive.ParseEmulation(all); err != nil {
		return usage("%s: %s", env.Emulate.Name, fault.From(err).Error())
	}
	if g.Device != "" {
		all = append(all, "device="+g.Device)
	}
	if g.Viewport != "" {
		size, ratio, ok := strings.Cut(g.Viewport, "@")
		all = append(all, "viewport="+size)
		if ok {
			all = append(all, "dpr="+ratio)
		}
	}
	g.Emulate = append(all, g.Emulate...)
	e, err := drive.ParseEmulation(g.Emulate)
	if err != nil {
		u := usage("%s", fault.From(err).Error())
		u.hint = fault.From(err).Hint
		return u
	}
	if e.Unplaced() {
		return usage("a permission needs an origin at the start, such as permission=geolocation:granted@https://example.com")
	}
	if g.Proxy == "" {
		g.Proxy = env.Proxy.Value()
	}
	g.Insecure = g.Insecure || env.InsecureCerts.Bool()
	return nil
}

// emulationOf reads what a session's pages are told from the start.
func emulationOf(s settings) (drive.Emulation, error) {
	if s.Emulate == "" {
		return nil, nil
	}
	return drive.ParseEmulation(strings.Split(s.Emulate, "\n"))
}
