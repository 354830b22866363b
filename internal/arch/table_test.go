package arch_test

// ours is the architecture: each package and what of ours it may import. A
// package that is not here fails, and so does a row without a package.
// ARCHITECTURE.md shows the same graph for people.
var ours = map[string][]string{
	// layer 6
	"cmd/duet":         {"internal/app"},
	"cmd/mcp-fixtures": {"internal/app", "internal/mcpserver", "dispatch", "internal/fault", "internal/env"},
	"internal/app": {
		"internal/mcpserver", "tools", "dispatch", "internal/report", "internal/drive", "internal/trace", "snapshot", "artifacts", "bidi",
		"internal/pagejs", "internal/selector", "internal/profile", "internal/launch", "internal/sock", "internal/fakebrowser", "internal/fault", "internal/wirelog", "internal/env",
	},
	// layer 5
	"internal/mcpserver":   {"dispatch", "internal/fault", "internal/env"},
	"tools":                {"dispatch", "internal/drive", "internal/selector", "internal/fault"},
	"conformance":          {"dispatch", "internal/fakebrowser", "internal/wirelog", "bidi", "internal/fault"},
	"conformance/bidi":     {"bidi"},
	"conformance/browsers": {"dispatch", "internal/fakebrowser", "internal/wirelog", "bidi", "internal/fault"},
	"conformance/mcp":      {},
	// What records and replays: a tool of the tests, so it may hold a whole session.
	"conformance/transcripts": {
		"tools", "dispatch", "internal/drive", "internal/profile", "artifacts", "bidi", "internal/pagejs", "internal/launch", "internal/fakebrowser",
		"internal/fault", "internal/wirelog", "internal/golden", "internal/txtar", "internal/env",
	},
	// layer 4
	"internal/report": {"internal/trace", "snapshot", "internal/fault"},
	"dispatch":        {"internal/drive", "internal/profile", "internal/trace", "snapshot", "artifacts", "internal/fault", "internal/secret", "internal/env"},
	// layer 3
	"internal/drive":   {"bidi", "internal/pagejs", "internal/selector", "internal/urlmatch", "internal/fault", "internal/secret"},
	"snapshot":         {"internal/pagejs", "internal/fault", "internal/secret"},
	"internal/trace":   {"artifacts", "internal/fault"},
	"artifacts":        {"internal/fault", "internal/env"},
	"internal/profile": {"internal/fault"},
	// layer 2
	"bidi":                 {"internal/wirelog"},
	"internal/fakebrowser": {"bidi", "internal/wirelog"},
	"internal/pagejs":      {"internal/fault", "internal/env"},
	"internal/selector":    {"internal/fault", "internal/env"},
	"internal/urlmatch":    {},
	"internal/launch":      {"internal/fault", "internal/env"},
	"internal/sock":        {"internal/fault", "internal/env"},
	// layer 1
	"internal/fault":   {},
	"internal/wirelog": {"internal/secret"},
	"internal/secret":  {},
	"internal/env":     {},
	// layer 0
	"internal/lazyregexp": {},
	// tests only
	"internal/golden": {},
	"internal/txtar":  {},
	"internal/arch":   {},
	"internal/docs":   {},
}

// anyone may be imported by every package.
var anyone = []string{"internal/lazyregexp"}

// forTests is what any package's tests may import beside their package's row:
// the two helpers, the browser that is not there, and the one that is.
var forTests = []string{"internal/golden", "internal/txtar", "internal/fakebrowser", "internal/wirelog", "internal/launch", "internal/env", "bidi"}

// moreForTests is what the tests of one package may import beyond that.
var moreForTests = map[string][]string{
	"conformance":          {"internal/app", "internal/pagejs", "internal/drive", "tools", "snapshot", "artifacts", "internal/mcpserver"},
	"conformance/browsers": {"internal/app", "internal/pagejs", "internal/drive", "tools", "snapshot", "artifacts", "internal/mcpserver", "internal/trace"},
	"conformance/mcp":      {"internal/app"},
	"internal/docs":        {"internal/app"},
	"internal/pagejs":      {"internal/drive", "snapshot"},
	"internal/drive":       {"snapshot"},
	"tools":                {"snapshot", "artifacts", "internal/pagejs", "conformance/transcripts"},
	"dispatch":             {"internal/pagejs"},
}

// fence says which packages may import a package that is not ours. A package
// outside the standard library that is not here fails.
type fence struct {
	path    string // the import path, or the beginning of it with a slash
	who     []string
	inTests bool // tests of any package may import it
}

var fences = []fence{
	{"github.com/alecthomas/kong", []string{"internal/app"}, false},
	{"github.com/modelcontextprotocol/go-sdk/", []string{"internal/mcpserver", "cmd/mcp-fixtures"}, false},
	{"filippo.io/age", []string{"internal/profile"}, true},
	{"filippo.io/age/armor", []string{"internal/profile"}, true},
	{"github.com/coder/websocket", []string{"bidi"}, false},
	{"github.com/goccy/go-json/v2", []string{"dispatch", "internal/mcpserver"}, false},
	{"github.com/goccy/go-json/jsontext", []string{"dispatch", "internal/mcpserver"}, false},
	{"github.com/goccy/go-json", nil, true},
	{"github.com/google/go-cmp/", []string{}, true},
	{"golang.org/x/sys/", []string{"internal/launch", "internal/sock"}, false},
	{"golang.org/x/tools/", []string{}, true},
	{"os/exec", []string{"internal/launch", "internal/sock"}, true},
	{"encoding/json", []string{}, false},
	{"encoding/json/", []string{}, false},
}

// longFiles are the files that may be longer than maxLines, each with the reason.
var longFiles = map[string]string{}

const maxLines = 450

// module is the name of this module.
const module = "duet"
