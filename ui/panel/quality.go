package panel

import (
	"context"

	"blossom/model/matrix"
	"blossom/model/parts"
	"blossom/model/revision"
	"blossom/model/train"
	"blossom/ui/desk"
	"blossom/ui/widget"
)

// quality measures the map at rest, as a job: how far points are from their landmarks, and how often
// the two nearest landmarks are not neighbours on the map.
type quality struct {
	value train.Quality
	code  revision.Revision // what it was measured for
	pos   revision.Revision
	busy  bool
	known bool
}

// qualitySample is the number of points it is measured on.
const qualitySample = 5000

func (q *quality) draw(d *desk.Desk) {
	quantization, topographic := "–", "–"
	if q.known {
		quantization = widget.Figure(q.value.Quantization)
		topographic = widget.Figure(100*q.value.Topographic) + " %"
	}
	d.UI.LabelValue("Quantization error", quantization,
		"Mean distance of a point to its nearest landmark, in the units of the map's columns. Lower is closer to "+
			"the data.")
	d.UI.LabelValue("Topographic error", topographic,
		"Points whose two nearest landmarks are not neighbours on the map. Lower is better ordered.")
	q.measure(d)
}

// measure begins to measure a map at rest that has not been.
func (q *quality) measure(d *desk.Desk) {
	l, x, seed := parts.Landmarks.Of(d.Doc.State()), d.Table().X, d.Doc.Seed
	if q.busy || d.Busy() || l.CodeRev == q.code && l.PosRev == q.pos || x.Cols != l.Codebook.Cols {
		return
	}
	q.busy = true
	rows := min(x.Rows, 4*qualitySample)
	sample := matrix.Matrix32{Rows: rows, Cols: x.Cols, Data: x.Data[:rows*x.Cols]}
	d.Jobs.Quiet(func(ctx context.Context) (func(), error) {
		v, err := train.Measure(ctx, sample, l.Codebook, l.Pos, qualitySample, seed)
		return func() { // a failure is not tried again before a change
			*q = quality{value: v, code: l.CodeRev, pos: l.PosRev, known: err == nil}
			if err != nil {
				d.Window.Say("the quality of the map could not be measured: " + err.Error())
			}
		}, nil
	})
}
