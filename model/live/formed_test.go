package live

import (
	"cmp"
	"context"
	"math"
	"slices"
	"testing"

	"blossom/model/document/parts"
	"blossom/model/landmarks/train"
)

// formed is a demo as it opens: trained as it begins to by itself. at are the places of its points on the map, of
// the rows given by row.
func formed(t *testing.T, path string) (d *desk, at [][2]float64, row func(i int) []float64) {
	t.Helper()
	d = open(t, path)
	if err := d.Training().Again(); err != nil {
		t.Fatal(err)
	}
	d.settle(t)
	pos, ok := d.EmbedSOM().Positions()
	if !ok || len(d.errors) > 0 {
		t.Fatalf("no positions: %v", d.errors)
	}
	at = make([][2]float64, len(pos)/2)
	for i := range at {
		at[i] = [2]float64{float64(pos[2*i]), float64(pos[2*i+1])}
	}
	order, columns := d.Table().Order, d.Doc.Data.Columns
	return d, at, func(i int) (out []float64) {
		for _, c := range columns {
			out = append(out, float64(c.Values[order[i]]))
		}
		return out
	}
}

// correlation is Spearman's, of ranks.
func correlation(a, b []float64) float64 {
	ranks := func(v []float64) []float64 {
		by := make([]int, len(v))
		for i := range by {
			by[i] = i
		}
		slices.SortFunc(by, func(i, j int) int { return cmp.Compare(v[i], v[j]) })
		out := make([]float64, len(v))
		for r, i := range by {
			out[i] = float64(r)
		}
		return out
	}
	x, y, n := ranks(a), ranks(b), float64(len(a))
	d := 0.0
	for i := range x {
		d += (x[i] - y[i]) * (x[i] - y[i])
	}
	return 1 - 6*d/(n*(n*n-1))
}

// The letter S opens as one rectangle: along it the map runs with the arc, across it with the depth, and what lies
// together on the sheet lies together on the map.
func TestSheetIsOneRectangle(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and shorter tests run the same things side by side")
	}
	_, at, row := formed(t, "demo:s-sheet:8000")
	var u, v, arc, depth []float64
	for i := range at {
		r := row(i)
		u, v = append(u, at[i][0]), append(v, at[i][1])
		arc, depth = append(arc, r[3]), append(depth, r[2])
	}
	along, across := math.Abs(correlation(u, arc)), math.Abs(correlation(v, depth))
	kept, torn, far := 0, 0, 0.0
	const k, some = 10, 80
	for i := range some {
		near := func(distance func(j int) float64, k int) []int {
			by := make([]int, len(at))
			for j := range by {
				by[j] = j
			}
			slices.SortFunc(by, func(a, b int) int { return cmp.Compare(distance(a), distance(b)) })
			return by[1 : k+1]
		}
		sheet := near(func(j int) float64 { return math.Hypot(arc[i]-arc[j], depth[i]-depth[j]) }, k)
		onMap := near(func(j int) float64 { return math.Hypot(u[i]-u[j], v[i]-v[j]) }, 4*k)
		for _, j := range sheet {
			if slices.Contains(onMap, j) {
				kept++
			}
			step := math.Hypot(u[i]-u[j], v[i]-v[j])
			if far = max(far, step); step > 4 {
				torn++
			}
		}
	}
	t.Logf("along %.4f, across %.4f, kept %.3f, torn %d, farthest %.2f", along, across,
		float64(kept)/(some*k), torn, far)
	if along < 0.99 || across < 0.95 {
		t.Errorf("the map follows the arc by %.3f, the depth by %.3f", along, across)
	}
	if share := float64(kept) / (some * k); share < 0.8 || torn > 0 {
		t.Errorf("%.3f of the neighbours on the sheet are neighbours on the map, %d pairs are torn apart", share, torn)
	}
}

// The knot opens as one band that closes: going round the map once goes along the knot once, around a hole.
func TestKnotIsOneClosedBand(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and shorter tests run the same things side by side")
	}
	_, at, row := formed(t, "demo:torus-knot:8000")
	var x, y float64
	for _, p := range at {
		x, y = x+p[0]/float64(len(at)), y+p[1]/float64(len(at))
	}
	best := math.Inf(1)
	for _, way := range []float64{1, -1} {
		var c, s float64
		for i, p := range at {
			a := math.Atan2(p[1]-y, p[0]-x) - way*row(i)[3]
			c, s = c+math.Cos(a), s+math.Sin(a)
		}
		start, worst := math.Atan2(s, c), 0.0
		for i, p := range at {
			a := math.Atan2(p[1]-y, p[0]-x) - way*row(i)[3] - start
			worst = max(worst, math.Abs(math.Remainder(a, 2*math.Pi)))
		}
		best = min(best, worst)
	}
	var from []float64
	for _, p := range at {
		from = append(from, math.Hypot(p[0]-x, p[1]-y))
	}
	slices.Sort(from) // but for one in a thousand
	hole, width := from[len(from)/1000], from[len(from)-1-len(from)/1000]
	t.Logf("off by at most %.3f rad, between %.1f and %.1f from the middle", best, hole, width)
	if best > 0.35 {
		t.Errorf("a point lies %.2f rad from its place along the knot", best)
	}
	if hole < 0.75*width {
		t.Errorf("points lie between %.1f and %.1f from the middle: no band", hole, width)
	}
}

// The mammoth is as near to its landmarks as those of a batch map that has converged at the same last sigma.
func TestMammothIsConverged(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and shorter tests run the same things side by side")
	}
	d, _, _ := formed(t, "demo:mammoth:8000")
	measure := func() float64 {
		l := parts.Landmarks.Of(d.Doc.State())
		q, err := train.Measure(context.Background(), d.Table().X, l.Codebook, l.Pos, 0, 1)
		if err != nil {
			t.Fatal(err)
		}
		return q.Quantization
	}
	opens := measure()
	choice := parts.Training.Of(d.Doc.State())
	l := parts.Landmarks.Of(d.Doc.State())
	v := train.Values("som-batch", 8000, l.Pos)
	v["epochs"], v["sigma_to"] = 150, choice.Values["sigma_to"]
	start := open(t, "demo:mammoth:8000")
	from := parts.Landmarks.Of(start.Doc.State())
	a, _ := train.ByID("som-batch")
	tr, err := a.New(train.Input{X: d.Table().X, Codebook: from.Codebook, Pos: from.Pos, Seed: 1}, v)
	if err != nil {
		t.Fatal(err)
	}
	for rest := false; !rest; {
		p, err := tr.Step(context.Background(), 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		rest = p.Rest
	}
	q, err := train.Measure(context.Background(), d.Table().X, tr.Codebook(), from.Pos, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("opens at %.5f, converged %.5f", opens, q.Quantization)
	if opens > 1.03*q.Quantization {
		t.Errorf("the mammoth opens at a quantization error of %g, a converged map has %g", opens, q.Quantization)
	}
}
