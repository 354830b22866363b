package trace

import (
	"archive/zip"
	"bufio"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/goccy/go-json"

	"duet/internal/fault"
)

// The members of an archive. The first two and the folder are what Playwright's
// trace viewer opens; the records are duet's own, as they lie in the directory.
const (
	archiveTrace   = "0-trace.trace"
	archiveNetwork = "0-trace.network"
	archiveFolder  = "resources/" // a picture shots/X is resources/X
	archiveRecords = "duet/" + File
)

// Archive writes a trace as one zip file that Playwright's trace viewer opens, and
// Open too. dir is the trace's directory, which may be one that is still written to;
// clean is applied to every line that is read, nil to none. The protocol log stays
// where it is.
func Archive(out io.Writer, dir fs.FS, clean func([]byte) []byte) error {
	records, err := cleaned(dir, clean)
	if err != nil {
		return err
	}
	t, err := Read(bytes.NewReader(records))
	if err != nil {
		return err
	}
	a := &archive{zip: zip.NewWriter(out), dir: dir, t: t}
	a.member(archiveRecords, zip.Deflate, records)
	a.pictures()
	events, network := &lineWriter{}, &lineWriter{}
	a.events(events)
	for _, n := range t.Network {
		network.add(a.request(n))
	}
	a.member(archiveTrace, zip.Deflate, events.Bytes())
	a.member(archiveNetwork, zip.Deflate, network.Bytes())
	if a.err == nil {
		a.err = errors.Join(events.err, network.err)
	}
	if e := a.zip.Close(); a.err == nil {
		a.err = e
	}
	if a.err != nil {
		var f *fault.Fault
		if errors.As(a.err, &f) {
			return f
		}
		return fault.New(fault.Internal, "trace: the archive could not be written").Because(a.err)
	}
	return nil
}

// cleaned is the records as they go into an archive: whole lines only.
func cleaned(dir fs.FS, clean func([]byte) []byte) ([]byte, error) {
	f, err := dir.Open(File)
	if err != nil {
		return nil, fault.New(fault.StateInvalid, "trace: its records cannot be read: they are gone").Because(err)
	}
	defer f.Close()
	var out bytes.Buffer
	lines := bufio.NewScanner(f)
	lines.Buffer(make([]byte, 0, 64<<10), longestLine)
	for lines.Scan() {
		line := lines.Bytes()
		if !json.Valid(line) {
			continue // the last line of a process that died, or one that is being written
		}
		if clean != nil {
			line = clean(line)
		}
		out.Write(line)
		out.WriteByte('\n')
	}
	if err := lines.Err(); err != nil {
		return nil, fault.New(fault.StateInvalid, "trace: its records cannot be read").Because(err)
	}
	return out.Bytes(), nil
}

// archive is one that is being written. After the first failure it does nothing.
type archive struct {
	zip  *zip.Writer
	dir  fs.FS
	t    *Trace
	err  error
	data map[string][]byte // of the pictures that are there
}

func (a *archive) member(name string, method uint16, data []byte) {
	if a.err != nil {
		return
	}
	w, err := a.zip.CreateHeader(&zip.FileHeader{Name: name, Method: method})
	if err == nil {
		_, err = w.Write(data)
	}
	a.err = err
}

// pictures stores each picture once. One whose file is gone is left out.
func (a *archive) pictures() {
	a.data = map[string][]byte{}
	for _, action := range a.t.Actions {
		for _, s := range []*Shot{action.Before, action.After} {
			if s == nil || !isShot(s.File) || a.data[s.File] != nil {
				continue
			}
			data, err := fs.ReadFile(a.dir, s.File)
			if err != nil {
				continue
			}
			a.data[s.File] = data
			a.member(archiveFolder+path.Base(s.File), zip.Store, data)
		}
	}
}

// isShot reports whether a name is that of a picture in a trace's directory: the
// name comes from a file that anybody may have written.
func isShot(name string) bool {
	base, ok := strings.CutPrefix(name, Shots+"/")
	return ok && fs.ValidPath(name) && !strings.ContainsAny(base, `/\`)
}

// lineWriter collects events, one JSON object a line.
type lineWriter struct {
	bytes.Buffer
	err error
}

func (w *lineWriter) add(event any) {
	line, err := json.MarshalWithOption(event, json.DisableHTMLEscape())
	if err != nil {
		w.err = err
		return
	}
	w.Write(line)
	w.WriteByte('\n')
}
