package secret

import (
	"net/url"
	"strings"

	"duet/internal/lazyregexp"
)

// Masked is what stands for a value that its name gave away. It says nothing of the
// value's length.
const Masked = "•••"

// A backslash ends a value where what follows may be the end of a string in JSON.
var (
	queryValue = lazyregexp.New(`([?&#;])([^=&#;?\s"'<>\\]{1,64})=((?:[^&#;\s"'<>\\]|\\[^"'\\\s])+)`)
	userInfo   = lazyregexp.New(`(\b[a-z][a-z0-9+.-]*://)[^/?#\s"'@\\]+@`)
)

// deepest is how often an address may stand encoded within another one.
const deepest = 4

// MaskAddresses replaces, in every address that a text holds, the credentials and the
// values whose names read like a secret's, also in what is encoded within a value:
// another address, JSON.
func MaskAddresses(text string) string { return maskAddresses(text, deepest) }

func maskAddresses(text string, depth int) string {
	if strings.Contains(text, "@") {
		text = userInfo().ReplaceAllString(text, "$1"+Masked+"@")
	}
	if !strings.Contains(text, "=") {
		return text
	}
	var out strings.Builder
	at := 0
	for _, run := range queryRuns(text) {
		granted := grants(text, run)
		for _, m := range run {
			name, value := text[m[4]:m[5]], text[m[6]:m[7]]
			out.WriteString(text[at:m[6]])
			switch {
			case InAddress(name), granted && InGrant(name):
				out.WriteString(Masked)
			default:
				out.WriteString(maskEncoded(value, depth))
			}
			at = m[7]
		}
	}
	return out.String() + text[at:]
}

// queryRuns finds the values of addresses, those of one address together.
func queryRuns(text string) [][][]int {
	var runs [][][]int
	for _, m := range queryValue().FindAllStringSubmatchIndex(text, -1) {
		if n := len(runs); n > 0 && len(runs[n-1]) > 0 {
			if last := runs[n-1]; last[len(last)-1][1] == m[0] {
				runs[n-1] = append(last, m)
				continue
			}
		}
		runs = append(runs, [][]int{m})
	}
	return runs
}

// MaskEncoded is MaskNamed for what a percent-encoded value holds.
func MaskEncoded(value string) string { return maskEncoded(value, deepest) }

func maskEncoded(value string, depth int) string {
	if depth == 0 || !strings.Contains(value, "%") {
		return value
	}
	plain, err := url.QueryUnescape(value)
	if err != nil {
		return value
	}
	masked := maskNamed(maskEncoded(plain, depth-1), depth-1) // twice encoded, too
	if masked == plain {
		return value
	}
	return strings.ReplaceAll(url.QueryEscape(masked), url.QueryEscape(Masked), Masked)
}

var (
	quotedMember = lazyregexp.New(`(\\*)(["'])([^"'\\\r\n]{1,64})(\\*)(["'])\s*:\s*`)
	bareMember   = lazyregexp.New(`(?:^|[{,(\s])([A-Za-z_$][\w$-]{0,63}):\s*(["'])`)
	pairValue    = lazyregexp.New(`(^|[\s,(])([A-Za-z_][\w.\[\]-]{0,63})=([^&#;,\s"'<>()\\]+)`)
	cookieLine   = lazyregexp.New(`(?i)\b((?:set-)?cookie[ \t]*:[ \t]*)([^\r\n"'<>]+)`)
	headerLine   = lazyregexp.New(`(?i)((?:^|[\s"'({,])((?:proxy-)?authorization|x-[a-z0-9-]{1,40}|[a-z0-9]+-[a-z0-9-]{1,40})[ \t]*:[ \t]*)((?:(?:Bearer|Basic|Digest|Token|Negotiate)[ \t]+)?[^\s"'<>,;]+)`)
	privateKey   = lazyregexp.New(`(?s)(-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----).*?(-----END [A-Z ]{0,40}PRIVATE KEY-----|$)`)
	webToken     = lazyregexp.New(`\beyJ[\w-]{8,}\.eyJ[\w-]{4,}\.[\w-]*`) // of JSON: header, claims, signature
	bearer       = lazyregexp.New(`\bBearer[ \t]+([A-Za-z0-9._~+/-]{8,}=*)`)
)

// MaskNamed replaces in a text whatever its name gives away: what MaskAddresses does,
// members of JSON and of what reads like it, also within the strings of JSON, pairs
// such as password=…, headers that carry a credential, and what says itself that it is
// one: a private key, a JSON web token.
func MaskNamed(text string) string { return maskNamed(text, deepest) }

func maskNamed(text string, depth int) string {
	text = maskAddresses(text, depth)
	if strings.Contains(text, "=") {
		text = pairValue().ReplaceAllStringFunc(text, func(pair string) string {
			m := pairValue().FindStringSubmatch(pair)
			if !Member(m[2]) || m[3] == Masked {
				return pair
			}
			return m[1] + m[2] + "=" + Masked
		})
	}
	if strings.Contains(text, ":") {
		text = maskMembers(text)
		text = cookieLine().ReplaceAllString(text, "${1}"+Masked)
		text = headerLine().ReplaceAllStringFunc(text, func(line string) string {
			m := headerLine().FindStringSubmatch(line)
			if !Header(m[2]) {
				return line
			}
			return m[1] + Masked
		})
	}
	if strings.Contains(text, "PRIVATE KEY-----") {
		text = privateKey().ReplaceAllString(text, "${1}"+Masked+"${2}")
	}
	if strings.Contains(text, "eyJ") {
		text = webToken().ReplaceAllString(text, Masked)
	}
	if strings.Contains(text, "Bearer") {
		text = bearer().ReplaceAllStringFunc(text, func(s string) string {
			token := bearer().FindStringSubmatch(s)[1]
			if len(token) < 20 && !strings.ContainsAny(token, "0123456789") {
				return s // a word
			}
			return "Bearer " + Masked
		})
	}
	return text
}

// maskMembers replaces the values of members, by the text: what is cut off is masked
// as far as it is.
func maskMembers(text string) string {
	var out strings.Builder
	for text != "" {
		from, begin, open := nextMember(text)
		if begin < 0 {
			break
		}
		end, shut := valueEnd(text, begin, open)
		value := text[begin:end]
		out.WriteString(text[:begin])
		switch plain := strings.Trim(value, `\"'`); {
		case plain == "", plain == "null", plain == "true", plain == "false", plain == "undefined":
			out.WriteString(value)
		default:
			out.WriteString(open + Masked + shut)
		}
		text = text[max(end, from):]
	}
	return out.String() + text
}

// nextMember finds the first member with a secret's name: where it begins, and its
// value, and the quote that this has; -1 for none.
func nextMember(text string) (from, value int, quote string) {
	value = -1
	for at := 0; at < len(text); {
		m := quotedMember().FindStringSubmatchIndex(text[at:])
		if m == nil {
			break
		}
		part := func(i int) string { return text[at+m[2*i] : at+m[2*i+1]] }
		if part(1) == part(4) && part(2) == part(5) && Member(part(3)) {
			from, value = at+m[0], at+m[1]
			rest := text[value:]
			for _, q := range []string{part(1) + `"`, part(1) + `'`} {
				if strings.HasPrefix(rest, q) {
					quote = q
				}
			}
			break
		}
		at += m[5] // past the first quote: the name may be the value of another
	}
	for at := 0; at < len(text); {
		m := bareMember().FindStringSubmatchIndex(text[at:])
		if m == nil || value >= 0 && at+m[0] >= from {
			break
		}
		if Member(text[at+m[2] : at+m[3]]) {
			return at + m[0], at + m[4], text[at+m[4] : at+m[5]]
		}
		at += m[4]
	}
	return from, value, quote
}

// valueEnd is where the value that begins at i ends, and the quote that ends it: the
// one that began it, with as many backslashes.
func valueEnd(text string, i int, open string) (end int, shut string) {
	if open != "" {
		quote := open[len(open)-1]
		slashes := 0
		for j := i + len(open); j < len(text); j++ {
			switch {
			case text[j] == '\\':
				slashes++
				continue
			case text[j] == quote && slashes == len(open)-1:
				return j + 1, open
			}
			slashes = 0
		}
		return len(text), ""
	}
	depth := 0
	for j := i; j < len(text); j++ {
		switch text[j] {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth < 0 {
				return j, ""
			} else if depth == 0 {
				return j + 1, ""
			}
		case ',', ' ', '\t', '\r', '\n', '"', '\'', '\\':
			if depth == 0 {
				return j, ""
			}
		}
	}
	return len(text), ""
}
