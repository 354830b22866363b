package urlmatch

import (
	"strings"
)

// The special schemes with their default ports.
// https://url.spec.whatwg.org/#special-scheme
var special = map[string]string{"http": "80", "https": "443", "ws": "80", "wss": "443", "ftp": "21", "file": ""}

// What is percent-encoded in each part of a URL, besides controls and what is not
// ASCII.
const (
	userinfoSet = " \"#<>?^`{}/:;=@[\\]|"
	pathSet     = " \"#<>?^`{}"
	querySet    = " \"#<>'"
	fragmentSet = " \"<>`"
	opaqueSet   = ""
)

// encode percent-encodes the characters of set.
func encode(s, set string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		if c > 0x1f && c < 0x7f && strings.IndexByte(set, c) < 0 {
			b.WriteByte(c)
			continue
		}
		b.Write([]byte{'%', hex[c>>4], hex[c&15]})
	}
	return b.String()
}

// address is the parts of a URL as URLPattern names them.
type address struct{ protocol, username, password, hostname, port, pathname, search, hash string }

// splitURL takes a URL apart that a browser wrote. ok is false for what is none.
func splitURL(url string) (a address, ok bool) {
	scheme, rest, ok := strings.Cut(url, ":")
	if !ok || !validScheme(scheme) {
		return a, false
	}
	a.protocol = scheme
	rest, a.hash, _ = strings.Cut(rest, "#")
	rest, a.search, _ = strings.Cut(rest, "?")
	authority, hasAuthority := strings.CutPrefix(rest, "//")
	if !hasAuthority {
		a.pathname = rest
		return a, true
	}
	if i := strings.IndexByte(authority, '/'); i >= 0 {
		authority, a.pathname = authority[:i], authority[i:]
	}
	if i := strings.LastIndexByte(authority, '@'); i >= 0 {
		a.username, a.password, _ = strings.Cut(authority[:i], ":")
		authority = authority[i+1:]
	}
	if i := strings.LastIndexByte(authority, ':'); i >= 0 && !strings.HasSuffix(authority, "]") {
		authority, a.port = authority[:i], authority[i+1:]
	}
	a.hostname = authority
	return a, true
}

func validScheme(s string) bool {
	for i := range len(s) {
		c := s[i] | 0x20
		if (c < 'a' || c > 'z') && (i == 0 || s[i] != '+' && s[i] != '-' && s[i] != '.' && (s[i] < '0' || s[i] > '9')) {
			return false
		}
	}
	return s != ""
}

// writeURL writes a URL as a browser does, and its origin apart.
func writeURL(url string) (written, origin string, err error) {
	url = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(strings.TrimSpace(url))
	scheme, rest, ok := strings.Cut(url, ":")
	if !ok || !validScheme(scheme) {
		return "", "", errorf("a pattern is matched against whole URLs: begin it with **/ or with a scheme")
	}
	scheme = strings.ToLower(scheme)
	defaultPort, isSpecial := special[scheme]
	switch {
	case isSpecial:
	case rest != "" && rest[0] >= '0' && rest[0] <= '9': // host:port
		return "", "", errorf("a pattern is matched against whole URLs: write the scheme before %s", scheme)
	default:
		return scheme + ":" + rest, "", nil
	}
	rest, hash, hasHash := strings.Cut(rest, "#")
	rest, query, hasQuery := strings.Cut(rest, "?")
	rest = strings.TrimLeft(strings.ReplaceAll(rest, `\`, "/"), "/")
	authority, path, _ := strings.Cut(rest, "/")
	user := ""
	if i := strings.LastIndexByte(authority, '@'); i >= 0 {
		name, password, _ := strings.Cut(authority[:i], ":")
		user, authority = encode(name, userinfoSet), authority[i+1:]
		if password != "" {
			user += ":" + encode(password, userinfoSet)
		}
		if user != "" {
			user += "@"
		}
	}
	port := ""
	if i := strings.LastIndexByte(authority, ':'); i >= 0 && !strings.HasSuffix(authority, "]") {
		authority, port = authority[:i], authority[i+1:]
	}
	host, err := writeHost(authority)
	if err != nil {
		return "", "", err
	}
	switch {
	case strings.Trim(port, "0123456789") != "" && !strings.Contains(port, "$_"):
		return "", "", errorf("the port is no number")
	case port == defaultPort:
		port = ""
	case port != "":
		port = ":" + port
	}
	origin = scheme + "://" + host + port
	written = scheme + "://" + user + host + port + writePath("/"+path)
	if hasQuery {
		written += "?" + encode(query, querySet)
	}
	if hasHash {
		written += "#" + encode(hash, fragmentSet)
	}
	return written, origin, nil
}

// writeHost writes a host in lower case.
func writeHost(host string) (string, error) {
	switch {
	case host == "":
		return "", errorf("the host is missing")
	case strings.ContainsAny(strings.Trim(host, "[]"), " #%/<>?@[\\]^|"):
		return "", errorf("the host holds a character that no host has")
	case strings.ContainsFunc(host, func(r rune) bool { return r > 0x7e }):
		return "", errorf("write a host that is not ASCII as xn--…")
	}
	return strings.ToLower(host), nil
}

// writePath resolves the segments . and .. of an absolute path and encodes it.
func writePath(path string) string {
	var out []string
	segments := strings.Split(strings.ReplaceAll(path, `\`, "/"), "/")[1:]
	for i, s := range segments {
		last := i == len(segments)-1
		switch strings.ReplaceAll(strings.ToLower(s), "%2e", ".") {
		case ".":
			if last {
				out = append(out, "")
			}
		case "..":
			if len(out) > 0 {
				out = out[:len(out)-1]
			}
			if last {
				out = append(out, "")
			}
		default:
			out = append(out, encode(s, pathSet))
		}
	}
	return "/" + strings.Join(out, "/")
}
