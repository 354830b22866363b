package wirelog

import (
	"bytes"

	"duet/internal/secret"
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
				if name := string(frame[i+1 : at]); i+1 < at && (secret.InAddress(name) || name == "code") {
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
	if bytes.Contains(frame, []byte("%3D")) || bytes.Contains(frame, []byte("%3d")) || bytes.Contains(frame, []byte("%22")) {
		return true // what is encoded in a value may be one more
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
	if masked := secret.MaskAddresses(text); masked != text {
		n.raw = quote(masked)
	}
}
