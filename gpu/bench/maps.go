package bench

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"blossom/gpu/bench/contest"
	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/maps/tsne"
	"blossom/model/work/engine"
)

// Mapped is a row of the bench of t-SNE: a unit of a method at the end of a map that has formed. Times of the row are
// by point.
type Mapped struct {
	contest.Row
	Dims   int                `json:"dims"`
	Unit   float64            `json:"ms_per_unit"`
	Steps  map[string]float64 `json:"ms_by_step,omitempty"` // by the device's own clock
	Error  float64            `json:"error"`                // of repulsion, relative, at 1,000 points against float64
	Extent float64            `json:"extent"`               // of the map
	KL     float64            `json:"kl"`
	// Of the method that the map was made with: seconds for all its units, and how many they were.
	Whole float64 `json:"s,omitempty"`
	Units int     `json:"units,omitempty"`
}

// MapOptions are what the bench of t-SNE measures, and with what.
type MapOptions struct {
	Engine  string
	Compute engine.Options
	Points  []int
	Units   int // that maps form for
	Say     func(string)
	Told    func([]Mapped) // after each map; may be nil
}

const (
	mapSpace  = 2_000_000 // points in 3D at most
	mapExact  = 200_000   // points that all pairs are measured with at most
	mapEdges  = 62        // affinities of a point, each way
	mapGroup  = 1000      // points of a group
	mapBudget = 3 * time.Second
	mapTimes  = 9
	mapSample = 1000
	mapReal   = 200_000 // points whose neighbours are looked for at most
)

// Maps times units of t-SNE by all methods of an engine, on maps of clustered points.
func Maps(ctx context.Context, o MapOptions) (rows []Mapped, err error) {
	c, err := engine.Open(o.Engine, o.Compute)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	res, err := c.Engine().Load(ctx, matrix.New(1, 1))
	if err != nil {
		return nil, err
	}
	defer res.Free()
	d := res.Caps().TSNE
	if d == nil {
		return nil, problem.New("", "use another engine", "engine %s makes no maps by t-SNE", c.Engine().Name())
	}
	for _, n := range o.Points {
		if n < 100 || n > 1<<28 {
			return rows, problem.New("", "measure 100 or more with --points", "%d points make no map", n)
		}
		o.Say(fmt.Sprintf("t-SNE, affinities of %d points", n))
		var p *tsne.Sparse
		if n > mapReal {
			p = groups(n)
		} else if p, err = clustered(ctx, n, o.Compute); err != nil {
			return rows, err
		}
		for dims := 2; dims <= 3; dims++ {
			if dims == 3 && n > mapSpace {
				continue
			}
			one, err := mapRows(ctx, d, p, dims, o)
			for i := range one {
				one[i].Engine, one[i].Device = c.Engine().Name(), c.Engine().Device()
			}
			if rows = append(rows, one...); err != nil {
				return rows, err
			}
			if o.Told != nil {
				o.Told(one)
			}
		}
	}
	return rows, nil
}

// clustered are the affinities of points about twenty places, whose neighbours the processor finds.
func clustered(ctx context.Context, n int, o engine.Options) (*tsne.Sparse, error) {
	c, err := engine.Open("cpu", o)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	x := clusters(n, 30)
	res, err := c.Engine().Load(ctx, x)
	if err != nil {
		return nil, err
	}
	defer res.Free()
	return affinities(ctx, res.Caps(), x, tsne.Defaults().Perplexity)
}

// groups are the affinities of points in groups of 1,000: each with 62 others on either side of it in a ring of its
// group, the weights of a perplexity of about 30. Numbers of points are in random order, as those of data are.
func groups(n int) *tsne.Sparse {
	size := mapGroup
	for size > n {
		size /= 2
	}
	many := n / size
	each := min(mapEdges, (size-1)/2)
	p := &tsne.Sparse{N: n, Start: make([]int64, n+1), Column: make([]int32, 2*each*n),
		Value: make([]float32, 2*each*n), Perplexity: 30}
	id := make([]int32, n)
	r := rand.New(rand.NewPCG(1, 2))
	for i, j := range r.Perm(n) {
		id[i] = int32(j)
	}
	at := make([]int32, n) // the reverse
	for i, j := range id {
		at[j] = int32(i)
	}
	sum := 0.0
	weight := make([]float64, each)
	for k := range weight {
		weight[k] = math.Exp(-float64(k) / 15)
		sum += 2 * weight[k]
	}
	for i := range n + 1 {
		p.Start[i] = int64(i) * int64(2*each)
	}
	each64 := int64(2 * each)
	parallel(n, func(from, to int) {
		type edge struct {
			column int32
			value  float32
		}
		row := make([]edge, 0, 2*each)
		for i := from; i < to; i++ {
			place := int(at[i])
			group := min(place/size, many-1)
			first, length := group*size, size
			if group == many-1 {
				length = n - first
			}
			own := rand.New(rand.NewPCG(3, uint64(group)))
			row = row[:0]
			step := 0
			for k := range each { // steps along the ring, the same for its whole group: so P is symmetric
				most := (length-1)/2 - (each - 1 - k)
				step += 1 + own.IntN(max(1, min(2*(k/8+1), most-step)))
				v := float32(weight[k] / sum / float64(n))
				row = append(row, edge{id[first+(place-first+step)%length], v},
					edge{id[first+(place-first-step+length)%length], v})
			}
			slices.SortFunc(row, func(a, b edge) int { return int(a.column) - int(b.column) })
			for k, e := range row {
				p.Column[int64(i)*each64+int64(k)], p.Value[int64(i)*each64+int64(k)] = e.column, e.value
			}
		}
	})
	for k := range weight {
		v := weight[k] / sum / float64(n)
		p.Entropy += 2 * float64(n) * v * math.Log(v)
	}
	return p
}

// parallel runs fn for parts of n on all cores.
func parallel(n int, fn func(from, to int)) {
	var all sync.WaitGroup
	part := max(1, (n+4*runtime.NumCPU()-1)/(4*runtime.NumCPU()))
	for from := 0; from < n; from += part {
		all.Add(1)
		go func() {
			defer all.Done()
			fn(from, min(n, from+part))
		}()
	}
	all.Wait()
}

// mapRows makes a map and measures all methods at its end.
func mapRows(ctx context.Context, d tsne.Device, p *tsne.Sparse, dims int, o MapOptions) (rows []Mapped, err error) {
	opt := tsne.DefaultsIn(dims)
	opt.Total = o.Units
	opt.Until = min(opt.Until, o.Units/3)
	l, err := tsne.Start(ctx, d, p, tsne.RandomStart(p.N, dims, 1), opt)
	if err != nil {
		return nil, err
	}
	o.Say(fmt.Sprintf("t-SNE, a map of %d points in %dD", p.N, dims))
	began := time.Now()
	var now tsne.Measure
	if _, err = l.Step(ctx, o.Units); err == nil {
		now, err = l.Measure(ctx)
	}
	whole := time.Since(began).Seconds()
	s := &tsne.State{}
	if err == nil {
		err = l.Save(ctx, s)
	}
	made := l.Method()
	l.Close()
	if err != nil {
		return nil, err
	}
	want := sampled(s.Y, p.N, dims)
	body, err := d.Open(ctx, p, dims)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	for _, m := range mapMethods(d.Traits(dims), p.N) {
		plan := tsne.Plan{Method: m.method, Theta: opt.Theta}
		name := string(m.method)
		if m.method == tsne.Field {
			plan.Lattice = tsne.PlanLattice([2]float64(now.Lo[:2]), [2]float64(now.Hi[:2]), m.accuracy,
				d.Traits(dims).Nodes)
			name += " " + m.accuracy.String()
		}
		o.Say(fmt.Sprintf("t-SNE %s, %d points in %dD", name, p.N, dims))
		row, err := mapRow(ctx, body, s, p.N, plan, want)
		if err != nil {
			row.Failed = err.Error()
			if ctx.Err() != nil {
				return rows, ctx.Err()
			}
		}
		row.Bench, row.Variant, row.Stage, row.N, row.G, row.K = "tsne", name, "unit", p.N, p.N, mapEdges
		row.Dims, row.D, row.Extent = dims, dims, now.Extent()
		if m.method == made && m.accuracy == opt.Accuracy {
			row.Whole, row.Units = whole, o.Units
		}
		rows = append(rows, row)
	}
	compare(rows)
	return rows, nil
}

type mapMethod struct {
	method   tsne.Method
	accuracy tsne.Accuracy
}

// mapMethods are those that are measured with so many points: the field with each accuracy.
func mapMethods(t tsne.Traits, n int) (all []mapMethod) {
	for _, m := range t.Methods {
		switch {
		case m == tsne.Field:
			all = append(all, mapMethod{m, tsne.Fast}, mapMethod{m, tsne.Normal}, mapMethod{m, tsne.Fine})
		case m != tsne.Exact || n <= mapExact:
			all = append(all, mapMethod{m, tsne.Normal})
		}
	}
	return all
}

// mapRow measures units of a plan from a state.
func mapRow(ctx context.Context, body tsne.Body, s *tsne.State, n int, plan tsne.Plan, want []float64) (row Mapped,
	err error) {
	if m := plan.Method; m != tsne.Exact && m != tsne.Tree && m != tsne.Field {
		given := *s // the published systems keep points in the order in which they are given
		given.Slots, given.Curve = nil, nil
		s = &given
	}
	if err := body.Load(ctx, s); err != nil {
		return row, err
	}
	at := tsne.Evaluation{Repulsion: make([]float32, len(s.Y))}
	if err := body.Evaluate(ctx, plan, &at); err != nil {
		return row, err
	}
	row.KL, row.Error = at.KL, sampleError(at.Repulsion, want, n, s.Dims)
	steps := map[string]float64{}
	batch := tsne.Batch{Units: 1, E: 1, Mu: 0.8, Eta: float64(n), Plan: plan, Renew: true}
	run := func(units int) (float64, error) {
		batch.Units = units
		began := time.Now()
		if _, err := body.Advance(ctx, batch); err != nil {
			return 0, err
		}
		_, err := body.Measure(ctx)
		return time.Since(began).Seconds() / float64(units), err
	}
	first, err := run(1)
	if err != nil {
		return row, err
	}
	batch.Timed = func(step string, took time.Duration) { steps[step] += took.Seconds() * 1e3 }
	units := tsne.PlanEvery
	if first > 0.2 {
		units = 1
	}
	if _, err := run(units); err != nil {
		return row, err
	}
	for name := range steps {
		steps[name] /= float64(units)
	}
	batch.Timed = nil
	var times []float64
	for began := time.Now(); len(times) < mapTimes && (len(times) == 0 || time.Since(began) < mapBudget); {
		t, err := run(units)
		if err != nil {
			return row, err
		}
		times = append(times, t)
	}
	slices.Sort(times)
	quantile := func(q float64) float64 { return times[int(q*float64(len(times)-1)+0.5)] * 1e9 / float64(n) }
	row.Median, row.P05, row.P95, row.Best = quantile(0.5), quantile(0.05), quantile(0.95), quantile(0)
	row.Rate, row.Repeats, row.Clock = 1e9/row.Median, len(times), "wall"
	row.Unit, row.Steps = row.Median*float64(n)/1e6, steps
	return row, nil
}

// sampled is the repulsion of seeded points in float64, of all others.
func sampled(y []float32, n, dims int) []float64 {
	out := make([]float64, min(n, mapSample)*dims)
	parallel(len(out)/dims, func(from, to int) {
		for k := from; k < to; k++ {
			i := sampleAt(k, n)
			own, f := y[i*dims:(i+1)*dims], out[k*dims:(k+1)*dims]
			for j := range n {
				var r [3]float64
				d := 1.0
				for c := range dims {
					r[c] = float64(own[c]) - float64(y[j*dims+c])
					d += r[c] * r[c]
				}
				for c := range dims {
					f[c] += r[c] / (d * d)
				}
			}
		}
	})
	return out
}

// sampleAt is the k-th point of a sample of n.
func sampleAt(k, n int) int { return int(int64(k) * int64(n) / int64(min(n, mapSample))) }

// sampleError is |r-want| / |want| over the sample.
func sampleError(r []float32, want []float64, n, dims int) float64 {
	var off, sum float64
	for k := range len(want) / dims {
		for c := range dims {
			v := want[k*dims+c]
			e := float64(r[sampleAt(k, n)*dims+c]) - v
			off += e * e
			sum += v * v
		}
	}
	return math.Sqrt(off / max(sum, 1e-300))
}

// compare sets the ratios of a map's rows: to the best of the papers' wide warps.
func compare(rows []Mapped) {
	best := -1
	for i, r := range rows {
		if strings.HasPrefix(r.Variant, "sww") && r.Failed == "" && (best < 0 || r.Median < rows[best].Median) {
			best = i
		}
	}
	for i := range rows {
		if best >= 0 && rows[i].Failed == "" {
			rows[i].Baseline, rows[i].Ratio = rows[best].Variant, rows[best].Median/rows[i].Median
		}
	}
}
