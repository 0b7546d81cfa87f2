package transform

import (
	"math"
	"testing"

	"blossom/model/data/dataset"
)

// A compensation that was made where all gains are the same is one of linear values on data where they differ.
func TestACompensationKeepsItsUnitsOnOtherData(t *testing.T) {
	here := stained(t, 20, spilling)
	m, why := Compensation(here, here.Spillover)
	if why != "" {
		t.Fatal(why)
	}
	kept := EncodeMixes(here, []Mix{m})
	if len(kept[0].Units) == 0 {
		t.Fatal("it is kept without units, as those of earlier versions are")
	}
	there := stained(t, 20, spilling)
	there.Columns[2].Gain = 8
	want, _ := Compensation(there, there.Spillover)
	got, err := DecodeMixes(there, kept)
	if err != nil || !got[0].Equal(want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
}

// A compensation of an earlier version, of raw values, stays so where these are logarithms or have different gains: the
// transforms and landmarks of its session are about what it made. Where units change nothing it gets them.
func TestACompensationOfAnEarlierVersionStaysAsItWas(t *testing.T) {
	for name, change := range map[string]func(c *dataset.Column){
		"logarithms": func(c *dataset.Column) { c.Log = &dataset.LogScale{Decades: 4, Offset: 1, Range: 1024} },
		"a gain":     func(c *dataset.Column) { c.Gain = 8 },
		"nothing":    func(*dataset.Column) {},
	} {
		ds := stained(t, 20, spilling)
		m, why := Compensation(ds, ds.Spillover)
		if why != "" {
			t.Fatal(why)
		}
		m.Units = nil
		want := Mixed(ds, Spec{Columns: make([]Column, 4), Mixes: []Mix{m}}, 2).Values
		kept := EncodeMixes(ds, []Mix{m})
		change(&ds.Columns[2])
		again, err := DecodeMixes(ds, kept)
		if err != nil {
			t.Fatal(err)
		}
		if (again[0].Units == nil) != (name != "nothing") {
			t.Errorf("%s: its units are %v", name, again[0].Units)
		}
		for r, x := range Mixed(ds, Spec{Columns: make([]Column, 4), Mixes: again}, 2).Values {
			if math.Float32bits(x) != math.Float32bits(want[r]) {
				t.Fatalf("%s: row %d is %g, it was %g", name, r, x, want[r])
			}
		}
	}
}
