package mcpserver

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// MaxLine is the longest line that is served, in bytes without its end.
const MaxLine = 1 << 20

const bufferBytes = 32 << 10

var errLong = errors.New("the line is longer than 1048576 bytes")

// lineReader splits a stream into lines. It holds at most one line of MaxLine
// bytes, however long the lines are that come. Not safe for concurrent use.
type lineReader struct {
	r    *bufio.Reader
	long []byte // where a line that outgrows r is put together
	skip bool   // the rest of the current line is to be thrown away
}

func newLineReader(in io.Reader) *lineReader {
	return &lineReader{r: bufio.NewReaderSize(in, bufferBytes)}
}

// next returns the next line without its LF or CRLF; the caller owns it. A line
// that is too long is errLong, once, as soon as that is certain, and the line
// after it comes next. What stands behind the last line end is a line. At the end
// of the stream it returns the stream's error.
func (l *lineReader) next() ([]byte, error) {
	if l.skip {
		if err := l.discard(); err != nil {
			return nil, err
		}
	}
	chunk, err := l.r.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		if err != nil && len(chunk) == 0 {
			return nil, err
		}
		return bytes.Clone(trimEnd(chunk)), nil
	}
	if l.long == nil {
		l.long = make([]byte, 0, MaxLine+2+bufferBytes)
	}
	l.long = append(l.long[:0], chunk...)
	for errors.Is(err, bufio.ErrBufferFull) {
		chunk, err = l.r.ReadSlice('\n')
		l.long = append(l.long, chunk...)
		if len(trimEnd(l.long)) > MaxLine {
			l.skip = errors.Is(err, bufio.ErrBufferFull)
			return nil, errLong
		}
	}
	line := trimEnd(l.long)
	if len(line) < cap(l.long)/2 {
		return bytes.Clone(line), nil
	}
	l.long = nil // handed over
	return line, nil
}

// discard reads up to the end of the line.
func (l *lineReader) discard() error {
	for {
		_, err := l.r.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		l.skip = false
		return err
	}
}

func trimEnd(line []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
}
