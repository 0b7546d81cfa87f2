package format

import (
	"context"
	"io"
	"os"
	"sync"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
)

// input is a file that is being read.
type input struct {
	path string
	size int64
	r    io.ReaderAt
	file *os.File // nil in tests that read from memory
	o    Options

	labels map[string][]string // labels of columns in the order of their numbers, where the file notes it
}

// openInput opens the file at path; close it.
func openInput(path string, o Options) (*input, error) {
	f, err := openFile(path)
	if err != nil {
		return nil, err
	}
	st, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, fileProblem(err, path)
	}
	if o.Memory == 0 { // asked once: what is read counts against what was free before
		o.Memory = AvailableMemory()
	}
	return &input{path: path, size: st.Size(), r: f, file: f, o: o}, nil
}

// reading returns a Format's Read of what read makes of the opened file.
func reading(read func(context.Context, *input) (*dataset.Dataset, error)) func(context.Context, string,
	Options) (*dataset.Dataset, error) {
	return func(ctx context.Context, path string, o Options) (*dataset.Dataset, error) {
		in, err := openInput(path, o)
		if err != nil {
			return nil, err
		}
		defer in.close()
		return read(ctx, in)
	}
}

func (in *input) close() {
	if in.file != nil {
		in.file.Close()
	}
}

// bytes reads n bytes at off; less is an error. The caller has compared n with the size of the file.
func (in *input) bytes(off, n int64) ([]byte, error) {
	if off < 0 || n < 0 || off > in.size-n {
		return nil, io.ErrUnexpectedEOF
	}
	b := make([]byte, n)
	if k, err := in.r.ReadAt(b, off); k < len(b) {
		if err == nil || err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	return b, nil
}

// copyAgain is the remedy for files that are damaged.
const copyAgain = "copy it again from where it came from"

// problem returns a Problem of this file.
func (in *input) problem(remedy, what string, args ...any) error {
	return problem.New(in.path, remedy, what, args...)
}

// rows chooses which of total rows of so many columns are read, after making sure that there is memory
// for them; nil means all of them.
func (in *input) rows(total int64, columns int) (chosen []int64, n int, err error) {
	want := total
	if in.o.MaxPoints > 0 {
		want = min(want, int64(in.o.MaxPoints))
	}
	if err := in.o.guard(in.path, want, int64(columns)); err != nil {
		return nil, 0, err
	}
	if chosen, err = dataset.SampleRows(total, in.o.MaxPoints, in.o.Sample, in.o.Seed); err != nil {
		p := problem.As(err)
		return nil, 0, in.problem(p.Remedy, "%s", p.What)
	}
	if chosen != nil {
		return chosen, len(chosen), nil
	}
	return nil, int(total), nil
}

// finish makes the dataset of columns that have been read.
func (in *input) finish(ctx context.Context, columns []dataset.Column, total int64,
	warnings []string) (*dataset.Dataset, error) {
	ds, err := dataset.FromColumns(ctx, "", columns)
	if err != nil {
		return nil, err
	}
	ds.Total = int(total)
	ds.Warnings = warnings
	return ds, nil
}

// meter reports progress, one call at a time and never backwards.
type meter struct {
	mu          sync.Mutex
	done, total int64
	told        int64
	report      func(done, total int64)
}

// meterStep is how many bytes go by between two reports.
const meterStep = 1 << 20

func newMeter(total int64, report func(done, total int64)) *meter {
	return &meter{total: total, report: report}
}

func (m *meter) add(n int64) {
	if m.report == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.done = min(m.total, m.done+n)
	if m.done-m.told >= meterStep || m.done == m.total && m.told != m.total {
		m.told = m.done
		m.report(m.done, m.total)
	}
}
