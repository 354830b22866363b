package app

import (
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"duet/internal/lazyregexp"
)

// The arguments that hold an address to open: url, and the target of
// `duet page open`.
const (
	urlField    = "url"
	tabVerb     = "page"
	targetField = "target"
)

// hostLike is what a person types of an address: a name with a dot in it, localhost
// or an IP address, then perhaps a port, a path, a query.
var hostLike = lazyregexp.New(`^((?i:localhost)|[\pL\pN_-]+(?:\.[\pL\pN_-]+)+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?(?:[/?#].*)?$`)

// whole completes an address that a person typed without its scheme: http for
// this machine, https for all others. The path of a file is the file's address. What
// is neither stays as it is, and is refused where addresses are judged. Tools for
// agents complete nothing.
func whole(address string) string {
	if file := ofFile(strings.TrimSpace(address)); file != "" {
		return file
	}
	m := hostLike().FindStringSubmatch(strings.TrimSpace(address))
	if m == nil {
		return address
	}
	scheme := "https://"
	ip, err := netip.ParseAddr(strings.Trim(m[1], "[]"))
	if strings.EqualFold(m[1], "localhost") || err == nil && ip.IsLoopback() {
		scheme = "http://"
	}
	return scheme + strings.TrimSpace(address)
}

// pages are the endings of files that a person opens in a browser by name alone: none
// is one of a host.
var pages = []string{".html", ".htm", ".xhtml", ".svg", ".pdf"}

// ofFile is the address of a file that there is, where it is named by a path or is a
// page of the working directory by its name; empty otherwise. A host may stand before
// a slash: what has one is a path where it begins as one.
func ofFile(path string) string {
	slashed := filepath.ToSlash(path)
	named := strings.HasPrefix(slashed, "./") || strings.HasPrefix(slashed, "../") || filepath.IsAbs(path) && !strings.HasPrefix(slashed, "//")
	if !named && (strings.Contains(slashed, "/") || !slices.Contains(pages, strings.ToLower(filepath.Ext(path)))) {
		return ""
	}
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	full, err := filepath.Abs(path)
	if err != nil {
		return ""
	}
	u := url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(filepath.ToSlash(full), "/")}
	return u.String()
}
