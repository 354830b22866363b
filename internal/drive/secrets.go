package drive

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// secretMask stands where a secret stood. Its length tells nothing.
const secretMask = "•••"

// shortestSecret is the length in characters below which a value is not
// remembered: masking "1" everywhere would garble every text and hide nothing.
const shortestSecret = 4

// secrets are the values that must never be printed in a session.
type secrets struct {
	mu     sync.Mutex // guards the rest
	values []string   // longest first, so that a part never unmasks the whole
}

func (s *secrets) remember(value string) {
	if utf8.RuneCountInString(value) < shortestSecret {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if slices.Contains(s.values, value) {
		return
	}
	s.values = append(s.values, value)
	slices.SortStableFunc(s.values, func(a, b string) int { return len(b) - len(a) })
}

func (s *secrets) redact(text string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, v := range s.values {
		text = strings.ReplaceAll(text, v, secretMask)
	}
	return text
}

// Remember makes Redact replace value from now on. Values of fewer than four
// characters are not remembered. Safe for concurrent use.
func (b *Browser) Remember(value string) { b.secrets.remember(value) }

// Redact replaces every remembered value in text by •••. Everything that duet
// prints or writes goes through it. Safe for concurrent use.
func (b *Browser) Redact(text string) string { return b.secrets.redact(text) }
