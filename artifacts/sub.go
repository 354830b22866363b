package artifacts

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"duet/internal/fault"
)

// Sub is a directory of its own inside the session's, for what is several files. All
// names in it are duet's; what is written counts as any artifact does. Safe for
// concurrent use.
type Sub struct {
	d    *Dir
	ID   string // its name in the session's directory
	Path string
}

// Sub makes a directory under a name that says its kind, and what it is called.
func (d *Dir) Sub(kind, name string) (*Sub, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.openLocked(); err != nil {
		return nil, err
	}
	if err := d.roomLocked(0); err != nil {
		return nil, err
	}
	if n := bare(name); n != "" {
		kind += "-" + n
	}
	for range 1000 {
		d.next++
		id := strings.TrimSuffix(fileName(d.next, kind, ""), ".")
		err := d.root.Mkdir(id, 0o700)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, cannot("make a directory", err)
		}
		return &Sub{d: d, ID: id, Path: filepath.Join(d.path, id)}, nil
	}
	return nil, cannot("make a directory", fs.ErrExist)
}

// Mkdir makes a directory in it.
func (s *Sub) Mkdir(name string) error {
	s.d.mu.Lock()
	defer s.d.mu.Unlock()
	if err := s.d.openLocked(); err != nil {
		return err
	}
	if err := s.d.root.Mkdir(path.Join(s.ID, name), 0o700); err != nil {
		return cannot("make a directory", err)
	}
	return nil
}

// Write stores a file of that name, which no file in it has yet. It fails with QUOTA
// as Dir.Write does, and leaves no part of a file.
func (s *Sub) Write(name string, data []byte) error {
	f, err := s.Create(name)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if e := f.Close(); err == nil && e != nil {
		err = cannot("write a file", e)
	}
	if err != nil {
		f.Remove()
	}
	return err
}

// Create begins a file of that name that is written little by little.
func (s *Sub) Create(name string) (*Stream, error) {
	s.d.mu.Lock()
	defer s.d.mu.Unlock()
	if err := s.d.openLocked(); err != nil {
		return nil, err
	}
	if err := s.d.roomLocked(0); err != nil {
		return nil, err
	}
	id := path.Join(s.ID, name)
	f, err := s.d.root.OpenFile(id, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, cannot("create a file", err)
	}
	s.d.files++
	return &Stream{d: s.d, f: f, id: id}, nil
}

// FS is the directory for reading.
func (s *Sub) FS() (fs.FS, error) {
	s.d.mu.Lock()
	defer s.d.mu.Unlock()
	if err := s.d.openLocked(); err != nil {
		return nil, err
	}
	sub, err := fs.Sub(s.d.root.FS(), s.ID)
	if err != nil {
		return nil, cannot("read a directory", err)
	}
	return sub, nil
}

// Create begins an artifact that is written little by little.
func (d *Dir) Create(kind, ext string) (*Stream, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.openLocked(); err != nil {
		return nil, err
	}
	if err := d.roomLocked(0); err != nil {
		return nil, err
	}
	f, name, err := d.createLocked(kind, ext)
	if err != nil {
		return nil, cannot("create a file", err)
	}
	d.files++
	return &Stream{d: d, f: f, id: name}, nil
}

// Stream is a file of the session that grows. It has one writer.
type Stream struct {
	d  *Dir
	f  *os.File
	id string
	n  int64
}

// Write appends p by one write, or fails with QUOTA and writes nothing.
func (w *Stream) Write(p []byte) (int, error) {
	w.d.mu.Lock()
	err := w.d.bytesLocked(int64(len(p)))
	if err == nil {
		w.d.bytes += int64(len(p))
		w.n += int64(len(p))
	}
	w.d.mu.Unlock()
	if err != nil {
		return 0, err
	}
	n, err := w.f.Write(p)
	if err != nil {
		return n, cannot("write a file", err)
	}
	return n, nil
}

// File is the file as it is now.
func (w *Stream) File() File {
	return File{ID: w.id, Path: filepath.Join(w.d.path, filepath.FromSlash(w.id)), Bytes: w.n}
}

// Close ends the writing.
func (w *Stream) Close() error { return w.f.Close() }

// Remove removes the file, which is closed.
func (w *Stream) Remove() {
	w.d.mu.Lock()
	defer w.d.mu.Unlock()
	if w.d.openLocked() == nil && w.d.root.Remove(w.id) == nil {
		w.d.files--
		w.d.bytes -= w.n
	}
}

// bytesLocked reports whether a file may grow by n bytes. What the browser wrote is
// counted where a file is begun.
func (d *Dir) bytesLocked(n int64) error {
	if d.bytes+n > d.o.MaxBytes {
		return fault.New(fault.Quota, "artifacts: %d bytes more would pass the session's limit of %d", n, d.o.MaxBytes).
			WithHint("end the session (%s): the next one has a directory of its own", fault.Either("end the client", "duet quit"))
	}
	return nil
}
