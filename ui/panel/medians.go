package panel

import (
	"context"
	"math"

	"blossom/model/base/revision"
	"blossom/model/clusters/population"
	"blossom/model/data/dataset"
	"blossom/model/document/parts"
	"blossom/model/maps/selection"
	"blossom/model/space/transform"
	"blossom/model/work"
	"blossom/ui/desk"
	"blossom/ui/widget"
)

// medians are those of the selected points in the columns that are listed, as the map takes them before its transform.
// They trail while the selection changes.
type medians struct {
	value *work.Value[mediansKey, known]
	asked map[int]bool
}

// mediansKey is what they depend on: those that were asked for only become more.
type mediansKey struct {
	set   *selection.Set
	spec  revision.Revision
	asked int
}

// known is what has been found: medians, and the columns that they are of, which stay while only the selection changes.
type known struct {
	medians map[int]median
	columns map[int]*dataset.Column
}

// median is the median of a column, in units of the file, and transformed as in the map.
type median struct {
	text  string
	shown float64
}

// of returns the median of a column among the selected points, "" where none is known.
func (m *medians) of(d *desk.Desk, column int) median {
	if d.Stage.Selected().Empty() {
		return median{}
	}
	if m.value == nil {
		m.value = work.Keep[mediansKey, known](&d.Values, work.Policy{Title: "Medians", Quiet: true,
			Background: true, Finish: true})
		m.asked = map[int]bool{}
	}
	m.asked[column] = true
	now, _ := m.value.Now()
	return now.medians[column]
}

// count begins to look for those that have been asked for.
func (m *medians) count(d *desk.Desk) {
	set := d.Stage.Selected()
	if m.value == nil {
		return
	}
	if set.Empty() {
		m.value.Forget()
		return
	}
	was, now := m.value.Of(), mediansKey{set, parts.Transform.Rev(d.Doc.State()), len(m.asked)}
	if !m.value.Want(now) {
		return
	}
	data, spec, cols := d.Doc.Data, d.Spec(), []int(nil)
	for i := range m.asked {
		if i < len(data.Columns) && data.Columns[i].Categories == nil {
			cols = append(cols, i)
		}
	}
	before, _ := m.value.Now()
	if was.spec != now.spec || was.asked != now.asked {
		before.columns = nil
	}
	m.value.Make(work.Aside, func(ctx context.Context, _ func(done, total int64)) (known, error) {
		return mediansOf(ctx, data, spec, cols, before.columns, set)
	})
}

// mediansOf are the medians of columns among a set of points; mixed are the columns as the map takes them, nil: they
// are computed.
func mediansOf(ctx context.Context, data *dataset.Dataset, spec transform.Spec, cols []int,
	mixed map[int]*dataset.Column, set *selection.Set) (known, error) {
	if mixed == nil {
		mixed = transform.AllMixed(data, spec, cols)
	}
	at := make([]func(row int) float64, len(cols))
	for k, i := range cols {
		at[k] = mixed[i].At
	}
	found, err := population.Medians(ctx, []*selection.Set{set}, at)
	if err != nil {
		return known{}, err
	}
	out := known{map[int]median{}, mixed}
	for k, i := range cols {
		if x := found[0][k]; !math.IsNaN(x) {
			out.medians[i] = median{shortly(x), transform.FunctionOf(mixed[i], spec.Columns[i]).Forward(x)}
		}
	}
	return out, nil
}

// shortly is a number of three digits that matter, or a whole one.
func shortly(x float64) string {
	if math.Abs(x) >= 1000 && math.Abs(x) < 1e7 {
		return widget.Minus(widget.Grouped(int(math.Round(x))))
	}
	return widget.Minus(widget.FigureOf(x, 3))
}
