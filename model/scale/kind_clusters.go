package scale

import (
	"context"

	"blossom/model/base/problem"
	"blossom/model/job"
	"blossom/model/job/run"
)

// Clusters of all rows: the landmarks are clustered, which each part does by itself with the same result, and each row
// gets the cluster of its nearest landmark. Receipts and manifest say how many rows the clusters have.
func init() {
	RegisterKind(Kind{ID: (&job.Labels{}).What(),
		Check: func(w *Wish) error { return clustersOfLandmarks(w.Want.(*job.Labels)) },
		Copy:  func(w job.Want) job.Want { l := *w.(*job.Labels); return &l },
		Flaw: func(p *Plan) string {
			if clustersOfLandmarks(p.Jobs[0].Wanted[0].(*job.Labels)) != nil {
				return "its parts cannot be written"
			}
			return ""
		},
		Making: func(_ *Plan, want job.Want) Making { return clustered{want.(*job.Labels)} },
		Merge: func(_ context.Context, _ *Plan, there []Receipt, m *Manifest) error {
			for _, r := range there {
				m.Clusters = append(m.Clusters, make([]int64, max(0, len(r.Clusters)-len(m.Clusters)))...)
				for i, n := range r.Clusters {
					m.Clusters[i] += n
				}
			}
			return nil
		}})
}

// mostCounted is of how many clusters receipts say how many rows these have.
const mostCounted = 4096

// clustersOfLandmarks says what of clusters no part can know.
func clustersOfLandmarks(l *job.Labels) error {
	bad := func(remedy, what string) error { return run.Usage{Err: problem.New("", remedy, "%s", what)} }
	switch {
	case !l.OfLandmarks || l.Uncut():
		return bad("give --n-clusters, --distance or --min-size",
			"in parts rows get the clusters of their landmarks, of which no cut is given")
	case l.LinkageOut != "" || l.TreeOut != "":
		return bad("leave them out, and cluster one file of the folder for them",
			"--linkage-out and --mst-out are of the landmarks, not of parts")
	case l.Append || l.Each != "" || l.WithData:
		return bad("leave them out", "parts have labels alone")
	}
	return nil
}

// clustered is a part of clusters.
type clustered struct{ want *job.Labels }

func (c clustered) Rows(*job.Work) (all, invalid int) {
	p := c.want.Made.Points
	return p.Data.Points, p.Table.Invalid
}

func (c clustered) Keep(_ context.Context, _ *job.Work, r *Receipt) error {
	r.heard(c.want.Made.Points)
	if sizes := c.want.Made.Sizes; len(sizes) <= mostCounted {
		r.Clusters = sizes
	}
	return nil
}
