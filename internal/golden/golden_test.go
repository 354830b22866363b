package golden_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"duet/internal/golden"
)

// recorder notes failures instead of failing.
type recorder struct {
	testing.TB
	errors, fatals []string
}

func (r *recorder) Helper()      {}
func (r *recorder) Name() string { return "TestX/sub" }
func (r *recorder) Errorf(format string, args ...any) {
	r.errors = append(r.errors, format)
	for _, a := range args {
		if s, ok := a.(string); ok {
			r.errors = append(r.errors, s)
		}
	}
}
func (r *recorder) Fatal(args ...any) { r.fatals = append(r.fatals, args[0].(string)); panic(r) }

// A difference fails and names the command that accepts it.
func TestDifferenceNamesTheFix(t *testing.T) {
	t.Setenv("GOLDEN", "")
	path := filepath.Join(t.TempDir(), "a.txt")
	if err := os.WriteFile(path, []byte("one\ntwo\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	r := &recorder{TB: t}
	golden.Check(r, path, "one\n2\n")
	all := strings.Join(r.errors, "\n")
	if !strings.Contains(all, "GOLDEN=update go test ./internal/golden -run '^TestX$'") || !strings.Contains(all, `- "two\n"`) {
		t.Errorf("failure text:\n%s", all)
	}
}

// GOLDEN=update writes the file, and is refused in CI.
func TestUpdate(t *testing.T) {
	t.Setenv("GOLDEN", "update")
	t.Setenv("CI", "")
	path := filepath.Join(t.TempDir(), "sub", "a.txt")
	golden.Check(t, path, "new\n")
	if got, _ := os.ReadFile(path); string(got) != "new\n" {
		t.Errorf("file = %q", got)
	}
	t.Setenv("CI", "true")
	r := &recorder{TB: t}
	func() {
		defer func() { _ = recover() }()
		golden.Check(r, path, "other\n")
	}()
	if len(r.fatals) != 1 {
		t.Errorf("not refused in CI: %v", r.fatals)
	}
}
