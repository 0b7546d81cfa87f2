package contest

import (
	"math"
	"math/rand/v2"
	"runtime"
	"sync"

	"blossom/model/base/matrix"
	"blossom/model/base/revision"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/embedsom"
)

// Distributions of points.
const (
	Uniform   = "uniform"   // in the unit cube: the worst case for any filter of neighbours
	Clustered = "clustered" // 24 anisotropic Gaussians, as cytometry has them after arcsinh
)

const (
	clusters  = 24
	rotated   = 3                // sets of points that take turns
	cacheable = 4 * 60_000_000   // bytes of points that a large cache could still hold a good part of
	moved     = 0.01             // share of the data's spread by which a codebook moves between repetitions
	shake     = float32(0.3 / 2) // share of the grid's spacing by which positions are off the grid
)

// sets holds the points and landmarks of one shape. Points of the same n and d are kept from one shape
// to the next.
type sets struct {
	data   string
	seed   uint64
	sh     Shape
	points []matrix.Matrix32
	rng    *rand.Rand
	base   *landmark.Set
	spread float64
	params embedsom.Params
	target *embedsom.HostTarget // shared by all engines, one after the other
}

func newSets(o Options) *sets { return &sets{data: o.Data, seed: o.Seed} }

// shape makes ready for a problem size.
func (s *sets) shape(sh Shape) {
	fresh := sh.N != s.sh.N || sh.D != s.sh.D
	if sh.N != s.sh.N {
		s.target = embedsom.NewHostTarget(sh.N, 2)
	}
	s.sh = sh
	if fresh {
		s.points = nil
		s.spread = spread(s.get(0))
	}
	s.rng = rand.New(rand.NewPCG(s.seed, uint64(sh.G)<<32|uint64(sh.K)))
	s.params = embedsom.Params{K: sh.K, Boost: 2, Adjust: 0.2}
	s.base = s.landmarks()
}

// count is how many sets take turns: several where one would stay in a cache between repetitions.
func (s *sets) count() int {
	if s.sh.N*s.sh.D*4 < cacheable {
		return rotated
	}
	return 1
}

// get returns the i-th set of points.
func (s *sets) get(i int) matrix.Matrix32 {
	for len(s.points) <= i {
		s.points = append(s.points, s.draw(len(s.points)))
	}
	return s.points[i]
}

// draw makes a set of points, on all cores; the same on any number of them.
func (s *sets) draw(set int) matrix.Matrix32 {
	const block = 1 << 14
	x := matrix.New(s.sh.N, s.sh.D)
	var mixed *mixture
	if s.data == Clustered {
		mixed = newMixture(s.sh.D, rand.New(rand.NewPCG(s.seed, 3)))
	}
	var wait sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for from := 0; from < s.sh.N; from += block {
		slots <- struct{}{}
		wait.Go(func() {
			defer func() { <-slots }()
			rng := rand.New(rand.NewPCG(s.seed+uint64(set)<<32, uint64(from)))
			rows := x.Data[from*s.sh.D : min(from+block, s.sh.N)*s.sh.D]
			if mixed != nil {
				mixed.draw(rows, rng)
				return
			}
			for i := range rows {
				rows[i] = rng.Float32()
			}
		})
	}
	wait.Wait()
	return x
}

// blank takes away what the last engine wrote, where it is looked at.
func (s *sets) blank() {
	for _, r := range sampled(s.sh.N) {
		for i := 2 * r.From; i < 2*r.To; i++ {
			s.target.Data[i] = float32(math.NaN())
		}
	}
}

// landmarks are drawn as the points are, on a jittered square grid.
func (s *sets) landmarks() *landmark.Set {
	g, d := s.sh.G, s.sh.D
	l := &landmark.Set{Codebook: matrix.New(g, d), Pos: matrix.New(g, 2)}
	for i := range g {
		row := l.Codebook.Row(i)
		for q := range row {
			row[q] = s.rng.Float32()
		}
		if s.data == Clustered {
			copy(row, s.get(0).Row(s.rng.IntN(s.sh.N)))
			for q := range row {
				row[q] += float32(s.spread * moved * s.rng.NormFloat64())
			}
		}
	}
	side := int(math.Ceil(math.Sqrt(float64(g))))
	for i := range g {
		l.Pos.Row(i)[0] = float32(i%side) + 2*shake*s.rng.Float32()
		l.Pos.Row(i)[1] = float32(i/side) + 2*shake*s.rng.Float32()
	}
	return fresh(l)
}

// fresh returns the landmarks with new revisions.
func fresh(l *landmark.Set) *landmark.Set {
	c := *l
	c.CodeRev, c.PosRev = revision.Next(), revision.Next()
	return &c
}

// trained returns the landmarks with a codebook that has moved a little, as by a step of training.
func (s *sets) trained(l *landmark.Set) *landmark.Set {
	c := *l
	c.Codebook, c.CodeRev = l.Codebook.Clone(), revision.Next()
	for i := range c.Codebook.Data {
		c.Codebook.Data[i] += float32(moved * s.spread * s.rng.NormFloat64())
	}
	return &c
}

// shaken returns the landmarks with every position moved a little.
func (s *sets) shaken(l *landmark.Set) *landmark.Set {
	c := *l
	c.Pos, c.PosRev = l.Pos.Clone(), revision.Next()
	for i := range c.Pos.Data {
		c.Pos.Data[i] += shake * (s.rng.Float32() - 0.5)
	}
	return &c
}

// dragged returns the landmarks with one position moved.
func (s *sets) dragged(l *landmark.Set, which int) *landmark.Set {
	c := *l
	c.Pos, c.PosRev = l.Pos.Clone(), revision.Next()
	c.Pos.Row(which)[0] += 0.4
	return &c
}

// spread is the deviation of the values of the first rows, all columns together.
func spread(x matrix.Matrix32) float64 {
	var sum, squares float64
	v := x.Data[:min(x.Rows, 10_000)*x.Cols]
	for _, f := range v {
		sum += float64(f)
	}
	mean := sum / float64(len(v))
	for _, f := range v {
		squares += (float64(f) - mean) * (float64(f) - mean)
	}
	return math.Sqrt(squares / float64(len(v)))
}

// mixture is Gaussians of unequal size, each with its own deviation along each of some directions.
type mixture struct {
	d       int
	weights []float64 // running sums
	mean    [][]float64
	axes    [][][]float64 // per cluster: directions, scaled
}

const directions = 6 // in which a population is stretched

func newMixture(d int, rng *rand.Rand) *mixture {
	m := &mixture{d: d}
	var sum float64
	for range clusters {
		sum += math.Exp(rng.NormFloat64())
		m.weights = append(m.weights, sum)
		mean := make([]float64, d)
		for q := range mean {
			// A marker is either absent or there in some strength.
			if rng.Float64() < 0.4 {
				mean[q] = 2 + 3*rng.Float64()
			}
		}
		m.mean = append(m.mean, mean)
		var axes [][]float64
		for range directions {
			a := make([]float64, d)
			size := 0.8 * math.Exp(0.5*rng.NormFloat64()) / math.Sqrt(float64(d))
			for q := range a {
				a[q] = size * rng.NormFloat64()
			}
			axes = append(axes, a)
		}
		m.axes = append(m.axes, axes)
	}
	return m
}

// draw fills rows of d values.
func (m *mixture) draw(rows []float32, rng *rand.Rand) {
	const noise = 0.25
	for ; len(rows) >= m.d; rows = rows[m.d:] {
		u := rng.Float64() * m.weights[clusters-1]
		c := 0
		for m.weights[c] < u {
			c++
		}
		var z [directions]float64
		for i := range z {
			z[i] = rng.NormFloat64()
		}
		for q := range m.d {
			v := m.mean[c][q] + noise*rng.NormFloat64()
			for i, a := range m.axes[c] {
				v += z[i] * a[q]
			}
			rows[q] = float32(v)
		}
	}
}
