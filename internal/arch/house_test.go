package arch_test

import (
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// topLevel is the fixed list of what lies at the root.
var topLevel = []string{
	"bidi", "dispatch", "tools", "snapshot", "artifacts", "cmd", "internal", "conformance", "scripts",
	"go.mod", "go.sum", "justfile", ".ci", ".git", ".github", ".gitignore", ".golangci.yml",
	"README.md", "AGENTS.md", "CLAUDE.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "SECURITY.md", "CHANGELOG.md", "LICENSE",
	"bin", "duet", "node_modules", // made here, ignored by git
}

// The top level holds what it is meant to hold.
func TestTopLevel(t *testing.T) {
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !slices.Contains(topLevel, e.Name()) {
			t.Errorf("%s does not belong at the top level; prose goes to internal/docs", e.Name())
		}
	}
}

// ARCHITECTURE.md names every package of the table.
func TestArchitectureNamesEveryPackage(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	for pkg := range ours {
		if !strings.Contains(string(text), "`"+pkg+"`") {
			t.Errorf("ARCHITECTURE.md does not name `%s`", pkg)
		}
	}
}

// CLAUDE.md is one line, which imports AGENTS.md.
func TestClaudeImportsAgents(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "CLAUDE.md"))
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != "@AGENTS.md\n" {
		t.Errorf("CLAUDE.md = %q, want %q", text, "@AGENTS.md\n")
	}
}

// Files stay short enough to be read.
func TestFileLength(t *testing.T) {
	used := map[string]bool{}
	each(t, func(name string) {
		if ext := filepath.Ext(name); ext != ".go" && ext != ".js" || strings.Contains(name, "/testdata/") {
			return
		}
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(text), "\n"); n > maxLines {
			used[name] = true
			if longFiles[name] == "" {
				t.Errorf("%s has %d lines, more than %d: split it by topic, or list it in longFiles with the reason", name, n, maxLines)
			}
		}
	})
	for name := range longFiles {
		if !used[name] {
			t.Errorf("longFiles lists %s, which is not long any more", name)
		}
	}
}

// selections calls fn for each use of pkg.Name where pkg is an import of the file.
func selections(f *file, fn func(pkg, name string, pos token.Pos)) {
	imported := map[string]string{}
	for _, spec := range f.ast.Imports {
		full, _ := strconv.Unquote(spec.Path.Value)
		local := full[strings.LastIndex(full, "/")+1:]
		if spec.Name != nil {
			local = spec.Name.Name
		}
		imported[local] = full
	}
	ast.Inspect(f.ast, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok && imported[id.Name] != "" {
				fn(imported[id.Name], sel.Sel.Name, sel.Pos())
			}
		}
		return true
	})
}

// Nothing sleeps, the environment is read in one place, and standard output has
// one writer.
func TestForbiddenCalls(t *testing.T) {
	for _, f := range goFiles(t) {
		selections(f, func(pkg, name string, pos token.Pos) {
			switch full := pkg + "." + name; full {
			case "time.Sleep":
				t.Errorf("%s: time.Sleep; wait for the cause instead", f.at(pos))
			case "os.Getenv", "os.LookupEnv", "os.ExpandEnv":
				if f.pkg != "internal/env" && f.pkg != "internal/golden" {
					t.Errorf("%s: %s; register the variable in internal/env", f.at(pos), full)
				}
			case "os.Environ":
				if f.pkg != "internal/env" && !f.test {
					t.Errorf("%s: %s; the environment is read in internal/env", f.at(pos), full)
				}
			case "fmt.Print", "fmt.Printf", "fmt.Println", "os.Stdout":
				if f.pkg != "internal/app" && !f.test && !strings.HasPrefix(f.pkg, "cmd/") {
					t.Errorf("%s: %s; standard output has one writer, in internal/app", f.at(pos), full)
				}
			}
		})
	}
}

// No start pays for a regular expression: a package's are lazy, and each is one.
func TestRegularExpressionsAreMadeWhenUsed(t *testing.T) {
	for _, f := range goFiles(t) {
		if f.test || strings.HasPrefix(f.pkg, "conformance") {
			continue
		}
		for _, decl := range f.ast.Decls {
			ast.Inspect(decl, func(n ast.Node) bool {
				switch n.(type) {
				case *ast.FuncDecl, *ast.FuncLit:
					return false // what is made in there is not made at a start
				}
				call, ok := n.(*ast.CallExpr)
				if !ok || len(call.Args) == 0 {
					return true
				}
				switch name := types.ExprString(call.Fun); name {
				case "regexp.MustCompile":
					t.Errorf("%s: a package's regular expressions are made by lazyregexp.New, not at every start", f.at(call.Pos()))
				case "lazyregexp.New":
					text, ok := call.Args[0].(*ast.BasicLit)
					if !ok {
						t.Errorf("%s: lazyregexp.New takes a text that a test can read", f.at(call.Pos()))
						return true
					}
					expr, _ := strconv.Unquote(text.Value)
					if _, err := regexp.Compile(expr); err != nil {
						t.Errorf("%s: %v", f.at(call.Pos()), err)
					}
				}
				return true
			})
		}
	}
}

// JavaScript lives in .js files.
func TestNoJavaScriptInGo(t *testing.T) {
	for _, f := range goFiles(t) {
		if f.test {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if ok && lit.Kind == token.STRING && strings.HasPrefix(lit.Value, "`") && strings.Contains(lit.Value, "=>") {
				t.Errorf("%s: JavaScript in a Go string; give it a file in internal/pagejs/js", f.at(lit.Pos()))
			}
			return true
		})
	}
}

// browserWise are the places that may tell browsers apart by name.
func browserWise(f *file) bool {
	return f.test || f.pkg == "internal/launch" || f.pkg == "internal/app" ||
		f.path == "internal/drive/quirks.go" || f.path == "bidi/vendor.go"
}

// Browsers are told apart by capability, and by name in the listed places only.
func TestBrowserNames(t *testing.T) {
	named := func(e ast.Expr) bool {
		lit, ok := e.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING {
			return false
		}
		text := strings.ToLower(lit.Value)
		return strings.Contains(text, "firefox") || strings.Contains(text, "chrom")
	}
	for _, f := range goFiles(t) {
		if browserWise(f) {
			continue
		}
		complain := func(n ast.Node) {
			t.Errorf("%s: compares a browser's name; make it a quirk in internal/drive/quirks.go", f.at(n.Pos()))
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				if (n.Op == token.EQL || n.Op == token.NEQ) && (named(n.X) || named(n.Y)) {
					complain(n)
				}
			case *ast.CaseClause:
				if slices.ContainsFunc(n.List, named) {
					complain(n)
				}
			case *ast.CallExpr:
				sel, ok := n.Fun.(*ast.SelectorExpr)
				if !ok {
					break
				}
				if id, ok := sel.X.(*ast.Ident); ok && id.Name == "strings" && slices.ContainsFunc(n.Args, named) {
					complain(n)
				}
			}
			return true
		})
	}
}

// Messages name tools and arguments by marks, which each front says in its words: a
// text with a tool's name, or with name=value in it, would be wrong on the other.
func TestMessagesNameCallsByMarks(t *testing.T) {
	wire := regexp.MustCompile(`browser_[a-z_]+|\b(timeout_ms|full_page|min_impact|disable_rules|delta_[xy]|delay_ms|no_screenshots|continue_on_error)\b|\b(offset|limit|nodes|scope|query|artifact|kind|since|depth|all)=`)
	for _, f := range goFiles(t) {
		if f.test || !slices.Contains([]string{"tools", "dispatch", "internal/drive", "snapshot", "artifacts", "internal/profile"}, f.pkg) {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			sel, ok := call.Fun.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if x, ok := sel.X.(*ast.Ident); ok && x.Name == "fault" && sel.Sel.Name != "New" {
				return false // a mark
			}
			if !slices.Contains([]string{"New", "WithHint", "Sprintf", "Fprintf", "note", "Note"}, sel.Sel.Name) {
				return true
			}
			for _, arg := range call.Args {
				if lit, ok := arg.(*ast.BasicLit); ok && lit.Kind == token.STRING && wire.MatchString(lit.Value) {
					t.Errorf("%s: %s names a call in the words of one front: use fault.Call, More, Arg or With", f.at(lit.Pos()), lit.Value)
				}
			}
			return true
		})
	}
}

// Every registered environment variable is read by something.
func TestEveryVariableIsRead(t *testing.T) {
	read := map[string]bool{}
	var names []string
	for _, f := range goFiles(t) {
		selections(f, func(pkg, name string, _ token.Pos) {
			if pkg == module+"/internal/env" {
				read[name] = true
			}
		})
		if f.path != "internal/env/env.go" {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if v, ok := n.(*ast.ValueSpec); ok && len(v.Values) == 1 {
				if call, ok := v.Values[0].(*ast.CallExpr); ok {
					if fn, ok := call.Fun.(*ast.Ident); ok && fn.Name == "register" {
						names = append(names, v.Names[0].Name)
					}
				}
			}
			return true
		})
	}
	if len(names) == 0 {
		t.Fatal("no variable is registered")
	}
	for _, name := range names {
		if !read[name] {
			t.Errorf("env.%s is registered, and nothing reads it", name)
		}
	}
}
