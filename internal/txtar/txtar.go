// Package txtar reads and writes text archives: a comment, then files behind
// "-- name --" lines. Tests use it for cases that people read. It imports
// nothing of ours.
package txtar

import (
	"os"
	"strings"
	"testing"
)

// Archive is a comment and files in order.
type Archive struct {
	Comment string
	Files   []File
}

// File is one section. Data ends in a newline unless it is empty.
type File struct{ Name, Data string }

// Parse splits a text. It never fails: a text without markers is all comment.
func Parse(text string) *Archive {
	a := &Archive{}
	var b strings.Builder
	flush := func() {
		if len(a.Files) == 0 {
			a.Comment = b.String()
		} else {
			a.Files[len(a.Files)-1].Data = b.String()
		}
		b.Reset()
	}
	for line := range strings.SplitAfterSeq(strings.ReplaceAll(text, "\r\n", "\n"), "\n") {
		if name, ok := marker(line); ok {
			flush()
			a.Files = append(a.Files, File{Name: name})
			continue
		}
		b.WriteString(line)
		if line != "" && !strings.HasSuffix(line, "\n") {
			b.WriteByte('\n')
		}
	}
	flush()
	return a
}

func marker(line string) (string, bool) {
	line = strings.TrimRight(line, " \t\n")
	rest, ok := strings.CutPrefix(line, "-- ")
	if !ok {
		return "", false
	}
	name, ok := strings.CutSuffix(rest, " --")
	name = strings.TrimSpace(name)
	return name, ok && name != ""
}

// File returns the data of the first section with a name, and whether there is one.
func (a *Archive) File(name string) (string, bool) {
	for _, f := range a.Files {
		if f.Name == name {
			return f.Data, true
		}
	}
	return "", false
}

// Set replaces the data of a section, or appends one.
func (a *Archive) Set(name, data string) {
	for i := range a.Files {
		if a.Files[i].Name == name {
			a.Files[i].Data = data
			return
		}
	}
	a.Files = append(a.Files, File{name, data})
}

// Format writes the archive as Parse reads it.
func (a *Archive) Format() string {
	var b strings.Builder
	put := func(s string) {
		b.WriteString(s)
		if s != "" && !strings.HasSuffix(s, "\n") {
			b.WriteByte('\n')
		}
	}
	put(a.Comment)
	for _, f := range a.Files {
		b.WriteString("-- " + f.Name + " --\n")
		put(f.Data)
	}
	return b.String()
}

// Read parses a file, or ends the test.
func Read(t testing.TB, path string) *Archive {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return Parse(string(text))
}
