package contest

import (
	"math"
	"slices"
	"strings"

	"blossom/gpu/bench/table"
)

// percentile of sorted values, nearest rank.
func percentile(sorted []float64, p float64) float64 {
	return sorted[min(len(sorted)-1, int(p*float64(len(sorted))))]
}

// median of what a run measured of a stage; Inf where there is nothing.
func (r *run) median(stage string) float64 {
	t := r.timed.times[stage]
	if r.failed != nil || len(t) == 0 {
		return math.Inf(1)
	}
	return percentile(slices.Sorted(slices.Values(t)), 0.5)
}

// Papers is the name of the row that puts the best published kernels of the two stages together.
const Papers = papersBest + ": "

// report makes the rows of a shape.
func report(runs []*run, sh Shape, data string) []Row {
	best := bestPublished(runs)
	var rows []Row
	for _, stage := range Stages {
		for i, r := range runs {
			row := Row{Row: table.Row{Bench: "embed", Engine: r.Engine, Variant: r.name, N: r.n, D: sh.D, G: sh.G,
				K: sh.K, Stage: stage, Data: data, Device: r.engine.Device()}}
			if r.failed != nil || len(r.timed.times[stage]) == 0 {
				if stage == near { // one row is enough to say it
					row.N, row.Failed = max(1, sh.N/max(1, r.Share)), "not measured"
					if r.failed != nil {
						row.Failed = r.failed.Error()
					}
					rows = append(rows, row)
				}
				continue
			}
			r.fill(&row)
			switch {
			case stage == near:
				row.GFLOPS, row.Peak = 2*float64(sh.D)*float64(sh.G)/row.Median, r.peak
			case stage == total:
				row.MaxErr, row.RMSErr = r.maxErr, r.rmsErr
			}
			if name, ns := baseline(runs, i, stage, best); name != "" {
				row.Compare(name, ns)
			}
			if roof := Roof(row.Device, stage, sh); roof > 0 {
				row.Share = roof / row.Median
			}
			rows = append(rows, row)
		}
		if stage == total && best.knn != nil && best.projection != nil {
			rows = append(rows, best.row(sh, data))
		}
	}
	return rows
}

// fill puts the times of row.Stage in.
func (r *run) fill(row *Row) {
	t := slices.Sorted(slices.Values(r.timed.times[row.Stage]))
	row.Median, row.P05, row.P95, row.Best = percentile(t, 0.5), percentile(t, 0.05), percentile(t, 0.95), t[0]
	row.Wall = percentile(slices.Sorted(slices.Values(r.timed.wall[row.Stage])), 0.5)
	row.Rate = 1e9 / row.Median
	row.Repeats = len(t)
	if row.Stage == total {
		row.Repeats = min(len(r.timed.times[near]), len(r.timed.times[project]))
	}
	row.Clock = "wall"
	if r.timed.device {
		row.Clock = "device"
	}
}

// papers are the fastest published kernels of a shape. drag and one have their own fastest projection.
type papers struct {
	knn, projection *run
	stage           map[string]*run
}

func bestPublished(runs []*run) papers {
	p := papers{stage: map[string]*run{}}
	for _, stage := range []string{near, project, drag, one} {
		for _, r := range runs {
			if r.Published() && r.median(stage) < math.Inf(1) &&
				(p.stage[stage] == nil || r.median(stage) < p.stage[stage].median(stage)) {
				p.stage[stage] = r
			}
		}
	}
	p.knn, p.projection = p.stage[near], p.stage[project]
	return p
}

// total is the time of the best kernels of both stages one after the other.
func (p papers) total() float64 { return p.knn.median(near) + p.projection.median(project) }

func (p papers) name() string {
	return Papers + p.knn.Options.Knn + " + " + p.projection.Options.Projection
}

func (p papers) row(sh Shape, data string) Row {
	knn, projection := p.knn.timed, p.projection.timed
	row := Row{Row: table.Row{Bench: "embed", Engine: p.knn.Engine, Variant: p.name(), N: p.knn.n, D: sh.D, G: sh.G,
		K: sh.K, Stage: total, Data: data, Device: p.knn.engine.Device(), Repeats: min(len(knn.times[near]),
			len(projection.times[project])), Clock: "wall"}}
	if knn.device && projection.device {
		row.Clock = "device"
	}
	a, b := slices.Sorted(slices.Values(knn.times[near])), slices.Sorted(slices.Values(projection.times[project]))
	row.Median = p.total()
	row.P05, row.P95, row.Best = percentile(a, 0.05)+percentile(b, 0.05), percentile(a, 0.95)+percentile(b, 0.95),
		a[0]+b[0]
	row.Rate = 1e9 / row.Median
	if roof := Roof(row.Device, total, sh); roof > 0 {
		row.Share = roof / row.Median
	}
	return row
}

// baseline says what run i is compared with in a stage, and its ns per point. Engines of a card: the
// best published kernels, where they are here. The processor: the same variant on one core, or the first
// run, the plain one.
func baseline(runs []*run, i int, stage string, best papers) (string, float64) {
	r := runs[i]
	if !r.host && best.knn != nil && best.projection != nil {
		if stage == total {
			return best.name(), best.total()
		}
		b := best.stage[stage]
		if b == nil {
			return "", 0
		}
		kernel := b.Options.Projection
		if stage == near {
			kernel = b.Options.Knn
		}
		return Papers + kernel, b.median(stage)
	}
	if r.cores() > 1 && r.Variant != "" {
		for _, b := range runs {
			if b.Variant == r.Variant && b.cores() == 1 && b.failed == nil {
				return b.name, b.median(stage)
			}
		}
	}
	if first := runs[0]; i > 0 && first.host && first.failed == nil {
		return first.name, first.median(stage)
	}
	return "", 0
}

// Mean is a contender's geometric mean over all shapes of how many times faster it is than its baseline.
type Mean struct {
	Engine   string  `json:"engine"`
	Variant  string  `json:"variant"`
	Baseline string  `json:"baseline"`
	Shapes   int     `json:"shapes"`
	Ratio    float64 `json:"ratio"` // geometric mean
	Least    float64 `json:"least"`
	Most     float64 `json:"most"`
	Share    float64 `json:"share_of_roof,omitempty"` // geometric mean
}

// Means sums up the rows of stage total, in their order. The papers' best stands under that name,
// whichever kernels it is made of.
func Means(rows []Row) []Mean {
	var list []Mean
	logs := map[int]float64{}
	shares := map[int]float64{}
	for _, r := range rows {
		if r.Stage != total || r.Baseline == "" || !(r.Ratio > 0) {
			continue
		}
		base := r.Baseline
		if strings.HasPrefix(base, Papers) {
			base = papersBest
		}
		i := slices.IndexFunc(list, func(m Mean) bool {
			return m.Engine == r.Engine && m.Variant == r.Variant && m.Baseline == base
		})
		if i < 0 {
			i = len(list)
			list = append(list, Mean{Engine: r.Engine, Variant: r.Variant, Baseline: base, Least: math.Inf(1)})
		}
		m := &list[i]
		m.Shapes++
		m.Least, m.Most = min(m.Least, r.Ratio), max(m.Most, r.Ratio)
		logs[i] += math.Log(r.Ratio)
		if r.Share > 0 {
			shares[i] += math.Log(r.Share)
		} else {
			shares[i] = math.Inf(-1)
		}
	}
	for i := range list {
		list[i].Ratio = math.Exp(logs[i] / float64(list[i].Shapes))
		list[i].Share = math.Exp(shares[i] / float64(list[i].Shapes))
	}
	return list
}
