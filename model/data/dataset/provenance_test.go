package dataset

import (
	"context"
	"errors"
	"testing"
)

func TestRevisionsOfColumns(t *testing.T) {
	ds := mustColumns(t, Column{Name: "x", Values: []float32{1, 2, 3}}, Column{Name: "y", Values: []float32{1, 2, 3}})
	part, err := Take(t.Context(), ds, []int32{2, 1})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[any]bool{}
	for _, c := range append(append([]Column{}, ds.Columns...), part.Columns...) {
		if c.Rev == 0 || seen[c.Rev] {
			t.Fatalf("%s has revision %d", c.Name, c.Rev)
		}
		seen[c.Rev] = true
		if c.Provenance != File || c.From != "" {
			t.Fatalf("%s is %s from %q", c.Name, c.Provenance, c.From)
		}
	}
}

func TestDerive(t *testing.T) {
	c, err := Derive(t.Context(), Column{Name: "cluster", Values: []float32{1, 0, nan}, Categories: []string{"a", "b"}},
		"the table")
	if err != nil {
		t.Fatal(err)
	}
	if c.Provenance != Derived || c.From != "the table" || c.Role != Label || c.Rev == 0 || c.Stats.Count != 2 ||
		c.Stats.Invalid != 1 {
		t.Fatalf("%+v", c)
	}
	d, err := Derive(t.Context(), Column{Name: "time", Values: []float32{1, 0, 5}}, "x")
	if err != nil || d.Role != Marker || d.Rev == c.Rev || d.Stats.Max != 5 {
		t.Fatalf("%+v %v", d, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Derive(ctx, d, ""); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
}

func TestOrigin(t *testing.T) {
	a := mustColumns(t, Column{Name: "x", Values: []float32{1, 2}}, Column{Name: FileColumn, Values: []float32{1, 2}})
	b := mustColumns(t, Column{Name: "x", Values: []float32{3}}, Column{Name: FileColumn, Values: []float32{3}})
	if a.Origin() != nil {
		t.Fatal("the column of a file tells of files")
	}
	both, err := Concat(t.Context(), []*Dataset{a, b})
	if err != nil {
		t.Fatal(err)
	}
	part, err := Take(t.Context(), both, []int32{2, 0})
	if err != nil {
		t.Fatal(err)
	}
	for _, ds := range []*Dataset{both, part} {
		if c := ds.Origin(); c == nil || c.Name != FileColumn+"_" || len(c.Categories) != 2 || c.Provenance != Derived {
			t.Fatalf("%+v", c)
		}
	}
}
