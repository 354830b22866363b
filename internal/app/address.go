package app

import (
	"net/netip"
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
// this machine, https for all others. What is not a host stays as it is, and is
// refused where addresses are judged. Tools for agents complete nothing.
func whole(address string) string {
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
