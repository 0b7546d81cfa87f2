package dataset

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/base/revision"
)

// FromColumns returns a dataset of the columns: their lengths are checked, their statistics computed
// on all cores, their roles guessed, and the dataset gets a new revision. The values are not copied.
// The caller may set Path, Format, Metadata, Warnings and Total before sharing the dataset.
// The error is ctx's, or a Problem when lengths differ or two columns share a name.
func FromColumns(ctx context.Context, name string, columns []Column) (*Dataset, error) {
	ds := &Dataset{Name: name, Columns: columns}
	seen := make(map[string]bool, len(columns))
	for i := range columns {
		c := &columns[i]
		if i == 0 {
			ds.Points = len(c.Values)
		}
		if len(c.Values) != ds.Points {
			return nil, problem.New(name, "give every column the same number of values",
				"column %q has %d values and column %q has %d", columns[0].Name, ds.Points, c.Name, len(c.Values))
		}
		if c.Exact != nil && len(c.Exact) != ds.Points {
			return nil, problem.New(name, "report this", "column %q has %d exact values of %d", c.Name, len(c.Exact),
				ds.Points)
		}
		if seen[c.Name] {
			return nil, problem.New(name, "give every column its own name", "two columns are named %q", c.Name)
		}
		seen[c.Name] = true
	}
	ds.Total = ds.Points
	if err := summariseAll(ctx, columns); err != nil {
		return nil, err
	}
	guessRoles(columns)
	renew(columns)
	ds.Rev = revision.Next()
	return ds, nil
}

// FromMatrix returns a dataset of the rows of m. Where names is nil the columns are named c1 to cd.
// Columns of a matrix without names are all markers, constant ones too: the matrix is taken as it is.
func FromMatrix(names []string, m matrix.Matrix32) (*Dataset, error) {
	if names != nil && len(names) != m.Cols {
		return nil, problem.New("", "give one name per column", "%d names for %d columns", len(names), m.Cols)
	}
	columns := make([]Column, m.Cols)
	for j := range columns {
		c := &columns[j]
		if c.Name = DefaultName(j); names != nil {
			c.Name = names[j]
		}
		c.Values = make([]float32, m.Rows)
		for i := range c.Values {
			c.Values[i] = m.Data[i*m.Cols+j]
		}
	}
	ds, err := FromColumns(context.Background(), "matrix", columns)
	if err == nil && m.Cols == 0 {
		ds.Points, ds.Total = m.Rows, m.Rows
	}
	return ds, err
}

// DefaultName is the name of a column, counted from 0, that has none of its own: "c1", "c2", ...
func DefaultName(i int) string { return fmt.Sprintf("c%d", i+1) }

// IsDefaultName says whether name is one that DefaultName gives.
func IsDefaultName(name string) bool {
	if len(name) < 2 || name[0] != 'c' || name[1] == '0' {
		return false
	}
	for _, r := range name[1:] {
		if r < '0' || r > '9' {
			return false
		}
	}
	return true
}

// renew gives columns of new values their revisions, and forgets what was known of the old ones.
func renew(columns []Column) {
	for i := range columns {
		columns[i].Rev, columns[i].sample = revision.Next(), new(sorted)
	}
}

// piece is how many values of a column one goroutine sums at once.
const piece = 64 * statsBlock

// summariseAll fills the Stats of all columns. Work is cut into runs of statsBlock-sized pieces, so
// that one long column and many short ones both use all cores; pieces are merged in order.
func summariseAll(ctx context.Context, columns []Column) error {
	type job struct{ column, from int }
	var jobs []job
	for i := range columns {
		for from := 0; from < len(columns[i].Values); from += piece {
			jobs = append(jobs, job{i, from})
		}
	}
	parts := make([]moments, len(jobs))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(jobs)) {
		wg.Go(func() {
			for ctx.Err() == nil {
				k := int(next.Add(1)) - 1
				if k >= len(jobs) {
					return
				}
				c, from := &columns[jobs[k].column], jobs[k].from
				to := min(len(c.Values), from+piece)
				if c.Exact != nil {
					parts[k] = sum(c.Exact[from:to])
				} else {
					parts[k] = sum(c.Values[from:to])
				}
			}
		})
	}
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	for k := 0; k < len(jobs); {
		var total moments
		i := jobs[k].column
		for ; k < len(jobs) && jobs[k].column == i; k++ {
			total.merge(parts[k])
		}
		columns[i].Stats = total.stats()
	}
	return nil
}

// Matrix returns the named columns as an n x len(columns) matrix of raw values, in that order.
func (ds *Dataset) Matrix(columns []int) matrix.Matrix32 {
	m := matrix.New(ds.Points, len(columns))
	for j, c := range columns {
		for i, v := range ds.Columns[c].Values {
			m.Data[i*m.Cols+j] = v
		}
	}
	return m
}

// Invalid returns, for the given columns, how many points have a value among them that is not
// finite: such points have no place on the map.
func (ds *Dataset) Invalid(columns []int) int {
	bad := make([]bool, ds.Points)
	n := 0
	for _, c := range columns {
		if ds.Columns[c].Stats.Invalid == 0 {
			continue
		}
		for i, v := range ds.Columns[c].Values {
			if v-v != 0 && !bad[i] {
				bad[i] = true
				n++
			}
		}
	}
	return n
}
