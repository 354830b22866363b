package trace

import (
	"archive/zip"
	"io"
	"io/fs"
	"os"
	"path"

	"duet/internal/fault"
)

// Opened is a trace with its pictures: of a directory, or of an archive.
type Opened struct {
	*Trace
	dir    fs.FS
	zipped bool
	close  func() error
}

// Open opens the directory or the archive of a trace. It fails with INVALID_ARGUMENT
// where the path holds no trace.
func Open(name string) (*Opened, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, fault.New(fault.InvalidArgument, "trace: %s cannot be opened", path.Base(name)).Because(err)
	}
	o := &Opened{close: func() error { return nil }}
	if info.IsDir() {
		o.dir = os.DirFS(name)
	} else {
		z, err := zip.OpenReader(name)
		if err != nil {
			return nil, fault.New(fault.InvalidArgument, "trace: %s is neither the directory nor the archive of a trace", path.Base(name)).Because(err)
		}
		o.dir, o.zipped, o.close = z, true, z.Close
	}
	if err := o.read(); err != nil {
		_ = o.close()
		return nil, err
	}
	return o, nil
}

func (o *Opened) read() error {
	name := File
	if o.zipped {
		name = archiveRecords
	}
	f, err := o.dir.Open(name)
	if err != nil {
		return notTrace(err)
	}
	defer f.Close()
	o.Trace, err = Read(f)
	return err
}

// longestPicture bounds what a file that anybody may have written unpacks to.
const longestPicture = 64 << 20

// Picture returns the bytes of a shot's file.
func (o *Opened) Picture(s *Shot) ([]byte, error) {
	if s == nil || !isShot(s.File) {
		return nil, fault.New(fault.InvalidArgument, "trace: there is no picture")
	}
	name := s.File
	if o.zipped {
		name = archiveFolder + path.Base(name)
	}
	f, err := o.dir.Open(name)
	if err != nil {
		return nil, fault.New(fault.InvalidArgument, "trace: the picture %s is gone", path.Base(name)).Because(err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, longestPicture))
	if err != nil {
		return nil, fault.New(fault.InvalidArgument, "trace: the picture %s cannot be read", path.Base(name)).Because(err)
	}
	return data, nil
}

// Close lets go of the files.
func (o *Opened) Close() error { return o.close() }
