package live

import (
	"context"
	"errors"

	"blossom/model/base/matrix"
	"blossom/model/base/par"
	"blossom/model/base/revision"
	"blossom/model/document/parts"
	"blossom/model/space/knn"
)

// company is which landmark each point is nearest to.
type company struct {
	table, code revision.Revision
	of          []int32 // -1 for an invalid point
}

// Company returns the points that have the same nearest landmark as a point, in order, and that landmark; none for a
// point that is in no map. It looks at all points when the codebook has changed.
func (m *Map) Company(point int) (points []int, id int, err error) {
	if !m.consistent() || m.dev.resident == nil {
		return nil, -1, nil // a changed transform is being applied
	}
	l, c, x := parts.Landmarks.Of(m.Doc.State()), &m.company, m.table.X
	if c.of == nil || c.table != m.table.Rev || c.code != l.CodeRev {
		of := make([]int32, x.Rows)
		err := errors.ErrUnsupported
		if m.dev.caps.Searcher != nil {
			err = m.dev.caps.Searcher.Nearest(context.Background(), l.Codebook, 0, x.Rows, of)
		}
		if errors.Is(err, errors.ErrUnsupported) {
			err = nearestRows(context.Background(), x, l.Codebook, of)
		}
		if err != nil {
			return nil, -1, err
		}
		*c = company{m.table.Rev, l.CodeRev, of}
	}
	if point < 0 || point >= len(c.of) || c.of[point] < 0 {
		return nil, -1, nil
	}
	for i, id := range c.of {
		if id == c.of[point] {
			points = append(points, i)
		}
	}
	return points, int(c.of[point]), nil
}

// nearestRows finds the nearest row of a codebook for each point. The error is ctx's.
func nearestRows(ctx context.Context, x, codebook matrix.Matrix32, out []int32) error {
	return par.Blocks(ctx, len(out), 256, func(_, from, to int) {
		for i := from; i < to; i++ {
			out[i] = -1
			if !knn.Finite(x.Row(i)) {
				continue
			}
			best := 0.0
			for g := range codebook.Rows {
				if d := apart(x.Row(i), codebook.Row(g)); out[i] < 0 || d < best {
					out[i], best = int32(g), d
				}
			}
		}
	})
}
