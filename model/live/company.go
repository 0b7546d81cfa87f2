package live

import (
	"context"
	"errors"

	"blossom/model/document/parts"
)

// Company returns the points that have the same nearest landmark as a point, in order, and that landmark; none for a
// point that is in no map. It looks at all points when the codebook has changed.
func (m *Map) Company(point int) (points []int, id int, err error) {
	if !m.consistent() || m.dev.resident == nil {
		return nil, -1, nil // a changed transform is being applied
	}
	l, near, x := parts.Landmarks.Of(m.Doc.State()), &m.named.near, m.table.X
	key := nearKey{m.table.Rev, l.CodeRev, l.Len()}
	if near.Rev() == 0 || near.Of() != key {
		of := make([]int32, x.Rows)
		err := errors.ErrUnsupported
		if m.dev.caps.Searcher != nil {
			err = m.dev.caps.Searcher.Nearest(context.Background(), l.Codebook, 0, x.Rows, of)
		}
		if errors.Is(err, errors.ErrUnsupported) {
			of, err = nearestOf(context.Background(), x, l.Codebook, nil)
		}
		if err != nil {
			return nil, -1, err
		}
		near.Put(key, of)
	}
	of, _ := near.Now()
	if point < 0 || point >= len(of) || of[point] < 0 {
		return nil, -1, nil
	}
	for i, id := range of {
		if id == of[point] {
			points = append(points, i)
		}
	}
	return points, int(of[point]), nil
}
