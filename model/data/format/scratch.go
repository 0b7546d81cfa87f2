package format

import (
	"bufio"
	"context"
	"io"
	"os"

	"blossom/model/base/problem"
)

// Scratch is a file for what is on the way into another: it lies in the folder of that one, where there is room for
// both, and is removed with Close, or by the next program that writes there where this one was killed.
type Scratch struct {
	file *os.File // held while it is in use
	path string   // the file that it is for
	w    *bufio.Writer
}

// NewScratch makes one beside path. The error is a Problem.
func NewScratch(path string) (*Scratch, error) {
	path, err := behindLinks(path)
	if err != nil {
		return nil, err
	}
	f, err := createBeside(path, 0o600)
	if err != nil {
		return nil, err
	}
	writing.Store(f.Name(), nil)
	return &Scratch{file: f, path: path, w: bufio.NewWriterSize(f, 1<<20)}, nil
}

// Name is its path, for another program that writes it.
func (s *Scratch) Name() string { return s.file.Name() }

// Write appends. The error is a Problem.
func (s *Scratch) Write(b []byte) error {
	if _, err := s.w.Write(b); err != nil {
		return fileProblem(err, s.path)
	}
	return nil
}

// CopyTo writes what is in it, from the beginning, to w. The error is a Problem of the file that it is for, w's, or
// ctx's.
func (s *Scratch) CopyTo(ctx context.Context, w io.Writer) error {
	if err := s.w.Flush(); err != nil {
		return fileProblem(err, s.path)
	}
	f, err := os.Open(s.Name())
	if err != nil {
		return problem.Wrap(err, s.path, "write it again", "what was made of it so far has been removed meanwhile")
	}
	defer f.Close()
	for b := make([]byte, 1<<20); ; {
		n, err := f.Read(b)
		if _, e := w.Write(b[:n]); e != nil {
			return e
		}
		if err == nil {
			err = ctx.Err()
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// Close removes it. It may be called more than once.
func (s *Scratch) Close() {
	s.file.Close()
	os.Remove(s.Name())
	writing.Delete(s.Name())
}
