package dataset

import (
	"context"
	"errors"
	"math"
	"slices"

	"blossom/model/base/revision"
)

// Survey makes the outline of a table whose rows go by once, in pieces: what FromColumns makes of the same values in
// memory, to the last bit.
type Survey struct {
	columns []Column
	points  int
	rounded [][]moments // by piece and column: of the values as float32
	exact   [][]moments // the same as float64, where a column has such
}

// Rows of a piece, which is surveyed by one goroutine, and of a block, which it takes at once.
const (
	SurveyPiece = piece
	SurveyBlock = statsBlock
)

// leastSurveyed is how many rows a table has at least that is surveyed: less is read as a whole.
const leastSurveyed = 4 * rankSample

// headRows is how many rows from the beginning Looked.Head has.
const headRows = 1 << 16

// Surveyable says whether a table has rows enough.
func Surveyable(points int64) bool { return points >= leastSurveyed && points <= math.MaxInt32 }

// NewSurvey begins the survey of columns without values, of which there will be points.
func NewSurvey(columns []Column, points int) *Survey {
	s := &Survey{columns: columns, points: points}
	s.rounded = make([][]moments, (points+SurveyPiece-1)/SurveyPiece)
	s.exact = make([][]moments, len(s.rounded))
	for k := range s.rounded {
		s.rounded[k], s.exact[k] = make([]moments, len(columns)), make([]moments, len(columns))
	}
	return s
}

// Pieces is how many there are. They may go by at the same time.
func (s *Survey) Pieces() int { return len(s.rounded) }

// Piece returns the rows of a piece.
func (s *Survey) Piece(k int) (from, to int) {
	return k * SurveyPiece, min(s.points, (k+1)*SurveyPiece)
}

// Add takes the next block of a piece of one column: SurveyBlock values, or what is left of the piece. exact are the
// same as float64, for a column that may be kept so; nil: it is not.
func (s *Survey) Add(piece, column int, values []float32, exact []float64) {
	s.rounded[piece][column].merge(blockMoments(values))
	if exact != nil {
		s.exact[piece][column].merge(blockMoments(exact))
	}
}

// Looked are rows of a table that a survey asks for when all have gone by, and what it wants to know.
type Looked struct {
	// Rows returns the listed rows, which ascend, of all columns as float32; exact: as they are.
	Rows func(ctx context.Context, rows []int64, exact bool) ([]Column, error)
	// Whole returns all values of one column as float32, and as they are if exact is set.
	Whole func(ctx context.Context, column int, exact bool) (Column, error)
	// Coarse says whether a column must be kept as float64, where far is what Coarse says of its values.
	Coarse func(column int, far func() (bool, error)) (bool, error)
	// Few are the distinct finite values of a column that has few whole numbers; nil: it has others, or nobody knows.
	// nil: nobody knows of any.
	Few func(column int) []float64
}

// Outline is the table. rows gives its values by ranges, told which columns are kept as float64. The error is ctx's, or
// of what reads.
func (s *Survey) Outline(ctx context.Context, name string, look Looked, rows func(exact []bool) Rows) (*Dataset,
	error) {
	kept, err := s.kept(ctx, look)
	if err != nil {
		return nil, err
	}
	s.total(s.rounded, kept, false)
	s.total(s.exact, kept, true)
	if err := s.samples(ctx, look, kept); err != nil {
		return nil, err
	}
	if err := s.roles(ctx, look, kept); err != nil {
		return nil, err
	}
	ds := &Dataset{Name: name, Columns: s.columns, Points: s.points, Total: s.points, Rows: rows(kept)}
	for i := range s.columns {
		s.columns[i].Rev = revision.Next()
	}
	ds.Rev = revision.Next()
	return ds, nil
}

// total sets the statistics of the columns that are kept as float64, or of the others.
func (s *Survey) total(by [][]moments, kept []bool, exact bool) {
	for i := range s.columns {
		if kept[i] == exact {
			s.columns[i].Stats = s.stats(by, i)
		}
	}
}

func (s *Survey) stats(by [][]moments, column int) Stats {
	var all moments
	for _, piece := range by {
		all.merge(piece[column])
	}
	return all.stats()
}

// kept says of each column whether it is kept as float64.
func (s *Survey) kept(ctx context.Context, look Looked) ([]bool, error) {
	kept := make([]bool, len(s.columns))
	var spread, crowd []Column
	for i := range kept {
		var err error
		kept[i], err = look.Coarse(i, func() (_ bool, err error) {
			if spread == nil {
				if spread, err = look.Rows(ctx, spreadRows(s.points), false); err == nil {
					crowd, err = look.Rows(ctx, crowdRows(s.points), false)
				}
				if err != nil {
					return false, err
				}
			}
			is, err := s.far(ctx, look, i, spread[i])
			return is || crowdedSample(crowd[i].Values), err
		})
		if err != nil {
			return nil, err
		}
	}
	return kept, ctx.Err()
}

// far is Far of a column, of which these are the values of spreadRows.
func (s *Survey) far(ctx context.Context, look Looked, i int, spread Column) (bool, error) {
	c := Column{Stats: s.stats(s.rounded, i), sample: &sorted{}}
	spread.Exact = nil
	if err := s.sample(ctx, look, i, &c, spread, false); err != nil {
		return false, err
	}
	return far(&c, func() float64 { return c.Stats.SD }), nil
}

// samples gives the columns those of Rank.
func (s *Survey) samples(ctx context.Context, look Looked, kept []bool) error {
	picked, err := look.Rows(ctx, spreadRows(s.points), slices.Contains(kept, true))
	if err != nil {
		return err
	}
	for i := range s.columns {
		far := false
		if !kept[i] {
			picked[i].Exact = nil
		} else if far, err = s.far(ctx, look, i, picked[i]); err != nil {
			return err
		}
		s.columns[i].sample = &sorted{far: far}
		if err := s.sample(ctx, look, i, &s.columns[i], picked[i], kept[i]); err != nil {
			return err
		}
	}
	return nil
}

// sample gives to, which has the statistics of column i, the sample of Rank: from values of spreadRows, or where few of
// all are finite from all of them.
func (s *Survey) sample(ctx context.Context, look Looked, i int, to *Column, picked Column, exact bool) error {
	if to.Stats.Count < s.points/2 {
		whole, err := look.Whole(ctx, i, exact)
		if err != nil {
			return err
		}
		if whole.Stats = to.Stats; !exact {
			whole.Exact = nil
		}
		picked.Values, picked.Exact = nil, nil
		to.sample.values = whole.spreadSample(rankSample)
	} else {
		to.sample.values = picked.finite()
	}
	to.sample.once.Do(func() {})
	return nil
}

// roles guesses what the columns are for from their beginning, and of those that it does not tell from all values.
func (s *Survey) roles(ctx context.Context, look Looked, kept []bool) error {
	rows := make([]int64, min(headRows, s.points))
	for i := range rows {
		rows[i] = int64(i)
	}
	head, err := look.Rows(ctx, rows, slices.Contains(kept, true))
	if err != nil {
		return err
	}
	for i := range s.columns {
		c := &s.columns[i]
		if c.Values = head[i].Values; kept[i] {
			c.Exact = head[i].Exact
		}
		if c.called() || !c.undecided(s.points) || look.Few != nil && c.few(look.Few(i)) {
			continue
		}
		whole, err := look.Whole(ctx, i, kept[i])
		if err != nil {
			return err
		}
		c.Values, c.Exact = whole.Values, whole.Exact
	}
	guessRoles(s.columns)
	for i := range s.columns {
		s.columns[i].Values, s.columns[i].Exact = nil, nil
	}
	return nil
}

// undecided says whether the role of a column, which has the statistics of n values and the first of them, may depend
// on others: it may number the rows, be labels, or dates.
func (c *Column) undecided(n int) bool {
	st := c.Stats
	width := st.Max - st.Min
	whole, rises := true, true
	for i := range c.Values {
		x := c.At(i)
		whole = whole && (x-x != 0 || x == math.Trunc(x))
		rises = rises && (i == 0 || x > c.At(i-1))
	}
	switch {
	case !whole:
		return false // numbers of rows, labels and dates are whole
	case st.Invalid == 0 && (rises && width >= float64(len(c.Values)-1) || width == float64(n-1) ||
		width == float64(len(c.Values)-1)): // as counting has it, of all or of these
		return true
	case st.Min >= 9e8 && st.Max <= 2.2e12:
		return true
	}
	return c.mayNameLabels() && fewWholeNumbers(c)
}

// called says whether the names of a column alone say what it is for, whatever its values are.
func (c *Column) called() bool {
	if IsDefaultName(c.Name) && c.Label == "" || c.mayNameLabels() {
		return false
	}
	return roleByName(c) != Marker
}

// few has a column of undecided role have few whole numbers for values, which are all that there are, each once: false
// where they do not decide it. They do where its names say that few whole numbers are labels.
func (c *Column) few(numbers []float64) bool {
	if len(numbers) == 0 || IsDefaultName(c.Name) && c.Label == "" {
		return false
	}
	of := *c
	of.SetExact(slices.Clone(numbers))
	if roleByName(&of) == Marker {
		return false
	}
	c.Values, c.Exact = of.Values, of.Exact
	return true
}

// finite are the finite values of a column, ascending.
func (c *Column) finite() []float64 {
	v := make([]float64, 0, len(c.Values))
	for i := range c.Values {
		if x := c.At(i); x-x == 0 {
			v = append(v, x)
		}
	}
	slices.Sort(v)
	return v
}

// ErrWhole is the error of what has to be read as a whole.
var ErrWhole = errors.New("the table is not read by ranges")
