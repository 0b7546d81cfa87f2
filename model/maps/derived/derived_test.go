package derived

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/base/revision"
	"blossom/model/data/dataset"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/embedsom"
	"blossom/model/space/transform"
)

// inputs are n random points of three columns in a map of shuffled order, g landmarks and positions in dims.
func inputs(t *testing.T, n, g, dims int) Inputs {
	t.Helper()
	r := rand.New(rand.NewPCG(uint64(n), uint64(g)))
	columns := []dataset.Column{{Name: "a"}, {Name: "b", Label: "Density"}, {Name: "nearest landmark"}}
	for i := range columns {
		for range n {
			columns[i].Values = append(columns[i].Values, r.Float32())
		}
	}
	if n > 7 {
		columns[1].Values[5], columns[2].Values[7] = nan, float32(math.Inf(1))
	}
	ds, err := dataset.FromColumns(t.Context(), "t", columns)
	if err != nil {
		t.Fatal(err)
	}
	table, err := transform.Build(t.Context(), ds, transform.Default(ds), transform.Shuffle(n, 3), nil)
	if err != nil {
		t.Fatal(err)
	}
	code, pos := matrix.New(g, len(table.Cols)), matrix.New(g, 2)
	for i := range code.Data {
		code.Data[i] = r.Float32()
	}
	for i := range pos.Data {
		pos.Data[i] = r.Float32()
	}
	set, err := landmark.New(code, pos)
	if err != nil {
		t.Fatal(err)
	}
	p := Positions{ID: "pca", Title: "PCA", Dims: dims, Pos: make([]float32, n*dims), Rev: revision.Next()}
	for i := range p.Pos {
		p.Pos[i] = float32(r.NormFloat64())
	}
	return Inputs{Data: ds, Table: table, Landmarks: set, Positions: p, Projection: embedsom.Defaults()}
}

func column(t *testing.T, id string, in Inputs) dataset.Column {
	t.Helper()
	c, err := ByID(id).Column(t.Context(), in, nil)
	if err != nil {
		t.Fatalf("%s: %v", id, err)
	}
	return c
}

// Every column is like those of a file: as many values as rows, statistics, a name of its own, where it is from.
func TestEveryColumnIsLikeOneOfTheFile(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and shorter tests run the same things side by side")
	}
	for _, n := range []int{1, 2, 31, 32, 33, 5000} {
		in := inputs(t, n, 5, 3)
		for _, k := range Available(in) {
			var wrong atomic.Int64
			c, err := k.Column(t.Context(), in, func(done, total int64) {
				if done < 1 || done > total {
					wrong.Add(1)
				}
			})
			if err != nil {
				t.Fatalf("%s of %d points: %v", k.ID, n, err)
			}
			if wrong.Load() > 0 {
				t.Errorf("%s of %d points: progress that is none", k.ID, n)
			}
			if len(c.Values) != n || c.Provenance != dataset.Derived || c.From == "" || c.Rev == 0 ||
				c.Stats != dataset.Summarise(c.Values) || (c.Role == dataset.Label) != (c.Categories != nil) {
				t.Errorf("%s of %d points: %+v", k.ID, n, c)
			}
			for _, other := range in.Data.Columns {
				if strings.EqualFold(c.Name, other.Name) || strings.EqualFold(c.Name, other.Label) {
					t.Errorf("%s has the name of the file's %s", k.ID, other.Name)
				}
			}
			if again := column(t, k.ID, in); !sameBits(again.Values, c.Values) || again.Rev == c.Rev {
				t.Errorf("%s: other values the second time, or the same revision", k.ID)
			}
			if k.Title == "" || k.Help == "" {
				t.Errorf("%s says nothing of itself", k.ID)
			}
		}
	}
	if c := column(t, "nearest", inputs(t, 40, 5, 2)); c.Name != "nearest landmark (2)" {
		t.Errorf("it is called %q", c.Name)
	}
}

func sameBits(a, b []float32) bool {
	return slices.EqualFunc(a, b, func(x, y float32) bool { return math.Float32bits(x) == math.Float32bits(y) })
}

func TestNearestLandmark(t *testing.T) {
	for _, size := range [][2]int{{2000, 40}, {100, 1}, {50, 17}} {
		in := inputs(t, size[0], size[1], 2)
		names := make([]string, size[1])
		names[0] = "B cells"
		if len(names) > 3 {
			names[3] = "B cells"
		}
		in.Landmarks.Names = names
		label, distance := column(t, "nearest", in), column(t, "distance", in)
		x, code := in.Table.X, in.Landmarks.Codebook
		for i := range x.Rows {
			row := in.Table.Order[i]
			best, at := math.Inf(1), -1
			for g := range code.Rows {
				s := 0.0
				for j, v := range x.Row(i) {
					s += math.Pow(float64(v)-float64(code.Row(g)[j]), 2)
				}
				if math.Sqrt(s) < best {
					best, at = math.Sqrt(s), g
				}
			}
			if at < 0 {
				if label.Values[row] == label.Values[row] || distance.Values[row] == distance.Values[row] {
					t.Fatalf("row %d is not finite and near to %g", row, label.Values[row])
				}
				continue
			}
			if math.Abs(float64(distance.Values[row])-best) > 1e-6 {
				t.Fatalf("row %d: %g, not %g", row, distance.Values[row], best)
			}
			want := names[at]
			if want == "" {
				want = strconv.Itoa(at + 1)
			}
			if got := label.Categories[int(label.Values[row])]; got != want {
				t.Fatalf("row %d is near to %s, not %s", row, got, want)
			}
		}
		if len(names) > 3 && len(label.Categories) != len(names)-1 {
			t.Errorf("%d labels: landmarks of one name are one", len(label.Categories))
		}
	}
}

func TestNearestOfNumbersBeyondFloat32(t *testing.T) {
	in := inputs(t, 20, 3, 2)
	in.Table.X = matrix.Matrix32{Rows: 20, Cols: 1, Data: make([]float32, 20)}
	for i := range in.Table.X.Data {
		in.Table.X.Data[i] = float32(1e30 * float64(i-10))
	}
	in.Landmarks.Codebook = matrix.Matrix32{Rows: 3, Cols: 1, Data: []float32{-1e31, 0, 9e30}}
	c, d := column(t, "nearest", in), column(t, "distance", in)
	first, last := in.Table.Order[0], in.Table.Order[19]
	if c.Values[first] != 0 || c.Values[last] != 2 || d.Values[last] > 1e25 || d.Values[in.Table.Order[2]] < 1e30 {
		t.Fatalf("%v %v", c.Values, d.Values)
	}
}

func TestCoordinates(t *testing.T) {
	in := inputs(t, 100, 3, 3)
	in.Positions.Pos[4*3] = nan
	for axis, id := range []string{"x", "y", "z"} {
		c := column(t, id, in)
		for i, row := range in.Table.Order {
			if !sameBits(c.Values[row:row+1], in.Positions.Pos[i*3+axis:i*3+axis+1]) {
				t.Fatalf("%s of row %d is %g", id, row, c.Values[row])
			}
		}
		if c.Name != id+" of PCA" || c.From != "positions of PCA" {
			t.Errorf("%q from %q", c.Name, c.From)
		}
	}
	in.Table, in.Positions.Title = nil, "" // positions in the order of rows
	if c := column(t, "y", in); c.Values[7] != in.Positions.Pos[7*3+1] || c.Name != "y" {
		t.Errorf("%+v", c)
	}
}

// Points that the map leaves out have no value.
func TestAMapOfSomeRows(t *testing.T) {
	in := inputs(t, 64, 3, 2)
	order := []int32{9, 3, 20}
	table, err := transform.Build(t.Context(), in.Data, in.Table.Spec, order, nil)
	if err != nil {
		t.Fatal(err)
	}
	in.Table, in.Positions.Pos = table, []float32{1, 2, 3, 4, 5, 6}
	for _, k := range Available(in) {
		c := column(t, k.ID, in)
		if k.Needs == 0 {
			continue // columns of the rows themselves
		}
		if c.Stats.Count != 3 || c.Stats.Invalid != 61 || c.Values[20] != c.Values[20] {
			t.Errorf("%s: %+v", k.ID, c.Stats)
		}
	}
}

func TestSample(t *testing.T) {
	in := inputs(t, 10, 2, 2)
	both, err := dataset.Concat(t.Context(), []*dataset.Dataset{in.Data, in.Data})
	if err != nil {
		t.Fatal(err)
	}
	c := column(t, "sample", Inputs{Data: both})
	if c.Name != dataset.FileColumn || len(c.Categories) != 2 || c.Values[9] != 0 || c.Values[10] != 1 ||
		c.Rev != both.Origin().Rev {
		t.Fatalf("%+v", c)
	}
}

func TestAvailable(t *testing.T) {
	in := inputs(t, 50, 4, 3)
	ids := func(in Inputs) string {
		var out []string
		for _, k := range Available(in) {
			if !strings.HasPrefix(k.ID, "test") {
				out = append(out, k.ID)
			}
		}
		return strings.Join(out, " ")
	}
	flat := in
	flat.Positions.Dims = 2
	other := in
	other.Landmarks = &landmark.Set{Codebook: matrix.New(4, 99)}
	for _, c := range []struct {
		in   Inputs
		want string
	}{
		{in, "density nearest distance residual loss x y z"},
		{flat, "density nearest distance residual loss x y"}, {Inputs{}, ""},
		{Inputs{Data: in.Data}, ""},
		{Inputs{Data: in.Data, Table: in.Table, Landmarks: in.Landmarks}, "nearest distance"},
		{Inputs{Data: in.Data, Positions: in.Positions}, "density x y z"}, {other, "density loss x y z"},
		{Inputs{Positions: in.Positions}, ""},
	} {
		if got := ids(c.in); got != c.want {
			t.Errorf("%q, not %q", got, c.want)
		}
	}
}

// A key changes with what a column is made from, and with nothing else.
func TestKeys(t *testing.T) {
	in := inputs(t, 50, 4, 3)
	moved := in
	moved.Positions.Rev = revision.Next()
	trained := in
	set := *in.Landmarks
	set.CodeRev = revision.Next()
	trained.Landmarks = &set
	renamed := in
	named := *in.Landmarks
	named.Names = []string{"T cells", "", "", ""}
	renamed.Landmarks = &named
	dragged := in
	drag := *in.Landmarks
	drag.PosRev = revision.Next()
	dragged.Landmarks = &drag
	scaled := in
	table := *in.Table
	table.Rev = revision.Next()
	scaled.Table = &table
	for id, changes := range map[string][5]bool{ // moved, trained, renamed, dragged, scaled
		"density": {true, false, false, false, false}, "x": {true, false, false, false, false},
		"nearest": {false, true, true, false, true}, "distance": {false, true, true, false, true}, "sample": {},
	} {
		k := ByID(id)
		for _, same := range []Inputs{in, {}} {
			if first := k.Key(same); k.Key(same) != first {
				t.Errorf("%s: the same inputs have two keys", id)
			}
		}
		for i, other := range []Inputs{moved, trained, renamed, dragged, scaled} {
			if got := k.Key(other) != k.Key(in); got != changes[i] {
				t.Errorf("%s, change %d: another key: %v", id, i, got)
			}
		}
	}
}

func TestWhatIsMissingOrDoesNotFit(t *testing.T) {
	in := inputs(t, 50, 4, 2)
	short, far := in, in
	short.Positions.Pos = short.Positions.Pos[:99]
	table := *in.Table
	table.Order = slices.Clone(table.Order)
	table.Order[3] = 50
	far.Table = &table
	for name, c := range map[string]struct {
		id string
		in Inputs
	}{
		"no data": {"x", Inputs{Positions: in.Positions}}, "no positions": {"density", Inputs{Data: in.Data}},
		"flat": {"z", in}, "no landmarks": {"nearest", Inputs{Data: in.Data, Table: in.Table}},
		"one file": {"sample", in}, "positions of other data": {"density", short}, "rows of other data": {"x", far},
	} {
		var p *problem.Problem
		if _, err := ByID(c.id).Column(t.Context(), c.in, nil); !errors.As(err, &p) || p.Remedy == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, k := range Available(in) {
		if _, err := k.Column(ctx, in, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("%s, cancelled: %v", k.ID, err)
		}
	}
}

func TestSameBytesOnAnyNumberOfCores(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	in := inputs(t, 1<<19+1000, 10, 2) // density.Of counts them in two stretches
	for _, id := range []string{"density", "nearest", "distance", "x"} {
		runtime.GOMAXPROCS(1)
		one := column(t, id, in)
		runtime.GOMAXPROCS(3)
		if three := column(t, id, in); !sameBits(one.Values, three.Values) || one.Stats != three.Stats {
			t.Errorf("%s: other bits on three cores", id)
		}
	}
}

// The region that density is measured over takes in the marks, and leaves the farthest points out.
func TestCore(t *testing.T) {
	p := Positions{Dims: 2}
	for i := range 1001 {
		p.Pos = append(p.Pos, float32(i), float32(-i))
	}
	p.Pos = append(p.Pos, 1e9, 1e9, nan, 0)
	low, high, ok := Core(p)
	if !ok || low[0] > 0 || high[0] < 1000 || high[0] > 1100 || low[1] < -1100 || high[1] > 100 {
		t.Errorf("%v %v %v", low, high, ok)
	}
	p.Marks = matrix.Matrix32{Rows: 2, Cols: 2, Data: []float32{0, 5000, nan, 1e9}}
	if _, high, _ := Core(p); high[1] < 5000 || high[1] > 6000 {
		t.Errorf("with a mark: %v", high)
	}
	if _, _, ok := Core(Positions{Dims: 2, Pos: []float32{nan, nan}}); ok {
		t.Error("there is a region without a point")
	}
}

// Its ends are quantiles as a column has them, whatever the values are.
func TestEndsAreQuantiles(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	for range 300 {
		pos := make([]float32, 2*(1+r.IntN(3000)))
		few := 1 + r.IntN(5)
		for i := range pos {
			switch r.IntN(9) {
			case 0:
				pos[i] = []float32{nan, float32(math.Inf(1)), 0, float32(math.Inf(-1))}[r.IntN(4)]
			case 1:
				pos[i] = float32(r.IntN(few))
			default:
				pos[i] = float32(r.NormFloat64() * math.Pow(10, float64(r.IntN(few))))
			}
		}
		var c dataset.Column
		for i := 1; i < len(pos); i += 2 {
			c.Values = append(c.Values, pos[i])
		}
		want := c.Quantiles(Tail, 1-Tail)
		low, high, ok := ends(pos, 2, 1)
		if ok != (want[0] == want[0]) || ok && (low != want[0] || high != want[1]) {
			t.Fatalf("%d values: %g to %g, not %g", len(c.Values), low, high, want)
		}
	}
}
