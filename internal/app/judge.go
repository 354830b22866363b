package app

import (
	"net/url"
	"path/filepath"
	"slices"
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
	// Browsers drop these before they look at the scheme.
	clean := strings.TrimFunc(address, func(r rune) bool { return r <= ' ' })
	clean = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(clean)
	scheme, rest, ok := strings.Cut(clean, ":")
	switch scheme = strings.ToLower(scheme); {
	case !ok:
		return nil // relative: it stays in the scheme of the page
	case scheme == "http", scheme == "https", scheme == "data":
		return nil
	case scheme == "about" && harmless(rest), scheme == "chrome-error":
		return nil
	case scheme == "blob" && strings.Contains(rest, ":"): // what a page made, as far as the page may be opened
		return p.judge(rest)
	case scheme == "file":
		return p.file(clean)
	case strings.Contains(scheme, ".") || scheme == "localhost":
		return nil // host:port
	}
	return fault.New(fault.URLBlocked, "addresses of the kind %q may not be opened here", clip(scheme)+":").
		WithHint("http, https, data: and about:blank may")
}

// harmless reports whether a page of the browser's own holds nothing of anybody:
// the empty one, and those that it shows where a page could not be loaded.
func harmless(page string) bool {
	page = strings.ToLower(page)
	if i := strings.IndexAny(page, "?#"); i >= 0 {
		page = page[:i]
	}
	return slices.Contains([]string{"blank", "srcdoc", "neterror", "certerror", "newtab", "home", "privatebrowsing"}, page)
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
