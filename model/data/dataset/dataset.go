// Package dataset holds the table of points that the user opened: immutable raw values by column,
// what each column is, and its statistics.
package dataset

import (
	"math"

	"blossom/model/base/revision"
)

// Dataset is an immutable table of n points. Values are as the file holds them (raw): transforms
// belong to package transform.
type Dataset struct {
	Name     string        // short, for titles: the file's base name
	Path     string        // where it came from, "" if generated
	Parts    []string      // the paths of the files it was put together from, if several
	Joined   []JoinedTable // tables whose columns stand after its own
	Subset   *Subset       // which rows of other data these are; nil: it is all that was read
	Format   string        // registered name of the format, "demo" if generated
	Cells    bool          // its points are cells, as a cytometer has written them
	Headed   bool          // names of columns hold those of the antigens, too (Column.Heading)
	Points   int
	Columns  []Column
	Metadata map[string]string   // the file's own keywords; of several those of the first
	Keywords []map[string]string // keywords of each file of Parts
	Sources  []Source            // the files of Parts as they were by themselves
	// Unread are columns that its file has beside these, which are read one by one when they are asked for:
	// Reading.Genes.
	Unread []Unread
	// Matrices are those of its file, where it holds several: each can be that of the table (Reading.Matrix).
	Matrices []Matrix
	Images   *Images  // images of the points that lie in its file; nil: none do
	Warnings []string // oddities of the file, in words
	Reading  Reading  // how the user asked to read it
	Found    Reading  // separator and header of a text as it was read, asked for or recognised
	Unsure   bool     // how a text is to be read was guessed, and could be otherwise: the warnings say what
	// Spillover is the file's own compensation matrix, or nil. Values are never compensated here.
	Spillover *Spillover
	// Spillovers are those of the files of Parts, by Origin, where they are not the same; else nil.
	Spillovers []*Spillover
	Total      int // points in the file; more than Points when this is a sample
	Rev        revision.Revision
	// Rows reads the values, which columns of an outline do not have: see Range. nil: the columns have them.
	Rows Rows
}

// Matrix is a matrix of a file that holds several.
type Matrix struct {
	Name    string // as Reading.Matrix calls it
	Rows    int
	Columns int
	Sparse  bool
	Taken   bool // the table is of it
}

// Unread is a column of a file that was not read.
type Unread struct{ Name, Label string }

// Source is what one of several files of a table had by itself.
type Source struct {
	Name      string
	Columns   []Column // without their values: as they were called, and on what scale they were
	At        []int    // which column of the table each is; -1: none
	Spillover *Spillover
}

// Column is n values with a name, of the table or made from it (see Derive): whatever can be coloured,
// filtered or exported is one. It is immutable once shared.
type Column struct {
	Name       string    // unique key: $PnN, header cell, or "c1"
	Label      string    // its antigen or quantity ($PnS), or ""
	Role       Role      // its purpose; see GuessRole
	Why        string    // it has this role and is left out of the map, in words; "" for a marker
	Values     []float32 // raw values, one per point, as float32
	Exact      []float64 // the same as they are, where float32 does not hold them; else nil: see At
	Categories []string  // text column: Values are indices into these, NaN where missing
	Stats      Stats     // over finite values
	// None is what points without a category are called, where it says something about them; "": nothing.
	None string
	// Inks is which colour of a palette each category has, as a byte, where that is not its place: see Clusters of
	// package derived. Those beyond have it by their place again.
	Inks string
	// Own is the colour that each category has in the file, as four bytes: red, green, blue, and 255, or 0 where it has
	// none; "": none has. Those beyond have none.
	Own string
	// Rests says of each category whether it has the rest of what it names, others having the others; nil: none has.
	Rests []bool

	// Signed: its values are differences, so that 0 is the middle of what colours them.
	Signed bool

	// Noted: it was noted of each point beside what was measured, whatever it looks like.
	Noted bool

	// Aside: it is left out of the map until somebody asks for it, as a column that not all files of the table have.
	Aside bool

	// Given is what the file says of it, where a panel says otherwise; nil: it is as the file has it.
	Given *Given

	Provenance Provenance
	From       string            // sources of a derived column, in words; "" for a file's
	Map        string            // the map that a derived column tells of, where its name does not say it
	Rev        revision.Revision // changes with Values and Categories; 0 before FromColumns or Derive

	Log   *LogScale // logarithmic amplification of the raw values (FCS $PnE), or nil: they are linear
	Gain  float64   // linear amplification (FCS $PnG): divide to undo it; 0 where not given
	Range float64   // upper end of the instrument's scale (FCS $PnR); 0 where not given

	sample *sorted // for Rank and Quartiles, made when first asked for
}

// LogScale says that a raw value x stands for Offset * 10^(Decades * x / Range), as FCS 3.1 section
// 3.2.20 defines $PnE with $PnR. Raw values are kept; a transform may apply Linear.
type LogScale struct {
	Decades float64 // > 0
	Offset  float64 // > 0: the value that channel 0 stands for
	Range   float64 // > 0: number of channels
}

// Linear returns the linear value that the raw value x stands for.
func (l LogScale) Linear(x float64) float64 {
	return l.Offset * math.Pow(10, l.Decades*x/l.Range)
}

// Title is how a column is shown: "label (name)", or the name alone.
func (c *Column) Title() string {
	if c.Label == "" || c.Label == c.Name {
		return c.Name
	}
	return c.Label + " (" + c.Name + ")"
}

// Short is the shortest name people use for the column: its label, else its name.
func (c *Column) Short() string {
	if c.Label == "" {
		return c.Name
	}
	return c.Label
}

// Role says what a column is for; only markers take part in the map unless the user says otherwise.
type Role uint8

const (
	Marker  Role = iota // a measured dimension
	Scatter             // FSC, SSC and the like: how the cell passed the laser, not what it carries
	Time
	Index      // event number, row id
	Label      // a category: text, or a column of few whole numbers named like one
	Ignored    // constant or empty
	Viability  // a dye that tells dead cells
	Unlabelled // a detector that nobody has named an antigen for, in a table where others have one
	Placed     // a coordinate of another map of the same points
	Quality    // how well a point was measured: counts of reads and genes, the share of mitochondrial ones
	Measure    // a number that was noted of each point beside what was measured: it colours, and steers no map
)

var roleNames = [...]string{"marker", "scatter", "time", "index", "label", "ignored", "viability", "unlabelled",
	"placed", "quality", "measure"}

// reasons is why columns of a role are left out, unless something more is known.
var reasons = [...]string{"", "light scatter", "time", "numbers the points", "labels", "constant or empty",
	"a dye of dead cells", "no antigen is named", "a coordinate of another map", "how well a point was measured",
	"noted of each point"}

// SetRole gives the column another role than was guessed, and the reason that goes with it.
func (c *Column) SetRole(r Role) {
	if c.Role != r {
		c.Role, c.Why = r, reasons[r]
	}
}

func (r Role) String() string { return roleNames[r] }
