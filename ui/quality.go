package ui

import (
	"context"

	"blossom/model/matrix"
	"blossom/model/parts"
	"blossom/model/revision"
	"blossom/model/train"
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

func (a *App) qualityRows() {
	q := &a.quality
	quantization, topographic := "–", "–"
	if q.known {
		quantization, topographic = formatNumber(q.value.Quantization), formatNumber(100*q.value.Topographic)+" %"
	}
	a.ui.LabelValue("Quantization error", quantization,
		"Mean distance of a point to its nearest landmark, in the units of the map's columns. Lower is closer to "+
			"the data.")
	a.ui.LabelValue("Topographic error", topographic,
		"Points whose two nearest landmarks are not neighbours on the map. Lower is better ordered.")
	l := parts.Landmarks.Of(a.m.Doc.State())
	if q.busy || a.m.Busy() || l.CodeRev == q.code && l.PosRev == q.pos {
		return
	}
	q.busy = true
	x, code, pos, m := a.m.Table().X, l.Codebook, l.Pos, a.m
	codeRev, posRev, seed := l.CodeRev, l.PosRev, a.m.Doc.Seed
	if x.Cols != code.Cols {
		q.busy = false
		return
	}
	sample := matrix.Matrix32{Rows: min(x.Rows, 4*qualitySample), Cols: x.Cols,
		Data: x.Data[:min(x.Rows, 4*qualitySample)*x.Cols]}
	a.jobs.Quiet(func(ctx context.Context) (func(), error) {
		v, err := train.Measure(ctx, sample, code, pos, qualitySample, seed)
		return func() {
			if a.m == m { // measured for this very map; a failure is not tried again before a change
				a.quality = quality{value: v, code: codeRev, pos: posRev, known: err == nil}
			}
			if err != nil {
				a.log.add("the quality of the map could not be measured: %v", err)
			}
		}, nil
	})
}
