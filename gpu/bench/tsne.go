package bench

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"blossom/gpu/bench/contest"
	"blossom/model/base/matrix"
	"blossom/model/maps/tsne"
	"blossom/model/space/knn"
	"blossom/model/work/engine"
)

// Unit is a row of the bench of t-SNE: a unit of one method late in a map's life, on so many threads. Times are ms.
type Unit struct {
	contest.Row
	Dims    int                `json:"dims"`
	Threads int                `json:"threads"`
	Ms      float64            `json:"ms_per_unit"`  // median
	Least   float64            `json:"ms_least"`     // on a busy machine the steadiest number
	Steps   map[string]float64 `json:"ms_by_kernel"` // medians
	Nodes   int                `json:"lattice,omitempty"`
	// Errors against float64: of repulsion in the norm of all points, of Z relatively.
	Repulsion float64 `json:"error_repulsion,omitempty"`
	Z         float64 `json:"error_z,omitempty"`
	KL        float64 `json:"kl"`
	// Plain is a plain walk of a quadtree, point by point in float64 on one core, over this method's repulsion; Sklearn
	// is scikit-learn's gradient on one core over a unit. 0: not compared.
	Plain   float64 `json:"times_plain_walk,omitempty"`
	Sklearn float64 `json:"times_sklearn,omitempty"`
}

// UnitsShape is data of the bench of t-SNE.
type UnitsShape struct{ N, D int }

// UnitsShapes are the shapes of the table: the digits of scikit-learn, and clusters.
func UnitsShapes(quick bool) []UnitsShape {
	shapes := []UnitsShape{{1797, 64}, {20_000, 30}, {70_000, 30}}
	if quick {
		return shapes[:2]
	}
	return shapes
}

// How a map comes about in which units are measured, and how many are.
const (
	unitsBefore = 750
	unitsWarm   = 2
	unitsTimed  = 15
	unitsExact  = 30_000 // points up to which all pairs are measured
	unitsMost   = 3 * time.Second
)

// Units times units of all methods of the engines that have t-SNE. name is an engine, "" for all that work here; peers,
// whether to compare with scikit-learn; why says why that was not possible, or "".
func Units(ctx context.Context, shapes []UnitsShape, name string, o engine.Options, peers bool,
	say func(string)) (rows []Unit, why string, err error) {
	for _, shape := range shapes {
		x := clusters(shape.N, shape.D)
		for _, r := range engine.Registered() {
			if ok, _, _ := r.Probe(o); !ok || name != "" && name != r.Name {
				continue
			}
			threads := []int{0}
			if r.Kind == engine.Processor {
				threads = []int{1, 0}
			}
			for dims := 2; dims <= 3; dims++ {
				say(fmt.Sprintf("t-SNE, %d points in %dD, %s", shape.N, dims, r.Name))
				m, err := newUnits(ctx, r, o, x, dims, peers)
				if err != nil || m == nil {
					if err != nil {
						return rows, why, err
					}
					continue
				}
				for _, t := range threads {
					some, err := m.methods(ctx, t)
					rows = append(rows, some...)
					if err != nil {
						return rows, why, err
					}
				}
				why = m.why
			}
		}
	}
	return rows, why, nil
}

// units is a map that has formed, and what it is compared with.
type units struct {
	r       engine.Registration
	o       engine.Options
	x       matrix.Matrix32
	p       *tsne.Sparse
	at      *tsne.State
	want    tsne.Forces
	plain   float64 // ms
	sklearn float64
	why     string
}

// clusters are points about twenty places.
func clusters(n, d int) matrix.Matrix32 {
	r := rand.New(rand.NewPCG(20, uint64(d)))
	places := matrix.New(20, d)
	for i := range places.Data {
		places.Data[i] = float32(3 * r.NormFloat64())
	}
	x := matrix.New(n, d)
	for i := range n {
		place := places.Row(r.IntN(places.Rows))
		for c := range d {
			x.Row(i)[c] = place[c] + float32(r.NormFloat64())
		}
	}
	return x
}

// open opens an engine with t-SNE; a nil device: it has none.
func (m *units) open(ctx context.Context, threads int) (tsne.Device, engine.Caps, func(), error) {
	o := m.o
	o.Threads = threads
	e, err := m.r.New(o)
	if err != nil {
		return nil, engine.Caps{}, nil, err
	}
	res, err := e.Load(ctx, m.x)
	if err != nil {
		e.Close()
		return nil, engine.Caps{}, nil, err
	}
	return res.Caps().TSNE, res.Caps(), func() { res.Free(); e.Close() }, nil
}

// newUnits makes a map; nil: the engine has no t-SNE.
func newUnits(ctx context.Context, r engine.Registration, o engine.Options, x matrix.Matrix32, dims int,
	peers bool) (*units, error) {
	m := &units{r: r, o: o, x: x, at: new(tsne.State)}
	d, caps, closed, err := m.open(ctx, o.Threads)
	if err != nil {
		return nil, err
	}
	defer closed()
	if d == nil {
		return nil, nil
	}
	options := tsne.DefaultsIn(dims)
	options.Total = unitsBefore
	if m.p, err = affinities(ctx, caps, x, options.Perplexity); err != nil {
		return nil, err
	}
	y, err := tsne.PCAStart(ctx, x, dims, 0)
	if err != nil {
		return nil, err
	}
	l, err := tsne.Start(ctx, d, m.p, y, options)
	if err != nil {
		return nil, err
	}
	defer l.Close()
	if _, err = l.Step(ctx, unitsBefore); err == nil {
		err = l.Save(ctx, m.at)
	}
	if err != nil {
		return nil, err
	}
	wide := make([]float64, len(m.at.Y))
	for c, v := range m.at.Y {
		wide[c] = float64(v)
	}
	m.want.Of(m.p.Affinities(), wide, dims)
	m.plain = plainWalk(wide, dims, options.Theta)
	if peers {
		m.sklearn, m.why = sklearnGradient(ctx, m.p, m.at.Y, dims)
	}
	return m, ctx.Err()
}

// affinities are those of points, whose neighbours an engine with caps finds that has them.
func affinities(ctx context.Context, caps engine.Caps, x matrix.Matrix32, perplexity float64) (*tsne.Sparse, error) {
	_, k := tsne.Allowed(x.Rows, perplexity)
	near, find := knn.NewLists(x, knn.Query{K: k}), knn.Search
	if f := caps.Neighbours; f != nil {
		find = func(ctx context.Context, _ matrix.Matrix32, q knn.Query, out *knn.Lists) error {
			return f.Others(ctx, q, out)
		}
	}
	if err := find(ctx, x, knn.Query{K: k}, near); err != nil {
		return nil, err
	}
	return tsne.SparseOf(ctx, near, perplexity)
}

// methods times those of the engine.
func (m *units) methods(ctx context.Context, threads int) (rows []Unit, err error) {
	d, _, closed, err := m.open(ctx, threads)
	if err != nil {
		return nil, err
	}
	defer closed()
	dims := m.at.Dims
	for _, method := range d.Traits(dims).Methods {
		if method == tsne.Exact && m.x.Rows > unitsExact {
			continue
		}
		o := tsne.DefaultsIn(dims)
		o.Method, o.Total = method, 0
		at := *m.at
		at.Stale = true
		l, err := tsne.Continue(ctx, d, m.p, &at, o)
		if err != nil {
			return rows, err
		}
		row, err := m.time(ctx, l, method, threads)
		l.Close()
		if err != nil {
			return rows, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// time times units of a map.
func (m *units) time(ctx context.Context, l *tsne.Layout, method tsne.Method, threads int) (Unit, error) {
	n, dims := m.x.Rows, m.at.Dims
	out := tsne.Evaluation{Repulsion: make([]float32, n*dims)}
	if err := l.Evaluate(ctx, &out); err != nil {
		return Unit{}, err
	}
	var off, sum float64
	for c, v := range m.want.Repulsion {
		off += (float64(out.Repulsion[c]) - v) * (float64(out.Repulsion[c]) - v)
		sum += v * v
	}
	if _, err := l.Step(ctx, unitsWarm); err != nil {
		return Unit{}, err
	}
	var took []float64
	steps := map[string][]float64{}
	l.Watch(func(step string, t time.Duration) { steps[step] = append(steps[step], t.Seconds()*1e3) })
	for began := time.Now(); len(took) < unitsTimed && (len(took) < 3 || time.Since(began) < unitsMost); {
		t := time.Now()
		if _, err := l.Step(ctx, 1); err != nil {
			return Unit{}, err
		}
		if _, err := l.Measure(ctx); err != nil {
			return Unit{}, err
		}
		took = append(took, time.Since(t).Seconds())
	}
	slices.Sort(took)
	u := Unit{Row: row("tsne", string(method), "unit", n, m.x.Cols, 0, took), Dims: dims, Threads: threads,
		Ms: took[len(took)/2] * 1e3, Least: took[0] * 1e3, Steps: map[string]float64{}, KL: out.KL,
		Repulsion: math.Sqrt(off / sum), Z: math.Abs(out.Z/m.want.Z - 1), Nodes: l.Plan().Lattice.N}
	u.Engine = m.r.Name
	rest := u.Least
	for step, t := range steps {
		slices.Sort(t)
		u.Steps[step] = t[len(t)/2]
		if step == "attraction" || step == "movement" {
			rest -= t[0]
		}
	}
	if threads == 1 {
		u.Plain = m.plain / rest
		if m.sklearn > 0 {
			u.Sklearn = m.sklearn / u.Least
		}
	}
	return u, nil
}
