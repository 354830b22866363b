package artifacts

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"duet/internal/fault"
)

// downloads is the subdirectory that a browser may write to by itself.
const downloads = "downloads"

// Write stores data under a name that says its kind. It fails with QUOTA where
// the session has left enough behind; a file that could not be written whole is
// removed.
func (d *Dir) Write(kind, ext string, data []byte) (File, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.openLocked(); err != nil {
		return File{}, err
	}
	if err := d.roomLocked(int64(len(data))); err != nil {
		return File{}, err
	}
	f, name, err := d.createLocked(kind, ext)
	if err != nil {
		return File{}, cannot("create a file", err)
	}
	_, err = f.Write(data)
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		d.root.Remove(name)
		return File{}, cannot("write a file", err)
	}
	d.files++
	d.bytes += int64(len(data))
	return File{ID: name, Path: filepath.Join(d.path, name), Bytes: int64(len(data))}, nil
}

// WriteOwn is Write for lines that duet made: what a page could say stands in them as
// it does in an answer. Everything else that is kept is data of somebody else.
func (d *Dir) WriteOwn(kind, ext string, text []byte) (File, error) {
	f, err := d.Write(kind, ext, text)
	if err != nil {
		return f, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.own == nil {
		d.own = map[string]bool{}
	}
	d.own[f.ID] = true
	return f, nil
}

// isOwn reports whether a file holds lines of duet's own.
func (d *Dir) isOwn(id string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if rel, err := filepath.Rel(d.path, id); filepath.IsAbs(id) && err == nil {
		id = rel
	}
	return d.own[id]
}

// createLocked creates the next file. A name that is taken, by whatever was
// planted there, is passed over.
func (d *Dir) createLocked(kind, ext string) (*os.File, string, error) {
	for range 1000 {
		d.next++
		name := fileName(d.next, kind, ext)
		f, err := d.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if !errors.Is(err, fs.ErrExist) {
			return f, name, err
		}
	}
	return nil, "", fs.ErrExist
}

// Downloads returns a directory that the browser may write to; what lies in it
// counts towards the quota.
func (d *Dir) Downloads() (string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.openLocked(); err != nil {
		return "", err
	}
	if err := d.root.Mkdir(downloads, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", cannot("make a directory", err)
	}
	return filepath.Join(d.path, downloads), nil
}

// roomLocked reports whether one more file of n bytes fits, counting what the
// browser wrote.
func (d *Dir) roomLocked(n int64) error {
	saved, savedBytes := d.kept, d.keptBytes
	if entries, err := fs.ReadDir(d.root.FS(), downloads); err == nil {
		for _, e := range entries {
			if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
				saved++
				savedBytes += info.Size()
			}
		}
	}
	// Downloads take their own share away from the rest, and no more.
	shareFiles, shareBytes := d.o.shareOf()
	files := d.files + min(saved, shareFiles)
	bytes := d.bytes + min(savedBytes, shareBytes)
	switch {
	case files+1 > d.o.MaxFiles:
		return fault.New(fault.Quota, "artifacts: the session has left %d files behind; the limit is %d", files, d.o.MaxFiles).
			WithHint("end the session (%s): the next one has a directory of its own", fault.Either("end the client", "duet quit"))
	case bytes+n > d.o.MaxBytes:
		return fault.New(fault.Quota, "artifacts: %d bytes more would pass the session's limit of %d", n, d.o.MaxBytes).
			WithHint("end the session (%s): the next one has a directory of its own", fault.Either("end the client", "duet quit"))
	}
	return nil
}

// Used returns how many files and bytes the session has left behind.
func (d *Dir) Used() (files int, bytes int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.files + d.kept, d.bytes + d.keptBytes
}

// open opens an artifact for reading: by its name, or by the path that was
// printed for it. Nothing outside the directory can be named.
func (d *Dir) open(id string) (*os.File, int64, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	none := fault.New(fault.InvalidArgument, "artifacts: no such artifact in this session").
		WithHint("%s takes the name or the path that an earlier answer gave", fault.Arg("artifact"))
	if d.path == "" {
		return nil, 0, none
	}
	if err := d.openLocked(); err != nil {
		return nil, 0, err
	}
	name := id
	if filepath.IsAbs(id) {
		rel, err := filepath.Rel(d.path, id)
		if err != nil {
			return nil, 0, none
		}
		name = rel
	}
	own, err := d.namedLocked(name)
	if err != nil {
		return nil, 0, err
	}
	if own != "" {
		name = own
	}
	dir, base := filepath.Split(name)
	if dir != "" && dir != downloads+string(filepath.Separator) || !plain(base) {
		return nil, 0, none
	}
	f, err := d.root.Open(name)
	if err != nil {
		return nil, 0, none.Because(err)
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		f.Close()
		return nil, 0, none
	}
	return f, info.Size(), nil
}

// readAll reads an artifact whole.
func (d *Dir) readAll(id string) ([]byte, error) {
	f, _, err := d.open(id)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxBytes))
	if err != nil {
		return nil, cannot("read a file", err)
	}
	return data, nil
}
