package embedsom

import (
	"cmp"
	"math"
	"slices"

	"blossom/model/base/matrix"
)

const (
	gravity  = 1e-5  // pull of each neighbour's own position
	cutoff   = 10    // steepness of the fall to zero at the last neighbour found
	minimalH = 1e-10 // positions nearer than the root of this make no line
)

// Reference is the projection in float64, for one set of landmarks and parameters: the meaning that
// every engine is tested against. It is immutable, so any number of Workers share one.
//
// Distances are handled as differences to a nearby landmark b,
//
//	|x-L_i|^2 - |x-L_b|^2 = (L_b-L_i) . ((x-L_b) + (x-L_i)),
//
// which does not cancel, so that a point 1e30 away still has an order and scores that change
// continuously as it comes nearer.
type Reference struct {
	g, d, m int
	k, find int
	boost   float64
	adjust  float64
	code    []float64 // g x d
	pos     []float64 // g x m
}

// NewReference prepares the projection, or says (problem.Problem) why the input cannot be used.
func NewReference(codebook, pos matrix.Matrix32, p Params) (*Reference, error) {
	if err := Validate(codebook, pos); err != nil {
		return nil, err
	}
	if err := p.Validate(); err != nil {
		return nil, err
	}
	r := &Reference{
		g: codebook.Rows, d: codebook.Cols, m: pos.Cols,
		boost: float64(p.Boost), adjust: float64(p.Adjust),
		code: widen(codebook), pos: widen(pos),
	}
	r.k, r.find = p.Neighbours(r.g)
	return r, nil
}

func widen(m matrix.Matrix32) []float64 {
	w := make([]float64, m.Rows*m.Cols)
	for i := range w {
		w[i] = float64(m.Data[i])
	}
	return w
}

// Dims returns the number of coordinates of a position, 2 or 3.
func (r *Reference) Dims() int { return r.m }

// neighbour is a landmark and its squared distance less that of the base landmark.
type neighbour struct {
	id    int
	delta float64
}

// Worker projects one point after another with memory of its own.
type Worker struct {
	r     *Reference
	all   []neighbour // landmarks by distance from the last point, nearest first; the first find are sorted
	base2 float64     // squared distance of the nearest
	excess,
	score []float64
}

// Worker returns a new Worker; use one per goroutine.
func (r *Reference) Worker() *Worker {
	return &Worker{
		r: r, all: make([]neighbour, r.g),
		excess: make([]float64, r.find), score: make([]float64, r.find),
	}
}

// Point projects x (length d) to out (length m). It returns false, and NaN, for a point that is not valid.
func (w *Worker) Point(x []float32, out []float64) bool {
	if !Valid(x) {
		return invalid(out)
	}
	w.all = w.all[:w.r.g]
	for i := range w.all {
		w.all[i].id = i
	}
	w.rank(x)
	w.solve(x, out)
	return true
}

// PointFrom is Point for a caller that already knows which landmarks are nearest: ids holds find of
// them in any order (find as Params.Neighbours gives it).
func (w *Worker) PointFrom(x []float32, ids []int32, out []float64) bool {
	if !Valid(x) {
		return invalid(out)
	}
	w.all = w.all[:len(ids)]
	for i, id := range ids {
		w.all[i].id = int(id)
	}
	w.rank(x)
	w.solve(x, out)
	return true
}

// Neighbours returns the ids of the find nearest landmarks of x, nearest first, ties to the lower
// id, and their squared distances; nil for an invalid point. The slice dist2 may be nil.
func (w *Worker) Neighbours(x []float32, ids []int32, dist2 []float64) []int32 {
	if !Valid(x) {
		return nil
	}
	w.all = w.all[:w.r.g]
	for i := range w.all {
		w.all[i].id = i
	}
	w.rank(x)
	ids = ids[:0]
	for i, n := range w.all[:w.r.find] {
		ids = append(ids, int32(n.id))
		if dist2 != nil {
			dist2[i] = w.base2 + n.delta
		}
	}
	return ids
}

func invalid(out []float64) bool {
	for i := range out {
		out[i] = math.NaN()
	}
	return false
}

func (r *Reference) row(i int) []float64 { return r.code[i*r.d : (i+1)*r.d : (i+1)*r.d] }

// rank brings the nearest of w.all to its beginning, sorted by their distance from x; what is behind them is lost.
func (w *Worker) rank(x []float32) {
	r := w.r
	base, best := 0, math.Inf(1)
	for _, n := range w.all {
		var s float64
		for c, l := range r.row(n.id) {
			t := float64(x[c]) - l
			s += t * t
		}
		if s < best || (s == best && n.id < base) {
			base, best = n.id, s
		}
	}
	lb := r.row(base)
	for i := range w.all {
		n := &w.all[i]
		n.delta = 0
		if n.id == base {
			continue
		}
		for c, l := range r.row(n.id) {
			n.delta += (lb[c] - l) * ((float64(x[c]) - lb[c]) + (float64(x[c]) - l))
		}
	}
	near := w.all[:min(r.find, len(w.all))]
	slices.SortFunc(near, compare)
	for _, n := range w.all[len(near):] {
		if compare(n, near[len(near)-1]) >= 0 {
			continue
		}
		at := len(near) - 1
		for ; at > 0 && compare(n, near[at-1]) < 0; at-- {
			near[at] = near[at-1]
		}
		near[at] = n
	}
	w.base2 = max(0, best+w.all[0].delta)
	for i := len(near) - 1; i >= 0; i-- {
		near[i].delta -= near[0].delta
	}
}

// compare orders neighbours: the nearer first, of those equally far that of the lower id.
func compare(a, b neighbour) int {
	if a.delta != b.delta {
		return cmp.Compare(a.delta, b.delta)
	}
	return a.id - b.id
}

// scores fills w.score from the sorted neighbours and returns the factor that gravity takes: scores
// are divided by exp(boost (mu - D_1) / sqrt(v)) so that no boost overflows, which leaves the result
// as it is when gravity is divided by the same.
func (w *Worker) scores() float64 {
	r := w.r
	d1 := math.Sqrt(w.base2)
	var sum, mu, v float64
	for i, n := range w.all[:r.find] {
		w.excess[i] = 0 // D_i - D_1
		if n.delta > 0 {
			w.excess[i] = n.delta / (math.Sqrt(w.base2+n.delta) + d1)
		}
		sum += 1 / float64(i+1)
		mu += w.excess[i] / float64(i+1)
	}
	mu /= sum
	for i, e := range w.excess[:r.find] {
		v += (e - mu) * (e - mu) / float64(i+1)
	}
	last := w.excess[r.find-1]
	sd := math.Sqrt(v / sum)
	var total float64
	for i, e := range w.excess[:r.k] {
		f := 1.0
		if r.k < r.find && d1+last > 0 {
			f = -math.Expm1(cutoff * (e - last) / (d1 + last))
		}
		w.score[i] = f
		if sd > 0 {
			w.score[i] = f * math.Exp(-r.boost*e/sd)
		}
		total += w.score[i]
	}
	if !(total > 0) { // all at the distance of the last one found
		for i := range w.score[:r.k] {
			w.score[i] = 1
		}
	}
	if sd > 0 {
		return gravity * math.Exp(-r.boost*mu/sd)
	}
	return gravity
}

// along returns where x falls on the line through two landmarks, 0 at from and 1 at to; ok is false where they are the
// same point.
func along(x []float32, from, to []float64) (at float64, ok bool) {
	var q2 float64
	for q, l := range to {
		v := l - from[q]
		q2 += v * v
		at += v * (float64(x[q]) - from[q])
	}
	return at / q2, q2 != 0
}

// solve finds y of A y = c, with positions relative to that of the nearest landmark. A is a sum of outer
// products, so y is a least squares solution, and rotating each product's row into a triangle finds it with
// the accuracy of the square root of A's condition: scores may differ by tens of orders of magnitude.
func (w *Worker) solve(x []float32, out []float64) {
	r := w.r
	pull := w.scores()
	origin := r.pos[w.all[0].id*r.m:][:r.m]
	var t triangle
	var c, li, h [3]float64
	var weights float64
	for i := 0; i < r.k; i++ {
		s := w.score[i]
		pi := r.pos[w.all[i].id*r.m:][:r.m]
		weights += pull * s
		for q := range pi {
			li[q] = pi[q] - origin[q]
			c[q] += pull * s * li[q]
		}
		ci := r.row(w.all[i].id)
		for j := i + 1; j < r.k; j++ {
			var hh float64
			pj := r.pos[w.all[j].id*r.m:][:r.m]
			for q := range pj {
				h[q] = pj[q] - pi[q]
				hh += h[q] * h[q]
			}
			if hh < minimalH {
				continue
			}
			along, ok := along(x, ci, r.row(w.all[j].id))
			if !ok {
				continue
			}
			weight := s * w.score[j] * math.Pow(1+hh, -r.adjust) * math.Exp(-(along-0.5)*(along-0.5))
			if weight == 0 { // along may be huge
				continue
			}
			// sqrt(S/H) h.y = sqrt(S/H) (H t + h.l_i)
			root := math.Sqrt(weight / hh)
			b := along * hh
			row := h
			for q := range r.m {
				b += h[q] * li[q]
				row[q] *= root
			}
			t.add(row, root*b, r.m)
		}
	}
	if root := math.Sqrt(weights); root > 0 { // gravity: weights y = c
		for q := range r.m {
			var row [3]float64
			row[q] = root
			t.add(row, c[q]/root, r.m)
		}
	}
	if !t.solve(&c, r.m) {
		w.mean(&c)
	}
	for q := range out[:r.m] {
		out[q] = origin[q] + c[q]
	}
}

// mean sets c to the score-weighted mean of the neighbours' positions relative to the nearest.
func (w *Worker) mean(c *[3]float64) {
	r := w.r
	*c = [3]float64{}
	var sum float64
	for i, s := range w.score[:r.k] {
		sum += s
		for q := 0; q < r.m; q++ {
			c[q] += s * (r.pos[w.all[i].id*r.m+q] - r.pos[w.all[0].id*r.m+q])
		}
	}
	for q := range c {
		c[q] /= sum
	}
}

// triangle is the upper triangular factor of A (A = r^T r), its right side, the diagonal of A, and the sum of the
// squares of what no y can satisfy.
type triangle struct {
	r    [3][3]float64
	z    [3]float64
	diag [3]float64
	rest float64
}

// add rotates the row of an equation row.y = b into the triangle (m x m).
func (t *triangle) add(row [3]float64, b float64, m int) {
	for i := range m {
		v := row[i]
		t.diag[i] += v * v
	}
	for i := range m {
		v := row[i]
		if v == 0 {
			continue
		}
		rho := math.Sqrt(t.r[i][i]*t.r[i][i] + v*v)
		if rho == 0 { // both squares vanish: the row is of no weight
			continue
		}
		cos, sin := t.r[i][i]/rho, v/rho
		t.r[i][i] = rho
		for j := i + 1; j < m; j++ {
			u := t.r[i][j]
			t.r[i][j] = cos*u + sin*row[j]
			row[j] = cos*row[j] - sin*u
		}
		u := t.z[i]
		t.z[i] = cos*u + sin*b
		b = cos*b - sin*u
	}
	t.rest += b * b
}

// solve sets y, or returns false when a pivot p is not usable. Where equations of weight 1 contradict each other by
// rest, their rounding (1e-16) pulls y along a direction that only equations of weight p hold by rest 1e-16 / p^2;
// where they agree, by 1e-16 / p alone. So a pivot may be the smaller the better they agree: with all of the right
// side (b^T b) unsatisfied p^2 may be 1e-14 of the diagonal, with none of it 1e-22.
func (t *triangle) solve(y *[3]float64, m int) bool {
	all := t.rest
	for i := range m {
		all += t.z[i] * t.z[i]
	}
	for i := m - 1; i >= 0; i-- {
		p := t.r[i][i]
		share := p * p / t.diag[i]
		if !(share > 1e-22) || !(share*share*all >= 1e-28*t.rest) || math.IsInf(p, 0) {
			return false
		}
		s := t.z[i]
		for j := i + 1; j < m; j++ {
			s -= t.r[i][j] * y[j]
		}
		y[i] = s / p
		if math.IsNaN(y[i]) || math.IsInf(y[i], 0) {
			return false
		}
	}
	return true
}

// Use makes the Worker project for another Reference, keeping its memory where that is large enough.
func (w *Worker) Use(r *Reference) {
	if w.r == r {
		return
	}
	w.r = r
	w.all = slices.Grow(w.all[:0], r.g)[:r.g]
	w.excess = slices.Grow(w.excess[:0], r.find)[:r.find]
	w.score = slices.Grow(w.score[:0], r.find)[:r.find]
}
