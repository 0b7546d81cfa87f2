package bench

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"blossom/gpu/bench/table"
	"blossom/model/base/matrix"
	"blossom/model/maps/tsne"
	"blossom/model/work/engine"
)

// Unit is a row of the measure tsne: a unit of one method late in a map's life, on so many threads. Times are ms.
type Unit struct {
	table.Row
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

	alone string // why there is nothing of scikit-learn
}

var unitColumns = []table.Column{
	table.Word("tsne", func(r Unit) string { return r.Variant }),
	table.Word("engine", func(r Unit) string { return r.Engine }),
	table.Size("points", func(r Unit) int { return r.N }),
	table.Size("d", func(r Unit) int { return r.D }),
	table.Word("map", func(r Unit) string { return inSpace(r.Dims) }),
	table.Text("threads", func(r Unit) string {
		if r.Threads > 0 {
			return table.Whole(r.Threads)
		}
		return "all"
	}),
	table.Value("ms/unit", func(r Unit) float64 { return r.Ms }),
	table.Value("least", func(r Unit) float64 { return r.Least }),
	table.Text("repulsion off", func(r Unit) string { return fmt.Sprintf("%.2g", r.Repulsion) }),
	table.Text("Z off", func(r Unit) string { return fmt.Sprintf("%.2g", r.Z) }),
	table.Value("KL", func(r Unit) float64 { return r.KL }),
	table.Value("x plain walk", func(r Unit) float64 { return r.Plain }),
	table.Value("x scikit-learn", func(r Unit) float64 { return r.Sklearn }),
	table.Remark("kernels, ms", func(r Unit) string { return stepsOf(r.Steps) }),
}

type unitsShape struct{ n, d int }

// unitsBefore is how long a map forms in which units are measured.
const (
	unitsBefore = 750
	unitsWarm   = 2
	unitsExact  = 30_000 // points up to which all pairs are measured
)

var unitsSpan = span{least: 3, most: 15, time: 3 * time.Second}

// unitsOf times units of all methods of the engines that have t-SNE; peers, whether to compare with scikit-learn.
func unitsOf(ctx context.Context, r *Run, shapes []unitsShape, peers bool) error {
	for _, shape := range shapes {
		if err := fits(1000*int64(shape.n), "maps of %d points", shape.n); err != nil {
			return err
		}
		x := aboutPlaces(shape.n, shape.d)
		for _, reg := range engine.Registered() {
			if name := r.Text("engine"); name != "" && name != reg.Name {
				continue
			}
			if ok, _, _ := reg.Probe(r.Compute()); !ok {
				continue
			}
			threads := []int{0}
			if reg.Kind == engine.Processor {
				threads = []int{1, 0}
			}
			for dims := 2; dims <= 3; dims++ {
				r.Say(fmt.Sprintf("t-SNE, %d points in %dD, %s", shape.n, dims, reg.Name))
				m := &units{Run: r, reg: reg, x: x, at: new(tsne.State)}
				if some, err := m.form(ctx, dims, peers); err != nil {
					return err
				} else if !some {
					continue
				}
				for _, t := range threads {
					if err := m.methods(ctx, t); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

// units is a map that has formed, and what it is compared with.
type units struct {
	*Run
	reg     engine.Registration
	x       matrix.Matrix32
	p       *tsne.Sparse
	at      *tsne.State
	want    tsne.Forces
	plain   float64 // ms
	sklearn float64
	why     string
}

// aboutPlaces are points about twenty places.
func aboutPlaces(n, d int) matrix.Matrix32 {
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

// open opens the engine; its caps have no TSNE where it has none.
func (m *units) open(ctx context.Context, threads int) (engine.Caps, func(), error) {
	o := m.Compute()
	o.Threads = threads
	e, err := m.reg.New(o)
	if err != nil {
		return engine.Caps{}, nil, err
	}
	res, err := e.Load(ctx, m.x)
	if err != nil {
		e.Close()
		return engine.Caps{}, nil, err
	}
	return res.Caps(), func() { res.Free(); e.Close() }, nil
}

// form makes the map; false: the engine has no t-SNE.
func (m *units) form(ctx context.Context, dims int, peers bool) (bool, error) {
	caps, closed, err := m.open(ctx, m.Int(threadsFlag.Name))
	if err != nil {
		return false, err
	}
	defer closed()
	if caps.TSNE == nil {
		return false, nil
	}
	options := tsne.DefaultsIn(dims)
	options.Total = unitsBefore
	if m.p, err = affinities(ctx, m.x, caps, options.Perplexity); err != nil {
		return false, err
	}
	y, err := tsne.PCAStart(ctx, m.x, dims, 0)
	if err != nil {
		return false, err
	}
	l, err := tsne.Start(ctx, caps.TSNE, m.p, y, options)
	if err != nil {
		return false, err
	}
	defer l.Close()
	if _, err = l.Step(ctx, unitsBefore); err == nil {
		err = l.Save(ctx, m.at)
	}
	if err != nil {
		return false, err
	}
	wide := make([]float64, len(m.at.Y))
	for c, v := range m.at.Y {
		wide[c] = float64(v)
	}
	m.want.Of(m.p.Affinities(), wide, dims)
	m.plain = plainWalk(wide, dims, options.Theta)
	if peers {
		if err := python(ctx, "scikit-learn", gradient, []any{m.p.Start, m.p.Column, m.p.Value, m.at.Y}, &m.sklearn,
			fmt.Sprint(m.p.N), fmt.Sprint(dims), fmt.Sprint(m.p.Edges())); err != nil {
			m.why = err.Error()
		}
	}
	return true, ctx.Err()
}

// gradient times scikit-learn's gradient of t-SNE, theta 0.5, on one thread: the least of three calls.
const gradient = `
import sys, time
import numpy as np
from sklearn.manifold import _barnes_hut_tsne as bh
n, dims, edges = map(int, sys.argv[1:])
raw = sys.stdin.buffer
take = lambda count, kind: np.frombuffer(raw.read(count * np.dtype(kind).itemsize), kind).copy()
start, column = take(n + 1, "<i8"), take(edges, "<i4").astype(np.int64)
value, y = take(edges, "<f4"), take(n * dims, "<f4").reshape(n, dims)
least = 1e9
for _ in range(3):
    force = np.zeros_like(y)
    t = time.process_time()
    bh.gradient(value, y, column, start, force, 0.5, dims, 0, dof=1, num_threads=1, compute_error=False)
    least = min(least, time.process_time() - t)
print(least * 1e3)
`

// methods times those of the engine.
func (m *units) methods(ctx context.Context, threads int) error {
	caps, closed, err := m.open(ctx, threads)
	if err != nil {
		return err
	}
	defer closed()
	dims := m.at.Dims
	for _, method := range caps.TSNE.Traits(dims).Methods {
		if method == tsne.Exact && m.x.Rows > unitsExact {
			continue
		}
		o := tsne.DefaultsIn(dims)
		o.Method, o.Total = method, 0
		at := *m.at
		at.Stale, at.Rests = true, 0 // a map that has come to rest is measured, too
		l, err := tsne.Continue(ctx, caps.TSNE, m.p, &at, o)
		if err != nil {
			return err
		}
		row, err := m.time(ctx, l, method, threads)
		l.Close()
		if err != nil {
			return err
		}
		m.Add(row)
	}
	return nil
}

// time times units of a map.
func (m *units) time(ctx context.Context, l *tsne.Forming, method tsne.Method, threads int) (Unit, error) {
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
	steps := map[string][]float64{}
	l.Watch(func(step string, t time.Duration) { steps[step] = append(steps[step], t.Seconds()*1e3) })
	took, err := timed(ctx, unitsSpan, func() (bool, error) {
		if _, err := l.Step(ctx, 1); err != nil {
			return false, err
		}
		_, err := l.Measure(ctx)
		return true, err
	})
	if err != nil {
		return Unit{}, err
	}
	u := Unit{Row: rowOf("tsne", string(method), "unit", n, m.x.Cols, 0, took), Dims: dims, Threads: threads,
		Ms: took[len(took)/2] * 1e3, Least: took[0] * 1e3, Steps: map[string]float64{}, KL: out.KL,
		Repulsion: math.Sqrt(off / sum), Z: math.Abs(out.Z/m.want.Z - 1), Nodes: l.Plan().Lattice.N, alone: m.why}
	u.Engine = m.reg.Name
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

// inSpace names the dimensions of a map.
func inSpace(dims int) string { return fmt.Sprintf("%dD", dims) }
