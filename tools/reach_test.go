//go:build !race

// The source is read by one goroutine, which the race detector makes five times as dear.

package tools_test

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"duet/dispatch"
	"duet/internal/fault"
	"duet/tools"
)

// ofAnyCall are functions whose codes are not followed: what they say any call may
// hear, of a session, a process or a wire that ends, or of a page that moves on. What
// they need of a command is declared by all that ask a page: TIMEOUT and DIALOG_OPEN.
var ofAnyCall = map[string]string{
	"(*fault.Fault).Error":           "words, for whom they are",
	"fault.Say":                      "the same",
	"drive.wireFault":                "the browser's own words for a command it did not do",
	"drive.lostFault":                "the connection ended",
	"drive.navigatedFault":           "the page went on meanwhile",
	"(*drive.Browser).giveUp":        "the driver answers nothing any more, and the browser is closed",
	"(*drive.Tab).closedFault":       "the tab is closed",
	"(*drive.Tab).frameElement":      "the frame is gone",
	"(*drive.pageCall[A, R]).failed": "the document is just being exchanged",
	"(*drive.pageCall[A, R]).defect": "a defect",
}

// neverReturned are codes that the source of a command reaches and its calls do not
// give, each with why.
var neverReturned = map[string]string{
	"browser_dialog DIALOG_OPEN": "of a browser that does not do with its open dialog as it is told",
	"browser_expect NO_MATCH":    "is EXPECT_MISMATCH; it is asked for to say what is near",
	"browser_logs DIALOG_OPEN":   "what was logged is listed all the same",
	"browser_trace TIMEOUT":      "ends a wait of the recorder's own",
}

// source is the program's own code with its types.
type source struct {
	fset    *token.FileSet
	std     types.Importer
	pkgs    map[string]*types.Package
	files   map[string][]*ast.File
	infos   map[string]*types.Info
	calls   map[string]map[string]bool // by the name of a function or a package's variable
	codes   map[string]map[string]bool
	methods map[string][]string // implementations by method name
}

// What the source of a command can fail with is declared, and what is declared can
// come of it.
func TestDeclaredCodesAreThoseOfTheSource(t *testing.T) {
	s := &source{fset: token.NewFileSet(), pkgs: map[string]*types.Package{}, files: map[string][]*ast.File{}, infos: map[string]*types.Info{},
		calls: map[string]map[string]bool{}, codes: map[string]map[string]bool{}, methods: map[string][]string{}}
	s.std = importer.ForCompiler(s.fset, "source", nil)
	if _, err := s.Import("duet/tools"); err != nil {
		t.Fatal(err)
	}
	s.index()
	names := map[string]fault.Code{} // Timeout: TIMEOUT
	scope := s.pkgs["duet/internal/fault"].Scope()
	for _, n := range scope.Names() {
		if c, ok := scope.Lookup(n).(*types.Const); ok && strings.HasSuffix(c.Type().String(), "fault.Code") {
			names[n] = fault.Code(strings.Trim(c.Val().String(), `"`))
		}
	}
	handlers := s.handlers()
	used := map[string]bool{}
	for _, c := range tools.All() {
		if c.Tool == "" || len(handlers[c.Tool]) == 0 {
			if c.Tool != "browser_batch" && c.Tool != "" {
				t.Errorf("%s has no handler in the source", c.Tool)
			}
			continue
		}
		ways := s.reach(handlers[c.Tool])
		for name, way := range ways {
			code := names[name]
			key := c.Tool + " " + string(code)
			if neverReturned[key] != "" {
				used[key] = true
				continue
			}
			if !c.Fails(code) {
				t.Errorf("%s can fail with %s, and does not declare it: %s", c.Tool, code, way)
			}
		}
		for _, code := range c.Codes() {
			if ways[nameOf(names, code)] == "" && !ofDispatch(c, code) {
				t.Errorf("%s declares %s, which nothing in its source gives", c.Tool, code)
			}
		}
	}
	for key := range neverReturned {
		if !used[key] {
			t.Errorf("%s is on the list, and the source does not reach it", key)
		}
	}
}

// ofDispatch reports whether a code comes of what is done for a command before it
// runs: a ref that was never given.
func ofDispatch(c *dispatch.Command, code fault.Code) bool {
	return code == fault.BareRef && (c.Field("selector") != nil || c.Field("scope") != nil)
}

func nameOf(names map[string]fault.Code, code fault.Code) string {
	for name, c := range names {
		if c == code {
			return name
		}
	}
	return ""
}

// Import implements types.Importer: ours from source, the standard library as it is,
// other modules empty.
func (s *source) Import(name string) (*types.Package, error) {
	switch {
	case s.pkgs[name] != nil:
		return s.pkgs[name], nil
	case strings.Contains(strings.Split(name, "/")[0], "."):
		s.pkgs[name] = types.NewPackage(name, path.Base(name))
		s.pkgs[name].MarkComplete()
		return s.pkgs[name], nil
	case !strings.HasPrefix(name, "duet/"):
		return s.std.Import(name)
	}
	dir := filepath.Join("..", strings.TrimPrefix(name, "duet/"))
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") || elsewhere(e.Name()) {
			continue
		}
		f, err := parser.ParseFile(s.fset, filepath.Join(dir, e.Name()), nil, 0)
		if err != nil {
			return nil, err
		}
		s.files[name] = append(s.files[name], f)
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
	conf := types.Config{Importer: s, Error: func(error) {}} // of other modules nothing is known
	s.pkgs[name], _ = conf.Check(name, s.fset, s.files[name], info)
	s.infos[name] = info
	return s.pkgs[name], nil
}

// elsewhere reports whether a file is for another system than the one tested on.
func elsewhere(file string) bool {
	for _, end := range []string{"_windows.go", "_darwin.go", "_bsd.go", "_other.go"} {
		if strings.HasSuffix(file, end) {
			return true
		}
	}
	return false
}

// index notes what each function refers to: functions and codes.
func (s *source) index() {
	for pkg, files := range s.files {
		info := s.infos[pkg]
		for _, f := range files {
			for _, d := range f.Decls {
				switch d := d.(type) {
				case *ast.FuncDecl:
					if d.Body != nil {
						name := nameOfObject(info.Defs[d.Name])
						s.note(info, name, d.Body)
						if d.Recv != nil {
							s.methods[d.Name.Name] = append(s.methods[d.Name.Name], name)
						}
					}
				case *ast.GenDecl:
					for _, spec := range d.Specs {
						if v, ok := spec.(*ast.ValueSpec); ok {
							for i := range min(len(v.Names), len(v.Values)) {
								s.note(info, nameOfObject(info.Defs[v.Names[i]]), v.Values[i])
							}
						}
					}
				}
			}
		}
	}
}

// nameOfObject is the name of a function or of a package's variable, "" for others.
func nameOfObject(o types.Object) string {
	switch o := o.(type) {
	case *types.Func:
		return strings.NewReplacer("duet/internal/", "", "duet/", "").Replace(o.Origin().FullName())
	case *types.Var:
		if o.Pkg() != nil && o.Parent() == o.Pkg().Scope() {
			return path.Base(o.Pkg().Path()) + "." + o.Name()
		}
	}
	return ""
}

// note walks a body. A code that is only compared with is none that is given.
func (s *source) note(info *types.Info, name string, body ast.Node) {
	if name == "" {
		return
	}
	s.calls[name], s.codes[name] = map[string]bool{}, map[string]bool{}
	compared := map[ast.Node]bool{}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "Is" {
				for _, a := range n.Args {
					compared[a] = true
				}
			}
		case *ast.BinaryExpr:
			compared[n.X], compared[n.Y] = true, true
		case *ast.CaseClause:
			for _, e := range n.List {
				compared[e] = true
			}
		case *ast.SelectorExpr:
			if c, ok := info.Uses[n.Sel].(*types.Const); ok && c.Type().String() == "duet/internal/fault.Code" {
				if !compared[n] {
					s.codes[name][c.Name()] = true
				}
				return false
			}
		case *ast.Ident:
			o := info.Uses[n]
			if to := nameOfObject(o); to != "" {
				s.calls[name][to] = true
			}
			if f, ok := o.(*types.Func); ok && f.Pkg() != nil && strings.HasPrefix(f.Pkg().Path(), "duet/") {
				if recv := f.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
					s.calls[name]["any "+f.Name()] = true
				}
			}
		}
		return true
	})
}

// handlers are the functions that the commands are declared with, by tool.
func (s *source) handlers() map[string][]string {
	all := map[string][]string{}
	for _, f := range s.files["duet/tools"] {
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			name, ok := call.Fun.(*ast.Ident)
			if !ok || !strings.HasPrefix(name.Name, "declare") || len(call.Args) < 2 {
				return true
			}
			spec, ok := call.Args[0].(*ast.CompositeLit)
			if !ok {
				return true
			}
			tool := ""
			for _, e := range spec.Elts {
				if kv, ok := e.(*ast.KeyValueExpr); ok && fmt.Sprint(kv.Key) == "Tool" {
					tool = strings.Trim(kv.Value.(*ast.BasicLit).Value, `"`)
				}
			}
			for _, a := range call.Args[1:] {
				if id, ok := a.(*ast.Ident); ok {
					all[tool] = append(all[tool], "tools."+id.Name)
				}
			}
			return true
		})
	}
	return all
}

// reach follows what functions refer to and returns the codes on the way, each with
// the way.
func (s *source) reach(from []string) map[string]string {
	type step struct {
		name string
		prev int
	}
	var queue []step
	seen := map[string]bool{}
	for _, f := range from {
		queue, seen[f] = append(queue, step{f, -1}), true
	}
	ways := map[string]string{}
	for i := 0; i < len(queue); i++ {
		at := queue[i].name
		if ofAnyCall[at] != "" {
			continue
		}
		for code := range s.codes[at] {
			if ways[code] == "" {
				var way []string
				for j := i; j >= 0; j = queue[j].prev {
					way = append(way, queue[j].name)
				}
				slices.Reverse(way)
				ways[code] = strings.Join(way, " > ")
			}
		}
		next := slices.Sorted(maps.Keys(s.calls[at]))
		if method, ok := strings.CutPrefix(at, "any "); ok {
			next = s.methods[method]
		}
		for _, n := range next {
			if !seen[n] {
				seen[n] = true
				queue = append(queue, step{n, i})
			}
		}
	}
	return ways
}
