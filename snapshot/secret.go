package snapshot

import (
	"slices"
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

// SecretHeader reports whether a header of this name is a credential or carries one.
func SecretHeader(name string) bool {
	name = strings.ToLower(name)
	switch name {
	case "cookie", "set-cookie", "authorization", "proxy-authorization":
		return true
	case ":authority": // HTTP/2's Host
		return false
	}
	for _, word := range []string{"auth", "token", "secret", "api-key", "apikey", "password", "session", "credential", "csrf", "xsrf"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return SecretName(name)
}

// SecretMember reports whether a value that goes by this name in an address, in a
// form or in JSON reads like a secret.
func SecretMember(name string) bool {
	if SecretName(name) {
		return true
	}
	compact := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
	return slices.Contains(memberSecrets, compact)
}

// memberSecrets are names that hold a secret in an address or a body, besides those
// of fields, without case and punctuation.
var memberSecrets = []string{
	"auth", "authorization", "credential", "credentials", "jwt", "session", "sessionid", "sid", "sig", "signature",
	"authtoken", "accesstoken", "refreshtoken", "idtoken", "csrftoken", "xsrftoken", "csrf", "xsrf", "clientsecret",
	"jsessionid", "phpsessid", "userpassword", "newpassword", "oldpassword", "passwordconfirmation",
}
