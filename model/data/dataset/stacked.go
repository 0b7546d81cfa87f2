package dataset

import (
	"context"
	"math"
	"slices"

	"blossom/model/base/par"
)

// stackedRows are the rows of tables one under the other, of which some or all are outlines.
type stackedRows struct {
	tables []*Dataset
	starts []int   // the first row of each table, and behind the last one
	from   [][]int // by column and table: its column there, -1 for none; nil: the number of the table
	exact  []bool  // columns that are kept as float64 in one of the tables
}

// outlineStack is the table of columns without values, as Stack puts tables one under the other: first those that
// joined names, then the one that says which table a row is from. The error is ErrWhole where one of them has texts, or
// there are few rows; else ctx's, or of what reads.
func outlineStack(ctx context.Context, name string, tables []*Dataset, joined []Joined,
	columns []Column) (*Dataset, error) {
	s := &stackedRows{tables: tables, starts: []int{0}, exact: make([]bool, len(columns))}
	points := 0
	for _, t := range tables {
		points += t.Points
		s.starts = append(s.starts, points)
	}
	if !Surveyable(int64(points)) {
		return nil, ErrWhole
	}
	for k, j := range joined {
		s.from = append(s.from, j.From)
		for f, at := range j.From {
			if at < 0 {
				continue
			}
			exact, err := tables[f].keepsExact(ctx, at)
			if err != nil {
				return nil, err
			}
			if s.exact[k] = s.exact[k] || exact; tables[f].Columns[at].Categories != nil {
				return nil, ErrWhole
			}
		}
	}
	s.from = append(s.from, nil)
	return s.outline(ctx, name, columns, points)
}

// keepsExact says whether a column of the table has values as float64.
func (ds *Dataset) keepsExact(ctx context.Context, col int) (bool, error) {
	if !ds.Outlined() {
		return ds.Columns[col].Exact != nil, nil
	}
	one, err := ds.Rows.Read(ctx, 0, min(1, ds.Points), []int{col})
	return err == nil && one[0].Exact != nil, err
}

// outline surveys the rows.
func (s *stackedRows) outline(ctx context.Context, name string, columns []Column, points int) (*Dataset, error) {
	all := make([]int, len(columns))
	for i := range all {
		all[i] = i
	}
	survey := NewSurvey(columns, points)
	failed := make([]error, survey.Pieces())
	err := par.Blocks(ctx, survey.Pieces(), 1, func(_, k, _ int) { failed[k] = s.surveyPiece(ctx, survey, k, all) })
	for _, f := range failed {
		if f != nil {
			return nil, f
		}
	}
	if err != nil {
		return nil, err
	}
	look := Looked{
		Rows: func(ctx context.Context, rows []int64, _ bool) ([]Column, error) { return s.some(ctx, rows, all) },
		Whole: func(ctx context.Context, column int, _ bool) (Column, error) {
			c, err := s.Read(ctx, 0, points, []int{column})
			if err != nil {
				return Column{}, err
			}
			return c[0], nil
		},
		Coarse: func(column int, _ func() (bool, error)) (bool, error) { return s.exact[column], nil },
		Few:    s.few,
	}
	return survey.Outline(ctx, name, look, func([]bool) Rows { return s })
}

// few are the distinct values of a column where all tables are known to have few whole numbers there.
func (s *stackedRows) few(column int) []float64 {
	w := wholes{}
	for f, at := range s.from[column] {
		if at < 0 || s.tables[f].Points == 0 {
			continue
		}
		t, told := s.tables[f].Rows.(*toldRows)
		if !told || t.labels[at] == nil {
			return nil
		}
		for _, v := range t.labels[at] {
			w.add(v)
		}
	}
	for f := range s.tables {
		if s.from[column] == nil && s.tables[f].Points > 0 {
			w.add(float64(f))
		}
	}
	return w.numbers()
}

// surveyPiece lets the rows of a piece go by. Units of tables of which somebody has told are not read.
func (s *stackedRows) surveyPiece(ctx context.Context, survey *Survey, k int, all []int) error {
	for from, to := survey.Piece(k); from < to; {
		if until := s.unit(survey, k, from); until > 0 {
			from = until
			continue
		}
		until := min(to, from+SurveyBlock)
		rows, err := s.Read(ctx, from, until, all)
		if err != nil {
			return err
		}
		for i, c := range rows {
			survey.Add(k, i, c.Values, c.Exact)
		}
		from = until
	}
	return nil
}

// unit has a survey take the moments of the unit that begins with a row, and returns the first row behind it; 0: nobody
// has told of it.
func (s *stackedRows) unit(survey *Survey, piece, from int) (to int) {
	f, found := slices.BinarySearch(s.starts, from)
	if !found {
		f--
	}
	for f+1 < len(s.starts) && s.starts[f+1] == from { // tables without rows
		f++
	}
	t, told := s.tables[f].Rows.(*toldRows)
	if !told || t.first != s.starts[f] || t.all != survey.points {
		return 0
	}
	u, to := t.unit(from)
	if u < 0 {
		return 0
	}
	for c, at := range s.from {
		m := moments{invalid: to - from}
		wide := m
		switch x := float64(f); {
		case at == nil:
			m = moments{count: to - from, min: x, max: x, mean: x}
		case at[f] >= 0:
			m, wide = t.moments(u, at[f], false), t.moments(u, at[f], true)
		}
		if survey.rounded[piece][c].merge(m); s.exact[c] {
			survey.exact[piece][c].merge(wide)
		}
	}
	return to
}

// some reads the listed rows, which ascend.
func (s *stackedRows) some(ctx context.Context, rows []int64, columns []int) ([]Column, error) {
	out := make([]Column, len(columns))
	for i := 0; i < len(rows); {
		k := i + 1
		for k < len(rows) && rows[k] == rows[k-1]+1 {
			k++
		}
		run, err := s.Read(ctx, int(rows[i]), int(rows[k-1])+1, columns)
		if err != nil {
			return nil, err
		}
		for j := range out {
			out[j].Values, out[j].Exact = append(out[j].Values, run[j].Values...), append(out[j].Exact, run[j].Exact...)
		}
		i = k
	}
	return out, nil
}

// Read reads rows of those tables that they are of.
func (s *stackedRows) Read(ctx context.Context, from, to int, columns []int) ([]Column, error) {
	out := make([]Column, len(columns))
	for k, c := range columns {
		if out[k].Values = make([]float32, to-from); s.exact[c] {
			out[k].Exact = make([]float64, to-from)
		}
	}
	for f, t := range s.tables {
		low, high := max(from, s.starts[f]), min(to, s.starts[f+1])
		if low >= high {
			continue
		}
		part := make([]Column, len(columns))
		for k := range part {
			if part[k].Values = out[k].Values[low-from : high-from]; out[k].Exact != nil {
				part[k].Exact = out[k].Exact[low-from : high-from]
			}
		}
		if err := s.read(ctx, f, t, low-s.starts[f], high-s.starts[f], columns, part); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// read fills part with rows of table f, NaN for columns that it does not have.
func (s *stackedRows) read(ctx context.Context, f int, t *Dataset, from, to int, columns []int, part []Column) error {
	var own, place []int
	for k, c := range columns {
		switch at := s.from[c]; {
		case at == nil:
			for i := range part[k].Values {
				part[k].Values[i] = float32(f)
			}
		case at[f] < 0:
			for i := range part[k].Values {
				part[k].Values[i] = float32(math.NaN())
			}
			for i := range part[k].Exact {
				part[k].Exact[i] = math.NaN()
			}
		default:
			own, place = append(own, at[f]), append(place, k)
		}
	}
	if len(own) == 0 {
		return ctx.Err()
	}
	if !t.Outlined() {
		for i, k := range place {
			c := &t.Columns[own[i]]
			copy(part[k].Values, c.Values[from:to])
			c.Gather(part[k].Exact, from, nil)
		}
		return ctx.Err()
	}
	read, err := t.Rows.Read(ctx, from, to, own)
	for i, c := range read {
		k := place[i]
		copy(part[k].Values, c.Values)
		c.Gather(part[k].Exact, 0, nil)
	}
	return err
}

// anyOutlined says whether one of the tables is an outline.
func anyOutlined(tables []*Dataset) bool { return slices.ContainsFunc(tables, (*Dataset).Outlined) }
