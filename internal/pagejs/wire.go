package pagejs

import (
	"errors"
	"strconv"
	"strings"

	"duet/internal/lazyregexp"
)

// classes are the classes of nodes by the letter that stands for them on the wire.
var classes = map[byte]string{
	'C': "control", 'K': "container", 'I': "item", 'T': "text", 'E': "evidence", 'M': "image", 'F': "frame", 'S': "shadow",
}

// both are the classes and roles of the letters that stand for a pair of them.
var both = map[byte][2]string{
	'L': {"control", "link"}, 'B': {"control", "button"}, 'H': {"control", "heading"}, 'X': {"control", "textbox"},
	'R': {"container", "row"}, 'P': {"container", "listitem"},
	'W': {"item", "row"}, 'D': {"item", "cell"}, 'G': {"item", "listitem"},
}

var originOf = lazyregexp.New(`^https?://[^/?#]+`)

// unpack reads the lines that the nodes of a document travel as; lib_wire.js
// writes them.
func (d *Doc) unpack() error {
	if d.Lines == "" {
		return nil
	}
	u := unpacker{base: d.URL, origin: originOf().FindString(d.URL)}
	if at := strings.IndexByte(u.base, '#'); at >= 0 {
		u.base = u.base[:at]
	}
	for line := range strings.SplitSeq(strings.TrimSuffix(d.Lines, "\n"), "\n") {
		if err := u.line(line); err != nil {
			return err
		}
	}
	d.Kids, d.Lines = u.top, ""
	return nil
}

type unpacker struct {
	base, origin string
	top          []*Node
	open         []*Node  // the nodes that the next one may stand in, by depth
	rows         []string // their stamps
	last         int      // number of the node before
}

var errLine = errors.New("pagejs: walk: a line of the answer is no node")

func (u *unpacker) line(line string) error {
	at := 0
	for at < len(line) && line[at] >= '0' && line[at] <= '9' {
		at++
	}
	depth, err := strconv.Atoi(line[:at])
	if err != nil || at == len(line) || depth > len(u.open) {
		return errLine
	}
	letter, rest := line[at], line[at+1:]
	n := &Node{Class: classes[letter]}
	if pair, ok := both[letter]; ok {
		n.Class, n.Role = pair[0], pair[1]
	}
	u.open, u.rows = u.open[:depth], u.rows[:depth]
	row := ""
	if depth > 0 {
		row = u.rows[depth-1]
	}
	head, fields, more := strings.Cut(rest, ";")
	switch {
	case letter == 'O':
		from, count, _ := strings.Cut(rest, ",")
		a, err1 := strconv.Atoi(from)
		b, err2 := strconv.Atoi(count)
		if err1 != nil || err2 != nil {
			return errLine
		}
		n.Old = []int{a, b}
	case n.Class == "":
		return errLine
	case n.Class == "shadow":
		n.Role = "shadow"
		if role, ok := strings.CutPrefix(fields, "r"); ok {
			n.Role = role
		}
	default:
		step, err := strconv.Atoi(head)
		if err != nil {
			return errLine
		}
		u.last += step
		n.ID = u.last
		switch n.Class {
		case "text":
			n.Role = "text"
		case "frame":
			n.Role = "iframe"
		}
		for more {
			var f string
			f, fields, more = strings.Cut(fields, ";")
			if f == "" {
				return errLine
			}
			if f[0] == '^' {
				row = f[1:]
			} else if err := u.field(n, f[0], field(f[1:])); err != nil {
				return err
			}
		}
		n.Stamp = row
	}
	if depth == 0 {
		u.top = append(u.top, n)
	} else {
		p := u.open[depth-1]
		p.Kids = append(p.Kids, n)
	}
	u.open, u.rows = append(u.open, n), append(u.rows, row)
	return nil
}

func (u *unpacker) field(n *Node, mark byte, s string) (err error) {
	switch mark {
	case 'r':
		n.Role = s
	case '\'':
		n.Name = s
	case '%':
		n.Level, err = strconv.Atoi(s)
	case '&':
		n.Href = u.base + s
	case '/':
		n.Href = u.origin + "/" + s
	case '@':
		n.Href = s
	case '=':
		n.Value = &s
	case '?':
		n.Hint = s
	case '!':
		n.States = append(n.States, s)
	case '*':
		n.Secret, n.Filled, n.Unseen = strings.Contains(s, "x"), strings.Contains(s, "f"), strings.Contains(s, "u")
	case '+':
		n.More, err = strconv.Atoi(s)
	default:
		return errLine
	}
	return err
}

var unescape = strings.NewReplacer("~s", ";", "~n", "\n", "~t", "~")

func field(s string) string {
	if !strings.Contains(s, "~") {
		return s
	}
	return unescape.Replace(s)
}
