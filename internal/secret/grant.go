package secret

import (
	"net/url"
	"slices"
	"strings"
	"unicode"
)

// besideGrant are names that stand in an address beside the code of an authorization
// grant (OAuth, OpenID Connect), and nowhere that a code means something else.
var besideGrant = []string{
	"state", "sessionstate", "iss", "scope", "clientid", "redirecturi", "granttype", "responsetype", "codeverifier",
	"idtoken", "accesstoken", "nonce",
}

// grantPaths are parts of the addresses that such a code is sent to.
var grantPaths = []string{"callback", "oauth", "oidc", "openid", "authorize", "signin", "login", "redirect"}

// grantPath is how much before the values of an address is looked at for its path.
const grantPath = 200

// grants reports whether an address, of whose values these are the places, carries the
// code of an authorization grant: a value of that name that is no number or word of a
// person's, beside another value of a grant or in an address that takes them.
func grants(text string, values [][]int) bool {
	coded, beside := false, false
	for _, m := range values {
		name := compact(text[m[4]:m[5]])
		coded = coded || name == "code" && drawn(text[m[6]:m[7]])
		beside = beside || slices.Contains(besideGrant, name)
	}
	if !coded || beside {
		return coded
	}
	end := values[0][0]
	path := text[max(0, end-grantPath):end]
	path = strings.ToLower(path[strings.LastIndexAny(path, " \t\r\n\"'<>")+1:])
	return slices.ContainsFunc(grantPaths, func(part string) bool { return strings.Contains(path, part) })
}

// InGrant reports whether a value of this name is a credential in the address or body of
// a grant: the code, and the state by which the page knows its own request again.
func InGrant(name string) bool {
	switch compact(name) {
	case "code", "state", "sessionstate", "codeverifier":
		return true
	}
	return false
}

// drawn reports whether a value was drawn at random, and is no number such as 404 and
// no word: it is long, and has digits among letters, or letters of either case.
func drawn(value string) bool {
	if plain, err := url.QueryUnescape(value); err == nil {
		value = plain
	}
	if len(value) < 8 {
		return false
	}
	var digits, upper, lower bool
	for _, r := range value {
		digits = digits || unicode.IsDigit(r)
		upper = upper || unicode.IsUpper(r)
		lower = lower || unicode.IsLower(r)
	}
	return (upper || lower) && digits || upper && lower || len(value) >= 16
}
