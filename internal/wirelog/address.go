package wirelog

import (
	"bytes"
	"regexp"
	"strings"

	"duet/internal/secret"
)

var (
	queryValue = regexp.MustCompile(`([?&#;])([^=&#;?\s"'<>\\]{1,64})=([^&#;\s"'<>\\]+)`)
	userInfo   = regexp.MustCompile(`(\b[a-z][a-z0-9+.-]*://)[^/?#\s"'@\\]+@`)
)

// longestName is the longest name of a value in an address that is judged, and
// longestHost the longest beginning of one that is looked at for a password.
const (
	longestName = 64
	longestHost = 1024
)

// addressed reports whether a frame may hold an address with a secret. It is asked
// of every frame, so it looks back from each = and leaves the rest to who masks.
func addressed(frame []byte) bool {
	for at := bytes.IndexByte(frame, '='); at >= 0; {
		for i := at - 1; i >= max(0, at-longestName-1); i-- {
			c := frame[i]
			if c == '?' || c == '&' || c == '#' || c == ';' {
				if i+1 < at && secret.InAddress(string(frame[i+1:at])) {
					return true
				}
				break
			}
			if c <= ' ' || c == '=' || c == '"' || c == '\'' || c == '<' || c == '>' || c == '\\' {
				break
			}
		}
		next := bytes.IndexByte(frame[at+1:], '=')
		if next < 0 {
			break
		}
		at += 1 + next
	}
	for rest := frame; ; {
		_, after, found := bytes.Cut(rest, []byte("://"))
		if !found {
			return false
		}
		if end := bytes.IndexAny(after[:min(len(after), longestHost)], "/?#@\"'\\ \t\r\n"); end >= 0 && after[end] == '@' {
			return true
		}
		rest = after
	}
}

// maskAddresses masks a string by the addresses in it. What runs in a page is no
// text: the functions are our own, or the caller's.
func (n *node) maskAddresses(member string) {
	text, ok := n.text()
	if !ok || member == "functionDeclaration" || member == "expression" || !addressed([]byte(text)) {
		return
	}
	if masked := maskAddress(text); masked != text {
		n.raw = quote(masked)
	}
}

func maskAddress(text string) string {
	if strings.Contains(text, "@") {
		text = userInfo.ReplaceAllString(text, "$1"+Masked+"@")
	}
	if !strings.Contains(text, "=") {
		return text
	}
	return queryValue.ReplaceAllStringFunc(text, func(pair string) string {
		m := queryValue.FindStringSubmatch(pair)
		if !secret.InAddress(m[2]) {
			return pair
		}
		return m[1] + m[2] + "=" + Masked
	})
}
