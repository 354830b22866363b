package bidi_test

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"duet/conformance/bidi"
)

// compare compares a Go type with a type of the schema.
func (c *comparison) compare(path string, expr ast.Expr, t bidi.Type) {
	c.Helper()
	if star, ok := expr.(*ast.StarExpr); ok {
		expr = star.X
	}
	var leaves []bidi.Alternative
	for _, leaf := range c.schema.Leaves(t) {
		if leaf.Kind != bidi.Name || leaf.Value != "null" {
			leaves = append(leaves, leaf)
		}
	}
	switch expr := expr.(type) {
	case *ast.IndexExpr: // List[T], OrNull[T]
		switch types.ExprString(expr.X) {
		case "List":
			c.list(path, expr.Index, leaves)
		case "OrNull":
			c.compare(path, expr.Index, leaves)
		}
	case *ast.ArrayType:
		if types.ExprString(expr.Elt) == "byte" {
			c.scalar(path, "string", leaves) // base64
			return
		}
		c.list(path, expr.Elt, leaves)
	case *ast.MapType:
		if o := c.schema.Object(leaves...); !o.Open {
			c.wrong(path, "is a map here, not in the specification")
		}
	case *ast.SelectorExpr: // json.RawMessage
		if len(leaves) != 1 || leaves[0].Value != "any" {
			c.wrong(path, "is raw JSON here, not in the specification")
		}
	case *ast.Ident:
		c.named(path, expr.Name, leaves)
	default:
		c.wrong(path, "cannot be compared: %s", types.ExprString(expr))
	}
}

func (c *comparison) named(path, name string, leaves []bidi.Alternative) {
	c.Helper()
	c.used[name] = true
	underlying := c.source.types[name]
	if special[name] != "" {
		return
	}
	if word, ok := c.source.literals[name]; ok {
		if len(leaves) != 1 || leaves[0].Kind != bidi.Text || leaves[0].Value != word {
			c.wrong(path, "writes %q, want %v", word, leaves)
		}
		return
	}
	switch underlying := underlying.(type) {
	case *ast.StructType:
		c.structure(path, name, underlying, leaves)
	case *ast.InterfaceType:
		c.union(path, name, underlying, leaves)
	case nil:
		c.scalar(path, name, leaves)
	default:
		if consts := c.source.consts[name]; consts != nil {
			c.words(path, consts, leaves)
			return
		}
		c.scalar(path, types.ExprString(underlying), leaves)
	}
}

// scalar compares a Go basic type.
func (c *comparison) scalar(path, kind string, leaves []bidi.Alternative) {
	c.Helper()
	for _, leaf := range leaves {
		var fits []string
		switch {
		case leaf.Kind == bidi.Text || leaf.Kind == bidi.Name && leaf.Value == "text":
			fits = []string{"string"}
		case leaf.Kind == bidi.Number && strings.Contains(leaf.Value, ".") && !strings.HasPrefix(leaf.Value, "0..3") && !strings.HasPrefix(leaf.Value, "0..2"):
			fits = []string{"float64", "int", "int64"}
		case leaf.Kind == bidi.Number:
			fits = []string{"int", "int64"}
		case leaf.Value == "float" || leaf.Value == "number":
			fits = []string{"float64"}
		case leaf.Value == "bool" || leaf.Value == "true" || leaf.Value == "false":
			fits = []string{"bool"}
		}
		if !slices.Contains(fits, kind) && !(kind == "string" && strings.HasSuffix(path, "pageRanges[]")) {
			c.wrong(path, "is %s here, want %v", kind, leaf)
		}
	}
}

// words compares the constants of a type with string literals.
func (c *comparison) words(path string, have []string, leaves []bidi.Alternative) {
	c.Helper()
	var want []string
	for _, leaf := range leaves {
		if leaf.Kind == bidi.Text {
			want = append(want, leaf.Value)
		}
	}
	have = slices.Sorted(slices.Values(have))
	slices.Sort(want)
	if want = slices.Compact(want); !slices.Equal(have, want) {
		c.wrong(path, "has the words %q, want %q", have, want)
	}
}

// list compares the elements of a list.
func (c *comparison) list(path string, element ast.Expr, leaves []bidi.Alternative) {
	c.Helper()
	for _, leaf := range leaves {
		if leaf.Kind != bidi.Array {
			c.wrong(path, "is a list here, want %v", leaf)
			continue
		}
		for _, entries := range *leaf.Group {
			for _, e := range entries {
				c.compare(path+"[]", element, e.Type)
			}
		}
	}
}

// structure compares the members of a struct, which may stand for several
// alternatives at once.
func (c *comparison) structure(path, name string, t *ast.StructType, leaves []bidi.Alternative) {
	c.Helper()
	if len(leaves) == 1 && leaves[0].Kind == bidi.Name {
		if want := typeName(leaves[0].Value); want != name {
			c.wrong(path, "%s is the type %s, want %s", leaves[0].Value, name, want)
		}
	}
	key := name
	for _, leaf := range leaves {
		if leaf.Kind != bidi.Name && leaf.Kind != bidi.Map && leaf.Kind != bidi.Grouped {
			c.wrong(path, "is an object here, want %v", leaf)
			return
		}
		key += " " + leaf.Value
	}
	if c.done[key] {
		return
	}
	c.done[key] = true
	want := c.schema.Object(leaves...)
	have, keeps := c.source.fields(t)
	if want.Open && !keeps && !slices.Contains(closedForUs, name) {
		c.wrong(path, "%s is open and drops unknown members", name)
	}
	for member, f := range have {
		if _, ok := want.Members[member]; !ok {
			c.wrong(path, "%s has the member %q, which the specification lacks", name, member)
		} else if f.goName != fieldName(member) {
			c.wrong(path, "%s.%s, want %s", name, f.goName, fieldName(member))
		}
	}
	for member, m := range want.Members {
		f, ok := have[member]
		if !ok {
			c.wrong(path, "%s lacks the member %q", name, member)
			continue
		}
		if f.optional != m.Optional {
			c.wrong(path, "%s.%s is optional %v here, want %v", name, f.goName, f.optional, m.Optional)
		}
		if c.sends && !m.Optional && c.nullable(m.Type) && !c.canBeNull(f.typ) {
			c.wrong(path, "%s.%s may be null, which its type cannot say", name, f.goName)
		}
		if name == "ScriptRemoteValue" && member == "value" {
			continue // stays raw, its form is that of the type
		}
		c.compare(path+"."+member, f.typ, m.Type)
	}
}

// nullable reports whether null is an alternative of a type.
func (c *comparison) nullable(t bidi.Type) bool {
	return slices.ContainsFunc(c.schema.Leaves(t), func(leaf bidi.Alternative) bool { return leaf.Kind == bidi.Name && leaf.Value == "null" })
}

// canBeNull reports whether the nil of a Go type is written as null.
func (c *comparison) canBeNull(expr ast.Expr) bool {
	switch expr := expr.(type) {
	case *ast.StarExpr, *ast.MapType:
		return true
	case *ast.Ident:
		switch c.source.types[expr.Name].(type) {
		case *ast.InterfaceType, *ast.MapType:
			return true
		}
	}
	return false
}

// union compares the variants of a closed interface, by their names and one by one.
func (c *comparison) union(path, name string, t *ast.InterfaceType, leaves []bidi.Alternative) {
	c.Helper()
	if c.done[name] {
		return
	}
	c.done[name] = true
	var have, want []string
	for _, variant := range c.source.variants[t.Methods.List[0].Names[0].Name] {
		if _, isStruct := c.source.types[variant].(*ast.StructType); isStruct {
			have = append(have, variant)
		} else {
			c.words(path, c.source.consts[variant], leaves)
		}
	}
	for _, leaf := range leaves {
		if leaf.Kind != bidi.Name || c.schema[leaf.Value] == nil {
			continue
		}
		variant := typeName(leaf.Value)
		want = append(want, variant)
		if slices.Contains(have, variant) {
			c.compare(path+"/"+variant, ast.NewIdent(variant), bidi.Type{leaf})
		}
	}
	if name == "BrowserDownloadBehavior" { // groups in a map, not maps
		c.compare(path, ast.NewIdent("BrowserDownloadBehaviorAllowed"), bidi.Type{{Value: "browser.DownloadBehaviorAllowed"}})
		c.compare(path, ast.NewIdent("BrowserDownloadBehaviorDenied"), bidi.Type{{Value: "browser.DownloadBehaviorDenied"}})
		return
	}
	slices.Sort(have)
	slices.Sort(want)
	if !slices.Equal(have, want) {
		c.wrong(path, "%s has the variants %v, want %v", name, have, want)
	}
}
