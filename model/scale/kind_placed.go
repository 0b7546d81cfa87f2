package scale

import (
	"context"

	"blossom/model/base/problem"
	"blossom/model/job"
	"blossom/model/job/run"
	"blossom/model/maps/pyramid"
)

// Places in a map that is there, of points of their own: each part places the rows of a file among those points, each
// for itself, so that parts are what one machine makes of all rows.
func init() {
	RegisterKind(Kind{ID: (&job.Placed{}).What(), Check: placedWish, Around: aroundPlaced,
		Copy: func(w job.Want) job.Want { p := *w.(*job.Placed); return &p },
		File: func(w job.Want) *job.File { return &w.(*job.Placed).Points[0] },
		Beside: func(w job.Want) []*string {
			_, read := w.(*job.Placed).Paths()
			return read[:len(read)-1] // the last is the file of the part
		},
		Flaw: func(p *Plan) string {
			for _, j := range p.Jobs {
				if len(j.Wanted[0].(*job.Placed).Points) != 1 {
					return "a part of it is of several files"
				}
			}
			return ""
		},
		Making: func(p *Plan, want job.Want) Making { return placedRows{p, want.(*job.Placed)} },
		Whole: func(ctx context.Context, p *Plan, r Receipt, bytes bool) bool {
			return p.hasCounts(ctx, r, bytes)
		},
		Written: Receipt.besides,
		Merge: func(ctx context.Context, p *Plan, there []Receipt, m *Manifest) error {
			if p.laid == nil { // the points of the map are of another table, which no window opens as a sample
				return nil
			}
			if m.joined(ctx, p) {
				return nil
			}
			m.Shown = p.laid.Rows
			if err := p.joinCounts(ctx, there); err != nil {
				return err
			}
			return (&Layout{Of: p}).show(ctx)
		}})
}

// placedWish refuses what the places of a part do not have.
func placedWish(w *Wish) error {
	bad := func(remedy, what string) error { return run.Usage{Err: problem.New("", remedy, "%s", what)} }
	switch p := w.Want.(*job.Placed); {
	case w.Into == nil || len(w.Into.Data) != 1 || len(w.Into.Join) > 0:
		return bad("give one file: blossom convert writes several as one",
			"parts are placed among the points of one file")
	case p.Append || p.Each != "" || p.WithData:
		return bad("leave them out", "parts have coordinates alone")
	}
	return nil
}

// aroundPlaced is the job of the points that have a map, with the file of j as those that are placed.
func aroundPlaced(w *Wish, j *job.Job, want job.Want) (*job.Job, error) {
	p, out := want.(*job.Placed), *w.Into
	out.Wanted, out.Data = nil, append([]job.File(nil), out.Data...)
	p.Points = []job.File{j.Data[0]}
	out.Match = j.Match
	out.Want(p)
	paths := []*string{&out.Data[0].Path}
	_, read := p.Paths()
	for _, path := range append(paths, read[:len(read)-1]...) {
		at, err := from(w.Folder, *path)
		if err != nil {
			return nil, problem.Wrap(err, *path, "check the name and the folder", "cannot be found: %v", err)
		}
		*path = at
	}
	return &out, nil
}

// placedRows is a part of places.
type placedRows struct {
	p    *Plan
	want *job.Placed
}

func (p placedRows) Rows(*job.Work) (all, invalid int) {
	of := p.want.Made.Points
	return of.Data.Points, of.Table.Invalid
}

func (p placedRows) Keep(_ context.Context, _ *job.Work, r *Receipt) error {
	r.heard(p.want.Made.Points)
	if p.p.Frame == nil {
		return nil
	}
	c, m := pyramid.NewCounts(*p.p.Frame), p.want.Made
	const some = 1 << 16 // at a time
	var x, y [some]float32
	for at := 0; at < m.Points.Data.Points; at += some {
		n := min(some, m.Points.Data.Points-at)
		for i := range n {
			x[i], y[i] = m.Pos[2*(at+i)], m.Pos[2*(at+i)+1]
		}
		c.Add(x[:n], y[:n])
	}
	return p.p.saveCounts(r, c)
}
