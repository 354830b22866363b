package dispatch

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"duet/internal/fault"
)

// UploadPath judges a file that a caller wants uploaded and returns the path to
// give the browser: a regular file in one of the session's upload directories,
// reached without a symbolic link, or an artifact of the session. A refusal shows
// the file's own name, not where it was looked for.
func (c *call) UploadPath(name string) (string, error) {
	path, err := c.uploadSource(name)
	if err != nil {
		return "", err
	}
	if c.live != nil && c.live.Lend != nil {
		lent, err := c.live.Lend(path)
		if err != nil {
			return "", fault.New(fault.StateInvalid, "the file could not be made readable for the browser").Because(err)
		}
		return lent, nil
	}
	return path, nil
}

// FileReader judges a file as UploadPath does and returns what reads it, at most
// limit bytes, judging anew each time: the file may have changed, or gone.
func (c *call) FileReader(name string, limit int64) (func() ([]byte, error), error) {
	read := func() ([]byte, error) {
		path, err := c.uploadSource(name)
		if err != nil {
			return nil, err
		}
		f, err := os.Open(path)
		if err != nil {
			return nil, fault.New(fault.StateInvalid, "the file cannot be read").Because(err)
		}
		defer f.Close()
		content, err := io.ReadAll(io.LimitReader(f, limit+1))
		switch {
		case err != nil:
			return nil, fault.New(fault.StateInvalid, "the file cannot be read").Because(err)
		case int64(len(content)) > limit:
			return nil, fault.New(fault.InvalidArgument, "the file is larger than %d bytes", limit)
		}
		return content, nil
	}
	_, err := read()
	return read, err
}

func (c *call) uploadSource(name string) (string, error) {
	roots := c.Uploads()
	if own := c.session.files.Made(); own != "" {
		roots = append(roots, own)
	}
	for _, root := range roots {
		if path, ok := inside(root, name); ok {
			return path, nil
		}
	}
	// A download is told by the name that the page gave it.
	id, err := c.session.files.Named(name)
	if err != nil {
		return "", err
	}
	if path, ok := inside(c.session.files.Made(), id); ok {
		return path, nil
	}
	return "", fault.New(fault.InvalidArgument, "no file %s where files may be uploaded from", show(filepath.Base(name))).
		WithHint("name a regular file, no link, in the project or the artifact directory; --upload-root allows another one")
}

// inside returns the path of a regular file under root that name means, if there
// is one and no symbolic link leads to it.
func inside(root, name string) (string, bool) {
	real, err := filepath.EvalSymlinks(root)
	if err != nil || name == "" || strings.ContainsRune(name, 0) {
		return "", false
	}
	rel := name
	if filepath.IsAbs(name) {
		if rel, err = filepath.Rel(root, name); err != nil {
			return "", false
		}
		// The directory may have another name: a link above the root.
		if dir, err := filepath.EvalSymlinks(filepath.Dir(name)); err == nil && !filepath.IsLocal(rel) {
			if rel, err = filepath.Rel(real, filepath.Join(dir, filepath.Base(name))); err != nil {
				return "", false
			}
		}
	}
	if !filepath.IsLocal(rel) {
		return "", false
	}
	path := filepath.Join(real, rel)
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return "", false
	}
	resolved, err := filepath.EvalSymlinks(path)
	return path, err == nil && resolved == path
}
