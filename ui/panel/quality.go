package panel

import (
	"context"
	"slices"
	"time"

	"blossom/model/base/matrix"
	"blossom/model/base/revision"
	"blossom/model/document/parts"
	"blossom/model/landmarks/train"
	"blossom/model/work"
	"blossom/ui/desk"
	"blossom/ui/widget"
)

// quality measures the map on the same points all the while, as a job beside the window: how far points are from
// their landmarks, and how often the two nearest landmarks are not neighbours on the map. While a run goes on it
// is measured now and then, which makes the plot of the run.
type quality struct {
	value *work.Value[measured, errors]
	added revision.Revision // revision of value when it was last added to the plot

	// The run: both errors, each measure or every stride-th of a long one.
	quantization, topographic []float32
	ranges                    [2]string // from the least to the largest of each, as text
	stride, skipped           int
	done                      int64 // units of the run when it was measured last
	fresh                     bool  // the run has begun anew since
}

// errors are what was measured, by the landmarks of the points, which are of a table and a codebook.
type errors struct {
	train.Quality
	near *train.Pairs
}

// measured is what both errors depend on.
type measured struct {
	table, code, pos, edges revision.Revision
	along                   bool
}

const (
	qualitySample = 5000     // points that it is measured on, fewer where
	qualityWork   = 60 << 20 // points x landmarks x columns are more than some hundredths of a second take
	qualityLeast  = 500      // points
	qualityEvery  = 500 * time.Millisecond
	qualityPlot   = 240 // measures that are kept
)

func (q *quality) draw(d *desk.Desk) {
	quantization, topographic := "–", "–"
	if q.value == nil {
		q.value = work.Keep[measured, errors](&d.Values, work.Policy{Title: "Quality of the landmarks", Quiet: true,
			Background: true, Finish: true, Silent: true, Least: qualityEvery, Done: func() { q.note(d) }})
	}
	if now, _ := q.value.Now(); q.value.Rev() != 0 {
		quantization = widget.Figure(now.Quantization)
		topographic = widget.Figure(100*now.Topographic) + " %"
	}
	d.UI.LabelValue("Quantization error", quantization,
		"Mean distance of a point to its nearest landmark, in the units of the map's columns. Lower is closer to "+
			"the data.")
	d.UI.LabelValue("Topographic error", topographic,
		"Points whose two nearest landmarks are not neighbours on the map. Lower is better ordered.")
	d.UI.Curve("errors", []widget.CurveLine{{Y: q.quantization, Name: "quantization", Range: q.ranges[0]},
		{Y: q.topographic, Dashed: true, Color: d.UI.Theme().Muted, Name: "topographic", Range: q.ranges[1]}},
		widget.CurveOpts{Height: 44, Cursor: -1, Caption: q.caption(), From: "start of the run", To: "now",
			Tip: "Quantization error (line) and topographic error (dashes) over the run, each over its own range, on " +
				"a sample of the points that stays the same"})
	q.follow(d)
	q.measure(d)
}

// caption says what will be where there is nothing yet.
func (q *quality) caption() string {
	if len(q.quantization) < 2 {
		return "errors over the run"
	}
	return ""
}

// follow notices runs that begin.
func (q *quality) follow(d *desk.Desk) {
	if running, p, _ := d.Training().Progress(); running {
		q.fresh = q.fresh || !d.Training().Swept() && p.Done < q.done
		q.done = p.Done
	}
}

// measure begins to measure a map that has not been, at rest or after a while of a run.
func (q *quality) measure(d *desk.Desk) {
	s := d.Doc.State()
	l, x := parts.Landmarks.Of(s), d.Table().X
	running := d.Training().Active()
	now := measured{table: d.Table().Rev, code: l.CodeRev, pos: l.PosRev, edges: l.EdgeRev,
		along: len(l.Edges) > 0 && parts.Training.Of(s).Values["along"] >= 0.5}
	switch {
	case x.Cols != l.Codebook.Cols || l.Len() == 0:
		return
	case (running || d.Doc.Open()) && !q.value.Rested():
		return
	case !running && d.Busy():
		return
	case !q.value.Want(now):
		return
	}
	of, was := q.value.Of(), errors{}
	if was, _ = q.value.Now(); now.table != of.table || now.code != of.code {
		was.near = nil
	}
	q.fresh = q.fresh || now.table != of.table
	rows := min(x.Rows, qualitySample, max(qualityLeast, qualityWork/max(1, x.Cols*l.Len())))
	sample := matrix.Matrix32{Rows: rows, Cols: x.Cols, Data: x.Data[:rows*x.Cols]} // points are in a random order
	q.value.Make(work.Aside, func(ctx context.Context, _ func(done, total int64)) (out errors, err error) {
		if out.near = was.near; out.near == nil { // on one core: what is measured aside leaves the others to the frame
			if out.near, err = train.PairsOf(ctx, 1, sample, l.Codebook); err != nil {
				return out, err
			}
		}
		if now.along {
			out.Quality = out.near.Along(l.Edges)
		} else {
			out.Quality = out.near.Quality(l.Pos)
		}
		return out, nil
	})
}

// note puts what was measured into the plot, or says why there is nothing.
func (q *quality) note(d *desk.Desk) {
	if err := q.value.Err(); err != nil {
		d.Window.Say("the quality of the map could not be measured: " + err.Error())
	}
	if q.added != q.value.Rev() {
		now, _ := q.value.Now()
		q.added = q.value.Rev()
		q.add(now.Quality)
	}
}

// add puts a measure into the plot.
func (q *quality) add(v train.Quality) {
	if q.fresh || q.stride == 0 {
		q.fresh, q.stride, q.skipped = false, 1, 0
		q.quantization, q.topographic = q.quantization[:0], q.topographic[:0]
	}
	if q.skipped++; q.skipped < q.stride {
		return
	}
	q.skipped = 0
	q.quantization = append(q.quantization, float32(v.Quantization))
	q.topographic = append(q.topographic, float32(v.Topographic))
	q.ranges = [2]string{span(q.quantization, 1, ""), span(q.topographic, 100, " %")}
	if n := len(q.quantization); n >= qualityPlot {
		for i := range n / 2 {
			q.quantization[i], q.topographic[i] = q.quantization[2*i+1], q.topographic[2*i+1]
		}
		q.quantization, q.topographic = q.quantization[:n/2], q.topographic[:n/2]
		q.stride *= 2
	}
}

// span says from where to where values have come, the least and the largest.
func span(y []float32, by float64, unit string) string {
	if len(y) < 2 {
		return ""
	}
	text := func(v float32) string { return widget.FigureOf(by*float64(v), 3) }
	return text(slices.Min(y)) + " to " + text(slices.Max(y)) + unit
}
