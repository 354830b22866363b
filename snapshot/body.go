package snapshot

import (
	"bytes"
	"mime"
	"net/url"
	"strings"

	"github.com/goccy/go-json"

	"duet/internal/secret"
)

// MaskBody replaces, in what a request or an answer of this content type carried,
// the values whose names read like a secret's: members of JSON, fields of forms. It
// returns how many. What the names do not give away stays, and so does the layout.
func MaskBody(contentType string, body []byte) (masked []byte, values int) {
	kind, params, _ := mime.ParseMediaType(contentType)
	switch start := bytes.TrimLeft(body, " \t\r\n"); {
	case kind == "application/x-www-form-urlencoded":
		return maskForm(body)
	case kind == "multipart/form-data" && params["boundary"] != "":
		return maskParts(body, []byte("--"+params["boundary"]))
	case strings.Contains(kind, "json"), len(start) > 0 && (start[0] == '{' || start[0] == '['):
		return maskJSON(body)
	}
	return body, 0
}

func maskForm(body []byte) ([]byte, int) {
	pairs := bytes.Split(body, []byte("&"))
	granted := bytes.Contains(body, []byte("grant_type="))
	n := 0
	for i, pair := range pairs {
		name, value, ok := bytes.Cut(pair, []byte("="))
		if plain, err := url.QueryUnescape(string(name)); ok && len(value) > 0 && err == nil && (secret.Member(plain) || granted && secret.InGrant(plain)) {
			pairs[i] = append(append(bytes.Clone(name), '='), secret.Masked...)
			n++
		} else if masked := secret.MaskEncoded(string(value)); ok && masked != string(value) {
			pairs[i] = append(append(bytes.Clone(name), '='), masked...)
			n++
		}
	}
	return bytes.Join(pairs, []byte("&")), n
}

// maskParts masks the content of the parts that are named like a secret.
func maskParts(body, boundary []byte) ([]byte, int) {
	parts := bytes.Split(body, boundary)
	n := 0
	for i, part := range parts {
		head, content, ok := bytes.Cut(part, []byte("\r\n\r\n"))
		if !ok {
			continue
		}
		_, name, ok := strings.Cut(string(head), `name="`)
		if name, _, _ = strings.Cut(name, `"`); !ok || !secret.Member(name) || len(bytes.TrimSpace(content)) == 0 {
			continue
		}
		parts[i] = append(append(bytes.Clone(head), "\r\n\r\n"+secret.Masked...), "\r\n"...)
		n++
	}
	return bytes.Join(parts, boundary), n
}

// maskJSON masks by the text, so that what is cut off or no JSON from some point on
// is masked as far as it is.
func maskJSON(body []byte) ([]byte, int) {
	var out bytes.Buffer
	out.Grow(len(body))
	n := 0
	for i := 0; i < len(body); {
		if body[i] != '"' {
			out.WriteByte(body[i])
			i++
			continue
		}
		end := stringEnd(body, i)
		name := body[i:end]
		inner, inside := maskWithin(name)
		out.Write(inner)
		n += inside
		i = end
		at := spaceEnd(body, i)
		if at >= len(body) || body[at] != ':' || !secret.Member(unquoted(name)) {
			continue
		}
		at = spaceEnd(body, at+1)
		out.Write(body[i:at])
		i = valueEnd(body, at)
		switch value := string(body[at:i]); value {
		case "", "null", "true", "false", `""`:
			out.WriteString(value)
		default:
			out.WriteString(`"` + secret.Masked + `"`)
			n++
		}
	}
	return out.Bytes(), n
}

// maskWithin masks the JSON that a string of JSON holds.
func maskWithin(literal []byte) ([]byte, int) {
	if len(literal) < 3 || bytes.IndexByte(literal, '\\') < 0 || literal[1] != '{' && literal[1] != '[' && literal[1] != ' ' && literal[1] != '\\' {
		return literal, 0
	}
	text := unquoted(literal)
	if start := strings.TrimLeft(text, " \t\r\n"); start == "" || start[0] != '{' && start[0] != '[' {
		return literal, 0
	}
	masked, n := maskJSON([]byte(text))
	if n == 0 {
		return literal, 0
	}
	again, err := json.MarshalWithOption(string(masked), json.DisableHTMLEscape())
	if err != nil {
		return literal, 0
	}
	return again, n
}

// unquoted is the text of a JSON string: escapes do not hide a name.
func unquoted(literal []byte) string {
	var text string
	if json.Unmarshal(literal, &text) != nil {
		return strings.Trim(string(literal), `"`)
	}
	return text
}

func stringEnd(s []byte, i int) int {
	for i++; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(s)
}

func spaceEnd(s []byte, i int) int {
	for i < len(s) && strings.IndexByte(" \t\r\n", s[i]) >= 0 {
		i++
	}
	return i
}

// valueEnd is where the JSON value that begins at i ends.
func valueEnd(s []byte, i int) int {
	if i < len(s) && s[i] == '"' {
		return stringEnd(s, i)
	}
	depth := 0
	for i < len(s) {
		switch s[i] {
		case '"':
			i = stringEnd(s, i)
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth < 0 {
				return i
			} else if depth == 0 {
				return i + 1
			}
		case ',', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return i
			}
		}
		i++
	}
	return len(s)
}
