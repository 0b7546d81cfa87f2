package run

import (
	"math"
	"strings"
	"testing"

	"blossom/model/base/oracle"
	"blossom/model/data/format"
	"blossom/model/space/transform"
)

// A transform that is asked for is of the linear values of channels of a logarithmic amplifier, in a map and in a table
// that is written, which is said; without it, and with none, nothing is made linear.
func TestATransformThatIsAskedForIsOfLinearValues(t *testing.T) {
	ds, err := format.Open(t.Context(), oracle.Formats(t)+"/fcs/060909.001", format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	at := ds.Places()["FL1-H"]
	raw := &ds.Columns[at]
	if raw.Log == nil {
		t.Fatal("the column has no logarithmic amplifier")
	}
	for how, want := range map[string]func(x float64) float64{
		"":                nil,
		"none":            func(x float64) float64 { return x },
		"asinh:150":       func(x float64) float64 { return math.Asinh(raw.Log.Linear(x) / 150) },
		"FL1-H=asinh:150": func(x float64) float64 { return math.Asinh(raw.Log.Linear(x) / 150) },
	} {
		s := &Space{}
		if how != "" {
			s.Transforms = []string{how}
		}
		c, err := s.Choose(t.Context(), ds, Given{})
		if err != nil {
			t.Fatal(err)
		}
		said := strings.Contains(strings.Join(c.Notes, "\n"), "made linear before")
		if linear := strings.Contains(how, "asinh"); linear != said || (len(c.Spec.Mixes) > 0) != linear {
			t.Errorf("%q: %v, said: %v", how, c.Spec.Mixes, c.Notes)
		}
		if want == nil {
			continue
		}
		p, err := PointsOf(t.Context(), ds, c.Cols, c.Spec, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		made, err := p.As(t.Context(), transform.Mapped)
		if err != nil {
			t.Fatal(err)
		}
		written, err := s.Table(t.Context(), ds)
		if err != nil {
			t.Fatal(err)
		}
		for i := range ds.Points {
			want := want(float64(raw.Values[i]))
			for _, got := range []float32{made.Columns[at].Values[i], written.Columns[at].Values[i]} {
				if math.Abs(float64(got)-want) > 1e-6*(1+math.Abs(want)) {
					t.Fatalf("%q: row %d is %g, want %g", how, i, got, want)
				}
			}
		}
	}
}
