package transform

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/data/dataset"
)

// amplified is a table of channels of logarithmic amplifiers with these decades and offsets, and one that is linear.
func amplified(t *testing.T, seed uint64, of ...dataset.LogScale) *dataset.Dataset {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 7))
	columns := make([]dataset.Column, len(of)+1)
	for j := range columns {
		columns[j] = dataset.Column{Name: string(rune('a' + j)), Values: make([]float32, 60), Range: 1024}
		if j < len(of) {
			columns[j].Log = &of[j]
		}
		for i := range columns[j].Values {
			columns[j].Values[i] = float32(random.IntN(1024))
		}
	}
	ds, err := dataset.FromColumns(t.Context(), "x.fcs", columns)
	if err != nil {
		t.Fatal(err)
	}
	for j := range ds.Columns {
		ds.Columns[j].Role = dataset.Marker
	}
	ds.Cells = true
	return ds
}

// A transform that somebody has chosen is of linear values (FCS 3.1: x stands for f 10^(d x / range)); what channels
// begin with, and none, are of channel numbers, and so is the column after these again.
func TestAChosenTransformIsOfLinearValues(t *testing.T) {
	ds := amplified(t, 1, dataset.LogScale{Decades: 4, Offset: 1, Range: 1024},
		dataset.LogScale{Decades: 3.5, Offset: 0.2, Range: 256})
	begun := Default(ds)
	chosen := begun.Clone()
	for i := range chosen.Columns {
		chosen.Columns[i] = chosen.Columns[i].With(Asinh, Params{150})
	}
	chosen = chosen.WithLinear(ds, []int{0, 1, 2})
	table, err := Build(t.Context(), ds, chosen, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range ds.Points {
		for j, c := range ds.Columns {
			x := float64(c.Values[i])
			if c.Log != nil {
				x = c.Log.Offset * math.Pow(10, c.Log.Decades*x/c.Log.Range)
			}
			want := math.Asinh(x / 150)
			if got := float64(table.X.Row(i)[j]); math.Abs(got-want) > 1e-6*(1+math.Abs(want)) {
				t.Fatalf("column %s, row %d: %g, want %g", c.Name, i, got, want)
			}
		}
	}
	for j, want := range []string{"a [linear asinh:150]", "b [linear asinh:150]", "c [asinh:150]"} {
		if got := chosen.NameOf(ds, j, Mapped); got != want {
			t.Errorf("it is called %q, want %q", got, want)
		}
	}
	if got := begun.NameOf(ds, 0, Mapped); got != "a [linear:0.00899447:0]" {
		t.Errorf("it begins as %q", got)
	}
	back := chosen.Clone()
	back.Columns[0], back.Columns[1] = begun.Columns[0], back.Columns[1].With(None, Params{})
	if back = back.WithLinear(ds, []int{0, 1}); len(back.Mixes) != 0 {
		t.Errorf("channel numbers are made linear: %v", back.Mixes)
	}
}

// A channel that is made linear stays so in files, also of data whose amplifiers are others; a codebook comes there and
// back.
func TestLinearChannelsAreKept(t *testing.T) {
	ds := amplified(t, 2, dataset.LogScale{Decades: 4, Offset: 1, Range: 1024})
	begun := Default(ds)
	chosen := begun.Clone()
	chosen.Columns[0] = chosen.Columns[0].With(Logicle, Params{0, 0.5, 4.5, 0})
	chosen = chosen.WithLinear(ds, []int{0})
	text, err := json.Marshal(EncodeSpec(ds, chosen))
	if err != nil {
		t.Fatal(err)
	}
	var kept Encoded
	if err := json.Unmarshal(text, &kept); err != nil {
		t.Fatal(err)
	}
	if again, err := DecodeSpec(ds, kept); err != nil || !again.Equal(chosen) {
		t.Errorf("%v, %v, want %v", again, err, chosen)
	}
	other := amplified(t, 3, dataset.LogScale{Decades: 5, Offset: 0.1, Range: 4096})
	spec, err := DecodeSpec(other, kept)
	if err != nil {
		t.Fatal(err)
	}
	got := Mixed(other, spec, 0)
	for i, x := range other.Columns[0].Values {
		if want := other.Columns[0].Log.Linear(float64(x)); math.Abs(float64(got.Values[i])-want) > 1e-6*want {
			t.Fatalf("row %d: %g, want %g", i, got.Values[i], want)
		}
	}
	if got.Range != 10000 || got.Log != nil {
		t.Errorf("the scale ends at %g", got.Range)
	}
	plain := amplified(t, 4)
	plain.Columns = append(plain.Columns, plain.Columns[0])
	plain.Columns[1].Name = "b"
	if spec, err = DecodeSpec(plain, kept); err != nil {
		t.Fatal(err)
	}
	if got := Mixed(plain, spec, 0); got.Values[5] != plain.Columns[0].Values[5] {
		t.Error("a column that is linear is changed")
	}

	old, err := Build(t.Context(), ds, begun, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	now, err := Build(t.Context(), ds, chosen, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	code := matrix.New(20, 2)
	copy(code.Data, old.X.Data)
	there := Carry(old, now, code, matrix.Matrix32{})
	for i := range code.Rows { // landmarks at points stay there
		if math.Abs(float64(there.Row(i)[0]-now.X.Row(i)[0])) > 1e-4 {
			t.Errorf("landmark %d is at %g, its point at %g", i, there.Row(i)[0], now.X.Row(i)[0])
		}
	}
	home := Carry(now, old, there, matrix.Matrix32{})
	for i := range code.Rows {
		if math.Abs(float64(home.Row(i)[0]-code.Row(i)[0])) > 1e-4 {
			t.Errorf("landmark %d comes back to %g, not %g", i, home.Row(i)[0], code.Row(i)[0])
		}
	}
}
