package transform

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"blossom/model/data/dataset"
)

// holed is a table of two groups that lie apart in columns a and b, with column c that follows them, and a gap in c
// wherever gap says so; d has the same value everywhere.
func holed(t *testing.T, n int, gap func(i int) bool) (ds *dataset.Dataset, full []float32) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	columns := make([]dataset.Column, 4)
	for j, name := range []string{"a", "b", "c", "d"} {
		columns[j] = dataset.Column{Name: name, Values: make([]float32, n)}
	}
	for i := range n {
		group := float64(i % 2)
		for j, scale := range []float64{1, 1000, 7} {
			columns[j].Values[i] = float32(scale * (10*group + r.NormFloat64()))
		}
		columns[3].Values[i] = 5
	}
	full = slices.Clone(columns[2].Values)
	for i := range n {
		if gap(i) {
			columns[2].Values[i] = float32(math.NaN())
		}
	}
	ds, err := dataset.FromColumns(t.Context(), "holed", columns)
	if err != nil {
		t.Fatal(err)
	}
	return ds, full
}

// The nearest fill takes a gap from the group that a point lies in, where the median lies between the groups; values
// that are there stay, and columns without gaps are not changed.
func TestAGapIsTakenFromThePointsNearby(t *testing.T) {
	ds, full := holed(t, 2000, func(i int) bool { return i%7 == 0 })
	m := Filling(ds, []int{0, 1, 2, 3}, "nearest")
	if why := m.wrong(ds); why != "" || !slices.Equal(m.Changed(), []int{2}) || len(m.Cols) != 4 {
		t.Fatalf("%q, changes %v of %v", why, m.Changed(), m.Cols)
	}
	if len(m.Values) != 1+4*donorsMost {
		t.Errorf("%d numbers", len(m.Values))
	}
	got := Mixed(ds, Spec{Mixes: []Mix{m}, Columns: make([]Column, 4)}, 2)
	for i, x := range got.Values {
		if i%7 != 0 && x != full[i] || math.Abs(float64(x-full[i])) > 7*6 {
			t.Fatalf("row %d: %g, it was %g", i, x, full[i])
		}
	}
	if Mixed(ds, Spec{Mixes: []Mix{m}, Columns: make([]Column, 4)}, 0) != &ds.Columns[0] {
		t.Error("a column without gaps is made anew")
	}
}

// The fast fill gives what a plain search gives: the median of the five nearest by the sum over what is there, scaled
// by the share of columns that are.
func TestNearestFillIsThatOfAPlainSearch(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for round := range 200 {
		columns, rows := 1+r.IntN(6), 1+r.IntN(40)
		gappy := 1 + r.IntN(columns)
		values := []float64{float64(gappy)}
		for range columns * rows {
			values = append(values, float64(r.IntN(20))-7)
		}
		d := newDonation(columns, values)
		b := make(Block, columns)
		for j := range b {
			b[j] = make([]float64, 30)
			for i := range b[j] {
				if b[j][i] = r.NormFloat64() * 9; r.IntN(3) == 0 {
					b[j][i] = math.NaN()
				}
			}
		}
		was := make(Block, columns)
		for j := range b {
			was[j] = slices.Clone(b[j])
		}
		d.fill(b)
		for i := range 30 {
			for j := range b {
				want := was[j][i]
				if want != want && j < gappy {
					want = plainlyFilled(d, was, i, j)
				}
				if b[j][i] != want && (want == want || b[j][i] == b[j][i]) {
					t.Fatalf("round %d, row %d, column %d: %g, want %g", round, i, j, b[j][i], want)
				}
			}
		}
	}
}

func plainlyFilled(d *donation, b Block, i, j int) float64 {
	type donor struct{ far, value float64 }
	var all []donor
	there := 0
	for k := range d.values[0] {
		far := 0.0
		there = 0
		for c := range b {
			if x := b[c][i]; x == x {
				there++
				far += math.Pow(d.onScale(c, x)-d.scaled[c][k], 2)
			}
		}
		all = append(all, donor{far * float64(len(b)) / float64(max(there, 1)), d.values[j][k]})
	}
	if there == 0 {
		return math.NaN()
	}
	slices.SortStableFunc(all, func(a, b donor) int {
		if math.Abs(a.far-b.far) < 1e-9 {
			return 0
		}
		if a.far < b.far {
			return -1
		}
		return 1
	})
	var near []float64
	for _, x := range all[:min(donorsNear, len(all))] {
		near = append(near, x.value)
	}
	slices.Sort(near)
	return near[(len(near)-1)/2]
}

// Where every row has a gap the fullest ones serve, and a row without any value stays out, as do infinite values.
func TestRowsWithGapsServeWhereNoneIsWhole(t *testing.T) {
	ds, _ := holed(t, 100, func(i int) bool { return i%3 != 0 })
	for i := range ds.Points {
		if i%3 == 0 {
			ds.Columns[i%2].Values[i] = float32(math.NaN())
		}
	}
	for j := range ds.Columns {
		ds.Columns[j].Values[50] = float32(math.NaN())
	}
	ds.Columns[0].Values[51] = float32(math.Inf(1))
	ds, err := dataset.FromColumns(t.Context(), "holed", ds.Columns)
	if err != nil {
		t.Fatal(err)
	}
	m := Filling(ds, []int{0, 1, 2, 3}, "nearest")
	all := AllMixed(ds, Spec{Mixes: []Mix{m}, Columns: make([]Column, 4)}, []int{0, 1, 2, 3})
	for c, column := range all {
		for i, x := range column.Values {
			if (i == 50) != (x != x) || math.IsInf(float64(x), 0) != (i == 51 && c == 0) {
				t.Errorf("row %d, column %d: %g", i, c, x)
			}
		}
	}
}

// Numbers of a fill that come from a file are looked at before they are used.
func TestFillsWithWrongNumbersAreRefused(t *testing.T) {
	ds, _ := holed(t, 50, func(i int) bool { return i == 3 })
	for _, values := range [][]float64{nil, {1}, {1, 2}, {0, 1, 2, 3, 4}, {5, 1, 2, 3, 4}, {1.5, 1, 2, 3, 4},
		{math.NaN(), 1, 2, 3, 4}, {1, 1, 2, 3}, {1, 1, 2, math.Inf(1), 4}, {-1e300, 1, 2, 3, 4}} {
		m := Mix{Op: FillNearest, Cols: []int{2, 0, 1, 3}, Values: values}
		if m.Changed(); m.wrong(ds) == "" {
			t.Errorf("%v is taken", values)
		}
	}
}
