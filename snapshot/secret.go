package snapshot

import (
	"strings"
	"unicode"

	"duet/internal/pagejs"
)

// secretWords are what the name of a secret field is made of, as whole words
// after splitting at case changes and punctuation.
var secretWords = []string{
	"password", "passwd", "passcode", "passphrase", "pwd", "pin", "otp", "one time", "token", "secret",
	"api key", "apikey", "access key", "private key", "credit card", "card number", "card no", "cc number",
	"cvv", "cvc", "csc", "security code", "verification code", "iban", "ssn",
}

// SecretName reports whether a field that is called this reads like a secret.
// Best effort: it knows how such fields are usually called, not what they hold.
func SecretName(name string) bool {
	words := " " + splitWords(name) + " "
	for _, w := range secretWords {
		if strings.Contains(words, " "+w+" ") {
			return true
		}
	}
	return false
}

// splitWords lower-cases and separates words: apiKey, api_key and "API key" are alike.
func splitWords(s string) string {
	var b strings.Builder
	var last rune
	for _, r := range s {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			r = ' '
		case unicode.IsUpper(r) && unicode.IsLower(last):
			b.WriteByte(' ')
		}
		if r != ' ' || last != ' ' {
			b.WriteRune(unicode.ToLower(r))
		}
		last = r
	}
	return strings.TrimSpace(b.String())
}

// withheld reports whether the value of a node must not be printed. The page
// script has judged the field by all its attributes; this is the second lock.
func withheld(n *pagejs.Node) bool {
	return n.Secret || SecretName(n.Name) || SecretName(n.Hint)
}
