package bidi_test

import (
	"strings"
	"testing"

	"duet/conformance/bidi"
)

// The parser takes the CDDL of the specification apart: comments of both kinds,
// missing commas, ranges, controls, choices of groups, open maps.
func TestParse(t *testing.T) {
	s := bidi.Schema{}
	if err := s.Parse(`
		a.Thing = { id: text; a comment
		  <!-- another -->
		  ? size: (0.0...360.0) / null .default null
		  (a.Left // a.Right), *text => any }
		a.Left = (kind: "left", ? both: js-uint,)
		a.Right = (kind: "right", both: js-uint)
		a.List = [* [(text / a.Thing), -1..1]]
		a.Alias = a.Thing
	`); err != nil {
		t.Fatal(err)
	}
	o := s.Object(s.Leaves(*s["a.Alias"])...)
	if !o.Open || len(o.Members) != 4 {
		t.Fatalf("object = %+v", o)
	}
	for name, optional := range map[string]bool{"id": false, "size": true, "kind": false, "both": true} {
		if m, ok := o.Members[name]; !ok || m.Optional != optional {
			t.Errorf("member %s = %+v", name, m)
		}
	}
	if leaves := s.Leaves(o.Members["kind"].Type); len(leaves) != 2 || leaves[0].Value+leaves[1].Value != "leftright" {
		t.Errorf("kind = %v", leaves)
	}
	if err := s.Parse("a.Broken = { ^ }"); err == nil || !strings.Contains(err.Error(), "cannot read") {
		t.Errorf("err = %v", err)
	}
}
