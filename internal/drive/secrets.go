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
	mu     sync.Mutex // guards the rest
	values []string   // longest first, so that a part never unmasks the whole
	order  []string   // what was remembered, oldest first
}

// mostSecrets is how many values a session remembers: those that were told last.
const mostSecrets = 500

// keptLocked notes that a value is remembered, and forgets the oldest where they are
// too many.
func (s *Secrets) keptLocked(value string) {
	if i := slices.Index(s.order, value); i >= 0 {
		s.order = slices.Delete(s.order, i, i+1)
	}
	s.order = append(s.order, value)
	if len(s.order) <= mostSecrets {
		return
	}
	s.order = slices.Delete(s.order, 0, len(s.order)-mostSecrets+mostSecrets/10) // some at once: it takes time
	s.values = nil
	for _, v := range s.order {
		s.values = append(s.values, spellings(v)...)
	}
	slices.Sort(s.values)
	s.values = slices.Compact(s.values)
}

// Remember makes Redact replace value from now on; see Browser.Remember.
func (s *Secrets) Remember(value string) {
	if utf8.RuneCountInString(value) < secret.Shortest {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, v := range spellings(value) {
		if !slices.Contains(s.values, v) {
			s.values = append(s.values, v)
		}
	}
	s.keptLocked(value)
	slices.SortStableFunc(s.values, func(a, b string) int { return len(b) - len(a) })
}

// spellings are the ways in which a value can stand in what is printed: as it is,
// on one line, each of them within quotes, and as programs encode it.
func spellings(value string) []string {
	all := append([]string{value, strings.Join(strings.Fields(value), " ")}, secret.Encoded(value)...)
	for _, v := range all[:2] {
		for range nestings {
			v = quoting.Replace(v)
			all = append(all, v)
		}
	}
	return slices.DeleteFunc(all, func(v string) bool { return utf8.RuneCountInString(v) < secret.Shortest })
}

// told returns what was remembered, as it was told.
func (s *Secrets) told() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.order)
}

// all returns every spelling that is replaced.
func (s *Secrets) all() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.values)
}

// nestings is how often a text within quotes may stand within quotes again: a page
// logs the JSON of what holds JSON.
const nestings = 3

var quoting = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`, "\r", `\r`)

// Redact replaces every remembered value in text by •••, and the beginning of one
// where the text was cut within it.
func (s *Secrets) Redact(text string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, v := range s.values {
		text = strings.ReplaceAll(text, v, secretMask)
		if len(v) > longSecret {
			text = redactCut(text, v)
		}
	}
	if strings.Contains(text, cutMark) {
		text = s.redactHeadsLocked(text)
	}
	return text
}

// cutMark stands where a text was cut.
const cutMark = "…"

// redactHeadsLocked replaces what a cut has left of a value before the mark.
func (s *Secrets) redactHeadsLocked(text string) string {
	parts := strings.Split(text, cutMark)
	for i, part := range parts[:len(parts)-1] {
		longest := 0
		for _, v := range s.values {
			for n := min(len(v)-1, len(part)); n > longest && n >= secret.Shortest; n-- {
				if strings.HasSuffix(part, v[:n]) {
					longest = n
				}
			}
		}
		if longest > 0 {
			parts[i] = part[:len(part)-longest] + secretMask
		}
	}
	return strings.Join(parts, cutMark)
}

// fileName is the name of a file, or, where a secret stands in it, one that says of
// the file what its ending does. Servers, browsers and file systems each leave out
// of a name what they do not like, so letters and digits alone are compared.
func (s *Secrets) fileName(name string) string {
	plain := lettersOf(name)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, v := range s.values {
		if v = lettersOf(v); len(v) >= secret.Shortest && strings.Contains(plain, v) {
			if ext := filepath.Ext(name); len(ext) <= 5 && !strings.Contains(lettersOf(ext), v) {
				return "download" + ext
			}
			return "download"
		}
	}
	return name
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

// Of a value longer than longSecret bytes a text may show the beginning alone; so
// many bytes of it, or more, are taken for that.
const (
	longSecret = 40
	secretHead = 16
)

// redactCut replaces what begins as the value does, as far as it goes on so.
func redactCut(text, value string) string {
	var out strings.Builder
	for {
		i := strings.Index(text, value[:secretHead])
		if i < 0 {
			out.WriteString(text)
			return out.String()
		}
		n := secretHead
		for n < len(value) && i+n < len(text) && text[i+n] == value[n] {
			n++
		}
		for n < len(text)-i && !utf8.RuneStart(text[i+n]) {
			n++
		}
		out.WriteString(text[:i] + secretMask)
		text = text[i+n:]
	}
}

// Remember makes Redact replace value from now on, and keeps it out of the
// protocol log. Values of fewer than four characters are not remembered. Safe for concurrent use.
func (b *Browser) Remember(value string) {
	b.kept().Remember(value)
	if b.hide == nil || utf8.RuneCountInString(value) < secret.Shortest { // a Browser that New did not make
		return
	}
	b.hideForms(value)
}

// hideForms keeps a value out of the protocol log in all its forms.
func (b *Browser) hideForms(value string) {
	b.hide(value)
	for _, v := range secret.Encoded(value) {
		b.hide(v)
	}
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
		b.hideForms(v)
	}
}

// kept is where the secrets are: shared ones, or the browser's own.
func (b *Browser) kept() *Secrets {
	if s := b.shared.Load(); s != nil {
		return s
	}
	return &b.secrets
}
