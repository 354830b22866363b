// Package secret knows secrets by the names that values go by, and the forms in
// which a known one can stand in a text. It is a leaf: whatever prints, writes or
// logs asks it.
package secret

import (
	"net/url"
	"slices"
	"strings"
	"unicode"
)

// words are what the name of a secret is made of, as whole words after splitting
// at case changes and punctuation.
var words = []string{
	"password", "passwd", "passcode", "passphrase", "pwd", "pin", "otp", "one time", "token", "secret",
	"api key", "apikey", "access key", "private key", "credit card", "card number", "card no", "cc number",
	"cvv", "cvc", "csc", "security code", "verification code", "recovery code", "recovery phrase", "backup code", "seed phrase", "mnemonic", "iban", "ssn", "2fa", "mfa", "totp", "passwort", "kennwort", "contraseña", "mot de passe", "senha",
}

// members are names of secrets in an address or a body, besides those of fields,
// without case and punctuation.
var members = []string{
	"auth", "authorization", "credential", "credentials", "jwt", "session", "sessionid", "sid", "sig", "signature",
	"authtoken", "accesstoken", "refreshtoken", "idtoken", "csrftoken", "xsrftoken", "csrf", "xsrf", "clientsecret",
	"jsessionid", "phpsessid", "userpassword", "newpassword", "oldpassword", "passwordconfirmation",
}

// headers are parts of the names of headers that carry a credential.
var headers = []string{"auth", "token", "secret", "api-key", "apikey", "password", "session", "credential", "csrf", "xsrf", "cookie"}

// Name reports whether a field that is called this reads like a secret. Best
// effort: it knows how such fields are usually called, not what they hold.
func Name(name string) bool {
	split := " " + splitWords(name) + " "
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(split, " "+w+" ") })
}

// Member reports whether a value that goes by this name in a form or in JSON reads
// like a secret.
func Member(name string) bool {
	if Name(name) || slices.Contains(members, compact(name)) {
		return true
	}
	all := strings.Fields(splitWords(name)) // X-Amz-Signature, user_session
	return len(all) > 1 && slices.Contains(members, all[len(all)-1])
}

// InAddress reports whether a value that goes by this name in an address, where it
// may be encoded, reads like a secret.
func InAddress(name string) bool {
	if plain, err := url.QueryUnescape(name); err == nil {
		name = plain
	}
	return Member(name) || strings.EqualFold(name, "key")
}

// Header reports whether a header of this name is a credential or carries one: by
// the words for it, and where key is one of its words, but for the browser's own
// Sec- headers.
func Header(name string) bool {
	lower := strings.ToLower(name)
	if lower == ":authority" { // HTTP/2's Host
		return false
	}
	if slices.ContainsFunc(headers, func(part string) bool { return strings.Contains(lower, part) }) || Name(name) {
		return true
	}
	return !strings.HasPrefix(lower, "sec-") && slices.Contains(strings.Fields(splitWords(name)), "key")
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

// compact is a name without case and punctuation.
func compact(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}
