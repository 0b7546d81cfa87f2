package panel

import (
	"context"
	"math"

	"blossom/model/base/revision"
	"blossom/model/clusters/population"
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
	value *work.Value[mediansKey, map[int]median]
	asked map[int]bool
}

// mediansKey is what they depend on: those that were asked for only become more.
type mediansKey struct {
	set   *selection.Set
	spec  revision.Revision
	asked int
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
		m.value = work.Keep[mediansKey, map[int]median](&d.Values, work.Policy{Title: "Medians", Quiet: true,
			Background: true, Finish: true})
		m.asked = map[int]bool{}
	}
	m.asked[column] = true
	known, _ := m.value.Now()
	return known[column]
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
	if !m.value.Want(mediansKey{set, parts.Transform.Rev(d.Doc.State()), len(m.asked)}) {
		return
	}
	data, spec, cols := d.Doc.Data, d.Spec(), []int(nil)
	for i := range m.asked {
		if i < len(data.Columns) && data.Columns[i].Categories == nil {
			cols = append(cols, i)
		}
	}
	m.value.Make(work.Aside, func(ctx context.Context, _ func(done, total int64)) (map[int]median, error) {
		mixed, at := transform.AllMixed(data, spec, cols), make([]func(row int) float64, len(cols))
		for k, i := range cols {
			at[k] = mixed[i].At
		}
		found, err := population.Medians(ctx, []*selection.Set{set}, at)
		if err != nil {
			return nil, err
		}
		out := map[int]median{}
		for k, i := range cols {
			x := found[0][k]
			out[i] = median{shown: transform.FunctionOf(mixed[i], spec.Columns[i]).Forward(x)}
			if text := widget.FigureOf(x, 3); !math.IsNaN(x) {
				out[i] = median{text, out[i].shown}
			}
		}
		return out, nil
	})
}
