package launch

import (
	"io/fs"
	"os"
	"path/filepath"
)

// Downloading returns the size of what lies where the browser saves: files that are
// being written, as a rule.
func (p *Process) Downloading() int64 {
	var bytes int64
	p.eachDownload(func(_ *os.Root, _ string, info fs.FileInfo) { bytes += info.Size() })
	return bytes
}

// EmptyDownloads cuts the files that lie there to nothing: a browser that cannot be
// told to stop goes on at their ends.
func (p *Process) EmptyDownloads() {
	p.eachDownload(func(dir *os.Root, name string, _ fs.FileInfo) {
		if f, err := dir.OpenFile(name, os.O_WRONLY|os.O_TRUNC, 0); err == nil {
			_ = f.Close()
		}
	})
}

// DropDownload removes a file that the browser saved.
func (p *Process) DropDownload(path string) {
	p.eachDownload(func(dir *os.Root, name string, _ fs.FileInfo) {
		if name == filepath.Base(path) {
			_ = dir.Remove(name)
		}
	})
}

// eachDownload calls do for each plain file; the directory is in the browser's hands.
func (p *Process) eachDownload(do func(dir *os.Root, name string, info fs.FileInfo)) {
	at := p.DownloadDir()
	if at == "" {
		return
	}
	dir, err := os.OpenRoot(at)
	if err != nil {
		return
	}
	defer dir.Close()
	entries, err := fs.ReadDir(dir.FS(), ".")
	if err != nil {
		return
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			do(dir, e.Name(), info)
		}
	}
}
