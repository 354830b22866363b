package urlmatch

import (
	"regexp"
	"strconv"
	"strings"
)

// urlPattern is one regular expression for each part of a URL.
type urlPattern struct {
	protocol, username, password, hostname, port, pathname, search, hash *regexp.Regexp
}

func (p *urlPattern) match(url string) bool {
	a, ok := splitURL(url)
	return ok && p.protocol.MatchString(a.protocol) && p.username.MatchString(a.username) && p.password.MatchString(a.password) &&
		p.hostname.MatchString(a.hostname) && p.port.MatchString(a.port) && p.pathname.MatchString(a.pathname) &&
		p.search.MatchString(a.search) && p.hash.MatchString(a.hash)
}

// compileURLPattern reads the constructor string of a URLPattern. One that begins
// with / needs no base URL: what it leaves out may be anything.
func compileURLPattern(text string) (*urlPattern, error) {
	given, err := parseConstructor(text)
	if err != nil {
		return nil, err
	}
	if _, whole := given[protocol]; !whole && !strings.HasPrefix(text, "/") {
		return nil, errorf("a URLPattern is a whole URL, or begins with /")
	}
	of := func(name string) string {
		if v, ok := given[name]; ok {
			return v
		}
		return "*"
	}
	scheme := strings.TrimSuffix(of(protocol), ":")
	port := of("port")
	if def, ok := special[scheme]; ok && def == port {
		port = ""
	}
	p := &urlPattern{}
	if p.protocol, err = compileComponent(scheme, componentOptions{encode: encodeProtocol}); err != nil {
		return nil, err
	}
	host := componentOptions{delimiter: ".", encode: encodeHostname}
	if h := of("hostname"); strings.HasPrefix(h, "[") || strings.HasPrefix(h, `\[`) || strings.HasPrefix(h, "{[") {
		host.encode = encodeIPv6
	}
	path := componentOptions{delimiter: "/", prefix: "/", encode: encodePathname}
	if !matchesSpecial(p.protocol) {
		path = componentOptions{encode: with(opaqueSet)}
	}
	for _, c := range []struct {
		into    **regexp.Regexp
		pattern string
		options componentOptions
	}{
		{&p.username, of("username"), componentOptions{encode: with(userinfoSet)}},
		{&p.password, of("password"), componentOptions{encode: with(userinfoSet)}},
		{&p.hostname, of("hostname"), host},
		{&p.port, port, componentOptions{encode: encodePort}},
		{&p.pathname, of("pathname"), path},
		{&p.search, of("search"), componentOptions{encode: with(querySet)}},
		{&p.hash, of("hash"), componentOptions{encode: with(fragmentSet)}},
	} {
		if *c.into, err = compileComponent(c.pattern, c.options); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// matchesSpecial reports whether a protocol may be one of the special schemes.
func matchesSpecial(protocol *regexp.Regexp) bool {
	for scheme := range special {
		if protocol.MatchString(scheme) {
			return true
		}
	}
	return false
}

// with encodes the characters of a set.
func with(set string) func(string) (string, error) {
	return func(s string) (string, error) { return encode(s, set), nil }
}

func encodeProtocol(s string) (string, error) {
	if strings.ContainsFunc(s, func(r rune) bool { return !strings.ContainsRune("+-.", r) && !asciiWord(r) }) {
		return "", errorf("%q is no scheme", s)
	}
	return strings.ToLower(s), nil
}

func asciiWord(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}

func encodeHostname(s string) (string, error) {
	if s == "" {
		return "", nil
	}
	if strings.ContainsAny(s, "\t\n\r #%/:<>?@[]^\\|") {
		return "", errorf("%q is no host", s)
	}
	return writeHost(s)
}

func encodeIPv6(s string) (string, error) {
	if strings.Trim(s, "0123456789abcdefABCDEF[]:") != "" {
		return "", errorf("%q is no IPv6 address", s)
	}
	return strings.ToLower(s), nil
}

func encodePort(s string) (string, error) {
	if s == "" {
		return "", nil
	}
	n, err := strconv.ParseUint(s, 10, 16)
	if err != nil {
		return "", errorf("%q is no port", s)
	}
	return strconv.FormatUint(n, 10), nil
}

// encodePathname writes a piece of a path, which need not begin with a slash.
func encodePathname(s string) (string, error) {
	switch {
	case s == "":
		return "", nil
	case s[0] == '/' || s[0] == '\\':
		return writePath(s), nil
	}
	return strings.TrimPrefix(writePath("/-"+s), "/-"), nil
}
