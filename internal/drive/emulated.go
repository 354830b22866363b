package drive

import (
	"context"
	"slices"
)

// touchPoints is how many fingers an emulated touch screen tells apart.
var touchPoints = 5

// noteSet keeps what holds from now on. Headers are kept where they are sent from.
func (b *Browser) noteSet(s setting, t *Tab) {
	if s.name == "header" {
		return
	}
	origin := originOf(t)
	b.mu.Lock()
	defer b.mu.Unlock()
	if p, ok := permissionOf(s.value); s.name == "permission" && ok {
		if p.origin == "" {
			p.origin = origin
		}
		s.value = p.name + ":" + p.state + "@" + p.origin
		b.set = slices.DeleteFunc(b.set, func(o setting) bool {
			was, _ := permissionOf(o.value)
			return o.name == s.name && was.name == p.name && was.origin == p.origin
		})
	} else {
		b.set = slices.DeleteFunc(b.set, func(o setting) bool { return o.name == s.name })
	}
	if s.value != "" {
		b.set = append(b.set, s)
	}
}

// Emulated returns what is set, as the page of the tab is told it: by the names, those
// given always. Headers are told by their names alone.
func (t *Tab) Emulated(ctx context.Context, always ...string) (map[string]string, error) {
	t.b.mu.Lock()
	e := slices.Clone(Emulation(t.b.set))
	headers := len(t.b.headers) > 0
	t.b.mu.Unlock()
	for _, name := range always {
		if !slices.ContainsFunc(e, func(s setting) bool { return s.name == name }) {
			e = append(e, setting{name: name})
		}
	}
	if headers {
		e = append(e, setting{name: "header"})
	}
	if len(e) == 0 {
		return map[string]string{}, nil
	}
	return t.told(ctx, e)
}

// OfDevice returns the names of what a preset set and nothing has changed since.
func (b *Browser) OfDevice() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var names []string
	for _, s := range b.set {
		if s.device != "" {
			names = append(names, s.name)
		}
	}
	return names
}
