package report

import (
	"archive/zip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"duet/internal/fault"
	"duet/internal/trace"
)

// Source is a trace on disk. Nothing outside its directory or archive is read,
// whatever its records name.
type Source struct {
	files fs.FS
	close func() error
}

// Open opens a trace: its directory, the file of records in it, or an archive that
// holds them. It fails with INVALID_ARGUMENT where there is none. Close it.
func Open(name string) (*Source, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, cannotOpen(err)
	}
	switch {
	case info.IsDir():
		return openDir(name)
	case filepath.Base(name) == trace.File:
		return openDir(filepath.Dir(name))
	case info.Mode().IsRegular():
		return openZip(name)
	}
	return nil, fault.New(fault.InvalidArgument, "trace: neither a directory nor a file")
}

func openDir(name string) (*Source, error) {
	root, err := os.OpenRoot(name)
	if err != nil {
		return nil, cannotOpen(err)
	}
	s := &Source{root.FS(), root.Close}
	if _, err := fs.Stat(s.files, trace.File); err != nil {
		return nil, errors.Join(noRecords("directory"), root.Close())
	}
	return s, nil
}

func openZip(name string) (*Source, error) {
	z, err := zip.OpenReader(name)
	if err != nil {
		return nil, fault.New(fault.InvalidArgument, "trace: the file is no archive").
			WithHint("duet trace show takes a trace's directory, or the archive of duet trace stop --zip").Because(err)
	}
	for _, files := range []fs.FS{packed{z}, z} {
		if _, err := fs.Stat(files, trace.File); err == nil {
			return &Source{files, z.Close}, nil
		}
	}
	return nil, errors.Join(noRecords("archive"), z.Close())
}

// packed is a trace in the archive that stopping it makes: the records in a folder
// of duet's own, the pictures where Playwright's viewer looks for them.
type packed struct{ files fs.FS }

func (p packed) Open(name string) (fs.File, error) {
	if picture, ok := strings.CutPrefix(name, trace.Shots+"/"); ok {
		return p.files.Open("resources/" + picture)
	}
	return p.files.Open("duet/" + name)
}

// Close lets go of the files.
func (s *Source) Close() error { return s.close() }

// read reads the records. That of a trace that is longer than the limit is cut.
func (s *Source) read() (t *trace.Trace, cut bool, err error) {
	f, err := openFile(s.files, trace.File)
	if err != nil {
		return nil, false, cannotOpen(err)
	}
	defer f.Close()
	r := &io.LimitedReader{R: f, N: maxRecords}
	t, err = trace.Read(r)
	return t, r.N <= 0, err
}

// openFile opens a plain file. Anything else may wait for ever to be opened: a
// trace that somebody else made can hold a pipe.
func openFile(files fs.FS, name string) (fs.File, error) {
	info, err := fs.Stat(files, name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	return files.Open(name)
}

func noRecords(what string) error {
	return fault.New(fault.InvalidArgument, "trace: the %s holds no %s", what, trace.File).
		WithHint("duet trace show takes a trace's directory, or the archive of duet trace stop --zip")
}

func cannotOpen(err error) error {
	reason := err.Error()
	var pe *fs.PathError
	if errors.As(err, &pe) {
		reason = pe.Err.Error()
	}
	return fault.New(fault.InvalidArgument, "trace: cannot open it: %s", reason).Because(err)
}
