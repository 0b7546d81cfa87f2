package format

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
)

// Files are files that belong together: each is written beside its place, and all of them take their places at once,
// with Commit, or none does. What is not a regular file (a device, a pipe) and "-", which is standard output, are
// written directly: of several files they come last. The zero Files has none. It is used from one goroutine.
type Files struct {
	waiting []waitingFile
	stale   []string
	made    []string // folders, the outer ones first
	failed  error    // why one could not be made
}

// waitingFile is a file that is whole, under a name of its own. It stays open, which tells others that it is in use.
type waitingFile struct {
	path string // the thing it stands for
	file *os.File
}

// Write writes a file into a temporary one in the same folder, flushed to the disk, which is removed when write fails;
// those of programs that were killed are, too. An existing file keeps its permissions; a link is followed, also one to
// a file that is not there yet.
// The error is a Problem, or write's own where it is one or comes from a context.
func (s *Files) Write(path string, write func(io.Writer) error) error {
	if s.failed != nil {
		return s.failed
	}
	if path == "-" {
		return buffered(os.Stdout, "standard output", write)
	}
	path, err := behindLinks(path)
	if err != nil {
		return err
	}
	mode := fs.FileMode(0o666)
	exists := false
	switch st, err := os.Stat(path); {
	case err != nil:
	case st.IsDir():
		return problem.New(path, "give the name of a file", "is a folder")
	case !st.Mode().IsRegular():
		return directly(path, write)
	case st.Mode()&0o222 == 0:
		return problem.New(path, "change its permissions or choose another name", "is write-protected")
	default:
		mode, exists = st.Mode().Perm(), true
	}
	f, err := createBeside(path, mode)
	if err != nil {
		return err
	}
	writing.Store(f.Name(), nil)
	s.waiting = append(s.waiting, waitingFile{path, f})
	if err = buffered(f, path, write); err == nil {
		if err = f.Sync(); err == nil && exists {
			err = f.Chmod(mode) // not subject to the umask, unlike creating
		}
	}
	if err != nil {
		return fileProblem(err, path)
	}
	return nil
}

// directly writes to what is no regular file.
func directly(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return fileProblem(err, path)
	}
	err = buffered(f, path, write)
	if e := f.Close(); err == nil && e != nil {
		err = fileProblem(e, path)
	}
	return err
}

// Save writes a table as the function Save does.
func (s *Files) Save(ctx context.Context, path string, ds *dataset.Dataset, progress func(done, total int64)) error {
	write, err := writerOf(ctx, path, ds, progress)
	if err != nil {
		return err
	}
	return s.Write(path, write)
}

// Folder makes a folder, and those that it is in, if they are not there. Discard takes them away again, unless
// something is in them. That one cannot be made is the error of what is written next.
func (s *Files) Folder(path string) {
	path = filepath.Clean(path)
	if st, err := os.Stat(path); err == nil && !st.IsDir() {
		s.failed = problem.New(path, "choose another name for the folder", "is a file")
		return
	}
	if _, err := os.Stat(path); err == nil {
		return
	}
	if up := filepath.Dir(path); up != path {
		s.Folder(up)
	}
	if err := os.Mkdir(path, 0o777); err == nil {
		s.made = append(s.made, path)
	} else if s.failed == nil && !os.IsExist(err) {
		s.failed = fileProblem(err, path)
	}
}

// Stale says that the file at path, if there is one, was of what is replaced: Commit removes it.
func (s *Files) Stale(path string) { s.stale = append(s.stale, path) }

// Commit puts all files in their places, in the order in which they were written.
func (s *Files) Commit() error {
	for i, w := range s.waiting {
		err := place(w.file, w.path)
		writing.Delete(w.file.Name())
		if err != nil {
			os.Remove(w.file.Name())
			s.waiting = s.waiting[i+1:]
			return fileProblem(err, w.path)
		}
		if dir, err := os.Open(filepath.Dir(w.path)); err == nil {
			_ = dir.Sync() // makes the rename last; not every file system can, and the data are safe
			dir.Close()
		}
	}
	s.waiting, s.made = nil, nil
	for _, path := range s.stale {
		if st, err := os.Lstat(path); err == nil && st.Mode().IsRegular() {
			if err := os.Remove(path); err != nil {
				return fileProblem(err, path)
			}
		}
	}
	s.stale = nil
	return nil
}

// Discard removes what has not taken its place. After Commit there is nothing.
func (s *Files) Discard() {
	for _, w := range s.waiting {
		w.file.Close()
		os.Remove(w.file.Name())
		writing.Delete(w.file.Name())
	}
	for _, path := range slices.Backward(s.made) {
		os.Remove(path)
	}
	s.waiting, s.stale, s.made = nil, nil, nil
}
