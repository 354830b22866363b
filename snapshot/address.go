package snapshot

import (
	"duet/internal/lazyregexp"
	"duet/internal/secret"
)

// MaskAddress replaces, in every address that a text holds, the credentials and the
// values whose names read like a secret's.
func MaskAddress(text string) string { return secret.MaskAddresses(text) }

// MaskNamed replaces in a text whatever its name gives away.
func MaskNamed(text string) string { return secret.MaskNamed(text) }

// addressLike is a dash before what reads like an address.
var addressLike = lazyregexp.New(`[\x{2012}-\x{2015}\x{2212}\x{FE58}\x{FE63}\x{FF0D}]+(\s*\S*[:/]\S)`)

// plainTitle is a title that cannot be taken for the rest of the line that it
// stands in: no dash of it stands before what reads like an address, and no epoch
// before a number.
func plainTitle(title string) string {
	title = addressLike().ReplaceAllString(title, "-$1")
	return epochLike().ReplaceAllString(title, "$1-$2")
}

var epochLike = lazyregexp.New(`(?i)(\bepoch)\s+(\d)`)

// Bare is a text of the browser or the file system on a line of ours, in quotes
// where it holds more than a path of plain names.
func Bare(path string) string {
	if plainPath().MatchString(path) {
		return path
	}
	return Quote(path)
}

var plainPath = lazyregexp.New(`^[\w./\\:~+@%,$-]+$`)
