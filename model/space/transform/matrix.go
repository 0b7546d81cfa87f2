package transform

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"blossom/model/base/par"
	"blossom/model/base/revision"
	"blossom/model/data/dataset"
)

// Mix is a matrix op at work: it takes several columns of a table at once and gives each of them new values,
// which the columns' own transforms then take for raw ones. It is immutable.
type Mix struct {
	Op     ID        // the ID of a registered MatrixOp
	Cols   []int     // columns of the dataset, each once, in the order of the op
	Values []float64 // its numbers, as the op has them
	// Units are those of the columns, one for each: the op takes linear values. nil: it takes raw ones.
	Units []Unit
}

// Equal says whether both do the same.
func (m Mix) Equal(o Mix) bool {
	return m.Op == o.Op && slices.Equal(m.Cols, o.Cols) && slices.Equal(m.Values, o.Values) &&
		slices.Equal(m.Units, o.Units)
}

// Says is what it does, in a line.
func (m Mix) Says() string {
	if o := MatrixByID(m.Op); o != nil && o.Says != nil {
		return o.Says(len(m.Cols))
	}
	return fmt.Sprintf("with a matrix of %d detectors", len(m.Changed()))
}

// Changed are the columns that it gives new values.
func (m Mix) Changed() []int {
	switch o := MatrixByID(m.Op); {
	case o == nil || len(m.Cols) == 0:
		return m.Cols
	case o.Labelled:
		return m.Cols[:len(m.Cols)-1]
	case o.Changes != nil:
		return m.Cols[:o.Changes(len(m.Cols), m.Values)]
	}
	return m.Cols
}

// String tells mixes apart.
func (m Mix) String() string {
	if m.Units == nil {
		return fmt.Sprint(m.Op, m.Cols, m.Values)
	}
	return fmt.Sprint(m.Op, m.Cols, m.Values, m.Units)
}

// Block is some rows of the columns of a mix: one strip of values for each, in the order of Mix.Cols, all of the
// same length.
type Block [][]float64

// MatrixOp is a family of transforms that take several columns at once, as compensation does.
type MatrixOp struct {
	ID    ID
	Title string // as shown
	Help  string // its effect on values, and its purpose
	Off   string // the words that turn it off: "Do not compensate"; "": it follows from the transforms of columns
	Way   string // tells it from others with the same title, of which one at most is on: "Median"; "": it has none
	Order int    // place in lists, rising
	// Labelled: the last of its columns is a label, which tells what is done to a row, and keeps its values.
	Labelled bool
	// Suggest returns the mix that a table itself asks for, as with a compensation that its file brings. nil: no
	// table does.
	Suggest func(*dataset.Dataset) Suggestion
	// Word stands behind the name of a column whose values it has changed, where they leave the program: "filled"; "":
	// its title in small letters.
	Word string
	// Says is what it does to so many columns, in a line; nil: it is a matrix of them.
	Says func(columns int) string
	// Changes is how many of so many columns get new values: the first ones, others are only looked at; nil: all.
	Changes func(columns int, values []float64) int
	// Wrong says what is wrong with the numbers for so many columns, "" if nothing; nil: nothing ever is.
	Wrong func(columns int, values []float64) string
	// New returns the functions that replace a block by its transform, and back. They are called from several
	// goroutines. A row with an invalid value keeps at least that one invalid, unless it is what they are about.
	New func(columns int, values []float64) (forward, inverse func(Block))
}

// Suggestion is what a table asks of a matrix op.
type Suggestion struct {
	Mix Mix  // the zero Mix: nothing
	On  bool // a newly opened table begins with it
	// Said is what the mix does, or why there is none, or none yet, in a line: "compensated with the file's matrix
	// of 11 detectors"; "" if there is nothing to say.
	Said string
	// Needless: there is no mix because it would change nothing.
	Needless bool
}

// Any says whether there is a mix.
func (s Suggestion) Any() bool { return s.Mix.Op != None }

var matrixOps []*MatrixOp

// RegisterMatrix adds a matrix op; each registers itself from the init of its file. It panics if the ID is taken.
func RegisterMatrix(o MatrixOp) {
	mu.Lock()
	defer mu.Unlock()
	if matrixByID(o.ID) != nil || byName(o.ID.String()) != nil {
		panic("transform: op registered twice: " + o.ID.String())
	}
	matrixOps = append(matrixOps, &o)
	slices.SortStableFunc(matrixOps, func(a, b *MatrixOp) int { return a.Order - b.Order })
}

// MatrixOps returns all matrix ops in the order in which they are offered.
func MatrixOps() []*MatrixOp {
	mu.RLock()
	defer mu.RUnlock()
	return slices.Clone(matrixOps)
}

// MatrixByID returns the matrix op with this ID, or nil.
func MatrixByID(id ID) *MatrixOp {
	mu.RLock()
	defer mu.RUnlock()
	return matrixByID(id)
}

func matrixByID(id ID) *MatrixOp {
	for _, o := range matrixOps {
		if o.ID == id {
			return o
		}
	}
	return nil
}

// Suggestions returns what the table asks of the matrix ops, in their order.
func Suggestions(ds *dataset.Dataset) []Suggestion {
	var out []Suggestion
	for _, o := range MatrixOps() {
		if o.Suggest != nil {
			if s := o.Suggest(ds); s.Any() || s.Said != "" {
				out = append(out, s)
			}
		}
	}
	return out
}

// wrong says what is wrong with m for ds, "" if nothing.
func (m Mix) wrong(ds *dataset.Dataset) string {
	o := MatrixByID(m.Op)
	if o == nil {
		return fmt.Sprintf("%s is not known", m.Op)
	}
	seen := map[int]bool{}
	for at, c := range m.Cols {
		switch label := o.Labelled && at == len(m.Cols)-1; {
		case c < 0 || c >= len(ds.Columns):
			return fmt.Sprintf("%s takes column %d of %d", m.Op, c+1, len(ds.Columns))
		case seen[c]:
			return fmt.Sprintf("%s takes column %s twice", m.Op, ds.Columns[c].Title())
		case ds.Columns[c].Categories != nil && !label:
			return fmt.Sprintf("%s takes column %s, which has no numbers", m.Op, ds.Columns[c].Title())
		case ds.Columns[c].Categories == nil && label:
			return fmt.Sprintf("%s takes column %s for a label, which it is not", m.Op, ds.Columns[c].Title())
		}
		seen[c] = true
	}
	if why := m.wrongUnits(); why != "" {
		return why
	}
	if o.Wrong == nil {
		return ""
	}
	return o.Wrong(len(m.Cols), m.Values)
}

// mixesOf returns the mixes that the values of col depend on, in their order.
func (s Spec) mixesOf(col int) []Mix {
	if len(s.Mixes) == 0 {
		return nil
	}
	var out []Mix
	needed := map[int]bool{col: true}
	for _, m := range slices.Backward(s.Mixes) {
		if !slices.ContainsFunc(m.Changed(), func(c int) bool { return needed[c] }) {
			continue
		}
		for _, c := range m.Cols {
			needed[c] = true
		}
		out = append(out, m)
	}
	slices.Reverse(out)
	return out
}

// sameMixes says whether col has the same values before its own transform in s and o.
func (s Spec) sameMixes(o Spec, col int) bool {
	return slices.EqualFunc(s.mixesOf(col), o.mixesOf(col), Mix.Equal)
}

// How tells everything that decides on the transformed values of col: equal texts, equal values.
func (s Spec) How(col int) string {
	var parts []string
	for _, m := range s.mixesOf(col) {
		parts = append(parts, m.String())
	}
	return strings.Join(append(parts, s.Columns[col].String()), " ")
}

// mixer computes columns as their own transforms take them, block by block.
type mixer struct {
	ds    *dataset.Dataset
	strip map[int]int // the strip of each column that takes part
	mixes []mixing
}

// mixing is a mix on the strips of a mixer.
type mixing struct {
	strips  []int
	forward func(Block)
}

// mixer returns what computes those of cols that are mixed, nil if none is.
func (s Spec) mixer(ds *dataset.Dataset, cols []int) *mixer {
	x := &mixer{ds: ds, strip: map[int]int{}}
	for _, m := range s.Mixes {
		if MatrixByID(m.Op) == nil || !slices.ContainsFunc(cols, func(c int) bool {
			return slices.ContainsFunc(s.mixesOf(c), m.Equal)
		}) {
			continue
		}
		var strips []int
		for _, c := range m.Cols {
			if _, ok := x.strip[c]; !ok {
				x.strip[c] = len(x.strip)
			}
			strips = append(strips, x.strip[c])
		}
		forward, _ := m.functions()
		x.mixes = append(x.mixes, mixing{strips, forward})
	}
	if len(x.mixes) == 0 {
		return nil
	}
	return x
}

// stripOf returns the number of the strip of a column, false if it is not mixed. A nil mixer mixes none.
func (x *mixer) stripOf(col int) (int, bool) {
	if x == nil {
		return 0, false
	}
	k, ok := x.strip[col]
	return k, ok
}

// rows returns the strips of n rows from row from on, in the given order (nil: the dataset's own).
func (x *mixer) rows(from, n int, order []int32) Block {
	all, strips := make([]float64, len(x.strip)*n), make(Block, len(x.strip))
	for c, k := range x.strip {
		strips[k] = all[k*n : k*n+n]
		rows := order
		if order != nil {
			rows = order[from : from+n]
		}
		x.ds.Columns[c].Gather(strips[k], from, rows)
	}
	for _, m := range x.mixes {
		m.forward(pick(strips, m.strips))
	}
	return strips
}

// pick returns some strips of a block, which they share.
func pick(b Block, strips []int) Block {
	out := make(Block, len(strips))
	for i, k := range strips {
		out[i] = b[k]
	}
	return out
}

// narrow rounds a strip to float32.
func narrow(dst []float32, strip []float64) {
	for i, v := range strip {
		dst[i] = float32(v)
	}
}

// Mixed returns a column of ds as its own transform takes it: that of the table, unless a mix changes it. Then
// it is computed, on all cores, with a revision of its own.
func Mixed(ds *dataset.Dataset, s Spec, col int) *dataset.Column {
	return AllMixed(ds, s, []int{col})[col]
}

// AllMixed returns several such columns by their numbers, computed together: a mix is worked out once for all of them.
func AllMixed(ds *dataset.Dataset, s Spec, cols []int) map[int]*dataset.Column {
	out := map[int]*dataset.Column{}
	for _, c := range cols {
		out[c] = &ds.Columns[c]
	}
	x := s.mixer(ds, cols)
	if x == nil {
		return out
	}
	for c := range out {
		if _, ok := x.strip[c]; ok && ds.Columns[c].Categories == nil {
			from := &ds.Columns[c]
			out[c] = &dataset.Column{Name: from.Name, Label: from.Label, Role: from.Role,
				Values: make([]float32, ds.Points), Gain: from.Gain, Range: from.Range, Rev: revision.Next()}
			if from.Exact != nil {
				out[c].Exact = make([]float64, ds.Points)
			}
			if top, linear := s.Linearised(c); linear {
				out[c].Range = top
			}
		}
	}
	// Never cancelled: some columns are a moment.
	_ = par.Blocks(context.Background(), ds.Points, blockRows, func(_, from, to int) {
		b := x.rows(from, to-from, nil)
		for c, column := range out {
			if k, ok := x.strip[c]; ok && column != &ds.Columns[c] {
				narrow(column.Values[from:to], b[k])
				if column.Exact != nil {
					copy(column.Exact[from:to], b[k])
				}
			}
		}
	})
	return out
}

// Beside returns columns of a table, and those that mixes take beside them.
func (s Spec) Beside(cols []int) []int {
	out := slices.Clone(cols)
	for _, c := range cols {
		for _, m := range s.mixesOf(c) {
			out = append(out, m.Cols...)
		}
	}
	return slices.Compact(slices.Sorted(slices.Values(out)))
}

// SampledRows are the rows, of n, whose values Sample takes by itself.
func SampledRows(n int) []int {
	few := min(n, sampleRows)
	rows := make([]int, few)
	for i := range rows {
		rows[i] = int(int64(i) * int64(n) / int64(few))
	}
	return rows
}

// View returns a table whose map has the dimensions cols of ds, in this order, and its Spec: the columns, then
// those that mixes take beside them.
func View(ds *dataset.Dataset, s Spec, cols []int) (*dataset.Dataset, Spec) {
	view, out := *ds, Spec{Scale: s.Scale, Robust: s.Robust}
	view.Columns = nil
	at, from := map[int]int{}, []int(nil)
	add := func(c int, use Use) {
		at[c], from = len(view.Columns), append(from, c)
		view.Columns = append(view.Columns, ds.Columns[c])
		setting := s.Columns[c]
		setting.Use = use
		out.Columns = append(out.Columns, setting)
	}
	for _, c := range cols {
		add(c, InMap)
	}
	for _, m := range s.Mixes {
		if !slices.ContainsFunc(cols, func(c int) bool { return slices.ContainsFunc(s.mixesOf(c), m.Equal) }) {
			continue
		}
		to := Mix{Op: m.Op, Values: m.Values, Units: m.Units}
		for _, c := range m.Cols {
			if _, ok := at[c]; !ok {
				add(c, ColourOnly)
			}
			to.Cols = append(to.Cols, at[c])
		}
		out.Mixes = append(out.Mixes, to)
	}
	view.Rows = ds.Picked(from)
	return &view, out
}
