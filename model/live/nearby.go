package live

import (
	"context"

	"blossom/model/clusters/population"
	"blossom/model/maps/selection"
	"blossom/model/space/knn"
	"blossom/model/work"
)

// besides is how many other landmarks are near one.
const besides = 3

// Nearby looks for what is near in the space of a map, as a job, and calls then with it, unless the points or the
// landmarks are others by then. It returns whether there are points and landmarks that agree.
func Nearby(m *Map, then func(selection.Nearby)) bool {
	near := &m.named.near
	set, table, key := m.Landmarks(), m.table, near.key()
	if key.g == 0 || !m.consistent() {
		return false
	}
	known, of := []int32(nil), m.Doc.Data.Points
	if near.Of() == key {
		known, _ = near.Now()
	}
	m.Values.Jobs.Start("Landmarks of points", func(ctx context.Context, j *work.Job) (func(), error) {
		found := known
		if found == nil {
			var err error
			if found, err = nearestOf(ctx, table.X, set.Codebook, j.Report); err != nil {
				return nil, err
			}
		}
		out := selection.Nearby{Of: population.Nearest(of, found, table.Order), Near: make([][]int32, set.Len())}
		lists, err := knn.Of(ctx, set.Codebook, besides)
		if err != nil {
			return nil, err
		}
		for i := range out.Near {
			for _, l := range lists.Index[i*lists.K : (i+1)*lists.K] {
				if l >= 0 {
					out.Near[i] = append(out.Near[i], l)
				}
			}
		}
		return func() {
			if m.Values.Closed() || near.key() != key {
				return
			}
			if known == nil {
				near.Put(key, found)
			}
			then(out)
		}, nil
	})
	return true
}
