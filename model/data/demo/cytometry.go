package demo

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sort"
	"strconv"
	"strings"

	"blossom/model/data/dataset"
)

const (
	doubletShare = 0.015   // share of the events that are two cells which passed the laser together
	scatterMax   = 262_143 // the instrument's range, 18 bit
	spread       = 0.36    // deviation of ln(intensity) within a population
	background   = 55      // deviation of the detectors' noise, in raw units
)

// intensity is the raw mean of a level: 30 where nothing is bound, times nine a step.
func intensity(level float64) float64 { return 30 * math.Exp(2.2*level) }

// cellType is a population with everything it inherits.
type cellType struct {
	levels   [len(panel)]float64
	fsc, ssc float64
	from     int // index of the cell type it develops from, -1 for none
	trail    float64
}

// cytometry: a simulated blood sample. Columns are FSC-A, FSC-H, SSC-A, 30 markers in raw units
// (about -150 to 262,143, for asinh with a cofactor near 150), Time in seconds and the population.
func cytometry() source {
	types, names, cumulative := cellTypes()
	cols := []dataset.Column{
		{Name: "FSC-A", Role: dataset.Scatter}, {Name: "FSC-H", Role: dataset.Scatter},
		{Name: "SSC-A", Role: dataset.Scatter},
	}
	for _, p := range panel {
		cols = append(cols, dataset.Column{Name: p[0], Label: p[1], Role: dataset.Marker})
	}
	timeColumn := len(cols)
	cols = append(cols, dataset.Column{Name: "Time", Role: dataset.Time}, label("population", append(names, "doublet")))

	point := func(rng *rand.Rand, i int, out []float32) {
		var cell [len(panel)]float64
		k, fsc, ssc := drawCell(rng, types, cumulative, &cell)
		height := fsc
		if rng.Float64() < doubletShare {
			var other [len(panel)]float64
			_, f, s := drawCell(rng, types, cumulative, &other)
			for m := range cell {
				cell[m] += other[m]
			}
			height = max(fsc, f)
			fsc, ssc, k = fsc+f, ssc+s, len(types)
		}
		out[0] = clip(fsc, 0)
		out[1] = clip(height*(0.93+0.015*rng.NormFloat64()), 0)
		out[2] = clip(ssc, 0)
		for m, x := range cell {
			// Detectors add noise that does not depend on the cell, and a share that grows with the signal.
			out[3+m] = clip(x+rng.NormFloat64()*(background+0.4*math.Sqrt(x)), -scatterMax)
		}
		out[timeColumn] = float32((float64(i) + rng.Float64()) / 1000)
		out[timeColumn+1] = float32(k)
	}
	return source{columns: cols, point: point, metadata: map[string]string{
		"$CYT": "blossom demo (simulated)", "$SRC": "simulated blood", "$TIMESTEP": "1",
	}}
}

// drawCell draws one cell: its type, its scatter, and into out the light it gives in each detector.
func drawCell(rng *rand.Rand, types []cellType, cumulative []float64, out *[len(panel)]float64) (k int, fsc,
	ssc float64) {
	k = sort.SearchFloat64s(cumulative, rng.Float64()*cumulative[len(cumulative)-1])
	k = min(k, len(types)-1)
	c := &types[k]
	to, u := c, 0.0
	if c.from >= 0 && rng.Float64() < c.trail {
		to, u = &types[c.from], 0.9*rng.Float64()
	}
	size := 0.1 * rng.NormFloat64() // a larger cell carries more of everything
	for m := range out {
		level := c.levels[m] + u*(to.levels[m]-c.levels[m])
		out[m] = intensity(level) * math.Exp(size+spread*rng.NormFloat64())
	}
	fsc = (c.fsc + u*(to.fsc-c.fsc)) * math.Exp(size+0.06*rng.NormFloat64())
	ssc = (c.ssc + u*(to.ssc-c.ssc)) * math.Exp(size+0.14*rng.NormFloat64())
	return k, fsc, ssc
}

func clip(x, low float64) float32 { return float32(min(max(x, low), scatterMax)) }

// cellTypes works the tree out: the populations with a share, their names, and the running sum of
// the shares in percent.
func cellTypes() (types []cellType, names []string, cumulative []float64) {
	marker := map[string]int{}
	for i, p := range panel {
		marker[p[1]] = i
	}
	nodes := map[string]cellType{}
	index := map[string]int{}
	sum := 0.0
	for _, p := range tree {
		c := nodes[p.parent] // the root's centre: zero
		for _, word := range strings.Fields(p.levels) {
			name, level, _ := strings.Cut(word, ":")
			m, ok := marker[name]
			v, err := strconv.ParseFloat(level, 64)
			if !ok || err != nil {
				panic(fmt.Sprintf("demo: population %s: bad level %q", p.name, word))
			}
			c.levels[m] = v
		}
		if p.fsc > 0 {
			c.fsc, c.ssc = p.fsc, p.ssc
		}
		nodes[p.name] = c
		if p.percent == 0 {
			continue
		}
		c.from, c.trail = -1, p.trail
		if p.from != "" {
			k, ok := index[p.from]
			if !ok {
				panic(fmt.Sprintf("demo: population %s comes from %q, which is not above it", p.name, p.from))
			}
			c.from = k
		}
		sum += p.percent
		index[p.name] = len(types)
		types, names, cumulative = append(types, c), append(names, p.name), append(cumulative, sum)
	}
	return types, names, cumulative
}
