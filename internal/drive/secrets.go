package drive

import (
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"duet/internal/secret"
)

// secretMask stands where a secret stood. Its length tells nothing.
const secretMask = "•••"

// Secrets are the values that must never be printed in a session. The zero value
// holds none. Safe for concurrent use.
type Secrets struct {
	mu    sync.Mutex     // guards the rest
	order []string       // what was remembered, oldest first
	seek  *secret.Seeker // finds them; nil where it is to be made anew
}

// mostSecrets is how many values a session remembers: those that were told last.
const mostSecrets = 500

// Remember makes Redact replace value from now on; see Browser.Remember.
func (s *Secrets) Remember(value string) {
	if utf8.RuneCountInString(value) < secret.Shortest {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	known := slices.Index(s.order, value)
	if known >= 0 {
		s.order = slices.Delete(s.order, known, known+1)
	}
	s.order = append(s.order, value)
	switch {
	case len(s.order) > mostSecrets:
		s.order = slices.Delete(s.order, 0, len(s.order)-mostSecrets+mostSecrets/10) // some at once: it takes time
		s.seek = nil
	case known < 0 && s.seek != nil:
		s.seek.Add(value)
	}
}

// seekerLocked is what finds the values.
func (s *Secrets) seekerLocked() *secret.Seeker {
	if s.seek == nil {
		s.seek = &secret.Seeker{}
		for _, v := range s.order {
			s.seek.Add(v)
		}
	}
	return s.seek
}

// told returns what was remembered, as it was told.
func (s *Secrets) told() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.order)
}

// Redact replaces every remembered value in text by •••, and the beginning of one
// where the text was cut within it.
func (s *Secrets) Redact(text string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seekerLocked().Replace(text, secretMask)
}

// redactQuoted is Redact for what stands within the quotes of JSON, and stays valid there.
func (s *Secrets) redactQuoted(text string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seekerLocked().ReplaceQuoted(text, secretMask)
}

// fileName is the name of a file, or, where a secret stands in it, one that says of
// the file what its ending does. Servers, browsers and file systems each leave out
// of a name what they do not like, so letters and digits alone are compared.
func (s *Secrets) fileName(name string) string {
	plain := lettersOf(name)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, v := range s.order {
		if v = lettersOf(v); len(v) >= secret.Shortest && strings.Contains(plain, v) {
			return nameless(name, v)
		}
	}
	if s.seekerLocked().Finds(name) {
		return nameless(name, "")
	}
	return name
}

// nameless is a file's name without all but its ending, and without that where it holds
// these letters.
func nameless(name, letters string) string {
	if ext := filepath.Ext(name); len(ext) <= 5 && (letters == "" || !strings.Contains(lettersOf(ext), letters)) {
		return "download" + ext
	}
	return "download"
}

// lettersOf are the letters and digits of ASCII in a text, small ones.
func lettersOf(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		case r >= 'A' && r <= 'Z':
			return r + ('a' - 'A')
		}
		return -1
	}, text)
}

// Remember makes Redact replace value from now on, and keeps it out of the
// protocol log. Values of fewer than four characters are not remembered. Safe for concurrent use.
func (b *Browser) Remember(value string) {
	b.kept().Remember(value)
	if b.hide == nil || utf8.RuneCountInString(value) < secret.Shortest { // a Browser that New did not make
		return
	}
	b.hide(value)
}

// suspect keeps what arrives from now on out of the protocol log until told says
// whether value is a secret; a secret is remembered then. The first call counts.
func (b *Browser) suspect(value string) (told func(secret bool)) {
	log := func(bool) {}
	if b.hold != nil {
		log = b.hold(value)
	}
	var once sync.Once
	return func(secret bool) {
		once.Do(func() {
			if secret {
				b.Remember(value)
			}
			log(secret)
		})
	}
}

// Redact replaces every remembered value in text by •••. Everything that duet
// prints or writes goes through it. Safe for concurrent use.
func (b *Browser) Redact(text string) string { return b.kept().Redact(text) }

// ShareSecrets keeps the browser's secrets in s from now on, together with what is
// there already, of earlier browsers as a rule: it keeps out of this one's protocol
// log too.
func (b *Browser) ShareSecrets(s *Secrets) {
	for _, v := range b.secrets.told() {
		s.Remember(v)
	}
	b.shared.Store(s)
	if b.hide == nil {
		return
	}
	for _, v := range s.told() {
		b.hide(v)
	}
}

// kept is where the secrets are: shared ones, or the browser's own.
func (b *Browser) kept() *Secrets {
	if s := b.shared.Load(); s != nil {
		return s
	}
	return &b.secrets
}
