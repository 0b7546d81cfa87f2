package live

import (
	"context"
	"math"

	"blossom/model/dataset"
	"blossom/model/matrix"
	"blossom/model/parts"
	"blossom/model/revision"
	"blossom/model/state"
	"blossom/model/transform"
)

// retable sends the present transform off to be applied, if the points were not made with it and it
// is not under way. A newer change cancels an older one.
func (m *Map) retable() {
	s := m.Doc.State()
	if parts.Transform.Rev(s) == m.tableFor || parts.Transform.Rev(s) == m.buildFor {
		return
	}
	if m.building != nil {
		m.building.Cancel()
	}
	m.buildFor = parts.Transform.Rev(s)
	data, old, spec, rev := m.Doc.Data, m.table, parts.Transform.Of(s), parts.Transform.Rev(s)
	code := parts.Landmarks.Of(s).Codebook
	job := m.Jobs.Start("Transform", func(ctx context.Context, j *Job) (func(), error) {
		t, err := transform.Update(ctx, old, data, spec, j.Report)
		if err != nil {
			return func() {}, err
		}
		fill, err := centroids(ctx, old, t, code)
		return func() { m.retransformed(t, rev, fill) }, err
	})
	job.Dropped = func() {
		if m.building == job {
			m.keepTransform()
		}
	}
	m.building = job
}

// keepTransform goes back to the transform that the points have, after the user has cancelled the
// application of another one, or it has failed.
func (m *Map) keepTransform() {
	m.building = nil
	if parts.Landmarks.Of(m.Doc.State()).Space != m.tableFor {
		m.buildFor = 0 // undo has brought back a codebook of the other space: that one has to come
		return
	}
	m.Doc.Do("Keep the transform", func(s *state.State) { parts.Transform.Take(s, m.tableState) })
	m.buildFor = m.tableFor
}

// retransformed puts the new points in place, with the codebook carried over into their space.
func (m *Map) retransformed(t *transform.Table, rev revision.Revision, fill matrix.Matrix32) {
	if parts.Transform.Rev(m.Doc.State()) != rev {
		return // changed again meanwhile; that job is on its way
	}
	old := m.table
	m.table, m.tableFor, m.tableState, m.building = t, rev, m.Doc.State(), nil
	if s := m.Doc.State(); parts.Landmarks.Of(s).Space != rev {
		l := *parts.Landmarks.Of(s)
		l.Codebook = recode(m.Doc.Data, old, t, l.Codebook, fill)
		l.CodeRev = revision.Next()
		parts.Retransformed(m.Doc, &l)
	}
	if t.Rev != old.Rev {
		if err := m.load(); err != nil {
			m.Jobs.Failed(err)
		}
	}
}

// recode carries a codebook from the space of one table into that of another. A dimension of both is
// taken back to raw values and through the new transform; a new one takes what the landmark's points
// have there (fill), or the column's mean.
func recode(data *dataset.Dataset, old, now *transform.Table, code, fill matrix.Matrix32) matrix.Matrix32 {
	out := matrix.New(code.Rows, len(now.Cols))
	for j, c := range now.Cols {
		before := -1
		for i, o := range old.Cols {
			if o == c {
				before = i
			}
		}
		if before < 0 || before >= code.Cols || old.Factor[before] == 0 {
			for i := range code.Rows {
				v := float32(now.Mean[j] * now.Factor[j])
				if fill.Rows == code.Rows && fill.Cols == out.Cols {
					v = fill.Row(i)[j]
				}
				out.Row(i)[j] = v
			}
			continue
		}
		was, is := transform.Function(data, old.Spec, c), transform.Function(data, now.Spec, c)
		same := old.Spec.Columns[c].String() == now.Spec.Columns[c].String()
		for i := range code.Rows {
			v := float64(code.Row(i)[before]) / old.Factor[before]
			if !same {
				v = is.Forward(was.Inverse(v))
			}
			v *= now.Factor[j]
			if v-v != 0 {
				v = now.Mean[j] * now.Factor[j]
			}
			out.Row(i)[j] = float32(v)
		}
	}
	return out
}

// centroids returns, for each landmark, the mean of its points in the space of the new table, from as
// many points as take a moment. It is empty if every dimension of the new table was in the old.
func centroids(ctx context.Context, old, now *transform.Table, code matrix.Matrix32) (matrix.Matrix32, error) {
	known := map[int]bool{}
	for j, c := range old.Cols {
		known[c] = old.Factor[j] != 0 // a weight of 0 has wiped out what the codebook had there
	}
	added := false
	for _, c := range now.Cols {
		added = added || !known[c]
	}
	if !added || code.Empty() || code.Cols != old.X.Cols {
		return matrix.Matrix32{}, nil
	}
	n := min(now.X.Rows, max(1000, int(2e9/float64(code.Rows*code.Cols+1))))
	sums, counts := make([]float64, code.Rows*now.X.Cols), make([]int, code.Rows)
	for p := range n {
		if p%1024 == 0 && ctx.Err() != nil {
			return matrix.Matrix32{}, ctx.Err()
		}
		b := nearestRow(code, old.X.Row(p))
		if b < 0 || !finite(now.X.Row(p)) {
			continue
		}
		counts[b]++
		for j, v := range now.X.Row(p) {
			sums[b*now.X.Cols+j] += float64(v)
		}
	}
	out := matrix.New(code.Rows, now.X.Cols)
	for i := range code.Rows {
		for j := range now.X.Cols {
			v := now.Mean[j] * now.Factor[j]
			if counts[i] > 0 {
				v = sums[i*now.X.Cols+j] / float64(counts[i])
			}
			out.Row(i)[j] = float32(v)
		}
	}
	return out, nil
}

func finite(v []float32) bool {
	for _, x := range v {
		if x-x != 0 {
			return false
		}
	}
	return true
}

// nearestRow returns the row of code nearest to x, or -1 if x is not finite.
func nearestRow(code matrix.Matrix32, x []float32) int {
	best, at := float32(math.Inf(1)), -1
	for i := range code.Rows {
		d := float32(0)
		for j, v := range code.Row(i) {
			d += (v - x[j]) * (v - x[j])
		}
		if d < best {
			best, at = d, i
		}
	}
	return at
}
