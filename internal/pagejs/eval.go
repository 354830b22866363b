package pagejs

import (
	"strconv"
	"strings"
)

// evalLimit is how many characters of a value come back.
const evalLimit = 100_000

var evalText = withoutHead(file("wrap/eval"))

// ErrorLine is a function for the page's own realm that answers the line which the
// error that it is given names, as a text.
var ErrorLine = withoutHead(file("wrap/line"))

// withoutHead is a script without the comment that it begins with.
func withoutHead(text string) string {
	for strings.HasPrefix(text, "//") {
		_, text, _ = strings.Cut(text, "\n")
	}
	return text
}

// Eval is a caller's script as an expression for the page's own realm; the script is
// itself an expression, or statements with return. What the browser says of lines
// counts from the script's first. It answers a text of four
// parts with a space between them: "value" or "threw", "whole" or "cut", the type of
// what came of it, and that as JSON. A script that does not parse in that form is an
// exception of the protocol, and none of it ran.
func Eval(code string, statements bool) string {
	begin, end := "(", ")"
	if statements {
		begin, end = "{", "}"
	} else {
		code = strings.TrimRight(code, "; \t\r\n")
	}
	text := strings.Replace(evalText, "LIMIT", strconv.Itoa(evalLimit), 1)
	head, tail, _ := strings.Cut(text, "BEGIN CODE\nEND")
	return head + begin + code + "\n" + end + tail
}
