// Package format reads and writes tables. Each file format is one file here that registers itself;
// a file is recognised by its content first and by its name second.
package format

import (
	"context"
	"io"

	"blossom/model/data/dataset"
)

// Format is one file format.
type Format struct {
	Name       string   // "fcs", "csv", ...
	Title      string   // for dialogs: "Flow cytometry standard"
	Extensions []string // with dot, lower case; the first is the usual one
	// Sniff scores the first bytes of a file (up to 64 KiB): 0 is not mine, 100 is surely mine. A
	// format that cannot tell by content alone gives a low score for its extension.
	Sniff  func(head []byte, ext string) int
	Parts  bool // a file may hold several data sets, of which Options.Part is read
	Text   bool // a Reading changes how a file is read, and it may be packed with gzip
	Cells  bool // the points of a file are cells, as cytometers write them
	Headed bool // a name of a column holds that of its antigen, too
	Rows   bool // some rows of a file are read as if there were no others: Options.From and Count
	// Spans says where ranges of the rows of a file lie that begin with those rows, which ascend from 0; the last of
	// them ends with the file. It is dataset.ErrWhole where none can be read by itself. nil: rows are found by their
	// numbers. Callers use Parted.
	Spans func(ctx context.Context, path string, o Options, starts []int64) ([]Span, error)
	// Matrices: a file may hold several matrices, of which Options.Reading says one.
	Matrices bool
	// Read reads the file at path, which Open has found to be a regular file that is not empty.
	// nil: cannot be read. Callers use Open.
	Read func(ctx context.Context, path string, o Options) (*dataset.Dataset, error)
	// Outline reads all of such a file but its values, whose rows the table gives by ranges; it is dataset.ErrWhole
	// where this one cannot be read so. nil: none can. Callers use the function Outline.
	Outline func(ctx context.Context, path string, o Options) (*dataset.Dataset, error)
	// Lacks says why a table makes no file that Read takes, "" where it does; nil: every table with columns does.
	Lacks func(ds *dataset.Dataset) string
	// Write writes the table to w. nil: cannot be written. Callers use Save.
	Write func(ctx context.Context, w io.Writer, ds *dataset.Dataset, progress func(done, total int64)) error
	// WriteRange writes some rows of a table that comes by ranges, in their order: ds has rows from from on, of total
	// in all, and that with from == 0 begins the file, which follows from the columns and total alone. nil: a table is
	// written as a whole.
	WriteRange func(ctx context.Context, w io.Writer, ds *dataset.Dataset, from, total int) error
	// Index says whether rows have names in a file of this format.
	Index Index
	// Channels: its columns are channels of an instrument, which programs show from 0 up. Coordinates are moved there.
	Channels bool
	// Loses says what of the table a file of this format does not hold, in words. nil: it holds all.
	Loses func(ds *dataset.Dataset) []string
}

// Index says whether rows have names.
type Index int

const (
	NoIndex  Index = iota // there are numbers alone
	MayIndex              // labels begin with them where the data have some
	HasIndex              // they always have
)

// Span is where rows lie in a file: its bytes from From up to To, the first of which is on a line, from 1.
type Span struct {
	From int64 `json:"from"`
	To   int64 `json:"to"`
	Line int   `json:"line"`
}

// Options of reading.
type Options struct {
	MaxPoints int    // 0: all
	Sample    string // "first" or "random"
	Seed      uint64 // seed of the random sample
	Part      int    // which data set of a file that holds several, from 0
	// From and Count are the rows that are read, as if there were no others: Count from From on, from 0. Count 0: all.
	From, Count int64
	// Span is where these rows lie, as Parted has said; nil: nobody knows.
	Span *Span
	// Wanted are names of columns that are asked for. A file that leaves columns out takes in those of them that it
	// has, and says so in the Reading of the table.
	Wanted []string
	// Coloured are names that points are coloured by, columns or not. A file that leaves columns out takes in those of
	// them that it has, beside the others.
	Coloured []string
	// Reading is how text and files of several matrices are read, as far as the user has said.
	Reading Reading
	// Damaged is told of a file among several that cannot be read, and says whether it is left out. nil: it is an
	// error.
	Damaged func(path string, err error) (left bool)
	// Known is the outline of a file of which somebody has told already, which Outline returns; nil where nobody has:
	// it is looked at here.
	Known func(path string) (*dataset.Dataset, error)
	// Kept says which columns are kept as float64, where nothing is asked of an outline but its rows: then values are
	// not looked at, if the format finds rows without. nil: that is found out.
	Kept []bool
	// Progress is called now and then with bytes done and in all, one call at a time, from goroutines
	// of the reader. May be nil.
	Progress func(done, total int64)
	// Memory is how many bytes may be taken; 0: what the machine has free.
	Memory int64
}
