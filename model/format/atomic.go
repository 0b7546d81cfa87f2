package format

import (
	"bufio"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"

	"blossom/model/problem"
)

// AtomicWrite writes a file so that path always holds either what it held before or all that write
// gives: into a temporary file in the same folder, flushed to the disk, then renamed. The temporary
// file is removed when write fails. An existing file keeps its permissions; a link is followed. What
// is not a regular file (a device, a pipe) is written directly. "-" is standard output.
// The error is a Problem, or write's own where it is one or comes from a context.
func AtomicWrite(path string, write func(io.Writer) error) error {
	if path == "-" {
		return buffered(os.Stdout, "standard output", write)
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	mode := fs.FileMode(0o666)
	exists := false
	switch st, err := os.Stat(path); {
	case err != nil:
	case st.IsDir():
		return problem.New(path, "give the name of a file", "is a folder")
	case !st.Mode().IsRegular():
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return fileProblem(err, path)
		}
		err = buffered(f, path, write)
		if e := f.Close(); err == nil && e != nil {
			err = fileProblem(e, path)
		}
		return err
	case st.Mode()&0o222 == 0:
		return problem.New(path, "change its permissions or choose another name", "is write-protected")
	default:
		mode, exists = st.Mode().Perm(), true
	}
	f, err := createBeside(path, mode)
	if err != nil {
		return err
	}
	temp := f.Name()
	if err = buffered(f, path, write); err == nil {
		if err = f.Sync(); err == nil && exists {
			err = f.Chmod(mode) // not subject to the umask, unlike creating
		}
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(temp, path)
	}
	if err != nil {
		os.Remove(temp)
		return fileProblem(err, path)
	}
	if dir, err := os.Open(filepath.Dir(path)); err == nil {
		_ = dir.Sync() // makes the rename last; not every file system can, and the data are safe
		dir.Close()
	}
	return nil
}

// createBeside makes a new temporary file in the folder of path, with the permissions that a new file
// gets there.
func createBeside(path string, mode fs.FileMode) (*os.File, error) {
	dir, base := filepath.Split(path)
	for try := 0; ; try++ {
		name := filepath.Join(dir, fmt.Sprintf(".%.40s.%08x.part", base, rand.Uint32()))
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode|0o200)
		if err == nil {
			return f, nil
		}
		if !os.IsExist(err) || try > 100 {
			err = fileProblem(err, path)
			if p := problem.As(err); p.What == "does not exist" {
				p.What, p.Remedy = "its folder does not exist", "make the folder first or choose another one"
			}
			return nil, err
		}
	}
}

func buffered(w io.Writer, path string, write func(io.Writer) error) error {
	b := bufio.NewWriterSize(w, 1<<20)
	err := write(b)
	if err == nil {
		err = b.Flush()
	}
	if err != nil {
		return fileProblem(err, path)
	}
	return nil
}
