package format

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"

	"blossom/model/base/pattern"
	"blossom/model/base/problem"
)

// AtomicWrite writes a file so that path always holds either what it held before or all that write gives: see Files.
func AtomicWrite(path string, write func(io.Writer) error) error {
	var f Files
	defer f.Discard()
	if err := f.Write(path, write); err != nil {
		return err
	}
	return f.Commit()
}

// AtomicCreate writes a file that must not be there: it appears at path as a whole, or the error is an fs.ErrExist and
// what is there stays. Where the file system has no links, two that create it in the same moment may both succeed.
func AtomicCreate(path string, write func(io.Writer) error) error {
	f, err := createBeside(path, 0o666)
	if err != nil {
		return err
	}
	writing.Store(f.Name(), nil)
	defer func() {
		f.Close()
		os.Remove(f.Name())
		writing.Delete(f.Name())
	}()
	if err := buffered(f, path, write); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return fileProblem(err, path)
	}
	err = os.Link(f.Name(), path)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	if _, there := os.Lstat(path); there == nil {
		return fs.ErrExist
	}
	if err := place(f, path); err != nil {
		return fileProblem(err, path)
	}
	return nil
}

// behindLinks returns the file that path stands for, through links whether or not their end is there.
func behindLinks(path string) (string, error) {
	if st, err := os.Stat(path); err == nil && !st.Mode().IsRegular() {
		return path, nil // /dev/stdout, which leads to a pipe without a name
	}
	at := path
	for range 40 { // as many as Linux follows
		if target, err := filepath.EvalSymlinks(at); err == nil {
			return target, nil
		}
		next, err := os.Readlink(at)
		if err != nil {
			return at, nil
		}
		if !filepath.IsAbs(next) { // from the folder that the link is in, which may be behind a link itself
			dir, err := filepath.EvalSymlinks(filepath.Dir(at))
			if err != nil {
				return at, nil
			}
			next = filepath.Join(dir, next)
		}
		at = next
	}
	return "", problem.New(path, "choose another name", "is a link that leads back to itself")
}

// createBeside makes a new temporary file in the folder of path, with the permissions that a new file
// gets there. It is locked as long as it is open, which tells it from those of programs that died.
func createBeside(path string, mode fs.FileMode) (*os.File, error) {
	dir := filepath.Dir(path)
	if _, done := swept.LoadOrStore(dir, true); !done {
		removeStale(dir)
	}
	for try := 0; ; try++ {
		name := filepath.Join(dir, fmt.Sprintf(".%.40s.blossom-%08x.part", filepath.Base(path), rand.Uint32()))
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode|0o200)
		if err == nil {
			if hold(f, name) || try > 100 {
				return f, nil
			}
			f.Close() // another program took it for stale, in the moment before it was locked
			continue
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

// writing has the names of the temporary files that this program writes now.
var writing sync.Map

// RemoveUnfinished takes away the files that are being written, for a program that ends without waiting.
func RemoveUnfinished() {
	writing.Range(func(name, _ any) bool {
		os.Remove(name.(string))
		return true
	})
}

// swept has the folders that removeStale has seen: those of a million files are listed once, not for each of them.
var swept sync.Map

// Unfinished says whether a name is that of a file that is being written, or was by a program that died.
func Unfinished(name string) bool { return isUnfinished().MatchString(name) }

var isUnfinished = pattern.Of(`^\..{0,160}\.blossom-[0-9a-f]{8}\.part$|^\.blossom-[0-9]+\.part$`)

// removeStale takes away what programs that were killed, or lost their power, have left in a folder.
func removeStale(dir string) {
	d, err := os.Open(dir)
	if err != nil {
		return
	}
	names, _ := d.Readdirnames(-1)
	d.Close()
	for _, name := range names {
		if isUnfinished().MatchString(name) {
			removeUnlocked(filepath.Join(dir, name))
		}
	}
}

func buffered(w io.Writer, path string, write func(io.Writer) error) error {
	b := bufio.NewWriterSize(w, 1<<20)
	err := write(b)
	if err == nil {
		err = b.Flush()
	}
	var known *problem.Problem
	if flaw := unpacked(err); flaw != "" && !errors.As(err, &known) { // a file that is written does not end
		return problem.Wrap(err, path, "copy the input again from where it came from",
			"cannot be made, as its input is damaged (%s)", flaw)
	}
	if err != nil {
		return fileProblem(err, path)
	}
	return nil
}
