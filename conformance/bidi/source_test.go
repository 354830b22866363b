package bidi_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// source is what our package bidi declares.
type source struct {
	types     map[string]ast.Expr // by name
	consts    map[string][]string // the values of a type's constants; "Code" has those of the error codes
	literals  map[string]string   // the word that a discriminator writes
	variants  map[string][]string // the types that have an unexported method, by its name
	methods   map[string]method   // commands and events by their protocol names
	marshals  map[string]bool     // types with a MarshalJSON of their own
	variables map[string]string   // the protocol name of a variable
}

type method struct {
	variable       string
	event          bool
	params, result ast.Expr
}

func load(t *testing.T) *source {
	t.Helper()
	s := &source{map[string]ast.Expr{}, map[string][]string{}, map[string]string{}, map[string][]string{}, map[string]method{}, map[string]bool{}, map[string]string{}}
	files, err := filepath.Glob("../../bidi/*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no source of package bidi: %v", err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				s.function(decl)
			case *ast.GenDecl:
				for _, spec := range decl.Specs {
					s.spec(decl.Tok, spec)
				}
			}
		}
	}
	return s
}

// function notes marker methods, and what the discriminators write.
func (s *source) function(f *ast.FuncDecl) {
	if f.Recv == nil {
		return
	}
	receiver := f.Recv.List[0].Type
	if star, ok := receiver.(*ast.StarExpr); ok {
		receiver = star.X
	}
	id, ok := receiver.(*ast.Ident)
	if !ok {
		return
	}
	switch {
	case f.Name.Name == "MarshalJSON":
		s.marshals[id.Name] = true
		if strings.HasPrefix(id.Name, "is") {
			ast.Inspect(f.Body, func(n ast.Node) bool {
				if lit, ok := n.(*ast.BasicLit); ok {
					text, _ := strconv.Unquote(lit.Value)
					s.literals[id.Name] = strings.Trim(text, `"`)
				}
				return true
			})
		}
	case !f.Name.IsExported() && len(f.Body.List) == 0:
		s.variants[f.Name.Name] = append(s.variants[f.Name.Name], id.Name)
	}
}

func (s *source) spec(tok token.Token, spec ast.Spec) {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		s.types[spec.Name.Name] = spec.Type
	case *ast.ValueSpec:
		if len(spec.Values) != 1 {
			return
		}
		if lit, ok := spec.Values[0].(*ast.BasicLit); ok && tok == token.CONST && lit.Kind == token.STRING {
			value, _ := strconv.Unquote(lit.Value)
			group := ""
			if id, ok := spec.Type.(*ast.Ident); ok {
				group = id.Name
			} else if strings.HasPrefix(spec.Names[0].Name, "Code") {
				group = "Code"
			}
			s.consts[group] = append(s.consts[group], value)
		}
		if call, ok := spec.Values[0].(*ast.CallExpr); ok && tok == token.VAR {
			s.declaration(spec.Names[0].Name, call)
		}
	}
}

// declaration notes command[P, R]("name") and event[T]("name").
func (s *source) declaration(variable string, call *ast.CallExpr) {
	if len(call.Args) != 1 {
		return
	}
	lit, ok := call.Args[0].(*ast.BasicLit)
	if !ok {
		return
	}
	name, _ := strconv.Unquote(lit.Value)
	switch f := call.Fun.(type) {
	case *ast.IndexListExpr:
		s.methods[name] = method{variable: variable, params: f.Indices[0], result: f.Indices[1]}
	case *ast.IndexExpr:
		s.methods[name] = method{variable: variable, event: true, params: f.Index}
	}
}

// field is a member of a struct type.
type field struct {
	goName   string
	typ      ast.Expr
	optional bool
}

// fields returns the members of a struct by their JSON names, those of embedded
// structs included, and whether it keeps unknown members.
func (s *source) fields(t *ast.StructType) (fields map[string]field, keeps bool) {
	fields = map[string]field{}
	for _, f := range t.Fields.List {
		if len(f.Names) == 0 {
			inner, _ := s.fields(s.types[f.Type.(*ast.Ident).Name].(*ast.StructType))
			for name, m := range inner {
				fields[name] = m
			}
			continue
		}
		tag, _ := strconv.Unquote(f.Tag.Value)
		name, options, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
		if name == "-" {
			keeps = keeps || f.Names[0].Name == "Extra"
			continue
		}
		fields[name] = field{f.Names[0].Name, f.Type, options == "omitzero"}
	}
	return fields, keeps
}
