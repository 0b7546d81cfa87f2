package dataset

import (
	"context"
	"slices"

	"blossom/model/base/par"
	"blossom/model/base/revision"
)

// Surveyed is what is told of a table that is read elsewhere: all but its values, and as much of these as is asked of
// it where it is a part of a Stack, or all there is. Moments add up to those of a stack, to the last bit, if they are
// of the very blocks that its survey has; so these are told, and the rows of blocks that end in another table.
type Surveyed struct {
	table      *Dataset // without values
	first, all int      // the number of its first row in the stack, and how many rows that has
	kept       []bool   // columns that are kept as float64
	// Moments of the values as float32 by unit and column, and as float64 of columns that are kept so.
	rounded, exact [][]moments
	rows           []int       // rows whose values are told, of the table, ascending
	values         []Column    // these; nil: at reads them
	labels         [][]float64 // all values of columns that may be labels, and have few whole numbers; nil of others
	samples        [][]float64 // samples of Rank by column, of a table that is all there is
	far            []bool      // columns that are Far, of the same
	at             *toldValues
}

// unit is a range of rows of a stack that lies in one table: a piece of its survey, or a block where that is cut.
type unit struct{ from, to int }

// unitsOf are those of a table of so many rows from first on, of all of a stack, ascending.
func unitsOf(first, points, all int) (out []unit) {
	end := first + points
	for from := (first + SurveyBlock - 1) / SurveyBlock * SurveyBlock; from < end; {
		to := min(all, from+SurveyBlock)
		if whole := min(all, from+SurveyPiece); from%SurveyPiece == 0 && whole <= end {
			to = whole
		}
		if to > end {
			break
		}
		out = append(out, unit{from, to})
		from = to
	}
	return out
}

// SurveyPart tells of a table whose rows are those from first on of all of a stack; more are rows of the stack whose
// values are told beside those that its survey asks for. The error is ErrWhole where a table has more than is told;
// else ctx's, or of what reads.
func SurveyPart(ctx context.Context, ds *Dataset, first, all int, more []int) (*Surveyed, error) {
	text := func(c Column) bool { return c.Categories != nil }
	if !Surveyable(int64(all)) || first < 0 || ds.Points > all-first || ds.Images != nil || ds.Subset != nil ||
		slices.ContainsFunc(ds.Columns, text) {
		return nil, ErrWhole
	}
	s := &Surveyed{first: first, all: all, table: bare(ds), kept: make([]bool, len(ds.Columns))}
	own := &stackedRows{tables: []*Dataset{ds}, starts: []int{0, ds.Points}, exact: s.kept}
	for i := range ds.Columns {
		exact, err := ds.keepsExact(ctx, i)
		if err != nil {
			return nil, err
		}
		s.kept[i], own.from = exact, append(own.from, []int{i})
	}
	var found []wholes
	var err error
	if s.labels = make([][]float64, len(s.kept)); s.alone() {
		for i := range ds.Columns {
			s.samples = append(s.samples, ds.Columns[i].sortedSample())
			s.far = append(s.far, ds.Columns[i].FarAway())
		}
	} else if found, err = s.measure(ctx, own); err != nil {
		return nil, err
	}
	s.rows = s.asked(more)
	rows := make([]int64, len(s.rows))
	for i, row := range s.rows {
		rows[i] = int64(row)
	}
	if s.values, err = own.some(ctx, rows, every(len(ds.Columns))); err != nil {
		return nil, err
	}
	for i := range found {
		found[i].take(&s.values[i]) // units lack these alone
		s.labels[i] = found[i].numbers()
	}
	return s, nil
}

// alone says whether the table is all there is.
func (s *Surveyed) alone() bool { return s.table.Points == s.all }

// Points is how many rows the table has.
func (s *Surveyed) Points() int { return s.table.Points }

// bare is a table without values, and what is of this process alone.
func bare(ds *Dataset) *Dataset {
	out := *ds
	out.Columns = slices.Clone(ds.Columns)
	for i := range out.Columns {
		c := &out.Columns[i]
		c.Values, c.Exact, c.sample, c.Rev = nil, nil, nil, 0
	}
	out.Rows, out.Rev, out.Path = nil, 0, ""
	return &out
}

func every(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// measure takes the moments of all units, and the distinct values that columns have there which may be labels.
func (s *Surveyed) measure(ctx context.Context, own *stackedRows) ([]wholes, error) {
	units, d := unitsOf(s.first, s.table.Points, s.all), len(s.kept)
	s.rounded, s.exact = make([][]moments, len(units)), make([][]moments, len(units))
	failed, each := make([]error, len(units)), make([][]wholes, len(units))
	err := par.Blocks(ctx, len(units), 1, func(_, k, _ int) {
		each[k], failed[k] = s.measureUnit(ctx, own, k, units[k])
	})
	found := make([]wholes, d)
	for k, f := range failed {
		if f != nil {
			return nil, f
		}
		for j := range each[k] {
			found[j].not = found[j].not || each[k][j].not
			for v := range each[k][j].seen {
				found[j].add(v)
			}
		}
	}
	for j := range found {
		found[j].not = found[j].not || !s.table.Columns[j].mayNameLabels()
	}
	return found, err
}

// measureUnit is measure of one unit.
func (s *Surveyed) measureUnit(ctx context.Context, own *stackedRows, k int, u unit) ([]wholes, error) {
	d := len(s.kept)
	s.rounded[k], s.exact[k] = make([]moments, d), make([]moments, d)
	found := make([]wholes, d)
	for j := range found {
		found[j].not = !s.table.Columns[j].mayNameLabels()
	}
	for from := u.from; from < u.to; from += SurveyBlock {
		rows, err := own.Read(ctx, from-s.first, min(u.to, from+SurveyBlock)-s.first, every(d))
		if err != nil {
			return nil, err
		}
		for i, c := range rows {
			if s.rounded[k][i].merge(blockMoments(c.Values)); c.Exact != nil {
				s.exact[k][i].merge(blockMoments(c.Exact))
			}
			if !found[i].not {
				found[i].take(&c)
			}
		}
	}
	return found, nil
}

// asked are the rows of the table that are asked for: its first one, those of blocks that end in another table, those
// of the beginning of the stack and of its sample, and more.
func (s *Surveyed) asked(more []int) (rows []int) {
	end := s.first + s.table.Points
	some := func(from, to int) {
		for row := max(from, s.first); row < min(to, end); row++ {
			rows = append(rows, row-s.first)
		}
	}
	some(s.first, s.first+1)
	if !s.alone() {
		if units := unitsOf(s.first, s.table.Points, s.all); len(units) == 0 {
			some(s.first, end)
		} else {
			some(s.first, units[0].from)
			some(units[len(units)-1].to, end)
		}
		some(0, min(headRows, s.all))
		for _, row := range spreadRows(s.all) {
			some(int(row), int(row)+1)
		}
	}
	for _, row := range more {
		some(row, row+1)
	}
	slices.Sort(rows)
	return slices.Compact(rows)
}

// unit is the number of the unit that begins with a row of the stack, -1 if none does, and the first row behind it.
func (s *Surveyed) unit(from int) (k, to int) {
	units := unitsOf(s.first, s.table.Points, s.all)
	k, found := slices.BinarySearchFunc(units, from, func(u unit, row int) int { return u.from - row })
	if !found || len(s.rounded) != len(units) {
		return -1, 0
	}
	return k, units[k].to
}

// moments are those of a column in a unit, of its values as float32, or as float64 if exact is set.
func (s *Surveyed) moments(k, column int, exact bool) moments {
	if exact && s.kept[column] {
		return s.exact[k][column]
	}
	return s.rounded[k][column] // float32 that is widened has the same
}

// Table is the table as an outline. open opens it itself, with these columns kept as float64, where rows are asked for
// that nobody has told.
func (s *Surveyed) Table(path string, open func(ctx context.Context, kept []bool) (*Dataset, error)) *Dataset {
	ds := *s.table
	ds.Path, ds.Columns = path, slices.Clone(s.table.Columns)
	for i := range ds.Columns {
		c := &ds.Columns[i]
		if c.Rev = revision.Next(); s.alone() {
			c.sample = &sorted{values: s.samples[i], far: s.far[i]}
			c.sample.once.Do(func() {})
		}
	}
	ds.Rows, ds.Rev = &toldRows{Surveyed: s, path: path, open: open}, revision.Next()
	return &ds
}
