package format

import (
	"archive/zip"
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"

	"blossom/model/base/plain"
	"blossom/model/base/problem"
	"blossom/model/base/revision"
	"blossom/model/data/dataset"
)

// headSize is how much of a file its format is recognised from.
const headSize = 64 << 10

// Open reads the file at path, whatever format it is in. It never blocks on a pipe, never takes
// memory that the machine does not have, and refuses a file that changes meanwhile. The error is
// ctx's or a Problem.
func Open(ctx context.Context, path string, o Options) (*dataset.Dataset, error) {
	return open(ctx, path, o, func(f Format) reader { return f.Read })
}

// reader is how a format reads a file, see Format.Read.
type reader = func(ctx context.Context, path string, o Options) (*dataset.Dataset, error)

// open does so by the reader of the file's format that of says; nil: the format has none.
func open(ctx context.Context, path string, o Options, of func(Format) reader) (*dataset.Dataset, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	before, err := statRegular(path)
	if err != nil {
		return nil, err
	}
	head, err := readHead(path)
	if err != nil {
		return nil, err
	}
	f, ok := Detect(head, extension(path))
	if !ok {
		what, remedy := unknown(head)
		return nil, problem.New(path, remedy, "%s", what)
	}
	if o.Part > 0 && !f.Parts {
		return nil, problem.New(path, "leave out the number of the part", "holds one table only")
	}
	if o.Count > 0 && !f.Rows {
		return nil, problem.New(path, partRemedy,
			"cannot be read in parts of its rows")
	}
	read := of(f)
	if read == nil {
		return nil, dataset.ErrWhole
	}
	ds, err := read(ctx, path, o)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	after, statErr := os.Stat(path)
	if statErr == nil && (after.Size() != before.Size() || !after.ModTime().Equal(before.ModTime())) {
		return nil, problem.New(path, "wait until it is complete and open it again", "changed while it was read")
	}
	if errors.Is(err, dataset.ErrWhole) {
		return nil, err
	}
	if err != nil {
		return nil, fileProblem(err, path)
	}
	if ds.Path = path; ds.Reading.IsZero() { // a reader may have said more of how it is read again
		ds.Reading = o.Reading
	}
	ds.Warnings = append(ds.Warnings, unheeded(o.Reading, f)...)
	if ds.Name == "" {
		ds.Name = filepath.Base(path)
	}
	if ds.Format == "" {
		ds.Format = f.Name
	}
	ds.Cells, ds.Headed = ds.Cells || f.Cells, ds.Headed || f.Headed
	if ds.Rev == 0 {
		ds.Rev = revision.Next()
	}
	return ds, nil
}

// CheckInput returns a Problem if path cannot be opened at all: it is not there, it is empty, or it is no
// regular file. It does not look at what is in it.
func CheckInput(path string) error {
	_, err := statRegular(path)
	return err
}

// statRegular says in words what path is if it is not a regular file with something in it. It looks
// before anything is opened: opening a pipe would wait for its other end.
func statRegular(path string) (fs.FileInfo, error) {
	st, err := os.Stat(path)
	if err != nil {
		return nil, fileProblem(err, path)
	}
	mode := st.Mode()
	kind := ""
	switch {
	case mode.IsDir():
		return nil, problem.New(path, "name a file in it", "is a folder")
	case mode&fs.ModeNamedPipe != 0:
		kind = "pipe"
	case mode&fs.ModeSocket != 0:
		kind = "socket"
	case !mode.IsRegular():
		kind = "device"
	}
	if kind != "" {
		return nil, problem.New(path, "save what it gives in a file and open that", "is a %s, not a file", kind)
	}
	if plain.Check(path) != nil {
		return nil, problem.New(path, "save what it gives in a file and open that",
			"is made up by the system while it is read")
	}
	if st.Size() == 0 {
		return nil, problem.New(path, "check that it was copied or saved completely", "is empty")
	}
	return st, nil
}

func readHead(path string) ([]byte, error) {
	f, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head := make([]byte, headSize)
	n, err := io.ReadFull(f, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, fileProblem(err, path)
	}
	return head[:n], nil
}

// openFile opens path for reading; should it have become a pipe by now, this does not block.
func openFile(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, fileProblem(err, path)
	}
	return f, nil
}

// fileProblem turns an error of the system, or of a library that unpacks files, into a Problem; a Problem and the
// errors of a context stay.
func fileProblem(err error, path string) error {
	var known *problem.Problem // perhaps of another file, whatever it wraps
	if flaw := unpacked(err); flaw != "" && !errors.As(err, &known) {
		return problem.Wrap(err, path, copyAgain, "%s", flaw)
	}
	return plain.Problem(err, path)
}

// Unwritten is the Problem of standard output that could not be written.
func Unwritten(err error) error { return fileProblem(err, "standard output") }

// reason is the word for an error, without the path and the call.
func reason(err error) string {
	return cmp.Or(unpacked(err), plain.Reason(err))
}

// unpacked says in words what a library that unpacks files has found, "" of other errors.
func unpacked(err error) string {
	var corrupt flate.CorruptInputError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return "it ends too early"
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, zip.ErrFormat):
		return "it is cut, or not compressed as its name says"
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, zip.ErrChecksum), errors.As(err, &corrupt):
		return "its compressed data are damaged"
	case errors.Is(err, zip.ErrAlgorithm):
		return "it is compressed in a way that is not known here"
	}
	return ""
}
