package panel

import (
	"context"
	"math"

	"blossom/model/base/revision"
	"blossom/model/document/parts"
	"blossom/model/space/transform"
	"blossom/model/work"
	"blossom/render/colour"
	"blossom/ui/desk"
)

// sparks are small histograms of columns, transformed as in the map. They are counted in a sample of the points beside
// the window, once a column has been asked for; until then there is none, or the one before the last change.
type sparks struct {
	value *work.Value[sparksKey, map[int]spark]
	asked map[int]bool
}

// sparksKey is what they depend on: those that were asked for only become more.
type sparksKey struct {
	spec  revision.Revision
	asked int
}

// spark is one of them, and how its column was transformed.
type spark struct {
	counts []float32 // nil: of names, which have no histogram
	lo, hi float32   // the ends of counts
	how    string
}

const (
	sparkBins   = 22
	sparkSample = 20_000
)

// of returns the histogram of a column, or nil.
func (s *sparks) of(d *desk.Desk, column int) []float32 {
	if s.value == nil {
		s.value = work.Keep[sparksKey, map[int]spark](&d.Values, work.Policy{Title: "Histograms of columns",
			Quiet: true, Background: true, Finish: true})
		s.asked = map[int]bool{}
	}
	s.asked[column] = true
	known, _ := s.value.Now()
	return known[column].counts
}

// place is where a transformed value lies in the histogram of a column, from 0 to 1; NaN: nowhere.
func (s *sparks) place(column int, x float64) float32 {
	if s.value == nil {
		return float32(math.NaN())
	}
	known, _ := s.value.Now()
	h := known[column]
	if h.counts == nil || !(h.hi > h.lo) {
		return float32(math.NaN())
	}
	return min(max((float32(x)-h.lo)/(h.hi-h.lo), 0), 1)
}

// count begins to count those that have been asked for. Nothing is counted while a slider is held.
func (s *sparks) count(d *desk.Desk) {
	if len(s.asked) == 0 || d.Doc.Open() || !s.value.Want(sparksKey{parts.Transform.Rev(d.Doc.State()), len(s.asked)}) {
		return
	}
	known, _ := s.value.Now()
	data, spec, found := d.Doc.Data, d.Spec(), map[int]spark{}
	var todo []int
	for i := range s.asked {
		if found[i] = known[i]; found[i].how != spec.How(i) {
			todo, found[i] = append(todo, i), spark{how: spec.How(i)}
		}
	}
	// The order is random: its beginning is a sample.
	order := d.Table().Order
	order = order[:min(len(order), sparkSample)]
	cost := work.Aside
	if len(todo) == 0 {
		cost = 0
	}
	s.value.Make(cost, func(context.Context, func(done, total int64)) (map[int]spark, error) {
		mixed := transform.AllMixed(data, spec, todo)
		for _, i := range todo {
			x := found[i]
			v := colour.Of(mixed[i], spec.Columns[i], order)
			if v.Labels == nil {
				x.counts = make([]float32, sparkBins)
				x.lo, x.hi = v.Histogram(x.counts)
			}
			found[i] = x
		}
		return found, nil
	})
}
