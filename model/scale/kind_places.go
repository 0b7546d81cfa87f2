package scale

import (
	"context"
	"math"

	"blossom/model/base/problem"
	"blossom/model/job"
	"blossom/model/job/run"
	"blossom/model/maps/pyramid"
)

// Coordinates of all rows: beside them lie the counts of a part's points and those of its rows that may be of the
// sample, of which the pyramid and the sample of the folder are made.
func init() {
	RegisterKind(Kind{ID: (&job.Embedding{}).What(), Check: placesWish, Flaw: placesFlaw,
		Copy:    func(w job.Want) job.Want { e := *w.(*job.Embedding); return &e },
		Prepare: func(p *Plan, _ *Wish) { p.Frame = frameOf(p.Jobs[0]) },
		Making: func(p *Plan, want job.Want) Making {
			e := want.(*job.Embedding)
			return &places{p, e, p.counting(e)}
		},
		Whole: func(ctx context.Context, p *Plan, r Receipt, bytes bool) bool {
			return p.hasSample(ctx, r, bytes) && p.hasCounts(ctx, r, bytes)
		},
		Written: Receipt.besides,
		Merge: func(ctx context.Context, p *Plan, there []Receipt, m *Manifest) (err error) {
			if m.joined(ctx, p) {
				return nil
			}
			if err := p.joinCounts(ctx, there); err != nil || p.Shown == 0 {
				return err
			}
			if m.Shown, err = p.joinSamples(ctx, there); err != nil || m.Shown == 0 {
				return err
			}
			return p.saveShown()
		}})
}

// placesWish refuses what the coordinates of a part do not have.
func placesWish(w *Wish) error {
	bad := func(remedy, what string) error { return run.Usage{Err: problem.New("", remedy, "%s", what)} }
	switch e := w.Want.(*job.Embedding); {
	case len(e.Derived) > 0:
		return bad("leave --derived out", "columns that are made of the whole map cannot be made in parts")
	case e.Append || e.Each != "":
		return bad("leave them out", "parts have coordinates alone")
	}
	return nil
}

func placesFlaw(p *Plan) string {
	switch {
	case p.Shown < 0 || p.Shown > math.MaxInt32/2:
		return "its sample is of no possible size"
	case p.Frame != nil && !p.Frame.Sound():
		return "its points are counted nowhere"
	}
	return ""
}

// places is a part of coordinates.
type places struct {
	p      *Plan
	want   *job.Embedding
	counts *pyramid.Counts // nil: points are not counted
}

func (m *places) Rows(*job.Work) (all, invalid int) {
	return m.want.Map.Points.Data.Points, m.want.Map.Points.Table.Invalid
}

func (m *places) Keep(ctx context.Context, _ *job.Work, r *Receipt) error {
	r.heard(m.want.Map.Points)
	if err := m.p.saveSample(ctx, r, m.want.Map.Points.Data); err != nil {
		return err
	}
	return m.p.saveCounts(r, m.counts)
}
