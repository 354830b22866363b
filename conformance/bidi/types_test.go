package bidi_test

import (
	"fmt"
	"go/ast"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"duet/conformance/bidi"
	"duet/internal/env"
)

// schemaDir is where the specification's CDDL lies, beside the project.
const schemaDir = "../../../shared/reference/bidi-cddl"

// schema reads the CDDL of one direction. Without the files the test is skipped,
// except in CI, where they must be there.
func schema(t *testing.T, file string) bidi.Schema {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(schemaDir, file))
	if err != nil {
		complain := t.Skipf
		if env.CI.Set() {
			complain = t.Fatalf
		}
		complain("the CDDL of the specification is not beside the project, so our types are NOT compared with it: %v", err)
	}
	s := bidi.Schema{}
	extensions, err := os.ReadFile("testdata/extensions.cddl")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{string(text), string(extensions)} {
		if err := s.Parse(text); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
	}
	return s
}

// special are Go types whose form on the wire is their own code's, with the reason
// why fields cannot be compared. Each has a test of its form in package bidi.
var special = map[string]string{
	"ScriptMappingLocalValue": "pairs in lists",
	"ScriptNumber":            "a number or the name of one that JSON lacks",
	"EmulationMediaFeatures":  "thirty features, each a word or number: a map takes them all",
	"Depth":                   "a number or null for no bound",
	"Extra":                   "raw",
}

// closedForUs are open objects whose unknown members we have no use for.
var closedForUs = []string{"EmptyParams", "EmptyResult", "SessionProxyConfiguration", "ScriptSharedReference", "ScriptRemoteObjectReference", "StorageCookieFilter", "StorageStorageKeyPartitionDescriptor"}

// renamed are the rules whose Go type does not have the mechanical name.
var renamed = map[string]string{
	"browsingContext.BrowsingContext": "Context",
	"browsingContext.Navigation":      "Navigation",
}

// comparison compares our types with one direction of the schema.
type comparison struct {
	*testing.T
	schema bidi.Schema
	source *source
	sends  bool // the values are ours, so null must be possible where it is allowed
	done   map[string]bool
	used   map[string]bool // Go types that were compared
}

// Every command and event that we declare has the parameters and the result of the
// specification: the same members, required or optional as there, of the same kind.
// Every command and event of the specification is declared.
func TestTypesAreThoseOfTheSpecification(t *testing.T) {
	out, in := schema(t, "remote.cddl"), schema(t, "local.cddl")
	source := load(t)
	used := map[string]bool{}
	send := &comparison{t, out, source, true, map[string]bool{}, used}
	receive := &comparison{t, in, source, false, map[string]bool{}, used}
	commands, events := out.Methods(), in.Methods()
	for name, m := range source.methods {
		if want := variableName(name); m.variable != want {
			t.Errorf("%s is %s, want %s", name, m.variable, want)
		}
		if m.event {
			if rule, ok := events[name]; ok {
				receive.compare(name, m.params, rule.Params)
			} else {
				t.Errorf("event %s is not in the specification", name)
			}
			continue
		}
		rule, ok := commands[name]
		if !ok {
			t.Errorf("command %s is not in the specification", name)
			continue
		}
		send.compare(name, m.params, rule.Params)
		result := in[rule.Rule+"Result"]
		if result == nil {
			t.Errorf("the specification has no result of %s", name)
			continue
		}
		receive.compare(name+" result", m.result, *result)
	}
	receive.compare("window", ast.NewIdent("ScriptWindowProxyProperties"), bidi.Type{{Value: "script.WindowProxyProperties"}})
	for _, methods := range []map[string]bidi.Method{commands, events} {
		for _, name := range slices.Sorted(maps.Keys(methods)) {
			if _, ok := source.methods[name]; !ok {
				t.Errorf("%s is not declared", name)
			}
		}
	}
	for name, expr := range source.types {
		if _, ok := expr.(*ast.StructType); ok && ofModule(name) && !used[name] && !embedded[name] {
			t.Errorf("type %s is no part of any command or event", name)
		}
	}
	if len(commands) < 70 || len(events) < 23 {
		t.Errorf("only %d commands and %d events were read from the specification", len(commands), len(events))
	}
}

// The error codes are those of the specification.
func TestErrorCodesAreThoseOfTheSpecification(t *testing.T) {
	in := schema(t, "local.cddl")
	c := &comparison{T: t, schema: in, source: load(t)}
	c.words("error codes", c.source.consts["Code"], in.Leaves(*in["ErrorCode"]))
}

// embedded are the structs that are compared as part of those that embed them.
var embedded = map[string]bool{"BrowsingContextBaseNavigationInfo": true, "NetworkBaseParameters": true, "InputPointerCommonProperties": true}

// ofModule reports whether a type belongs to a module of the protocol.
func ofModule(name string) bool {
	for _, module := range []string{"Session", "Browser", "BrowsingContext", "Script", "Input", "Network", "Log", "Storage", "Emulation", "Permissions", "WebExtension", "GoogCdp"} {
		if strings.HasPrefix(name, module) && name != "ScriptRemotePair" {
			return true
		}
	}
	return false
}

// variableName is the Go name of a command or event.
func variableName(method string) string {
	if rest, ok := strings.CutPrefix(method, "goog:cdp."); ok {
		return "GoogCdp" + upper(rest)
	}
	return typeName(method)
}

// typeName is the Go name of a rule.
func typeName(rule string) string {
	if name, ok := renamed[rule]; ok {
		return name
	}
	module, name, ok := strings.Cut(rule, ".")
	if !ok {
		return upper(rule)
	}
	return upper(module) + upper(name)
}

// fieldName is the Go name of a member.
func fieldName(member string) string {
	name := upper(member)
	for _, suffix := range []string{"Id", "Url"} {
		if rest, ok := strings.CutSuffix(name, suffix); ok {
			name = rest + strings.ToUpper(suffix)
		}
	}
	return strings.Replace(name, "HttpOnly", "HTTPOnly", 1)
}

func upper(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// wrong reports a difference.
func (c *comparison) wrong(path, format string, args ...any) {
	c.Helper()
	c.Errorf("%s: %s", path, fmt.Sprintf(format, args...))
}
