package bench

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sort"
	"strings"
	"time"

	"blossom/gpu/bench/table"
	"blossom/model/base/matrix"
	"blossom/model/base/par"
	"blossom/model/base/problem"
	"blossom/model/maps/tsne"
	"blossom/model/work/engine"
)

// Mapped is a row of the measure tsne on a card: a unit of a method at the end of a map that has formed. Times of the
// row are by point.
type Mapped struct {
	table.Row
	Dims   int                `json:"dims"`
	Unit   float64            `json:"ms_per_unit"`
	Steps  map[string]float64 `json:"ms_by_step,omitempty"` // by the device's own clock
	Error  float64            `json:"error"`                // relative, of repulsion at 1,000 points
	Extent float64            `json:"extent"`               // size of the map
	KL     float64            `json:"kl"`
	// Whole is the seconds that the method took for all units of the map, and Units how many they were.
	Whole float64 `json:"s,omitempty"`
	Units int     `json:"units,omitempty"`
}

var mapColumns = []table.Column{
	table.Word("t-SNE", func(r Mapped) string { return r.Variant }),
	table.Size("points", func(r Mapped) int { return r.N }),
	table.Word("map", func(r Mapped) string { return inSpace(r.Dims) }),
	table.Failure(func(r Mapped) string { return r.Failed }),
	table.Value("ms/unit", func(r Mapped) float64 { return r.Unit }),
	table.Value("p05", func(r Mapped) float64 { return r.All(r.P05) }),
	table.Value("p95", func(r Mapped) float64 { return r.All(r.P95) }),
	table.Text("ratio", func(r Mapped) string { return r.Times() }),
	table.Value("error %", func(r Mapped) float64 { return 100 * r.Error }),
	table.Value("extent", func(r Mapped) float64 { return r.Extent }),
	table.Value("KL", func(r Mapped) float64 { return r.KL }),
	table.Value("whole s", func(r Mapped) float64 { return r.Whole }),
	table.Remark("steps, ms", func(r Mapped) string { return stepsOf(r.Steps) }),
}

const (
	mapUnits  = 750       // units for which maps form
	mapSpace  = 2_000_000 // points in 3D at most
	mapExact  = 200_000   // points that all pairs are measured with at most
	mapEdges  = 62        // affinities of a point, each way
	mapGroup  = 1000      // points of a group
	mapSample = 1000
	mapReal   = 200_000 // points whose neighbours are looked for at most
)

var mapSpan = span{least: 1, most: 9, time: 3 * time.Second}

// formed times units of t-SNE by all methods of an engine, on maps of clustered points.
func formed(ctx context.Context, r *Run) error {
	points := r.points(70_000, 1_000_000, 10_000_000)
	if r.Bool("quick") {
		points = points[:1]
	}
	c, err := engine.Open(r.Text("engine"), r.Compute())
	if err != nil {
		return err
	}
	defer c.Close()
	res, err := c.Engine().Load(ctx, matrix.New(1, 1))
	if err != nil {
		return err
	}
	defer res.Free()
	d := res.Caps().TSNE
	if d == nil {
		return problem.New("", "use another engine", "engine %s makes no maps by t-SNE", c.Engine().Name())
	}
	for _, n := range points {
		if n < 100 {
			return usage("measure 100 or more with --points", "%d points make no map", n)
		}
		if err := fits(1500*int64(n), "maps of %d points", n); err != nil {
			return err
		}
		r.Say(fmt.Sprintf("t-SNE, affinities of %d points", n))
		var p *tsne.Sparse
		if n > mapReal {
			p, err = groups(ctx, n)
		} else {
			p, err = clustered(ctx, n, r.Compute())
		}
		if err != nil {
			return err
		}
		for dims := 2; dims <= 3; dims++ {
			if dims == 3 && n > mapSpace {
				continue
			}
			rows, err := mapRows(ctx, d, p, dims, r)
			for _, row := range rows {
				row.Engine, row.Device = c.Engine().Name(), c.Engine().Device()
				r.Add(row)
			}
			if err != nil {
				return err
			}
			r.Tell()
		}
	}
	return nil
}

// clustered are the affinities of points about twenty places, whose neighbours the processor finds.
func clustered(ctx context.Context, n int, o engine.Options) (*tsne.Sparse, error) {
	c, err := engine.Open("cpu", o)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	x := aboutPlaces(n, 30)
	res, err := c.Engine().Load(ctx, x)
	if err != nil {
		return nil, err
	}
	defer res.Free()
	return affinities(ctx, x, res.Caps(), tsne.Defaults().Perplexity)
}

// groups are the affinities of points in groups of 1,000: each with 62 others on either side of it in a ring of its
// group, the weights of a perplexity of about 30. Numbers of points are in random order, as those of data are.
func groups(ctx context.Context, n int) (*tsne.Sparse, error) {
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
	err := par.Blocks(ctx, n, 1<<12, func(_, from, to int) {
		for i := from; i < to; i++ {
			place := int(at[i])
			group := min(place/size, many-1)
			first, length := group*size, size
			if group == many-1 {
				length = n - first
			}
			columns, values := p.Column[i*2*each:(i+1)*2*each], p.Value[i*2*each:(i+1)*2*each]
			for k, step := range ringSteps(group, length, each) {
				columns[2*k] = id[first+(place-first+step)%length]
				columns[2*k+1] = id[first+(place-first-step+length)%length]
				values[2*k] = float32(weight[k] / sum / float64(n))
				values[2*k+1] = values[2*k]
			}
			sort.Sort(byColumn{columns, values})
		}
	})
	for k := range weight {
		v := weight[k] / sum / float64(n)
		p.Entropy += 2 * float64(n) * v * math.Log(v)
	}
	return p, err
}

// ringSteps are how far along the ring of a group the others of a point lie, the same for the whole group: so P is
// symmetric.
func ringSteps(group, length, each int) []int {
	own, steps, step := rand.New(rand.NewPCG(3, uint64(group))), make([]int, each), 0
	for k := range steps {
		room := (length-1)/2 - (each - 1 - k) - step
		step += 1 + own.IntN(max(1, min(2*(k/8+1), room)))
		steps[k] = step
	}
	return steps
}

// byColumn sorts affinities of a point.
type byColumn struct {
	column []int32
	value  []float32
}

func (b byColumn) Len() int           { return len(b.column) }
func (b byColumn) Less(i, j int) bool { return b.column[i] < b.column[j] }
func (b byColumn) Swap(i, j int) {
	b.column[i], b.column[j] = b.column[j], b.column[i]
	b.value[i], b.value[j] = b.value[j], b.value[i]
}

// mapRows makes a map and measures all methods at its end.
func mapRows(ctx context.Context, d tsne.Device, p *tsne.Sparse, dims int, r *Run) (rows []Mapped, err error) {
	opt := tsne.DefaultsIn(dims)
	total := cmp.Or(r.Int("repeats"), mapUnits)
	opt.Total = total
	opt.Until = min(opt.Until, total/3)
	l, err := tsne.Start(ctx, d, p, tsne.RandomStart(p.N, dims, 1), opt)
	if err != nil {
		return nil, err
	}
	r.Say(fmt.Sprintf("t-SNE, a map of %d points in %dD", p.N, dims))
	began := time.Now()
	var now tsne.Measure
	if _, err = l.Step(ctx, total); err == nil {
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
	want, err := repulsionOf(ctx, s.Y, p.N, dims)
	if err != nil {
		return nil, err
	}
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
		r.Say(fmt.Sprintf("t-SNE %s, %d points in %dD", name, p.N, dims))
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
			row.Whole, row.Units = whole, total
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
	times, err := timed(ctx, mapSpan, func() (bool, error) {
		_, err := run(units)
		return true, err
	})
	if err != nil {
		return row, err
	}
	for i := range times {
		times[i] *= 1e9 / float64(units) / float64(n)
	}
	row.Spread(times)
	row.Repeats, row.Clock = len(times), "wall"
	row.Unit, row.Steps = row.Median*float64(n)/1e6, steps
	return row, nil
}

// repulsionOf is the repulsion of seeded points in float64, of all others.
func repulsionOf(ctx context.Context, y []float32, n, dims int) ([]float64, error) {
	out := make([]float64, min(n, mapSample)*dims)
	err := par.Blocks(ctx, len(out)/dims, 16, func(_, from, to int) {
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
	return out, err
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

// compare sets the ratios of a map's rows: to the best of the published systems. Beside its method a variant may say
// how accurate it is.
func compare(rows []Mapped) {
	best := -1
	for i, r := range rows {
		method, _, _ := strings.Cut(r.Variant, " ")
		if tsne.Method(method).Published() && r.Failed == "" && (best < 0 || r.Median < rows[best].Median) {
			best = i
		}
	}
	for i := range rows {
		if best >= 0 && rows[i].Failed == "" {
			rows[i].Compare(rows[best].Variant, rows[best].Median)
		}
	}
}
