package demo

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"blossom/model/data/dataset"
)

func generate(t *testing.T, name string, n int, seed uint64) *dataset.Dataset {
	t.Helper()
	ds, err := Generate(context.Background(), name, n, seed)
	if err != nil {
		t.Fatal(err)
	}
	return ds
}

func column(t *testing.T, ds *dataset.Dataset, name string) *dataset.Column {
	t.Helper()
	i, err := ds.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return &ds.Columns[i]
}

func TestEveryDemo(t *testing.T) {
	for _, d := range All() {
		t.Run(d.Name, func(t *testing.T) {
			const n = 3*block + 17
			ds := generate(t, d.Name, n, 7)
			if ds.Points != n || ds.Total != n || ds.Format != "demo" || ds.Rev == 0 {
				t.Errorf("points %d, total %d, format %q, revision %d", ds.Points, ds.Total, ds.Format, ds.Rev)
			}
			roles := map[dataset.Role]int{}
			for _, c := range ds.Columns {
				roles[c.Role]++
				if c.Stats.Count != n || c.Stats.SD == 0 {
					t.Errorf("column %s: %d finite values of %d, deviation %g", c.Name, c.Stats.Count, n, c.Stats.SD)
				}
				for _, v := range c.Values {
					if c.Categories != nil && (v != float32(int(v)) || int(v) < 0 || int(v) >= len(c.Categories)) {
						t.Fatalf("column %s: %g is no category of %d", c.Name, v, len(c.Categories))
					}
				}
				if (c.Categories != nil) != (c.Role == dataset.Label) {
					t.Errorf("column %s: %d categories and the role %s", c.Name, len(c.Categories), c.Role)
				}
			}
			if roles[dataset.Marker] < 3 || roles[dataset.Ignored] > 0 {
				t.Errorf("roles %v", roles)
			}

			// The same seed repeats, also as a prefix; another seed does not.
			again, short, other := generate(t, d.Name, n, 7), generate(t, d.Name, block+5, 7), generate(t, d.Name, n, 8)
			for i, c := range ds.Columns {
				if !slices.Equal(c.Values, again.Columns[i].Values) {
					t.Errorf("column %s differs between two runs", c.Name)
				}
				if !slices.Equal(c.Values[:block+5], short.Columns[i].Values) {
					t.Errorf("column %s: fewer points are not a prefix of more", c.Name)
				}
				if slices.Equal(c.Values, other.Columns[i].Values) {
					t.Errorf("column %s does not depend on the seed", c.Name)
				}
			}
			for _, few := range []int{0, 1, 2} {
				if got := generate(t, d.Name, few, 7); got.Points != few || len(got.Columns) != len(ds.Columns) {
					t.Errorf("%d points asked for: %d points, %d columns", few, got.Points, len(got.Columns))
				}
			}
		})
	}
}

func TestGenerateRefuses(t *testing.T) {
	for _, c := range []struct {
		name string
		n    int
		want string
	}{
		{"mamoth", 10, "mammoth"},
		{"mammoth", -1, "-1 points"},
		{"mammoth", MaxPoints + 1, "cannot be made"},
	} {
		if _, err := Generate(context.Background(), c.name, c.n, 1); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %d points: %v", c.name, c.n, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Generate(ctx, "mammoth", 100_000, 1); err != context.Canceled {
		t.Errorf("a cancelled context gave %v", err)
	}
}

func TestParse(t *testing.T) {
	for _, c := range []struct {
		path   string
		name   string
		points int
		ok     bool
		bad    bool
	}{
		{"demo:mammoth", "mammoth", 0, true, false},
		{"demo:mammoth:1000", "mammoth", 1000, true, false},
		{"demo:x:1e5", "x", 0, true, true},
		{"demo:x:-4", "x", 0, true, true},
		{"demo:x:0", "x", 0, true, true},
		{"demo:x:100000001", "x", 0, true, true},
		{"demo:x:", "x", 0, true, true},
		{"mammoth.csv", "", 0, false, false},
		{"/data/demo:x", "", 0, false, false},
	} {
		name, points, ok, err := Parse(c.path)
		if name != c.name || points != c.points || ok != c.ok || (err != nil) != c.bad {
			t.Errorf("%s: %q %d %v %v", c.path, name, points, ok, err)
		}
	}
}

// Points lie near their corner, and all corners are used alike.
func TestTesseract(t *testing.T) {
	ds := generate(t, "tesseract", 16_000, 1)
	count := make([]int, 16)
	near := 0
	for i := range ds.Points {
		corner := int(ds.Columns[4].Values[i])
		count[corner]++
		name, ok := strings.TrimPrefix(ds.Columns[4].Categories[corner], "corner "), true
		for axis := range 4 {
			ok = ok && (ds.Columns[axis].Values[i] > 0) == (name[axis] == '1')
		}
		if ok {
			near++
		}
	}
	if near < 15_980 { // P(|gaussian| > 5 deviations) on four axes: less than one in 16,000
		t.Errorf("%d of 16000 points lie on their corner's side", near)
	}
	for c, k := range count {
		if k < 800 || k > 1200 {
			t.Errorf("corner %04b has %d of 16000 points", c, k)
		}
	}
}

// The mammoth stands on the ground, is as wide to the left as to the right, and has all its bones.
func TestMammoth(t *testing.T) {
	ds := generate(t, "mammoth", 20_000, 1)
	x, y, z := column(t, ds, "x"), column(t, ds, "y"), column(t, ds, "z")
	if z.Stats.Min < -0.1 || z.Stats.Min > 0.1 || z.Stats.Max < 2.8 || z.Stats.Max > 4 {
		t.Errorf("it stands from %g to %g", z.Stats.Min, z.Stats.Max)
	}
	if math.Abs(y.Stats.Min+y.Stats.Max) > 0.05 || math.Abs(y.Stats.Mean) > 0.02 {
		t.Errorf("left and right: %g to %g, mean %g", y.Stats.Min, y.Stats.Max, y.Stats.Mean)
	}
	if length := x.Stats.Max - x.Stats.Min; length < 4 || length > 6.5 {
		t.Errorf("it is %g m long", length)
	}
	parts := column(t, ds, "part")
	for _, name := range []string{"spine", "ribs", "fore legs", "hind legs", "tusks", "trunk", "skull", "pelvis",
		"tail"} {
		k := slices.Index(parts.Categories, name)
		n := 0
		for _, v := range parts.Values {
			if int(v) == k {
				n++
			}
		}
		if n < 100 {
			t.Errorf("%s: %d of 20000 points", name, n)
		}
	}
}

// The S sheet and the knot lie where their formulas say.
func TestCurvesLieOnThemselves(t *testing.T) {
	ds := generate(t, "torus-knot", 5000, 3)
	for i := range ds.Points {
		x, y, z := float64(ds.Columns[0].Values[i]), float64(ds.Columns[1].Values[i]), float64(ds.Columns[2].Values[i])
		if d := math.Hypot(math.Hypot(x, y)-2, z); math.Abs(d-0.8) > 0.17 {
			t.Fatalf("point %d is %g from the core of the torus, want 0.8 +- 0.16", i, d)
		}
	}
	ds = generate(t, "s-sheet", 5000, 3)
	for i := range ds.Points {
		x, y := float64(ds.Columns[0].Values[i]), float64(ds.Columns[1].Values[i])
		centre := math.Copysign(1, -float64(ds.Columns[3].Values[i]))
		if r := math.Hypot(x, y-centre); math.Abs(r-1) > 0.15 {
			t.Fatalf("point %d is %g from its arc's centre, want 1", i, r)
		}
	}
}

func TestBloodSample(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and shorter tests run the same things side by side")
	}
	ds := generate(t, "cytometry", 60_000, 1)
	pops := column(t, ds, "population")
	if n := len(pops.Categories) - 1; n < 20 {
		t.Errorf("%d populations, want 20 or more", n)
	}
	markers := 0
	for _, c := range ds.Columns {
		if c.Role == dataset.Marker {
			markers++
			if c.Label == "" || c.Stats.Min < -1000 || c.Stats.Max > scatterMax {
				t.Errorf("%s: %g to %g", c.Title(), c.Stats.Min, c.Stats.Max)
			}
		}
	}
	if markers != 30 {
		t.Errorf("%d markers, want 30", markers)
	}
	share := make([]float64, len(pops.Categories))
	for _, v := range pops.Values {
		share[int(v)] += 100 / float64(ds.Points)
	}
	for k, s := range share {
		if s < 0.2 || s > 20 {
			t.Errorf("%s: %.2f %% of the events", pops.Categories[k], s)
		}
	}

	// Medians on the asinh scale: where a population expresses a marker it is far from where it does not.
	median := func(marker, pop string) float64 {
		c, k := column(t, ds, marker), slices.Index(pops.Categories, pop)
		if k < 0 {
			t.Fatalf("no population %q", pop)
		}
		var v []float64
		for i, p := range pops.Values {
			if int(p) == k {
				v = append(v, math.Asinh(float64(c.Values[i])/150))
			}
		}
		slices.Sort(v)
		return v[len(v)/2]
	}
	for _, c := range []struct{ marker, positive, negative string }{
		{"CD3", "CD4 naive", "B naive"}, {"CD4", "CD4 naive", "CD8 naive"}, {"CD8", "CD8 naive", "CD4 naive"},
		{"CD19", "B naive", "NK CD56 dim"}, {"CD14", "monocyte classical", "neutrophil"},
		{"CD56", "NK CD56 bright", "CD4 naive"},
		{"CD45RA", "CD8 TEMRA", "CD8 central memory"}, {"FoxP3", "CD4 regulatory", "CD4 naive"},
		{"CD66b", "neutrophil", "monocyte classical"},
		{"CD123", "pDC", "cDC1"}, {"CD34", "HSPC", "basophil"}, {"CD57", "NK CD57+", "NK CD56 dim"},
	} {
		p, n := median(c.marker, c.positive), median(c.marker, c.negative)
		if p-n < 1.5 || n > 1 {
			t.Errorf("%s: %.2f on %s, %.2f on %s", c.marker, p, c.positive, n, c.negative)
		}
	}

	// Doublets are seen as the area of a pulse that its height does not follow.
	area, height := column(t, ds, "FSC-A"), column(t, ds, "FSC-H")
	doublet := float32(len(pops.Categories) - 1)
	var single, double []float64
	for i, p := range pops.Values {
		ratio := float64(area.Values[i] / height.Values[i])
		if p == doublet {
			double = append(double, ratio)
		} else {
			single = append(single, ratio)
		}
	}
	slices.Sort(single)
	slices.Sort(double)
	if s, d := single[len(single)*99/100], double[len(double)/10]; d < s+0.1 {
		t.Errorf("area/height: 99 %% of the single cells are below %.2f, 90 %% of the doublets above %.2f", s, d)
	}
	if !slices.IsSorted(column(t, ds, "Time").Values) {
		t.Error("time runs backwards")
	}
}
