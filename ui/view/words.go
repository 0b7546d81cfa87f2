package view

import (
	"math"
	"slices"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/model/base/revision"
	"blossom/render"
)

// words are the names of populations as they stand on the map of a view that is coloured by them: at a point in the
// middle of those that have the name, the largest first.
type words struct {
	list    []render.Word
	of      revision.Revision // the labels
	changes uint64            // the positions
	shown   int               // points that were there
	among   uint64            // how often the view has shown others of them
}

// Among so many points names find their places: the first of the map are a fair sample of it.
const wordSample = 20_000

// in returns the names for a view; nil: it is coloured by something else, or they are not shown.
func (w *words) in(v *Scatter) []render.Word {
	s, points := v.View.scene, v.Points()
	if v.View.State().NoWords || v.Colours.Values == nil || points == nil || v.field.Shown() == 0 ||
		v.Colours.Column != s.Map.Populations().Column() {
		*w = words{}
		return nil
	}
	n := min(v.field.Shown(), wordSample)
	if !points.Known(n) {
		return w.list
	}
	if w.of == v.Colours.Rev && w.changes == points.Changes() && w.shown == n && w.among == v.among.changes {
		return w.list
	}
	*w = words{of: v.Colours.Rev, changes: points.Changes(), shown: n, among: v.among.changes}
	places := make([][]int, len(v.Colours.Labels))
	for i, x := range v.Colours.Numbers[:min(n, len(v.Colours.Numbers))] {
		if x == x && int(x) < len(places) && finiteAt(points, i) && v.among.shows(i) {
			places[int(x)] = append(places[int(x)], i)
		}
	}
	var order []int
	for label, at := range places {
		if len(at) > 0 {
			order = append(order, label)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return len(places[b]) - len(places[a]) })
	for _, label := range order {
		w.list = append(w.list, render.Word{Text: v.Colours.Labels[label],
			At: wordPlace(points, places[label])})
	}
	return w.list
}

// beside are the names but for those of outlines that are seen in the view, which have them there; none where gates are
// seen: another name beside them could be read as theirs.
func (w *words) beside(v *Scatter) []render.Word {
	list, outlines := w.in(v), gated{v}.shown()
	switch {
	case len(list) == 0 || len(outlines) == 0:
		return list
	case slices.ContainsFunc(outlines, func(g gateShown) bool { return g.gate != nil }):
		return nil
	}
	return slices.DeleteFunc(slices.Clone(list), func(x render.Word) bool {
		return slices.ContainsFunc(outlines, func(g gateShown) bool { return g.Name == x.Text })
	})
}

func finiteAt(p *render.PointBuffer, i int) bool {
	for _, x := range p.Host()[i*p.Dims() : (i+1)*p.Dims()] {
		if x-x != 0 {
			return false
		}
	}
	return true
}

// wordPlace is the place of the point that is nearest to the medians of the coordinates of some.
func wordPlace(p *render.PointBuffer, points []int) []float32 {
	dims, host := p.Dims(), p.Host()
	var middle [3]float64
	values := make([]float32, len(points))
	for c := range dims {
		for i, at := range points {
			values[i] = host[at*dims+c]
		}
		slices.Sort(values)
		middle[c] = float64(values[len(values)/2])
	}
	best, least := points[0], math.Inf(1)
	for _, at := range points {
		d := 0.0
		for c := range dims {
			x := float64(host[at*dims+c]) - middle[c]
			d += x * x
		}
		if d < least {
			best, least = at, d
		}
	}
	return slices.Clone(host[best*dims : (best+1)*dims])
}

func init() {
	RegisterOver(Over{Order: 25, Draw: func(v *Scatter, dl *imgui.DrawList) {
		over := render.Overlay{Theme: v.View.scene.Theme, Cam: v.Eye.Cam, Words: v.words.beside(v)}
		over.PaintWords(noting{inkOver(dl, v.View.scene, v.Eye), &v.names})
	}, Print: func(v *Scatter, o *render.PictureOptions) { o.Words = append(o.Words, v.words.beside(v)...) }})
}
