package transform

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"blossom/model/data/dataset"
)

// bits is the precision of the reference: its own errors do not reach the bound that is tested.
const bits = 300

// exactInverse is the inverse of a matrix by elimination in 300 bits.
func exactInverse(m [][]float64) [][]*big.Float {
	n := len(m)
	a := make([][]*big.Float, n)
	for i := range a {
		for j := range n {
			a[i] = append(a[i], new(big.Float).SetPrec(bits).SetFloat64(m[i][j]))
		}
		for j := range n {
			one := 0.0
			if i == j {
				one = 1
			}
			a[i] = append(a[i], new(big.Float).SetPrec(bits).SetFloat64(one))
		}
	}
	for k := range n {
		best := k
		for i := k; i < n; i++ {
			if new(big.Float).Abs(a[i][k]).Cmp(new(big.Float).Abs(a[best][k])) > 0 {
				best = i
			}
		}
		a[k], a[best] = a[best], a[k]
		for i := range n {
			if i == k {
				continue
			}
			f := new(big.Float).Quo(a[i][k], a[k][k])
			for j := k; j < 2*n; j++ {
				a[i][j].Sub(a[i][j], new(big.Float).Mul(f, a[k][j]))
			}
		}
	}
	out := make([][]*big.Float, n)
	for i := range n {
		for j := range n {
			out[i] = append(out[i], new(big.Float).Quo(a[i][n+j], a[i][i]))
		}
	}
	return out
}

// measured is a table of n detectors with values as a cytometer has them: many decades, some below zero.
func measured(t *testing.T, rng *rand.Rand, n, points int) *dataset.Dataset {
	t.Helper()
	var columns []dataset.Column
	for j := range n {
		c := dataset.Column{Name: string(rune('A'+j%26)) + string(rune('a'+j/26))}
		for range points {
			c.Values = append(c.Values, float32(math.Pow(10, 5*rng.Float64())-50))
		}
		columns = append(columns, c)
	}
	ds, err := dataset.FromColumns(t.Context(), "m", columns)
	if err != nil {
		t.Fatal(err)
	}
	return ds
}

// Compensated values are right to 2^-22 of the sum of what they are made of, for matrices up to the condition number
// that is refused, against 300 bits.
func TestCompensationIsRightToFloat32(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 1))
	worst, ill := 0.0, 0.0
	for range 60 {
		n := 2 + rng.IntN(24)
		ds := measured(t, rng, n, 20)
		s := &dataset.Spillover{}
		spill := math.Pow(10, -3*rng.Float64())
		for i := range n {
			s.Names = append(s.Names, ds.Columns[i].Name)
			s.M = append(s.M, make([]float64, n))
			for j := range n {
				if rng.IntN(3) > 0 {
					s.M[i][j] = spill * rng.Float64()
				}
			}
			s.M[i][i] = 1
		}
		if rng.IntN(2) == 0 { // two dyes that are nearly the same
			for j := range n {
				s.M[1][j] = s.M[0][j] + math.Pow(10, -4*rng.Float64())*rng.NormFloat64()
			}
		}
		m, why := Compensation(ds, s)
		if why != "" {
			continue
		}
		_, condition := invert(n, m.Values)
		ill = max(ill, condition)
		spec := Spec{Columns: make([]Column, n), Mixes: []Mix{m}}
		exact := exactInverse(s.M)
		got := AllMixed(ds, spec, m.Cols)
		for r := range ds.Points {
			for j := range n {
				want, size := new(big.Float).SetPrec(bits), new(big.Float).SetPrec(bits)
				for i := range n {
					p := new(big.Float).Mul(big.NewFloat(float64(ds.Columns[i].Values[r])), exact[i][j])
					want.Add(want, p)
					size.Add(size, p.Abs(p))
				}
				off := new(big.Float).Sub(want, big.NewFloat(float64(got[j].Values[r])))
				bound, _ := new(big.Float).Mul(size, big.NewFloat(0x1p-22)).Float64()
				e, _ := off.Abs(off).Float64()
				worst = max(worst, e/bound)
				if !(e <= bound) {
					t.Fatalf("seed %d: n %d, condition %.3g: off by %g, bound %g", seed, n, condition, e, bound)
				}
			}
		}
	}
	t.Logf("the worst value is off by %.3f of the bound; condition numbers up to %.3g", worst, ill)
	if ill < 1000 {
		t.Errorf("seed %d: no matrix is ill, the worst has %.3g", seed, ill)
	}
}

// An invalid value spoils what it takes part in and nothing else; columns outside keep their bits.
func TestAnInvalidValueSpoilsWhatItIsPartOf(t *testing.T) {
	ds := stained(t, 4, [][]float64{{1, 0.3, 0}, {0.1, 1, 0}, {0, 0, 1}}) // rows and columns: PE-A, FITC-A, APC-A
	inf := float32(math.Inf(1))
	ds.Columns[1].Values[0], ds.Columns[2].Values[1], ds.Columns[3].Values[2] = float32(math.NaN()), inf, inf
	m, why := Compensation(ds, ds.Spillover)
	if why != "" {
		t.Fatal(why)
	}
	got := AllMixed(ds, Spec{Columns: make([]Column, 4), Mixes: []Mix{m}}, []int{0, 1, 2, 3})
	for r, bad := range [][]bool{{false, true, true, false}, {false, true, true, false}, {false, false, false, true},
		{false, false, false, false}} {
		for c, want := range bad {
			if x := got[c].Values[r]; (x-x != 0) != want {
				t.Errorf("row %d, %s: %g", r, got[c].Name, x)
			}
		}
	}
	if &got[0].Values[0] != &ds.Columns[0].Values[0] || !slices.Equal(got[3].Values, ds.Columns[3].Values) {
		t.Error("a column that nothing spills over to or from has other values")
	}
}

// Gains are divided out before and multiplied back after; a detector without spillover keeps its digits.
func TestGainsAreTakenIntoAccount(t *testing.T) {
	ds := stained(t, 50, spilling)
	gains := []float64{0, 3, 0.7, 11}
	for i, g := range gains {
		ds.Columns[i].Gain = g
	}
	m, why := Compensation(ds, ds.Spillover)
	if why != "" || m.Units == nil {
		t.Fatal(why, m)
	}
	spec := Spec{Columns: make([]Column, 4), Mixes: []Mix{m}}
	got := AllMixed(ds, spec, m.Cols)
	for r := range ds.Points {
		var y []float64
		for _, c := range m.Cols {
			y = append(y, float64(ds.Columns[c].Values[r])/gains[c])
		}
		for k, x := range solve(spilling, y) {
			want := x * gains[m.Cols[k]]
			if v := float64(got[m.Cols[k]].Values[r]); math.Abs(v-want) > 1e-6*(1+math.Abs(want)) {
				t.Fatalf("row %d, detector %d: %g, want %g", r, k, v, want)
			}
		}
	}
	same := m
	same.Values = []float64{1, 0, 0, 0, 1, 0, 0, 0, 1}
	spec.Mixes = []Mix{same}
	for c, column := range AllMixed(ds, spec, m.Cols) {
		if !slices.Equal(column.Values, ds.Columns[c].Values) {
			t.Errorf("%s is changed by the identity", column.Name)
		}
	}
	again, err := DecodeMixes(ds, EncodeMixes(ds, []Mix{m}))
	if err != nil || !again[0].Equal(m) {
		t.Errorf("%v, %v", again, err)
	}
	forward, back := m.functions()
	b := Block{{5, -2}, {1000, 3}, {7, 1}}
	forward(b)
	back(b)
	for i, want := range []float64{5, 1000, 7} {
		if math.Abs(b[i][0]-want) > 1e-9 {
			t.Errorf("%g comes back as %g", want, b[i][0])
		}
	}
}

// Values of a logarithmic amplifier are linear after compensation and begin with logicle up to the top of their scale;
// without it they are logarithms, as they were. What somebody has chosen stays.
func TestLogarithmsAreLinearAfterCompensation(t *testing.T) {
	ds := stained(t, 40, spilling)
	for c := 1; c <= 3; c++ {
		ds.Columns[c].Log, ds.Columns[c].Range = &dataset.LogScale{Decades: 4, Offset: 2, Range: 1024}, 1024
		for r := range ds.Columns[c].Values {
			ds.Columns[c].Values[r] = float32(20*r + c)
		}
	}
	spec := Default(ds)
	if len(spec.Mixes) != 1 || spec.Columns[2].Op != Logicle || spec.Columns[2].Params != (Params{20000, 0.5, 4.5, 0}) {
		t.Fatalf("begins with %v", spec)
	}
	got := AllMixed(ds, spec, spec.Mixes[0].Cols)
	for r := range ds.Points {
		var y []float64
		for _, c := range spec.Mixes[0].Cols {
			y = append(y, ds.Columns[c].Log.Linear(float64(ds.Columns[c].Values[r])))
		}
		for k, want := range solve(spilling, y) {
			if v := float64(got[spec.Mixes[0].Cols[k]].Values[r]); math.Abs(v-want) > 1e-6*(1+math.Abs(want)) {
				t.Fatalf("row %d, detector %d: %g, want %g", r, k, v, want)
			}
		}
	}
	if got[2].Range != 20000 || got[2].Log != nil {
		t.Errorf("its scale ends at %g", got[2].Range)
	}
	spec.Columns[3] = spec.Columns[3].With(Asinh, Params{5})
	off := spec.WithCompensation(ds, Mix{})
	if len(off.Mixes) != 1 || off.Columns[2].Op != Linear || off.Columns[3].Op != Asinh {
		t.Errorf("off: %v", off)
	}
	if top, linear := off.Linearised(3); !linear || top != 20000 {
		t.Error("a transform that somebody has chosen is of channel numbers without compensation")
	}
	if on := off.WithCompensation(ds, spec.Mixes[0]); !on.Equal(spec) {
		t.Errorf("on again: %v", on)
	}
	forward, back := spec.Mixes[0].functions()
	b := Block{{512, 0}, {700, 1}, {3, 900}}
	forward(b)
	back(b)
	for i, want := range [][]float64{{512, 0}, {700, 1}, {3, 900}} {
		for r, x := range want {
			if math.Abs(b[i][r]-x) > 1e-6 {
				t.Errorf("%g comes back as %g", x, b[i][r])
			}
		}
	}
	ds.Metadata["APPLY COMPENSATION"] = "FALSE"
	if plain := Default(ds); plain.Columns[2].Op != Linear {
		t.Errorf("without compensation: %v", plain.Columns[2])
	}
}

// Detectors are known by their names, however these are written.
func TestDetectorsAreKnownByTheirNames(t *testing.T) {
	for name, want := range map[string]string{"PE-A": "", "pe -a": "", "PE-A :: CD4": "", "pe-a::x": "",
		"PE": "is no column", "PE-B :: CD4": "is no column"} {
		ds := stained(t, 5, [][]float64{{1, 0.3, 0}, {0.1, 1, 0}, {0, 0, 1}})
		ds.Spillover.Names[0] = name
		m, why := Compensation(ds, ds.Spillover)
		if want == "" && (why != "" || m.Cols[0] != 2) || !strings.Contains(why, want) {
			t.Errorf("%s: %v, %q", name, m.Cols, why)
		}
	}
	ds := stained(t, 5, spilling)
	ds.Columns[0].Name, ds.Spillover.Names[0] = "pe-a", "PE-a"
	if _, why := Compensation(ds, ds.Spillover); !strings.Contains(why, `may be "pe-a" or "PE-A"`) {
		t.Error(why)
	}
}

// Matrices that are applied though something is odd about them are remarked on.
func TestOddMatricesAreRemarkedOn(t *testing.T) {
	for want, m := range map[string][][]float64{
		"0.98 on the diagonal":     {{0.98, 0.1, 0}, {0, 1, 0}, {0, 0, 1}},
		"the condition number":     {{1, 0.99, 0}, {0.99, 1, 0}, {0, 0, 1}},
		"compensated with the fil": {{1, 0.1, 0}, {0, 1, 0}, {0, 0, 1}},
	} {
		ds := stained(t, 5, m)
		if s := Suggestions(ds)[0]; !s.On || !strings.Contains(s.Said, want) {
			t.Errorf("%q: %v", want, s)
		}
	}
}
