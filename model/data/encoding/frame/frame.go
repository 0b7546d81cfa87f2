// Package frame is what tables have in common that lie in a file column by column, as Parquet and Arrow keep them:
// what their columns are, and how the values of one are handed on. Their packages make it, and who reads tables has one
// way of reading them all.
package frame

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"slices"
)

// Kind is what the values of a column are.
type Kind uint8

const (
	Number Kind = iota // Floats, Doubles or Whole of a Run
	Truth              // Whole, 0 or 1
	Text               // Texts, or Codes with Names
	Left               // it cannot be read, see Why
)

// Column describes a column.
type Column struct {
	Name     string
	Kind     Kind
	Width    int     // a row holds a list of so many numbers; 0: one value
	Unsigned bool    // Whole are the bits of numbers without a sign
	Over     float64 // values are divided by it: 100 of decimals with two digits; 0: by nothing
	Date     bool    // a day or a time
	Bytes    bool    // Text alone: nothing says that its bytes are texts
	Index    bool    // it names the rows, as pandas notes it
	Why      string  // Left alone: what it is, in words
}

// Run is values of consecutive rows of a column. A list has Width of them a row. What it refers to is valid until the
// function that it is given to returns.
type Run struct {
	Row  int64 // the first of them, within its piece
	Rows int

	// One of these is set, with an entry for each value, also for those that are missing.
	Floats  []float32
	Doubles []float64
	Whole   []int64
	Texts   [][]byte
	Codes   []uint32 // numbers of Names

	Names   *Names
	Missing []bool // nil: none is
}

// Names are texts that codes stand for. Runs of the same codes share them.
type Names struct{ Texts [][]byte }

// Table is a table that lies in pieces of rows, of each of which single columns can be read.
type Table interface {
	// Columns are all of them, also those that are left out.
	Columns() []Column
	// Pieces are how many rows each piece has.
	Pieces() []int64
	// Bytes is about what reading a column of a piece costs.
	Bytes(piece, column int) int64
	// Read hands on the values of a column in a piece, in the order of rows. Runs of which wanted says that none of
	// the rows is needed may be left out. It is called from several goroutines at a time.
	Read(ctx context.Context, piece, column int, wanted func(row int64, rows int) bool, take func(*Run) error) error
}

// ErrUneven is the error of reading a column of lists that are not all as long as the first one.
var ErrUneven = errors.New("lists of different lengths")

// PandasKey is the key under which a file notes what pandas made of the table.
const PandasKey = "pandas"

// Index marks the columns that pandas had as the index of its rows; said is what it notes of that, as JSON.
func Index(columns []Column, said string) {
	var pandas struct {
		Columns []any `json:"index_columns"`
	}
	names := []string{"__index_level_0__"}
	if json.Unmarshal([]byte(said), &pandas) == nil {
		for _, c := range pandas.Columns { // a range of numbers is an object
			if name, ok := c.(string); ok {
				names = append(names, name)
			}
		}
	}
	for i := range columns {
		columns[i].Index = columns[i].Index || slices.Contains(names, columns[i].Name)
	}
}

// Half is the number of 16 bits whose bits are h.
func Half(h uint16) float32 {
	sign, exp, frac := uint32(h&0x8000)<<16, uint32(h>>10)&0x1f, uint32(h&0x3ff)
	switch exp {
	case 0: // frac times 2^-24
		return math.Float32frombits(math.Float32bits(float32(frac)/(1<<24)) | sign)
	case 0x1f:
		return math.Float32frombits(sign | 0x7f800000 | frac<<13)
	}
	return math.Float32frombits(sign | (exp+112)<<23 | frac<<13)
}

// BigWhole is the whole number with a sign whose bytes are b, the highest first, rounded to 53 bits.
func BigWhole(b []byte) float64 {
	if len(b) == 0 {
		return 0
	}
	if len(b) <= 8 {
		v := int64(int8(b[0]))
		for _, x := range b[1:] {
			v = v<<8 | int64(x)
		}
		return float64(v)
	}
	v := new(big.Int).SetBytes(b)
	if b[0] >= 0x80 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	f, _ := new(big.Float).SetInt(v).Float64()
	return f
}
