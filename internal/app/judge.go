package app

import (
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"duet/internal/fault"
)

// policy is what a connection may open, as its opening line says it. The zero
// value allows what a tool for agents may: http, https, data: and about:blank.
type policy struct {
	AnyAddress bool     `json:"any_address,omitzero"` // the user's own hand
	AllowFile  []string `json:"allow_file,omitzero"`  // directories, absolute
}

// judge returns nil where an address may be opened, or URL_BLOCKED.
func (p policy) judge(address string) error {
	if p.AnyAddress {
		return nil
	}
	clean, scheme, rest := schemeOf(address)
	switch {
	case scheme == "": // relative: it stays in the scheme of the page
		return nil
	case scheme == "http", scheme == "https", scheme == "data":
		return nil
	case scheme == "about" && pageOf(rest) == "blank":
		return nil
	case scheme == "file":
		return p.file(clean)
	case (strings.Contains(scheme, ".") || scheme == "localhost") && beginsWithPort(rest):
		return nil // no scheme: host:port
	}
	return fault.New(fault.URLBlocked, "addresses of the kind %q may not be opened here", clip(scheme)+":").
		WithHint("http, https, data: and about:blank may")
}

// look returns nil where a page may be looked at that is shown: one that may be opened,
// what such a page made, and pages of the browser's own that hold nothing of anybody.
func (p policy) look(address string) error {
	err := p.judge(address)
	if err == nil {
		return nil
	}
	switch _, scheme, rest := schemeOf(address); {
	case scheme == "about" && slices.Contains(harmless, pageOf(rest)), scheme == "chrome-error":
		return nil
	case scheme == "blob" && strings.Contains(rest, ":"):
		return p.look(rest)
	}
	return err
}

// harmless are the pages that browsers show at the start, in a new tab and where a page
// could not be loaded.
var harmless = []string{"srcdoc", "neterror", "certerror", "newtab", "home", "privatebrowsing"}

// schemeOf is an address without what browsers drop before they look at it, its scheme in
// lower case, "" for none, and what follows that.
func schemeOf(address string) (clean, scheme, rest string) {
	clean = strings.TrimFunc(address, func(r rune) bool { return r <= ' ' })
	clean = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(clean)
	scheme, rest, ok := strings.Cut(clean, ":")
	if !ok {
		return clean, "", clean
	}
	return clean, strings.ToLower(scheme), rest
}

// pageOf is the name of a page of the browser's own.
func pageOf(rest string) string {
	if i := strings.IndexAny(rest, "?#"); i >= 0 {
		rest = rest[:i]
	}
	return strings.ToLower(rest)
}

// beginsWithPort reports whether what follows a colon is a port.
func beginsWithPort(rest string) bool {
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	_, err := strconv.ParseUint(rest, 10, 16)
	return err == nil
}

func (p policy) file(address string) error {
	blocked := fault.New(fault.URLBlocked, "file: addresses may not be opened here").
		WithHint("the user can allow a directory: duet mcp --allow-file DIR")
	if len(p.AllowFile) == 0 {
		return blocked
	}
	u, err := url.Parse(address)
	if err != nil || u.Host != "" && u.Host != "localhost" || u.Opaque != "" {
		return blocked
	}
	real, err := filepath.EvalSymlinks(filepath.Clean(u.Path))
	if err != nil {
		return fault.New(fault.URLBlocked, "the file does not exist, or may not be opened here")
	}
	for _, root := range p.AllowFile {
		if rel, err := filepath.Rel(root, real); err == nil && filepath.IsLocal(rel) {
			return nil
		}
	}
	return fault.New(fault.URLBlocked, "the file lies outside the directories that may be opened").
		WithHint("the user can allow another: --allow-file DIR")
}

// realDirs returns the real paths of directories that the user named.
func realDirs(flag string, dirs []string) ([]string, error) {
	var reals []string
	for _, d := range dirs {
		abs, err := filepath.Abs(d)
		if err == nil {
			abs, err = filepath.EvalSymlinks(abs)
		}
		if err != nil {
			return nil, usage("%s %s: %v", flag, clip(d), err)
		}
		reals = append(reals, abs)
	}
	return reals, nil
}
