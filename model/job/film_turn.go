package job

import (
	"context"
	"math"

	"blossom/model/base/problem"
)

func init() {
	RegisterSubject(Subject{ID: "turn", Title: "A turn of the map in 3D",
		Help:     "a map in 3D, turned once about its upright axis",
		Anywhere: true,
		Fits:     func(session, deep bool) bool { return deep && !session },
		Begin:    beginTurn})
}

// turning is a map that stays as it is, seen from all around.
type turning struct {
	f *Film
	d *Drawn
}

func beginTurn(ctx context.Context, f *Film, w *Work) (Shots, error) {
	p := f.Picture
	p.NoRecipe = true // each frame is part of what carries one
	d, err := p.drawn(ctx, w)
	if err != nil {
		return nil, err
	}
	if d.Places.Dims != 3 {
		return nil, problem.New(w.table.Path, "make one with --dims 3 or --som 8x8x8, or name three columns with --at",
			"a turn is of a map in 3D, and this one is flat")
	}
	f.Picture.Colour, f.Picture.And = p.Colour, p.And
	return &turning{f, d}, nil
}

// Shot turns a little further: the last frame stands one step before the first, so that the film can be played round
// and round.
func (t *turning) Shot(_ context.Context, k int) (*Shot, error) {
	p := t.f.titled("")
	p.Turn = math.Remainder(p.Turn+360*float64(k)/float64(t.f.Frames), 360)
	return &Shot{p, t.d}, nil
}

func (t *turning) Close() {}
