package arch_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const root = "../.."

// file is one Go file of the module.
type file struct {
	path string // from the root, with slashes
	pkg  string // its directory
	test bool
	ast  *ast.File
	set  *token.FileSet
	text string
}

func (f *file) at(p token.Pos) string {
	return f.path + ":" + strconv.Itoa(f.set.Position(p).Line)
}

func goFiles(t *testing.T) []*file {
	t.Helper()
	var files []*file
	each(t, func(name string) {
		if !strings.HasSuffix(name, ".go") {
			return
		}
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		set := token.NewFileSet()
		tree, err := parser.ParseFile(set, name, text, parser.ParseComments)
		if err != nil {
			t.Error(err)
			return
		}
		files = append(files, &file{name, path.Dir(name), strings.HasSuffix(name, "_test.go"), tree, set, string(text)})
	})
	return files
}

// each calls fn for every file of the repository that is ours.
func each(t *testing.T, fn func(name string)) {
	t.Helper()
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(root, p)
		name = filepath.ToSlash(name)
		if d.IsDir() {
			base := d.Name()
			if name != "." && (strings.HasPrefix(base, ".") && base != ".github" && base != ".ci" || base == "node_modules" || base == "third_party") {
				return filepath.SkipDir
			}
			return nil
		}
		fn(name)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A package imports of ours only what its row of the table allows.
func TestImportsFollowTheTable(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range goFiles(t) {
		seen[f.pkg] = true
		allowed, known := ours[f.pkg]
		if !known {
			t.Errorf("%s: package %s is not in the table of internal/arch; say what it owns and whom it may import", f.path, f.pkg)
			continue
		}
		for _, spec := range f.ast.Imports {
			name, _ := strconv.Unquote(spec.Path.Value)
			short, mine := strings.CutPrefix(name, module+"/")
			if !mine || short == f.pkg {
				continue
			}
			ok := slices.Contains(allowed, short) || slices.Contains(anyone, short)
			if f.test {
				ok = ok || slices.Contains(forTests, short) || slices.Contains(moreForTests[f.pkg], short)
			}
			if !ok {
				t.Errorf("%s: %s may not import %s", f.at(spec.Pos()), f.pkg, short)
			}
		}
	}
	for pkg := range ours {
		if !seen[pkg] {
			t.Errorf("the table has a row for %s, and there is no such package", pkg)
		}
	}
}

// The rows themselves name packages that exist, and no row allows a way round.
func TestTheTableHasNoCycle(t *testing.T) {
	state := map[string]int{}
	var visit func(pkg string, way []string)
	visit = func(pkg string, way []string) {
		if state[pkg] == 1 {
			t.Errorf("cycle: %s", strings.Join(append(way, pkg), " -> "))
			return
		}
		if state[pkg] == 2 {
			return
		}
		state[pkg] = 1
		for _, next := range ours[pkg] {
			if _, ok := ours[next]; !ok {
				t.Errorf("the row of %s names %s, which has no row", pkg, next)
			}
			visit(next, append(way, pkg))
		}
		state[pkg] = 2
	}
	for pkg := range ours {
		visit(pkg, nil)
	}
}

// Packages that are not ours stay behind their fences.
func TestFences(t *testing.T) {
	for _, f := range goFiles(t) {
		for _, spec := range f.ast.Imports {
			name, _ := strconv.Unquote(spec.Path.Value)
			if name == module || strings.HasPrefix(name, module+"/") {
				continue
			}
			rule, fenced := find(name)
			if !fenced {
				if first, _, _ := strings.Cut(name, "/"); strings.Contains(first, ".") {
					t.Errorf("%s: %s is in no fence of internal/arch", f.at(spec.Pos()), name)
				}
				continue
			}
			if rule.who == nil || slices.Contains(rule.who, f.pkg) || f.test && rule.inTests {
				continue
			}
			t.Errorf("%s: %s may not import %s (only %v)", f.at(spec.Pos()), f.pkg, name, rule.who)
		}
	}
}

func find(name string) (fence, bool) {
	for _, rule := range fences {
		if name == rule.path || strings.HasSuffix(rule.path, "/") && strings.HasPrefix(name, rule.path) {
			return rule, true
		}
	}
	return fence{}, false
}

// Every package says in its package doc what it owns.
func TestPackageDocs(t *testing.T) {
	said := map[string]bool{}
	for _, f := range goFiles(t) {
		said[f.pkg] = said[f.pkg] || f.ast.Doc != nil && !f.test
	}
	for pkg, ok := range said {
		if !ok && len(nonTests(t, pkg)) > 0 {
			t.Errorf("package %s has no package doc", pkg)
		}
	}
}

func nonTests(t *testing.T, pkg string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(root, pkg, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(names, func(n string) bool { return strings.HasSuffix(n, "_test.go") })
}
