package app

import "strings"

// parts are commands of the program itself that are called by the name of a browser
// command and a word more.
func parts() []program {
	return []program{
		{"trace show", "Show a trace as a page: serve it on this machine, or write it to a file.",
			"TRACE is a trace's directory, the archive of duet trace stop --zip, or the name that it was started under. " +
				"The address has a random part; what does not know it gets nothing. Each load of the page reads the trace anew. " +
				"With --html the page is one file that needs no network and no server.",
			func() any { return &showArgs{} }, showProgram, nil},
	}
}

// partsOf are those of one browser command.
func partsOf(verb string) []program {
	var own []program
	for _, p := range parts() {
		if strings.HasPrefix(p.name, verb+" ") {
			own = append(own, p)
		}
	}
	return own
}

// partOf takes the further word out of a command line that calls one.
func partOf(v *verb, rest []string) (program, []string, bool) {
	for _, p := range partsOf(v.Name) {
		if len(rest) > 0 && strings.ToLower(rest[0]) == strings.TrimPrefix(p.name, v.Name+" ") {
			return p, rest[1:], true
		}
	}
	return program{}, rest, false
}
