package transform

import (
	"slices"
	"strings"
	"testing"

	"blossom/model/data/dataset"
)

// An operator who wants no compensation of one file says nothing of the others: each is compensated with its matrix,
// whether they bring the same or not, and the one that is not is named.
func TestAFileThatWantsNoCompensationIsAloneInThat(t *testing.T) {
	for _, differ := range []bool{false, true} {
		var tables []*dataset.Dataset
		for f := range 3 {
			ds := stained(t, 30, spilling)
			ds.Path = string(rune('a'+f)) + ".fcs"
			ds.Name = ds.Path
			if differ && f == 2 {
				ds.Spillover.M = [][]float64{{1, 0.2, 0}, {0, 1, 0}, {0, 0, 1}}
			}
			if f == 1 {
				ds.Metadata["APPLY COMPENSATION"] = "FALSE"
			}
			tables = append(tables, ds)
		}
		all, err := dataset.Concat(t.Context(), tables)
		if err != nil {
			t.Fatal(err)
		}
		s := OwnCompensation(all)
		if !s.On || s.Mix.Op != CompensateEach || !strings.Contains(s.Said, "2 of 3 files") ||
			!strings.Contains(s.Said, "b.fcs not, which says APPLY COMPENSATION FALSE") {
			t.Fatalf("matrices that differ: %t: %v", differ, s)
		}
		at := s.Mix.Cols[0]
		got := Mixed(all, Spec{Columns: make([]Column, len(all.Columns)), Mixes: []Mix{s.Mix}}, at).Values
		for f := range 3 {
			rows := got[30*f : 30*f+30]
			if same := slices.Equal(rows, all.Columns[at].Values[30*f:30*f+30]); same != (f == 1) {
				t.Errorf("matrices that differ: %t: file %d keeps its values: %t", differ, f+1, same)
			}
			if m, _ := Compensation(tables[f], tables[f].Spillover); f != 1 {
				want := Mixed(tables[f], Spec{Columns: make([]Column, 4), Mixes: []Mix{m}}, at).Values
				if !slices.Equal(rows, want) {
					t.Errorf("matrices that differ: %t: file %d is %v, by itself %v", differ, f+1, rows[:3], want[:3])
				}
			}
		}
		for f := range all.Keywords {
			all.Keywords[f] = map[string]string{"APPLY COMPENSATION": "FALSE"}
		}
		if s := OwnCompensation(all); s.On || !s.Any() || !strings.Contains(s.Said, "APPLY COMPENSATION FALSE") {
			t.Errorf("all files want none: %v", s)
		}
	}
}
