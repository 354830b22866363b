package pagejs

import (
	"strconv"
	"strings"
)

// evalLimit is how many characters of a value come back.
const evalLimit = 100_000

var evalText = file("wrap/eval")

// Eval is a caller's script as a function declaration for the page's own realm, as
// an expression or as statements with return. It answers a text of four
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
	text = strings.Replace(text, "BEGIN\n", begin+"\n", 1)
	head, tail, _ := strings.Cut(text, "\nCODE\n")
	return head + "\n" + code + "\n" + strings.Replace(tail, "END", end, 1)
}
