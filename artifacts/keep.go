package artifacts

import (
	"io"
	"mime"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"

	"duet/internal/fault"
)

// The share of a session's quota that downloads may use: a page can begin as many
// as it likes, and must not use up what everything else needs.
const (
	downloadFiles = 5 // of the files, one in so many
	downloadBytes = 2 // of the bytes
)

// shareOf is what downloads may use of files and bytes.
func (o Options) shareOf() (files int, bytes int64) {
	return max(o.MaxFiles/downloadFiles, 1), o.MaxBytes / downloadBytes
}

// DownloadRoom fails with QUOTA where so many bytes more pass the share of downloads.
func (d *Dir) DownloadRoom(running int64) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, bytes := d.o.shareOf(); d.keptBytes+running > bytes {
		return fault.New(fault.Quota, "it would pass the session's share for downloads, %d bytes", bytes)
	}
	return nil
}

// Kept is a file that a browser saved and that is an artifact now.
type Kept struct {
	File
	Type string // media type, by its name, else by what it begins with
}

// Keep makes a file of the directory of downloads an artifact, under a name of ours
// that is made of called.
// It fails with QUOTA where the share of downloads is used up; such a file, and one
// that is not plain, is removed.
func (d *Dir) Keep(saved, called string) (Kept, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.openLocked(); err != nil {
		return Kept{}, err
	}
	from := path.Join(downloads, filepath.Base(saved))
	info, err := d.root.Lstat(from)
	if err != nil {
		return Kept{}, cannot("find the download", err)
	}
	if !info.Mode().IsRegular() {
		return Kept{}, fault.New(fault.StateInvalid, "artifacts: what was saved is no file")
	}
	files, bytes := d.o.shareOf()
	if d.kept+1 > files || d.keptBytes+info.Size() > bytes {
		_ = d.root.Remove(from)
		return Kept{}, fault.New(fault.Quota, "the session's share for downloads is used up: %d files, %d bytes", d.kept, d.keptBytes)
	}
	name, err := d.takeNameLocked(called)
	if err == nil {
		err = d.root.Rename(from, name)
	}
	if err != nil {
		return Kept{}, cannot("move the download", err)
	}
	d.kept++
	d.keptBytes += info.Size()
	if d.called == nil {
		d.called = map[string][]string{}
	}
	d.called[called] = append(d.called[called], name)
	// The browser may run as another user: what is handed over is ours alone.
	full := filepath.Join(d.path, name)
	_ = os.Lchown(full, os.Getuid(), os.Getgid())
	_ = d.root.Chmod(name, 0o600)
	return Kept{File{ID: name, Path: full, Bytes: info.Size()}, d.typeLocked(name)}, nil
}

// Named returns the artifact that a name means: its own, or that of a saved file as it
// was called before, where the session has one of that name. Of several it is none, and
// the fault names them. "" is a name that nothing has.
func (d *Dir) Named(name string) (string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.namedLocked(name)
}

func (d *Dir) namedLocked(name string) (string, error) {
	if d.root == nil || !plain(name) {
		return "", nil
	}
	if _, err := d.root.Lstat(name); err == nil {
		return name, nil
	}
	switch files := d.called[name]; len(files) {
	case 0:
		return "", nil
	case 1:
		return files[0], nil
	default:
		return "", fault.New(fault.InvalidArgument, "artifacts: %d files had that name", len(files)).
			WithHint("name one of them: %s", strings.Join(files[max(0, len(files)-5):], ", "))
	}
}

// takeNameLocked finds a free name of ours for a saved file.
func (d *Dir) takeNameLocked(saved string) (string, error) {
	kind, ext := partsOf(saved)
	f, name, err := d.createLocked(kind, ext)
	if err != nil {
		return "", err
	}
	return name, f.Close()
}

// partsOf are what the name of ours takes over of a saved file's.
func partsOf(saved string) (kind, ext string) {
	ext = filepath.Ext(saved)
	kind = bare(strings.TrimSuffix(saved, ext))
	if kind == "" {
		kind = "download"
	}
	ext = strings.TrimPrefix(ext, ".")
	if len(ext) > 8 || bare(ext) == "" {
		ext = "bin"
	}
	return kind, ext
}

// savedAs is the name of ours for a saved file, without its number.
func savedAs(called string) string {
	kind, ext := partsOf(called)
	return bare(kind) + "." + bare(ext)
}

// typeLocked is the media type of a file.
func (d *Dir) typeLocked(name string) string {
	if t, _, err := mime.ParseMediaType(mime.TypeByExtension(filepath.Ext(name))); err == nil {
		return t
	}
	f, err := d.root.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	head, _ := io.ReadAll(io.LimitReader(f, 512))
	t, _, _ := mime.ParseMediaType(http.DetectContentType(head))
	return t
}
