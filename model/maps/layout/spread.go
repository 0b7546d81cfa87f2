package layout

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// jitter is how far landmarks of one spot are put apart, as a part of the distance of neighbours on an even map: too
// little to be seen, enough for forces to have a direction.
const jitter = 1e-3

// onASpot says whether all landmarks lie on one spot, as far as their numbers can tell.
func (b *body) onASpot(radius float64) bool {
	largest := 0.0
	for _, v := range b.x {
		largest = max(largest, math.Abs(v))
	}
	return !(radius > 1e-7*largest) || radius < 1e-30
}

// partCoincident puts landmarks that lie on one spot apart, and all of them a little where they lie on a line or a
// plane, which they could never leave. all: everything is on one spot.
func (b *body) partCoincident(all bool) {
	length := jitter * b.radius / math.Pow(float64(b.n), 1/float64(b.dims))
	if all {
		length = jitter * b.radius
	}
	if all || b.flat() {
		for i := range b.n {
			b.nudge(i, length)
		}
		return
	}
	order := make([]int, b.n)
	for i := range order {
		order[i] = i
	}
	at := func(i int) []float64 { return b.x[i*b.dims : (i+1)*b.dims] }
	slices.SortStableFunc(order, func(i, j int) int { return slices.Compare(at(i), at(j)) })
	var twins []int
	for k := 1; k < b.n; k++ {
		if slices.Equal(at(order[k-1]), at(order[k])) {
			twins = append(twins, order[k])
		}
	}
	for _, i := range twins {
		b.nudge(i, length)
	}
}

// nudge moves a free landmark by up to length along each axis. It looks random, and depends on seed and index alone.
func (b *body) nudge(i int, length float64) {
	if !b.free[i] {
		return
	}
	for c := range b.dims {
		b.x[i*b.dims+c] += length * (2*uniform(b.seed, uint64(i), uint64(c), 0) - 1)
	}
}

// flat says whether the landmarks fill fewer dimensions than the map has.
func (b *body) flat() bool {
	if b.n <= b.dims {
		return false // no more can be filled
	}
	centre, _ := b.extent(b.x)
	s := mat.NewSymDense(b.dims, nil)
	for i := range b.n {
		for p := range b.dims {
			for q := p; q < b.dims; q++ {
				s.SetSym(p, q, s.At(p, q)+(b.x[i*b.dims+p]-centre[p])*(b.x[i*b.dims+q]-centre[q]))
			}
		}
	}
	var e mat.EigenSym
	if !e.Factorize(s, false) {
		return false
	}
	v := e.Values(nil) // rising
	return !(v[0] > 1e-9*v[b.dims-1])
}

// uniform is a number in [0, 1) that depends on its arguments alone.
func uniform(seed, i, j, k uint64) float64 {
	return float64(mix(mix(mix(mix(seed)^i)^j)^k)>>11) / (1 << 53)
}

// mix is the finisher of splitmix64 (Steele, Lea, Flood 2014).
func mix(z uint64) uint64 {
	z += 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
