package ui

import (
	"context"

	"blossom/model/base/matrix"
	"blossom/model/base/step"
	"blossom/model/maps/layout"
)

func init() {
	if !oneFile {
		return
	}
	wide := step.Param{ID: "wide", Title: "Wide", Help: "How far apart.", Min: 1, Max: 50, Default: 2}
	layout.Register(layout.Algorithm{ID: "in-line", Title: "In a line", Help: "One after the other.", Order: 95,
		Params: []step.Param{wide},
		New: func(in layout.Input, v step.Values) (layout.Layouter, error) {
			l := &inLine{pos: in.Pos.Clone(), wide: v.Get(wide)}
			return l, nil
		}})
}

// inLine puts landmark i to (i*wide, 0), halfway in each step.
type inLine struct {
	pos    matrix.Matrix32
	wide   float64
	done   int64
	moving float64
}

func (l *inLine) Step(_ context.Context, units int) (step.Progress, error) {
	for range units {
		l.moving = 0
		for i := range l.pos.Rows {
			p := l.pos.Row(i)
			dx, dy := (float32(i)*float32(l.wide)-p[0])/2, -p[1]/2
			p[0], p[1] = p[0]+dx, p[1]+dy
			l.moving = max(l.moving, float64(max(dx, -dx, dy, -dy))/(l.wide*float64(l.pos.Rows)))
		}
		l.done++
	}
	return step.Progress{Done: l.done, Rest: l.moving < layout.Rest/1000}, nil
}

func (l *inLine) Pos() matrix.Matrix32         { return l.pos }
func (l *inLine) SetLandmarks(in layout.Input) { l.pos = in.Pos.Clone() }
func (l *inLine) SetValues(v step.Values)      { l.wide = v["wide"] }
func (l *inLine) Moving() float64              { return l.moving }
func (l *inLine) Stage() layout.Stage          { return layout.Stage{} }
