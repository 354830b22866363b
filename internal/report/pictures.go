package report

import (
	"bytes"
	"io"
	"io/fs"

	"duet/internal/trace"
)

// picture is one that the page holds.
type picture struct {
	kind          string
	width, height int
	data          []byte
}

// album reads the pictures of a trace, each file once.
type album struct {
	files fs.FS
	known map[string]int
	all   []picture
	bytes int64
	left  int // that did not fit
}

// take returns the number of a shot's picture, or why there is none.
func (l *album) take(s *trace.Shot) (int, string) {
	if n, ok := l.known[s.File]; ok {
		if n < 0 {
			return -1, "its file cannot be shown"
		}
		return n, ""
	}
	l.known[s.File] = -1
	data, err := l.read(s.File)
	switch {
	case err != nil:
		return -1, "its file cannot be read"
	case kindOf(data) == "":
		return -1, "its file is no picture"
	case l.bytes+int64(len(data)) > maxPictures:
		l.left++
		return -1, "the page holds no more pictures"
	}
	l.bytes += int64(len(data))
	l.known[s.File] = len(l.all)
	l.all = append(l.all, picture{kindOf(data), s.Width, s.Height, data})
	return len(l.all) - 1, ""
}

// read reads a file by its name in the trace; no name leads out of it.
func (l *album) read(name string) ([]byte, error) {
	f, err := openFile(l.files, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxPicture+1))
	if len(data) > maxPicture {
		return nil, fs.ErrInvalid
	}
	return data, err
}

// kindOf tells what a picture is by its first bytes, whatever its record says.
func kindOf(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1a\n")):
		return "image/png"
	case bytes.HasPrefix(data, []byte("\xff\xd8\xff")):
		return "image/jpeg"
	case len(data) > 12 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WEBP":
		return "image/webp"
	}
	return ""
}
