package scale

import (
	"context"

	"blossom/model/job"
)

// Rows that may be of the sample of all: each part has those of a file, and the sample is made of all parts, after
// which none is needed any more. Nothing is computed.
func init() {
	RegisterKind(Kind{ID: (&job.Sampled{}).What(), Bare: true,
		Check:  func(*Wish) error { return nil },
		Copy:   func(job.Want) job.Want { return &job.Sampled{} },
		Flaw:   placesFlaw,
		Making: func(p *Plan, want job.Want) Making { return sampledRows{p, want.(*job.Sampled)} },
		Whole: func(ctx context.Context, p *Plan, r Receipt, bytes bool) bool {
			return p.hasSample(ctx, r, bytes)
		},
		Written: Receipt.besides,
		Merge: func(ctx context.Context, p *Plan, there []Receipt, m *Manifest) (err error) {
			if m.Shown, err = p.joinSamples(ctx, there); err == nil && m.Shown > 0 {
				m.Merged, _, err = p.sums.hash(ctx, p.Sample())
			}
			return err
		},
		Merged: func(ctx context.Context, p *Plan) bool { return mergedInto(ctx, p, p.Sample()) }})
}

// sampledRows is a part of a sample.
type sampledRows struct {
	p    *Plan
	want *job.Sampled
}

func (s sampledRows) Rows(*job.Work) (all, invalid int) { return s.want.Made.Points, 0 }

func (s sampledRows) Keep(ctx context.Context, _ *job.Work, r *Receipt) error {
	return s.p.saveSample(ctx, r, s.want.Made)
}
