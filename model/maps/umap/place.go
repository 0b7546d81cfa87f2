package umap

import (
	"context"
	"math"

	"blossom/model/base/problem"
	"blossom/model/maps/places"
	"blossom/model/space/knn"
)

// Frozen is a map that stays as it is while new points are placed in it, each for itself: they do not see each other.
// So a point comes to the same place, to the bit, among any others; where there are more of them than manyPoints, among
// others of so many.
type Frozen struct {
	n, dims int
	y       []float32
	kernel  Kernel
	options Options
}

// How new points are placed: by steps of this size at first, over so many epochs up to manyPoints, else over few.
const (
	placeAlpha     = 0.25
	placeEpochs    = 100
	placeFewEpochs = 30
)

// Freeze takes the map y (n x dims, finite) of the reference, made with these options. y must not change.
func Freeze(y []float32, o Options) (*Frozen, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if err := places.Check(y, len(y)/o.Dims, o.Dims); err != nil {
		return nil, err
	}
	if len(y) == 0 {
		return nil, problem.New("", "take a map with points", "the map has no points to place others among")
	}
	return &Frozen{n: len(y) / o.Dims, dims: o.Dims, y: y, kernel: Fit(o.Least, o.Spread), options: o}, nil
}

// Near is how many neighbours Place is to be given of each point.
func (f *Frozen) Near() int { return min(f.options.Neighbours, f.n) }

// Place returns where new points go (m x dims), by the neighbours that they have in the reference: Near of them. A
// point without finite coordinates goes nowhere: NaN. threads 0: all. The error is ctx's.
func (f *Frozen) Place(ctx context.Context, near *knn.Lists, threads int,
	progress func(done, total int64)) ([]float32, error) {
	if near.K != f.Near() {
		return nil, problem.New("", "this is a defect of the program",
			"%d neighbours are given of each new point, and %d wanted", near.K, f.Near())
	}
	epochs := placeEpochs
	if near.N > manyPoints {
		epochs = placeFewEpochs
	}
	return places.New(ctx, near.N, f.dims, threads, func() func(int, []float32) {
		p := placing{Frozen: f, d: make([]float64, near.K), a: make([]float64, near.K), rate: make([]uint32, near.K)}
		return func(i int, out []float32) { p.place(near, i, epochs, out) }
	}, progress)
}

// placing is the memory of one goroutine: distances, memberships and rates of a point's neighbours.
type placing struct {
	*Frozen
	d, a []float64
	rate []uint32
	key  uint64 // key of the random numbers of a point: what it is, not which
}

// place moves a point from the mean of its neighbours, each as much as it belongs to them.
func (p *placing) place(near *knn.Lists, i, epochs int, out []float32) {
	index, _ := near.Row(i)
	if index[0] < 0 {
		for c := range out {
			out[c] = float32(math.NaN())
		}
		return
	}
	p.belong(near, i)
	var y [3]float64
	sum := 0.0
	for j, at := range index {
		for c := range p.dims {
			y[c] += p.a[j] * float64(p.y[int(at)*p.dims+c])
		}
		sum += p.a[j]
	}
	for c := range y {
		y[c] /= sum
	}
	for epoch := 1; epoch <= epochs; epoch++ {
		alpha := placeAlpha * (1 - float64(epoch-1)/float64(epochs))
		one, two := Keys(p.options.Seed^p.key, epoch, 0)
		counter := uint32(0)
		for j, at := range index {
			if !Acts(p.rate[j], epoch) {
				continue
			}
			p.pull(&y, int(at), alpha)
			for range p.options.Negatives {
				p.push(&y, Drawn(counter, one, two, p.n), alpha)
				counter++
			}
		}
	}
	for c := range out {
		out[c] = float32(y[c])
	}
}

// belong finds how much a point belongs to its neighbours, as if none were nearest.
func (p *placing) belong(near *knn.Lists, i int) {
	index, beyond := near.Row(i)
	mean := 0.0
	p.key = math.Float64bits(near.Near[i])
	for j := range p.d {
		p.d[j] = math.Sqrt(near.Squared(i, j))
		mean += p.d[j]
		p.key = places.Mix(p.key ^ uint64(index[j])<<32 ^ uint64(math.Float32bits(beyond[j])))
	}
	n := float64(len(p.d))
	h := Neighbourhood{Sigma: width(p.d, 0, math.Log2(n), leastWidth*mean/n)}
	most := 0.0
	for j, d := range p.d {
		p.a[j] = h.Member(d)
		most = max(most, p.a[j])
	}
	if most == 0 { // farther than exp can tell
		p.a[0], most = 1, 1
	}
	for j, a := range p.a {
		p.rate[j] = Rate(float32(a), float32(most))
	}
}

func (p *placing) away(y *[3]float64, at int) (r [3]float64, s float64) {
	for c := range p.dims {
		r[c] = y[c] - float64(p.y[at*p.dims+c])
		s += r[c] * r[c]
	}
	return r, s
}

func (p *placing) pull(y *[3]float64, at int, alpha float64) {
	r, s := p.away(y, at)
	f := p.kernel.Draw(s)
	for c := range p.dims {
		y[c] += alpha * Clip(f*r[c])
	}
}

// push leaves a point alone that is on the spot of another: it has no direction there, and may well belong there.
func (p *placing) push(y *[3]float64, at int, alpha float64) {
	r, s := p.away(y, at)
	f := p.kernel.Push(s)
	for c := range p.dims {
		y[c] += alpha * Clip(f*r[c])
	}
}
