package derived_test

import (
	"context"
	"slices"
	"testing"

	"blossom/model/data/dataset"
	"blossom/model/maps/derived"
)

// One file is all that another kind of column needs: this one.
func init() {
	derived.Register(derived.Kind{
		ID: "test-row", Title: "row", Help: "The number of the row.", Order: 1000,
		Compute: func(_ context.Context, in derived.Inputs, _ func(done, total int64)) (dataset.Column, error) {
			c := dataset.Column{Name: "row", From: "the order of the file", Values: make([]float32, in.Data.Points)}
			for i := range c.Values {
				c.Values[i] = float32(i + 1)
			}
			return c, nil
		},
	})
}

func TestOneFile(t *testing.T) {
	ds, err := dataset.FromColumns(t.Context(), "t", []dataset.Column{{Name: "Row", Values: []float32{7, 8, 9}}})
	if err != nil {
		t.Fatal(err)
	}
	in := derived.Inputs{Data: ds}
	k := derived.ByID("test-row")
	if k == nil || !slices.Contains(derived.Registered(), k) ||
		!slices.Equal(derived.Available(in), []*derived.Kind{k}) {
		t.Fatal("it is not offered")
	}
	c, err := k.Column(t.Context(), in, nil)
	if err != nil || c.Name != "row (2)" || c.Stats.Mean != 2 || c.From != "the order of the file" ||
		c.Provenance != dataset.Derived || k.Key(in).Data != ds.Rev {
		t.Fatalf("%+v, %v", c, err)
	}
	defer func() {
		if recover() == nil {
			t.Error("registered twice")
		}
	}()
	derived.Register(derived.Kind{ID: "test-row"})
}
