// Package golden compares what a test got with a file in testdata, and rewrites
// the file where GOLDEN=update says so. It imports nothing of ours.
package golden

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Updating reports whether goldens are to be rewritten. In CI that is refused:
// a golden changes in a commit that a person reads.
func Updating(t testing.TB) bool {
	t.Helper()
	if os.Getenv("GOLDEN") != "update" {
		return false
	}
	if os.Getenv("CI") != "" {
		t.Fatal("golden: GOLDEN=update is refused in CI")
	}
	return true
}

// Check fails the test where got differs from the file at path, showing the
// first line that differs and the command that accepts the change. With
// GOLDEN=update it writes the file instead.
func Check(t testing.TB, path, got string) {
	t.Helper()
	if Updating(t) {
		write(t, path, got)
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Errorf("%v\naccept with: %s", err, fix(t))
		return
	}
	if d := Diff(string(want), got); d != "" {
		t.Errorf("%s differs:\n%saccept with: %s", path, d, fix(t))
	}
}

// Rewrite is for a golden that is part of a larger file, such as a section of
// an archive: it compares like Check, and where goldens are being updated it
// calls update with the new text instead of failing.
func Rewrite(t testing.TB, name, want, got string, update func(got string)) {
	t.Helper()
	if want == got {
		return
	}
	if Updating(t) {
		update(got)
		return
	}
	t.Errorf("%s differs:\n%saccept with: %s", name, Diff(want, got), fix(t))
}

// Diff returns "" where the texts are equal, or else the first difference with
// the three lines before it.
func Diff(want, got string) string {
	if want == got {
		return ""
	}
	w, g := strings.SplitAfter(want, "\n"), strings.SplitAfter(got, "\n")
	n := 0
	for n < len(w) && n < len(g) && w[n] == g[n] {
		n++
	}
	var b strings.Builder
	fmt.Fprintf(&b, "  line %d\n", n+1)
	for _, line := range w[max(0, n-3):n] {
		fmt.Fprintf(&b, "    %s\n", strings.TrimSuffix(line, "\n"))
	}
	show := func(mark string, lines []string) {
		for _, line := range lines[n:min(len(lines), n+6)] {
			fmt.Fprintf(&b, "  %s %q\n", mark, line)
		}
	}
	show("-", w)
	show("+", g)
	return b.String()
}

func write(t testing.TB, path, got string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if old, err := os.ReadFile(path); err == nil && string(old) == got {
		return
	}
	if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Logf("golden: wrote %s", path)
}

// start is the package's directory, whatever a test changes to.
var start, startErr = os.Getwd()

func fix(t testing.TB) string {
	if startErr != nil {
		return "GOLDEN=update go test ./..."
	}
	dir, root := start, start
	for filepath.Dir(root) != root {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			break
		}
		root = filepath.Dir(root)
	}
	pkg, _ := filepath.Rel(root, dir)
	name, _, _ := strings.Cut(t.Name(), "/")
	return fmt.Sprintf("GOLDEN=update go test ./%s -run '^%s$'", pkg, name)
}
