package pagejs

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// lines decodes a document whose nodes travelled as lines.
func lines(t *testing.T, text string) *Doc {
	t.Helper()
	d := &Doc{Doc: "d", Version: 1, URL: "http://site.test/list?x=1#top", Lines: text}
	if err := d.unpack(); err != nil {
		t.Fatal(err)
	}
	return d
}

// A line carries every member of a node: numbers as steps, the stamp where it
// differs from that of the line above, addresses without what the page's own has.
func TestLinesAreNodes(t *testing.T) {
	value := "two\nlines; ~ and more"
	got := lines(t, ""+
		"0K5;^abc;rrow;!selected;!sort=a, b\n"+
		"1C1;rlink;'Item 1;&#item-1\n"+
		"1C1;rlink;'Away;@https://other.test/\n"+
		"1C1;rlink;'Path;/docs?a=b\n"+
		"0S\n"+
		"1C-2;^;rtextbox;=two~nlines~s ~t and more;?#user;*xfu\n"+
		"0C10;rheading;%2;+12\n"+
		"0T1;'text~s\n"+
		"0F1;'Payment\n"+
		"0S;rclosed\n").Kids
	want := []*Node{
		{ID: 5, Class: "container", Role: "row", Stamp: "abc", States: []string{"selected", "sort=a, b"}, Kids: []*Node{
			{ID: 6, Class: "control", Role: "link", Name: "Item 1", Href: "http://site.test/list?x=1#item-1", Stamp: "abc"},
			{ID: 7, Class: "control", Role: "link", Name: "Away", Href: "https://other.test/", Stamp: "abc"},
			{ID: 8, Class: "control", Role: "link", Name: "Path", Href: "http://site.test/docs?a=b", Stamp: "abc"},
		}},
		{Class: "shadow", Role: "shadow", Kids: []*Node{
			{ID: 6, Class: "control", Role: "textbox", Value: &value, Hint: "#user", Secret: true, Filled: true, Unseen: true},
		}},
		{ID: 16, Class: "control", Role: "heading", Level: 2, More: 12},
		{ID: 17, Class: "text", Role: "text", Name: "text;"},
		{ID: 18, Class: "frame", Role: "iframe", Name: "Payment"},
		{Class: "shadow", Role: "closed"},
	}
	if d := cmp.Diff(want, got, cmpopts.EquateEmpty()); d != "" {
		t.Error(d)
	}
}

func TestALineThatIsNoNodeIsRefused(t *testing.T) {
	for _, text := range []string{"x", "0", "0Q1", "1C1;rlink", "0C;rlink", "0C1;", "0C1;$x", "0O1", "0C1;%x"} {
		if err := (&Doc{Lines: text}).unpack(); err == nil {
			t.Errorf("%q was taken", text)
		}
	}
}

// An answer that leaves out what the reading before it has is completed from it,
// which does not change; one that does not fit is to be read again.
func TestAnAnswerIsCompleted(t *testing.T) {
	before := lines(t, "0K1;rlist\n1C1;rbutton;'A\n1C1;rbutton;'B\n1C1;rbutton;'C\n0E1;rstatus;'idle\n")
	kept := before.Kids[0].Kids[1]
	after := lines(t, "0K1;rlist\n1O1,2\n1C5;rbutton;'D\n0E-1;rstatus;'busy\n")
	after.Delta = true
	if !after.Since(before) || after.Delta {
		t.Fatal("it does not fit")
	}
	want := lines(t, "0K1;rlist\n1C2;rbutton;'B\n1C1;rbutton;'C\n1C2;rbutton;'D\n0E-1;rstatus;'busy\n").Kids
	if d := cmp.Diff(want, after.Kids); d != "" {
		t.Error(d)
	}
	if after.Kids[0].Kids[0] != kept || len(before.Kids[0].Kids) != 3 {
		t.Error("the reading before is not shared as it was")
	}
	same := &Doc{Doc: "d", Version: 1, Same: true}
	if !same.Since(before) || same.Same || len(same.Kids) != 2 {
		t.Errorf("same: %+v", same)
	}
	for name, d := range map[string]*Doc{
		"another document": {Doc: "e", Version: 1, Same: true},
		"another version":  {Doc: "d", Version: 2, Same: true},
		"no such nodes":    {Doc: "d", Version: 2, Delta: true, Kids: []*Node{{Old: []int{1, 5}}}},
	} {
		if d.Since(before) {
			t.Errorf("%s fits", name)
		}
	}
	if (&Doc{Doc: "d", Delta: true}).Since(nil) {
		t.Error("it fits nothing")
	}
}
