package urlmatch

// protocol names the part that decides how the others are read.
const protocol = "protocol"

// state is where the parser of a constructor string is.
// https://urlpattern.spec.whatwg.org/#constructor-string-parsing
type state int

const (
	stateInit state = iota
	stateProtocol
	stateAuthority
	stateUsername
	statePassword
	stateHostname
	statePort
	statePathname
	stateSearch
	stateHash
	stateDone
)

var stateNames = map[state]string{
	stateProtocol: protocol, stateUsername: "username", statePassword: "password", stateHostname: "hostname",
	statePort: "port", statePathname: "pathname", stateSearch: "search", stateHash: "hash",
}

// constructorParser takes a constructor string apart.
type constructorParser struct {
	chars     []rune
	tokens    []token
	result    map[string]string
	start     int // token at which the current part begins
	at        int
	step      int // tokens to go on by
	depth     int // of groups
	brackets  int // of IPv6 addresses
	special   bool
	state     state
	malformed error
}

// parseConstructor returns the pattern strings of the parts that a constructor
// string gives. Parts behind the last one given are missing.
func parseConstructor(text string) (map[string]string, error) {
	chars := []rune(text)
	tokens, err := tokenize(chars, true)
	if err != nil {
		return nil, err
	}
	p := &constructorParser{chars: chars, tokens: tokens, result: map[string]string{}}
	for ; p.at < len(p.tokens); p.at += p.step {
		p.step = 1
		if p.tokens[p.at].kind == tokenEnd {
			if p.end() {
				break
			}
			continue
		}
		if p.depth > 0 {
			if p.tokens[p.at].kind != tokenClose {
				continue
			}
			p.depth--
		}
		if p.tokens[p.at].kind == tokenOpen {
			p.depth++
			continue
		}
		p.advance()
		if p.malformed != nil {
			return nil, p.malformed
		}
	}
	if _, host := p.result["hostname"]; host {
		if _, port := p.result["port"]; !port {
			p.result["port"] = ""
		}
	}
	return p.result, nil
}

// end handles the end of the string, and reports whether it is the last time.
func (p *constructorParser) end() bool {
	switch p.state {
	case stateInit: // no protocol was found: it is a relative one
		p.rewind()
		switch {
		case p.is(p.at, "#"):
			p.change(stateHash, 1)
		case p.searchPrefix():
			p.change(stateSearch, 1)
		default:
			p.change(statePathname, 0)
		}
		return false
	case stateAuthority: // there are no credentials
		p.rewindTo(stateHostname)
		return false
	}
	p.change(stateDone, 0)
	return true
}

// advance handles one token in the current state.
func (p *constructorParser) advance() {
	switch p.state {
	case stateInit:
		if p.is(p.at, ":") {
			p.rewindTo(stateProtocol)
		}
	case stateProtocol:
		if p.is(p.at, ":") {
			p.afterProtocol()
		}
	case stateAuthority:
		switch {
		case p.is(p.at, "@"):
			p.rewindTo(stateUsername)
		case p.is(p.at, "/") || p.searchPrefix() || p.is(p.at, "#"):
			p.rewindTo(stateHostname)
		}
	case stateUsername:
		switch {
		case p.is(p.at, ":"):
			p.change(statePassword, 1)
		case p.is(p.at, "@"):
			p.change(stateHostname, 1)
		}
	case statePassword:
		if p.is(p.at, "@") {
			p.change(stateHostname, 1)
		}
	case stateHostname:
		switch {
		case p.is(p.at, "["):
			p.brackets++
		case p.is(p.at, "]"):
			p.brackets--
		case p.is(p.at, ":") && p.brackets == 0:
			p.change(statePort, 1)
		default:
			p.behindHost()
		}
	case statePort:
		p.behindHost()
	case statePathname:
		switch {
		case p.searchPrefix():
			p.change(stateSearch, 1)
		case p.is(p.at, "#"):
			p.change(stateHash, 1)
		}
	case stateSearch:
		if p.is(p.at, "#") {
			p.change(stateHash, 1)
		}
	}
}

func (p *constructorParser) behindHost() {
	switch {
	case p.is(p.at, "/"):
		p.change(statePathname, 0)
	case p.searchPrefix():
		p.change(stateSearch, 1)
	case p.is(p.at, "#"):
		p.change(stateHash, 1)
	}
}

func (p *constructorParser) afterProtocol() {
	scheme, err := compileComponent(p.component(), componentOptions{encode: encodeProtocol})
	if err != nil {
		p.malformed = err
		return
	}
	p.special = matchesSpecial(scheme)
	switch {
	case p.is(p.at+1, "/") && p.is(p.at+2, "/"):
		p.change(stateAuthority, 3)
	case p.special:
		p.change(stateAuthority, 1)
	default:
		p.change(statePathname, 1)
	}
}

// change ends the current part and begins another, skip tokens further on. Parts
// that lie between the two are empty.
func (p *constructorParser) change(to state, skip int) {
	if name := stateNames[p.state]; name != "" {
		p.result[name] = p.component()
	}
	if p.state != stateInit && to != stateDone {
		between := func(lowest, highest, from, until state, name, value string) {
			if p.state >= lowest && p.state <= highest && to >= from && to <= until {
				if _, given := p.result[name]; !given {
					p.result[name] = value
				}
			}
		}
		path := ""
		if p.special {
			path = "/"
		}
		between(stateProtocol, statePassword, statePort, stateHash, "hostname", "")
		between(stateProtocol, statePort, stateSearch, stateHash, "pathname", path)
		between(stateProtocol, statePathname, stateHash, stateHash, "search", "")
	}
	p.state = to
	p.start, p.at, p.step = p.at+skip, p.at+skip, 0
}

func (p *constructorParser) rewind() { p.at, p.step = p.start, 0 }

func (p *constructorParser) rewindTo(s state) {
	p.rewind()
	p.state = s
}

func (p *constructorParser) token(i int) token {
	if i >= 0 && i < len(p.tokens) {
		return p.tokens[i]
	}
	return p.tokens[len(p.tokens)-1]
}

// is reports whether a token is this character and nothing more.
func (p *constructorParser) is(i int, char string) bool {
	t := p.token(i)
	return t.value == char && (t.kind == tokenChar || t.kind == tokenEscaped || t.kind == tokenInvalid)
}

// searchPrefix reports whether the token is the ? before a query, and not one that
// makes what is before it optional.
func (p *constructorParser) searchPrefix() bool {
	if p.is(p.at, "?") {
		return true
	}
	if p.token(p.at).value != "?" {
		return false
	}
	if p.at == 0 {
		return true
	}
	switch p.tokens[p.at-1].kind {
	case tokenName, tokenRegexp, tokenClose, tokenAsterisk:
		return false
	}
	return true
}

func (p *constructorParser) component() string {
	return string(p.chars[p.token(p.start).index:p.token(p.at).index])
}
