// Package bench measures the engines: the two stages of the projection in points per second, every
// variant beside a plain baseline in the same run on the same machine. Ratios carry over to other
// machines and to busy ones; the absolute numbers do not.
package bench

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"time"

	"blossom/gpu"
	"blossom/gpu/cpu"
	"blossom/model/embedsom"
	"blossom/model/landmark"
	"blossom/model/matrix"
	"blossom/model/problem"
	"blossom/model/revision"
)

// Row is one measurement, as `blossom bench --json` prints it. Times are per point, in ns.
type Row struct {
	Bench   string `json:"bench"`
	Engine  string `json:"engine"`
	Variant string `json:"variant"` // instruction set and number of cores
	N       int    `json:"n"`
	D       int    `json:"d"`
	G       int    `json:"g"`
	K       int    `json:"k"`
	Stage   string `json:"stage"` // neighbours, project, drag, total

	Median   float64 `json:"ns_per_point"`
	Rate     float64 `json:"points_per_s"`
	P05      float64 `json:"p05"`
	P95      float64 `json:"p95"`
	Baseline string  `json:"baseline"` // the variant that Ratio compares with, "" for none
	Ratio    float64 `json:"ratio"`    // how many times faster than the baseline

	Best   float64 `json:"best"`             // least ns per point: on a busy machine the steadiest number
	GFLOPS float64 `json:"gflops,omitempty"` // of the distances (2 d g per point), stage neighbours
	Peak   float64 `json:"peak,omitempty"`   // of multiply-adds of the same variant and cores
}

// Shape is a problem size.
type Shape struct{ N, D, G, K int }

// Shapes are the sizes of the published tables, at n points.
func Shapes(n int) []Shape {
	return []Shape{{n, 16, 256, 16}, {n, 32, 512, 20}, {n, 64, 1024, 32}}
}

// Contender is something to measure.
type Contender struct {
	Engine  string // registered name
	Variant string // of the cpu engine: one of cpu.Variants; "" for the engine's own choice
	Threads int    // 0: all cores
	Share   int    // measure 1/Share of the points, for slow ones; 0 means 1
}

// baselineName is the plain variant that every other is compared with.
const baselineName = "scalar"

// CPU returns the variants of the CPU engine to compare: the plain one first, then each instruction
// set on one core, then the fastest on all cores.
func CPU() []Contender {
	list := []Contender{{Engine: cpu.Name, Variant: baselineName, Threads: 1, Share: 16}}
	all := cpu.Variants()
	if !slices.Contains(all, baselineName) { // no C compiler: compare with the reference
		list = []Contender{{Engine: "reference", Threads: 1, Share: 64}}
	}
	for _, v := range all {
		if v == baselineName {
			continue
		}
		c := Contender{Engine: cpu.Name, Variant: v, Threads: 1}
		if v == "go" {
			c.Share = 16
		}
		list = append(list, c)
	}
	if runtime.GOMAXPROCS(0) > 1 {
		list = append(list, Contender{Engine: cpu.Name, Variant: all[0]})
	}
	return list
}

// Options say what and how long to measure.
type Options struct {
	Shapes     []Shape
	Contenders []Contender
	Repeats    int // of each stage; at least 3
	Seed       uint64
	Progress   func(done, total int) // or nil
}

// Embed measures the stages of the projection on uniform data, which is the worst case for the
// filter of the neighbours. Repetitions of all contenders take turns, so that what else the machine
// does falls on all of them alike. The first contender is the baseline of the others on one core; a
// contender on several cores is compared with the same variant on one.
func Embed(ctx context.Context, o Options) ([]Row, error) {
	o.Repeats = max(3, o.Repeats)
	if len(o.Contenders) == 0 {
		o.Contenders = CPU()
	}
	var rows []Row
	total := len(o.Shapes) * o.Repeats * len(o.Contenders)
	done := 0
	for _, sh := range o.Shapes {
		if sh.N < 1 || sh.D < 1 || sh.G < 1 {
			return nil, problem.New("", "use positive sizes", "cannot measure n %d, d %d, g %d", sh.N, sh.D, sh.G)
		}
		runs, err := start(ctx, sh, o)
		if err != nil {
			return nil, err
		}
		for range o.Repeats {
			for _, r := range runs {
				if err == nil {
					err = r.repeat(ctx)
				}
				done++
				if o.Progress != nil {
					o.Progress(done, total)
				}
			}
		}
		for _, r := range runs {
			r.close()
		}
		if err != nil {
			return nil, err
		}
		rows = append(rows, report(runs, sh)...)
	}
	return rows, nil
}

// run is one contender on one shape.
type run struct {
	Contender
	name   string
	engine gpu.Engine
	res    gpu.Resident
	n      int
	l      *landmark.Set
	p      embedsom.Params
	dst    *embedsom.HostTarget
	times  map[string][]float64 // ns per point by stage
	peak   float64              // GFLOP/s
}

var stages = []string{"neighbours", "project", "drag", "total"}

func start(ctx context.Context, sh Shape, o Options) (runs []*run, err error) {
	defer func() {
		if err != nil {
			for _, r := range runs {
				r.close()
			}
		}
	}()
	x, l := data(sh, o.Seed)
	for _, c := range o.Contenders {
		r := &run{Contender: c, l: l, p: embedsom.Params{K: sh.K, Boost: 2, Adjust: 0.2}, times: map[string][]float64{}}
		r.n = max(1, sh.N/max(1, c.Share))
		if err := r.open(); err != nil {
			return runs, err
		}
		runs = append(runs, r)
		part := matrix.Matrix32{Rows: r.n, Cols: x.Cols, Data: x.Data[:r.n*x.Cols]}
		if r.res, err = r.engine.Load(ctx, part); err != nil {
			return runs, err
		}
		r.dst = embedsom.NewHostTarget(r.n, 2)
	}
	return runs, nil
}

func (r *run) open() (err error) {
	opt := gpu.Options{Threads: r.Threads}
	r.name = r.Variant
	if r.Variant != "" {
		r.engine, err = cpu.NewVariant(r.Variant, opt)
	} else {
		err = problem.New("", "see `blossom doctor`", "there is no engine %q", r.Engine)
		for _, reg := range gpu.Registered() {
			if reg.Name == r.Engine {
				r.engine, err = reg.New(opt)
			}
		}
	}
	if err != nil {
		return err
	}
	switch cores := r.cores(); {
	case r.name == "":
		r.name = r.engine.Device()
	case cores == 1:
		r.name += ", 1 core"
	default:
		r.name += fmt.Sprintf(", %d cores", cores)
	}
	if r.Variant != "" {
		r.peak = peak(r.Variant) * float64(r.cores())
	}
	return nil
}

func (r *run) cores() int {
	if r.Threads > 0 {
		return r.Threads
	}
	return runtime.GOMAXPROCS(0)
}

// peak measures the multiply-adds of one core in GFLOP/s: the best of some short runs.
func peak(variant string) float64 {
	var best float64
	for range 5 {
		t := time.Now()
		ops := cpu.Peak(variant, 100_000)
		best = max(best, ops/float64(time.Since(t).Nanoseconds()))
	}
	return best
}

func (r *run) close() {
	if r.res != nil {
		r.res.Free()
	}
	if r.engine != nil {
		_ = r.engine.Close() // nothing was written: there is nothing to lose
	}
}

// repeat measures every stage once. A drag moves one landmark and projects all points.
func (r *run) repeat(ctx context.Context) error {
	all := gpu.Range{From: 0, To: r.n}
	timed := func(stage string, f func() error) error {
		t := time.Now()
		err := f()
		r.times[stage] = append(r.times[stage], float64(time.Since(t).Nanoseconds())/float64(r.n))
		return err
	}
	if err := timed("neighbours", func() error { return r.res.Neighbours(ctx, r.l, r.p, all) }); err != nil {
		return err
	}
	if len(r.times["project"]) == 0 { // build the tables outside of the first measurement
		if err := r.res.Project(ctx, r.l, r.p, r.dst, gpu.Range{From: 0, To: 1}); err != nil {
			return err
		}
	}
	if err := timed("project", func() error { return r.res.Project(ctx, r.l, r.p, r.dst, all) }); err != nil {
		return err
	}
	last := len(r.times["project"]) - 1
	r.times["total"] = append(r.times["total"], r.times["neighbours"][last]+r.times["project"][last])
	moved := &landmark.Set{Codebook: r.l.Codebook, Pos: r.l.Pos.Clone(), CodeRev: r.l.CodeRev, PosRev: revision.Next()}
	moved.Pos.Data[2*(last%moved.Len())] += 0.5
	if err := timed("drag", func() error { return r.res.Project(ctx, moved, r.p, r.dst, all) }); err != nil {
		return err
	}
	return r.res.Project(ctx, r.l, r.p, r.dst, gpu.Range{From: 0, To: min(1, r.n)})
}

// data draws points and landmarks from the unit cube, positions on a jittered square grid.
func data(sh Shape, seed uint64) (matrix.Matrix32, *landmark.Set) {
	rng := rand.New(rand.NewPCG(seed, 2))
	x := matrix.New(sh.N, sh.D)
	l := &landmark.Set{Codebook: matrix.New(sh.G, sh.D), Pos: matrix.New(sh.G, 2), CodeRev: revision.Next(), PosRev: revision.Next()}
	for _, m := range []matrix.Matrix32{x, l.Codebook} {
		for i := range m.Data {
			m.Data[i] = rng.Float32()
		}
	}
	side := int(math.Ceil(math.Sqrt(float64(sh.G))))
	for i := range sh.G {
		l.Pos.Row(i)[0] = float32(i%side) + 0.3*rng.Float32()
		l.Pos.Row(i)[1] = float32(i/side) + 0.3*rng.Float32()
	}
	return x, l
}

// percentile of sorted values, nearest rank.
func percentile(sorted []float64, p float64) float64 {
	return sorted[min(len(sorted)-1, int(p*float64(len(sorted))))]
}

func report(runs []*run, sh Shape) []Row {
	var rows []Row
	for _, stage := range stages {
		for i, r := range runs {
			t := slices.Sorted(slices.Values(r.times[stage]))
			row := Row{
				Bench: "embed", Engine: r.Engine, Variant: r.name, N: r.n, D: sh.D, G: sh.G, K: sh.K, Stage: stage,
				Median: percentile(t, 0.5), P05: percentile(t, 0.05), P95: percentile(t, 0.95), Best: t[0],
			}
			row.Rate = 1e9 / row.Median
			if stage == "neighbours" {
				row.GFLOPS, row.Peak = 2*float64(sh.D)*float64(sh.G)/row.Median, r.peak
			}
			if b := baselineOf(runs, i); b != nil {
				bt := slices.Clone(b.times[stage])
				slices.SortFunc(bt, cmp.Compare)
				row.Baseline, row.Ratio = b.name, percentile(bt, 0.5)/row.Median
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// baselineOf returns what run i is compared with: the same variant on one core, or the first run.
func baselineOf(runs []*run, i int) *run {
	r := runs[i]
	if r.cores() > 1 && r.Variant != "" {
		for _, b := range runs {
			if b.Variant == r.Variant && b.cores() == 1 {
				return b
			}
		}
	}
	if i == 0 {
		return nil
	}
	return runs[0]
}
