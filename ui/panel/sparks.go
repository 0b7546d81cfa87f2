package panel

import (
	"context"

	"blossom/model/base/revision"
	"blossom/model/document/parts"
	"blossom/model/space/transform"
	"blossom/render/colour"
	"blossom/ui/desk"
)

// sparks are small histograms of columns, transformed as in the map. They are counted in a sample of the points, as a
// job, once a column has been asked for; until then there is none, or the one before the last change.
type sparks struct {
	known map[int]spark
	due   []int
	busy  bool
}

// spark is one of them, and what it was counted for.
type spark struct {
	counts []float32 // nil: of names, which have no histogram
	spec   revision.Revision
	how    string
}

const (
	sparkBins   = 22
	sparkSample = 20_000
)

// of returns the histogram of a column, or nil.
func (s *sparks) of(d *desk.Desk, column int) []float32 {
	x, ok := s.known[column]
	if rev := parts.Transform.Rev(d.Doc.State()); !s.busy && (!ok || x.spec != rev) {
		s.due = append(s.due, column)
	}
	return x.counts
}

// count begins to count those that have been asked for in this frame. Nothing is counted while a slider is held.
func (s *sparks) count(d *desk.Desk) {
	due := s.due
	s.due = s.due[:0]
	if len(due) == 0 || d.Doc.Open() {
		return
	}
	if s.known == nil {
		s.known = map[int]spark{}
	}
	data, spec, rev := d.Doc.Data, d.Spec(), parts.Transform.Rev(d.Doc.State())
	var todo []int
	found := map[int]spark{}
	for _, i := range due {
		x, ok := s.known[i]
		how := spec.How(i)
		if ok && x.how == how {
			x.spec = rev
			s.known[i] = x
			continue
		}
		todo, found[i] = append(todo, i), spark{spec: rev, how: how}
	}
	if len(todo) == 0 {
		return
	}
	// The order is random: its beginning is a sample.
	order := d.Table().Order
	order = order[:min(len(order), sparkSample)]
	s.busy = true
	d.Jobs.Quiet(func(context.Context) (func(), error) {
		mixed := transform.AllMixed(data, spec, todo)
		for _, i := range todo {
			x := found[i]
			v := colour.Of(mixed[i], spec.Columns[i], order)
			if v.Labels == nil {
				x.counts = make([]float32, sparkBins)
				v.Histogram(x.counts)
			}
			found[i] = x
		}
		return func() {
			s.busy = false
			for i, x := range found {
				s.known[i] = x
			}
		}, nil
	})
}
