package landmark

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
)

// Carried is points that are to be moved on the map, and the landmarks that carry them.
type Carried struct {
	N, K int     // points, and landmarks that carry each
	IDs  []int32 // N x K
	// Places writes where the points are on a map with these positions of landmarks, N x m; NaN for one without a
	// place. A point whose landmarks all move by as much moves by as much.
	Places func(pos matrix.Matrix32, out []float64)
	// Derivatives writes how that changes with the coordinates of their landmarks, N x K x m x m: for each coordinate
	// of a landmark those of the point. step is a small length on the map.
	Derivatives func(pos matrix.Matrix32, step float64, out []float64)
}

// Lead moves landmarks so that the points that they carry go where the hand takes them, all by the same way, so that
// they keep their spread: the least squares solution of
//
//	mean of |change of a point - way|^2 + tie |mean change - way|^2 + ridge sum over landmarks |change of it|^2
//
// by the method of Gauss and Newton: for small changes a point moves by its derivatives, and what is missing then is
// asked for again. Landmarks that carry little therefore move little, pinned ones not at all, nor those that carry
// none. Where that throws points apart or does not reach the mean, and none is pinned, all go with the hand. What is
// missing of the mean in the end is taken up by all that may move.
type Lead struct {
	of    Carried
	dims  int
	ids   []int32   // the landmarks that may move
	at    []int32   // the place of each landmark in ids, or -1
	start []float64 // places of the points as they were, N x dims
	known []bool    // whether each point has a place
	n     float64   // how many have
	held  bool      // a landmark that carries them is pinned
	from  matrix.Matrix32
	pos   matrix.Matrix32 // positions of all landmarks, as they are now
	step  float64         // the step of derivatives
	turn  []float64       // derivatives
	old   bool            // they are of other positions than those of now, and do no longer
	move  []float64       // ids x dims
	was   []float64

	ridge         float64
	r, p, q, z    []float64 // vectors of conjugate gradients, ids x dims
	rest, on, now []float64 // N x dims
}

const (
	leadTie   = 20   // how much more the mean counts than what each point does
	leadRidge = 3e-3 // a share of what landmarks carry at most
	leadCarry = 1    // at most, of one point: a landmark that takes it along whole
	leadApart = 0.05 // a share of the way: points may come so far from how they lay to each other
	leadSteps = 4    // at most, in one call of To
	leadMeans = 12   // and then for the mean
	leadClose = 1e-3 // a share of the way: near enough
	leadGain  = 0.8  // a share of what was missing: a step that leaves more is the last one
)

// NewLead prepares moving points of a set. An error is a problem.Problem: no points, or none of their landmarks may
// move.
func NewLead(s *Set, c Carried) (*Lead, error) {
	l := &Lead{of: c, dims: s.Pos.Cols, at: make([]int32, s.Len()), from: s.Pos, pos: s.Pos.Clone(),
		known: make([]bool, c.N)}
	m := l.dims
	l.start, l.rest, l.on, l.now = make([]float64, c.N*m), make([]float64, c.N*m), make([]float64, c.N*m),
		make([]float64, c.N*m)
	l.of.Places(l.pos, l.start)
	for i := range l.known {
		sum := floats.Sum(l.start[i*m : (i+1)*m])
		if l.known[i] = sum-sum == 0; l.known[i] {
			l.n++
		}
	}
	if l.n == 0 {
		return nil, problem.New("", "select points of the map first", "there are no points to move")
	}
	for i := range l.at {
		l.at[i] = -1
	}
	pins := s.pins()
	for _, id := range c.IDs {
		l.held = l.held || pins[id]
		if l.at[id] < 0 && !pins[id] {
			l.at[id] = int32(len(l.ids))
			l.ids = append(l.ids, id)
		}
	}
	if len(l.ids) == 0 {
		return nil, problem.New("", "unpin some of them first", "the landmarks that carry these points are pinned")
	}
	n := len(l.ids) * m
	l.move, l.was = make([]float64, n), make([]float64, n)
	l.r, l.p, l.q, l.z = make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	l.turn = make([]float64, c.N*c.K*m*m)
	l.step = 1e-5 * l.size()
	l.derive()
	return l, nil
}

// size is the length of the map's diagonal, or 1.
func (l *Lead) size() float64 {
	sum := 0.0
	for q := range l.dims {
		lo, hi := math.Inf(1), math.Inf(-1)
		for i := range l.from.Rows {
			x := float64(l.from.Row(i)[q])
			lo, hi = min(lo, x), max(hi, x)
		}
		sum += (hi - lo) * (hi - lo)
	}
	if !(sum > 0) {
		return 1
	}
	return math.Sqrt(sum)
}

// derive finds the derivatives where landmarks are now, and how strong the ridge is with them. Where all landmarks of a
// point lie on a line or in a plane, a tiny step out of it takes the point far away: such derivatives would make the
// ridge so strong that nothing moves any more.
func (l *Lead) derive() {
	m, k := l.dims, l.of.K
	l.of.Derivatives(l.pos, l.step, l.turn)
	load := make([]float64, len(l.ids))
	for i, id := range l.of.IDs {
		j := l.turn[i*m*m : (i+1)*m*m]
		if !l.known[i/k] || floats.HasNaN(j) {
			clear(j)
		}
		if at := l.at[id]; at >= 0 {
			load[at] += min(floats.Dot(j, j)/float64(m), leadCarry) / l.n
		}
	}
	l.ridge, l.old = leadRidge*max(floats.Max(load), 1e-12), false
}

// IDs are the landmarks that may move.
func (l *Lead) IDs() []int32 { return l.ids }

// Middle is the mean of the points as they were, 2 or 3 coordinates.
func (l *Lead) Middle() []float64 {
	out := make([]float64, l.dims)
	for i, known := range l.known {
		if known {
			floats.Add(out, l.start[i*l.dims:(i+1)*l.dims])
		}
	}
	floats.Scale(1/l.n, out)
	return out
}

// To moves the points by way, from where they were at the start, and returns the positions of all landmarks, which stay
// valid until the next call. missing is how far their mean is from where it should be.
func (l *Lead) To(way []float64) (pos matrix.Matrix32, missing float64) {
	length := norm(way)
	square, mean := l.measure(way)
	derived := false
	for range leadSteps {
		if norm(mean) <= leadClose*length && square <= leadClose*length*length {
			break
		}
		goal := square + leadTie*floats.Dot(mean, mean)
		copy(l.was, l.move)
		if l.old && !derived {
			l.derive()
			derived = true
		}
		l.solve(mean)
		gained := false
		for range 4 {
			square, mean = l.measure(way)
			now := square + leadTie*floats.Dot(mean, mean)
			if gained = now < goal; gained {
				l.old = now > 0.5*goal // far from what the derivatives had promised
				goal, gained = now, now < leadGain*goal
				break
			}
			floats.Add(l.move, l.was) // half as far: the map is no straight line
			floats.Scale(0.5, l.move)
			l.old = true
		}
		if !gained {
			break
		}
	}
	if !l.held && square > leadApart*leadApart*length*length {
		mean = l.together(way, square+leadTie*floats.Dot(mean, mean))
	}
	part := 1.0
	for range leadMeans { // the mean before all else
		d := norm(mean)
		if d <= leadClose*length {
			break
		}
		copy(l.was, l.move)
		for i := range l.ids {
			floats.AddScaled(l.move[i*l.dims:(i+1)*l.dims], part, mean)
		}
		last := mean
		if _, mean = l.measure(way); !(norm(mean) < d) {
			copy(l.move, l.was)
			mean, part = last, part/2
		} else {
			part = min(2*part, 4) // pins hold something back: ask for it more strongly
		}
	}
	return l.measured(way)
}

// together lets all landmarks that may move go with the hand as much as it takes to keep the points together and to
// bring them where they belong: where a map is far from linear, what each landmark does by itself does neither. goal is
// what is to be bettered. It returns what is missing of the mean.
func (l *Lead) together(way []float64, goal float64) []float64 {
	copy(l.was, l.move)
	at := func(share float64) (square float64, mean []float64) {
		for i := range l.move {
			l.move[i] = (1-share)*l.was[i] + share*way[i%l.dims]
		}
		return l.measure(way)
	}
	best, near := 0.0, leadApart*norm(way)
	for _, share := range []float64{0.25, 0.5, 0.75, 1} {
		square, mean := at(share)
		if now := square + leadTie*floats.Dot(mean, mean); now < goal {
			best, goal = share, now
			if square <= near*near {
				return mean
			}
		}
	}
	_, mean := at(best)
	return mean
}

// measured returns where landmarks are, and how far the mean is from where it should be.
func (l *Lead) measured(way []float64) (pos matrix.Matrix32, missing float64) {
	_, mean := l.measure(way)
	return l.pos, norm(mean)
}

// measure puts landmarks where move says, and finds what is missing of the way: the mean of the squares, and the mean.
func (l *Lead) measure(way []float64) (square float64, mean []float64) {
	m := l.dims
	for i, id := range l.ids {
		row, from := l.pos.Row(int(id)), l.from.Row(int(id))
		for q := range row {
			row[q] = float32(min(math.MaxFloat32, max(-math.MaxFloat32, float64(from[q])+l.move[i*m+q])))
		}
	}
	l.of.Places(l.pos, l.now)
	mean = make([]float64, m)
	for i, known := range l.known {
		rest := l.rest[i*m : (i+1)*m]
		if !known {
			continue
		}
		for q := range rest {
			rest[q] = l.start[i*m+q] + way[q] - l.now[i*m+q]
			mean[q] += rest[q] / l.n
			square += rest[q] * rest[q] / l.n
		}
	}
	return square, mean
}

// solve adds to move what takes the points where they are missing, by conjugate gradients on the normal equations.
func (l *Lead) solve(mean []float64) {
	l.back(l.rest, mean, l.r)
	clear(l.z)
	copy(l.p, l.r)
	rr := floats.Dot(l.r, l.r)
	end := rr * 1e-6
	part := make([]float64, l.dims)
	for range 40 {
		if !(rr > end) {
			break
		}
		l.forth(l.p, l.on, part)
		l.back(l.on, part, l.q)
		floats.AddScaled(l.q, l.ridge, l.p)
		pq := floats.Dot(l.p, l.q)
		if !(pq > 0) {
			break
		}
		floats.AddScaled(l.z, rr/pq, l.p)
		floats.AddScaled(l.r, -rr/pq, l.q)
		next := floats.Dot(l.r, l.r)
		floats.Scale(next/rr, l.p)
		floats.Add(l.p, l.r)
		rr = next
	}
	floats.Add(l.move, l.z)
}

// forth is what points change by when landmarks do, and the mean of it.
func (l *Lead) forth(landmarks, points, mean []float64) {
	m, k := l.dims, l.of.K
	clear(points)
	clear(mean)
	for i, id := range l.of.IDs {
		at := l.at[id]
		if at < 0 {
			continue
		}
		to := points[i/k*m : (i/k+1)*m]
		for c := range m {
			floats.AddScaled(to, landmarks[int(at)*m+c], l.turn[(i*m+c)*m:(i*m+c+1)*m])
		}
	}
	for i := range l.known {
		floats.AddScaled(mean, 1/l.n, points[i*m:(i+1)*m])
	}
}

// back is its transpose: what landmarks have a share in of what points are to change by, and their mean.
func (l *Lead) back(points, mean, landmarks []float64) {
	m, k := l.dims, l.of.K
	clear(landmarks)
	for i, id := range l.of.IDs {
		at := l.at[id]
		if at < 0 || !l.known[i/k] {
			continue
		}
		of := points[i/k*m : (i/k+1)*m]
		for c := range m {
			sum := 0.0
			for q, j := range l.turn[(i*m+c)*m : (i*m+c+1)*m] {
				sum += j * (of[q] + leadTie*mean[q])
			}
			landmarks[int(at)*m+c] += sum / l.n
		}
	}
}
