package job

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"blossom/model/job/run"
)

// passed is the file of landmarks that are trained on a file, by ranges of its rows or at once; outlined says which.
func passed(t *testing.T, path string, ranges bool, set func(*run.Flags)) (text string, outlined bool) {
	t.Helper()
	was := ByRangesFrom
	defer func() { ByRangesFrom = was }()
	if ByRangesFrom = 1; !ranges {
		ByRangesFrom = math.MaxInt64
	}
	s, l := run.Defaults(), &Landmarks{Output: filepath.Join(t.TempDir(), "landmarks.json")}
	s.Machine.Engine, s.Origin.Epochs = "cpu", 2
	set(&s)
	s.Input.ByRanges = s.Origin.ByPasses() && ByRanges(l)
	j, err := Open(t.Context(), &s, []string{path}, false, nil)
	if err == nil {
		err = j.ForMap(t.Context(), &s)
	}
	if err != nil {
		t.Fatal(err)
	}
	j.Want(l)
	w, err := Execute(t.Context(), j, Options{})
	if err != nil {
		t.Fatal(err)
	}
	read, err := os.ReadFile(l.Output)
	if err != nil {
		t.Fatal(err)
	}
	return string(read), w.table.Outlined()
}

// Landmarks are trained on points that go by in each epoch as on all points at once, to the last byte.
func TestTrainingByRangesGivesTheSameBytes(t *testing.T) {
	dir := t.TempDir()
	fcs := filepath.Join(dir, "cells.fcs")
	cells(t, fcs, 400_100+rand.IntN(1000))
	small := filepath.Join(dir, "few.fcs")
	cells(t, small, 3000)
	for name, c := range map[string]struct {
		data  string
		whole bool // it needs all points at once
		set   func(*run.Flags)
	}{
		"a grid": {fcs, false, func(s *run.Flags) { s.Origin.SOM, s.Origin.Algorithm = "5x4", "som-batch" }},
		"a grid, scaled": {fcs, false, func(s *run.Flags) {
			s.Origin.SOM, s.Origin.Algorithm, s.Space.Scale = "4x4x2", "som-batch", true
		}},
		"k-means, laid out": {fcs, false, func(s *run.Flags) { s.Origin.KMeans, s.Origin.Layout = 30, "mds" }},
		"few": {small, true, func(s *run.Flags) {
			s.Origin.SOM, s.Origin.Algorithm = "3x3", "som-batch"
		}},
		"online": {small, true, func(s *run.Flags) { s.Origin.SOM = "3x3" }},
	} {
		want, _ := passed(t, c.data, false, c.set)
		got, outlined := passed(t, c.data, true, c.set)
		if want != got {
			t.Errorf("%s: other landmarks by ranges:\n%.300s\n%.300s", name, got, want)
		}
		if outlined == c.whole {
			t.Errorf("%s: made by ranges: %v", name, outlined)
		}
	}
}
