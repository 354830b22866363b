package urlmatch

import (
	"fmt"
	"regexp"
	"strings"
)

// compileGlob makes a regular expression of a glob.
func compileGlob(glob string) (*regexp.Regexp, error) {
	resolved, err := resolveGlob(glob)
	if err != nil {
		return nil, err
	}
	source, err := globExpression(resolved)
	if err != nil {
		return nil, err
	}
	r, err := regexp.Compile(source)
	if err != nil {
		return nil, errorf("the glob is too large")
	}
	return r, nil
}

// globExpression translates a glob that was resolved.
func globExpression(glob string) (string, error) {
	var b strings.Builder
	b.WriteString("(?s)^")
	inGroup := false
	chars := []rune(glob)
	at := func(i int) rune {
		if i < 0 || i >= len(chars) {
			return 0
		}
		return chars[i]
	}
	for i := 0; i < len(chars); i++ {
		switch c := chars[i]; {
		case c == '\\' && i+1 < len(chars):
			i++
			b.WriteString(regexp.QuoteMeta(string(chars[i])))
		case c == '*':
			before, stars := at(i-1), 1
			for ; at(i+1) == '*'; i++ {
				stars++
			}
			switch {
			case stars == 1:
				b.WriteString("[^/]*")
			case at(i+1) != '/':
				b.WriteString(".*")
			case before == '/': // between two slashes there may be nothing
				b.WriteString("(?:.+/)?")
				i++
			default:
				b.WriteString(".*/")
				i++
			}
		case c == '{' && inGroup:
			return "", errorf("a { within { } is not supported")
		case c == '{':
			inGroup = true
			b.WriteString("(?:")
		case c == '}' && !inGroup:
			return "", errorf("a } closes nothing; write \\} for the character")
		case c == '}':
			inGroup = false
			b.WriteString(")")
		case c == ',' && inGroup:
			b.WriteString("|")
		default:
			b.WriteString(regexp.QuoteMeta(string(c)))
		}
	}
	if inGroup {
		return "", errorf("a { is not closed; write \\{ for the character")
	}
	return b.String() + "$", nil
}

// verbatim are the schemes whose URLs are not resolved.
var verbatim = []string{"about:", "data:", "chrome:", "edge:", "file:"}

// resolveGlob writes the literal parts of a glob as a browser writes URLs: the host
// in lower case, no default port, a path at least. What begins with * stays.
func resolveGlob(glob string) (string, error) {
	if glob == "" {
		return "", errorf("the pattern is empty; ** matches every URL")
	}
	if strings.HasPrefix(glob, "*") {
		return glob, nil
	}
	glob = strings.ReplaceAll(glob, `\\?`, "?")
	for _, scheme := range verbatim {
		if strings.HasPrefix(glob, scheme) {
			return glob, nil
		}
	}
	kept := &placeholders{}
	tokens := strings.Split(glob, "/")
	for i, token := range tokens {
		switch {
		case token == "." || token == ".." || token == "":
		case i == 0 && strings.HasSuffix(token, ":"):
			if strings.ContainsAny(token, "*{") {
				tokens[i] = kept.hide(token, "http:")
			}
		case strings.ContainsAny(token, `*?{}\`):
			name := fmt.Sprintf("$_%d_$", i)
			path, query, found := strings.Cut(token, "?")
			tokens[i] = kept.hide(path, name)
			if found {
				tokens[i] += kept.hide("?"+query, "?"+name)
			}
		}
	}
	written, authority, err := writeURL(strings.Join(tokens, "/"))
	if err != nil {
		return "", err
	}
	return kept.restore(written, authority), nil
}

// placeholders stand for the parts of a glob that are no URL while it is resolved.
type placeholders struct{ pairs [][2]string } // name, original

func (p *placeholders) hide(original, name string) string {
	if original == "" {
		return ""
	}
	for i := range p.pairs {
		if p.pairs[i][0] == name { // the later one stands for both
			p.pairs[i][1] = original
			return name
		}
	}
	p.pairs = append(p.pairs, [2]string{name, original})
	return name
}

// restore puts the originals back, in lower case where they stand in what is
// written so.
func (p *placeholders) restore(url, authority string) string {
	for _, pair := range p.pairs {
		name, original := pair[0], pair[1]
		if strings.Contains(authority, name) {
			original = strings.ToLower(original)
		}
		url = strings.Replace(url, name, original, 1)
	}
	return url
}
