package wirelog

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"
)

// The kinds of entries.
const (
	Sent    = '>' // a frame from us to the browser
	Arrived = '<' // a frame from the browser
	Note    = '#' // a comment
)

// Entry is one line of a log: a frame, or a comment without its mark.
type Entry struct {
	Kind byte
	Text []byte
}

// closedNote begins the comment that says that the peer ended the connection.
const closedNote = "closed: "

// Closed reports whether the entry says that the connection was lost, and why.
func (e Entry) Closed() (reason string, ok bool) {
	if e.Kind != Note {
		return "", false
	}
	return strings.CutPrefix(string(e.Text), closedNote)
}

// Log is a log that was read back.
type Log []Entry

// Parse reads a log. Its error names the first line that is none of the log's.
func Parse(r io.Reader) (Log, error) {
	var log Log
	in := bufio.NewReader(r)
	for number := 1; ; number++ {
		line, err := in.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return nil, fmt.Errorf("wirelog: %w", err)
		}
		if text := bytes.TrimSpace(line); len(text) > 0 {
			entry := Entry{Kind: text[0], Text: bytes.TrimSpace(text[1:])}
			switch entry.Kind {
			case Note:
			case Sent, Arrived:
				if _, err := parse(entry.Text); err != nil {
					return nil, fmt.Errorf("wirelog: line %d: %w", number, err)
				}
			default:
				return nil, fmt.Errorf("wirelog: line %d begins with neither >, < nor #", number)
			}
			log = append(log, entry)
		}
		if err == io.EOF {
			return log, nil
		}
	}
}

// Bytes returns the log as it is written.
func (l Log) Bytes() []byte {
	var out []byte
	for _, entry := range l {
		out = append(append(out, entry.Kind, ' '), entry.Text...)
		out = append(out, '\n')
	}
	return out
}
