package launch

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// spec is what a guard is told to start. It travels as lines of a word and a
// quoted value, so that the guard needs no decoder.
type spec struct {
	Path   string
	Args   []string // without the program's name
	Env    []string // the whole environment
	Dir    string   // working directory
	UID    int      // -1: the guard's own
	GID    int
	Remove []string // directories that the guard removes at the end
	Marks  []string // the session's directories, by which its processes are known; not sent
}

// write sends s to a guard.
func (s spec) write(w io.Writer) error {
	var b strings.Builder
	line := func(word, value string) { fmt.Fprintf(&b, "%s %s\n", word, strconv.Quote(value)) }
	line("path", s.Path)
	for _, a := range s.Args {
		line("arg", a)
	}
	for _, e := range s.Env {
		line("env", e)
	}
	line("dir", s.Dir)
	line("uid", strconv.Itoa(s.UID))
	line("gid", strconv.Itoa(s.GID))
	for _, dir := range s.Remove {
		line("remove", dir)
	}
	b.WriteString("go\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// readSpec reads what write sent, up to and with the line "go".
func readSpec(r *bufio.Reader) (spec, error) {
	s := spec{UID: -1, GID: -1}
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return s, err
		}
		word, quoted, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if word == "go" {
			if s.Path == "" {
				return s, errors.New("guard: no path")
			}
			return s, nil
		}
		value, err := strconv.Unquote(quoted)
		if err != nil {
			return s, fmt.Errorf("guard: line %q: %w", line, err)
		}
		switch word {
		case "path":
			s.Path = value
		case "arg":
			s.Args = append(s.Args, value)
		case "env":
			s.Env = append(s.Env, value)
		case "dir":
			s.Dir = value
		case "remove":
			s.Remove = append(s.Remove, value)
		case "uid":
			s.UID, err = strconv.Atoi(value)
		case "gid":
			s.GID, err = strconv.Atoi(value)
		default:
			err = errors.New("unknown word")
		}
		if err != nil {
			return s, fmt.Errorf("guard: line %q: %w", line, err)
		}
	}
}
