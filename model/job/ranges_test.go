package job

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	_ "blossom/gpu/cpu"
	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/job/run"
)

// cells writes a table of cells with gaps, a matrix of compensation, and columns that are none of the map.
func cells(t *testing.T, path string, n int) {
	t.Helper()
	r := rand.New(rand.NewPCG(4, uint64(n)))
	names := []string{"FSC-A", "FITC-A", "PE-A", "APC-A", []string{"BV-A", "Time"}[n%2]}
	columns := make([]dataset.Column, len(names))
	for j, name := range names {
		columns[j] = dataset.Column{Name: name, Values: make([]float32, n)}
	}
	for i := range n {
		k := float64(r.IntN(4))
		for j := range 4 {
			columns[j].Values[i] = float32(math.Exp(2*k)*100*r.Float64() + 200*r.NormFloat64() + float64(j)*k)
		}
		columns[4].Values[i] = float32(i) / 7
		if i%997 == 5 {
			columns[2].Values[i] = float32(math.NaN())
		}
	}
	ds, err := dataset.FromColumns(t.Context(), "cells", columns)
	if err != nil {
		t.Fatal(err)
	}
	ds.Spillover = &dataset.Spillover{Keyword: "$SPILLOVER", Names: names[1:4],
		M: [][]float64{{1, float64(n%7) / 20, 0}, {0.1, 1, 0.05}, {0, 0.01, 1}}}
	if err := format.Save(t.Context(), path, ds, nil); err != nil {
		t.Fatal(err)
	}
}

// far writes an array of float64: columns far from zero, of numbers and of whole ones, beside others.
func far(t *testing.T, path string, n int) {
	t.Helper()
	r := rand.New(rand.NewPCG(9, 9))
	columns := make([]dataset.Column, 4)
	for j := range columns {
		v := make([]float64, n)
		for i := range v {
			v[i] = []float64{r.Float64() * 1e-3, float64(20_000_001 + r.IntN(100)), r.NormFloat64(), r.Float64()}[j] +
				[]float64{1e6, 0, 0, 1e9}[j]
		}
		columns[j] = dataset.Column{Name: dataset.DefaultName(j)}
		columns[j].SetExact(v)
	}
	ds, err := dataset.FromColumns(t.Context(), "far", columns)
	if err != nil {
		t.Fatal(err)
	}
	if err := format.Save(t.Context(), path, ds, nil); err != nil {
		t.Fatal(err)
	}
}

// flown is what an embedding came to.
type flown struct {
	out    string
	notes  []string
	points int
	ranges bool // it was made by ranges
}

// fly embeds a file, by ranges of its rows or not.
func fly(t *testing.T, paths []string, out string, ranges bool, set func(*run.Flags, *Embedding)) flown {
	t.Helper()
	was := ByRangesFrom
	defer func() { ByRangesFrom = was }()
	if ByRangesFrom = 1; !ranges {
		ByRangesFrom = math.MaxInt64
	}
	s, e := run.Defaults(), &Embedding{Output: filepath.Join(t.TempDir(), out)}
	s.Machine.Engine = "cpu"
	s.Params.K = 4
	set(&s, e)
	s.Input.ByRanges = ByRanges(e)
	j, err := Open(t.Context(), &s, paths, false, nil)
	if err == nil {
		err = j.ForMap(t.Context(), &s)
	}
	if err != nil {
		t.Fatal(err)
	}
	outlined := j.Table().Outlined()
	j.Want(e)
	w, err := Execute(t.Context(), j, Options{})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(e.Output)
	if err != nil {
		t.Fatal(err)
	}
	return flown{string(text), w.Notes, w.Points.Table.Invalid, outlined && w.table.Outlined()}
}

// landmarksOf trains landmarks on a file, as `blossom train` does.
func landmarksOf(t *testing.T, path string, set func(*run.Flags)) string {
	t.Helper()
	s, l := run.Defaults(), &Landmarks{Output: filepath.Join(t.TempDir(), "landmarks.json")}
	s.Machine.Engine, s.Origin.SOM, s.Origin.Epochs = "reference", "4x4", 1
	s.Input.MaxPoints, s.Input.Sample = 500, "random"
	set(&s)
	j, err := Open(t.Context(), &s, []string{path}, false, nil)
	if err == nil {
		err = j.ForMap(t.Context(), &s)
	}
	if err != nil {
		t.Fatal(err)
	}
	j.Want(l)
	if _, err := Execute(t.Context(), j, Options{}); err != nil {
		t.Fatal(err)
	}
	return l.Output
}

// Ranges of the rows give what all rows at once give, to the last byte, and the same is said of it.
func TestRangesGiveTheSameBytes(t *testing.T) {
	dir := t.TempDir()
	fcs, npy := filepath.Join(dir, "cells.fcs"), filepath.Join(dir, "cells.npy")
	const n = 70_001
	cells(t, fcs, n)
	cells(t, npy, n)
	second, third := filepath.Join(dir, "second.fcs"), filepath.Join(dir, "third.fcs")
	cells(t, second, 40_002)
	cells(t, third, 301)
	packed := filepath.Join(dir, "cells.csv.gz")
	cells(t, packed, 30_002)
	doubles := filepath.Join(dir, "doubles.npy")
	far(t, doubles, 50_000)
	plain := func(*run.Flags) {}
	trained := landmarksOf(t, fcs, plain)
	scaled := landmarksOf(t, fcs, func(s *run.Flags) { s.Space.Scale = true })
	ofArray := landmarksOf(t, npy, plain)
	hd, ld := filepath.Join(dir, "hd.csv"), filepath.Join(dir, "ld.csv")
	for path, text := range map[string]string{hd: "a,b,c\n1,2,3\n40,60,10\n9,9,900\n300,1,5\n2,2,2\n",
		ld: "x,y\n0,0\n0,1\n1,0\n1,1\n2,2\n"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	matrices := func(s *run.Flags) {
		s.Origin.LandmarksHD, s.Origin.LandmarksLD, s.Space.Columns = hd, ld, "2-4"
	}
	for name, c := range map[string]struct {
		data, out string
		whole     bool // it cannot be made by ranges
		set       func(*run.Flags, *Embedding)
	}{
		"trained":  {fcs, "a.csv", false, func(s *run.Flags, _ *Embedding) { s.Origin.Landmarks = trained }},
		"scaled":   {fcs, "a.npy", false, func(s *run.Flags, _ *Embedding) { s.Origin.Landmarks = scaled }},
		"an array": {npy, "a.tsv", false, func(s *run.Flags, _ *Embedding) { s.Origin.Landmarks = ofArray }},
		"matrices": {npy, "a.npy", false, func(s *run.Flags, _ *Embedding) { matrices(s) }},
		"matrices, scaled": {fcs, "a.npy", false, func(s *run.Flags, _ *Embedding) {
			matrices(s)
			s.Space.Scale = true
		}},
		"matrices, robust": {npy, "a.npy", false, func(s *run.Flags, _ *Embedding) {
			matrices(s)
			s.Space.Scale, s.Space.Robust = true, true
		}},
		"robust of transformed": {npy, "a.npy", false, func(s *run.Flags, _ *Embedding) {
			matrices(s)
			s.Space.Scale, s.Space.Robust, s.Space.Transforms = true, true, []string{"asinh:5"}
		}},
		"a scale of the data": {npy, "a.npy", false, func(s *run.Flags, _ *Embedding) {
			matrices(s)
			s.Space.Transforms = []string{"logicle"}
		}},
		"compensated": {fcs, "a.npy", false, func(s *run.Flags, _ *Embedding) {
			matrices(s)
			s.Space.Compensation = "file"
		}},
		"a scale of compensated data": {fcs, "a.npy", true, func(s *run.Flags, _ *Embedding) {
			matrices(s)
			s.Space.Compensation, s.Space.Transforms = "file", []string{"logicle"}
		}},
		"robust of compensated data": {fcs, "a.npy", true, func(s *run.Flags, _ *Embedding) {
			matrices(s)
			s.Space.Compensation, s.Space.Scale, s.Space.Robust = "file", true, true
		}},
		"with the data": {fcs, "a.csv", false, func(s *run.Flags, e *Embedding) {
			s.Origin.Landmarks, e.WithData = trained, true
		}},
		"with values of the map": {fcs, "a.npy", false, func(s *run.Flags, e *Embedding) {
			s.Origin.Landmarks, e.WithData, e.Values = scaled, true, "map"
		}},
		"appended": {fcs, "a.csv", true, func(s *run.Flags, e *Embedding) {
			s.Origin.Landmarks, e.Append = trained, true
		}},
		"derived": {fcs, "a.csv", true, func(s *run.Flags, e *Embedding) {
			s.Origin.Landmarks, e.Derived = trained, []string{"residual"}
		}},
		"a format that is written at once": {fcs, "a.parquet", true, func(s *run.Flags, _ *Embedding) {
			s.Origin.Landmarks = trained
		}},
		"several files": {fcs + "|" + second, "a.csv", false, func(s *run.Flags, _ *Embedding) {
			s.Origin.Landmarks = trained
		}},
		"several files, each with its matrix": {fcs + "|" + second, "a.npy", false, func(s *run.Flags, _ *Embedding) {
			matrices(s)
			s.Space.Compensation = "file"
		}},
		"several files, one of few rows": {fcs + "|" + third + "|" + second, "a.npy", false,
			func(s *run.Flags, _ *Embedding) {
				matrices(s)
				s.Space.Scale = true
			}},
		"several files and a column that one lacks": {fcs + "|" + second, "a.npy", false,
			func(s *run.Flags, _ *Embedding) {
				matrices(s)
				s.Space.Columns = "FITC-A,PE-A,Time"
			}},
		"several files with the data": {fcs + "|" + second, "a.csv", true, func(s *run.Flags, e *Embedding) {
			s.Origin.Landmarks, e.WithData = trained, true
		}},
		"doubles far from zero": {doubles, "a.npy", false, func(s *run.Flags, _ *Embedding) {
			matrices(s)
			s.Space.Columns = "1-3"
		}},
		"doubles with the data": {doubles, "a.csv", false, func(s *run.Flags, e *Embedding) {
			matrices(s)
			s.Space.Columns, e.WithData = "1-3", true
		}},
		"doubles with values of the map": {doubles, "a.npy", false, func(s *run.Flags, e *Embedding) {
			matrices(s)
			s.Space.Columns, e.WithData, e.Values = "1-3", true, "map"
		}},
		"packed text": {packed, "a.csv", false, func(s *run.Flags, _ *Embedding) { s.Origin.Landmarks = trained }},
		"packed text, with the data": {packed, "a.tsv", false, func(s *run.Flags, e *Embedding) {
			s.Origin.Landmarks, e.WithData = trained, true
		}},
		"text and cells": {packed + "|" + second, "a.csv", false, func(s *run.Flags, _ *Embedding) {
			s.Origin.Landmarks = trained
		}},
		"3 neighbours of many": {npy, "a.npy", false, func(s *run.Flags, _ *Embedding) {
			s.Origin.Landmarks, s.Params.K = ofArray, 99
		}},
	} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && strings.HasSuffix(c.out, ".npy") {
				t.Skip("an array has no words that depend on a machine")
			}
			paths := strings.Split(c.data, "|")
			want, got := fly(t, paths, c.out, false, c.set), fly(t, paths, c.out, true, c.set)
			if want.ranges || got.ranges == c.whole {
				t.Errorf("made by ranges: %v, %v", want.ranges, got.ranges)
			}
			if want.out != got.out || len(want.out) == 0 {
				t.Errorf("%d other bytes than %d", len(got.out), len(want.out))
			}
			if want.points != got.points || !slices.Equal(want.notes, got.notes) {
				t.Errorf("%d invalid, %d by ranges; said:\n%s\n--\n%s", want.points, got.points,
					strings.Join(want.notes, "\n"), strings.Join(got.notes, "\n"))
			}
		})
	}
}

// clustered clusters landmarks and labels the points of a file, by ranges of its rows or not.
func clustered(t *testing.T, path string, ranges bool, l *Labels, set func(*run.Flags)) (text string, by *Work) {
	t.Helper()
	defer func(was int64) { ByRangesFrom = was }(ByRangesFrom)
	if ByRangesFrom = 1; !ranges {
		ByRangesFrom = math.MaxInt64
	}
	s := run.Defaults()
	s.Machine.Engine = "reference"
	set(&s)
	s.Input.ByRanges = ByRanges(l)
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
	b, err := os.ReadFile(l.Output)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(string(b), w.Notes, l.Made.Noise, l.Made.Cut.Clusters), w
}

// Clusters of landmarks are those of their points, by ranges as at once: what is nearest to a landmark goes with it.
func TestClustersOfLandmarksByRanges(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cells.fcs")
	cells(t, path, 30_000)
	trained := landmarksOf(t, path, func(*run.Flags) {})
	set := func(s *run.Flags) { s.Origin.Landmarks = trained }
	clusters, size := 3, 2
	for name, l := range map[string]Labels{
		"a.csv":        {NClusters: &clusters},
		"a.npy":        {MinSize: &size},
		"with.npy":     {NClusters: &clusters, Beside: Beside{WithData: true}},
		"with.tsv":     {NClusters: &clusters, Beside: Beside{WithData: true, Values: "map"}},
		"whole.fcs":    {NClusters: &clusters},
		"appended.csv": {NClusters: &clusters, Beside: Beside{Append: true}},
	} {
		l.OfLandmarks, l.Output = true, filepath.Join(t.TempDir(), name)
		once, again := l, l
		want, whole := clustered(t, path, false, &once, set)
		got, work := clustered(t, path, true, &again, set)
		by := work.table.Outlined()
		if want != got || by == (name == "whole.fcs" || name == "appended.csv") {
			t.Errorf("%s: by ranges %v, %d bytes, %d at once\n%.200s\n%.200s", name, by, len(got), len(want), got, want)
		}
		code, x := whole.Landmarks.Set.Codebook, whole.Points.Table.X
		for i := range x.Rows {
			nearest, least := -1, math.Inf(1)
			for k := range code.Rows {
				if d := between(x.Row(i), code.Row(k)); d < least {
					nearest, least = k, d
				}
			}
			label := int32(-1)
			if nearest >= 0 {
				label = once.Made.Landmarks[nearest]
			}
			if got := once.Made.Labels[i]; got != label {
				t.Fatalf("%s: row %d has label %d, its landmark %d has %d", name, i, got, nearest, label)
			}
		}
	}
}

// between is the squared distance.
func between(a, b []float32) (d float64) {
	for j := range a {
		e := float64(a[j]) - float64(b[j])
		d += e * e
	}
	return d
}

// A job that was printed is made by ranges too, and one that asks for more than ranges give is made at once.
func TestAJobIsMadeByRanges(t *testing.T) {
	defer func(was int64) { ByRangesFrom = was }(ByRangesFrom)
	ByRangesFrom = 1
	path := filepath.Join(t.TempDir(), "cells.fcs")
	cells(t, path, 20_000)
	s := run.Defaults()
	s.Origin.Landmarks, s.Machine.Engine, s.Params.K = landmarksOf(t, path, func(*run.Flags) {}), "reference", 4
	made := map[string]string{}
	for _, name := range []string{"one.csv", "two.csv"} {
		j, err := Open(t.Context(), &s, []string{path}, false, nil)
		if err == nil {
			err = j.ForMap(t.Context(), &s)
		}
		if err != nil {
			t.Fatal(err)
		}
		out := filepath.Join(t.TempDir(), name)
		j.Want(&Embedding{Output: out})
		if name == "two.csv" { // two things are wanted: one after the other
			j.Want(&Embedding{Output: filepath.Join(t.TempDir(), "b.npy")})
		}
		var text strings.Builder
		if err := j.Write(&text); err != nil {
			t.Fatal(err)
		}
		again, err := Read(strings.NewReader(text.String()), "job.json")
		if err != nil {
			t.Fatal(err)
		}
		w, err := Execute(t.Context(), again, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !w.table.Outlined() {
			t.Errorf("%s: made by ranges: %v", name, w.table.Outlined())
		}
		b, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		made[name] = string(b)
	}
	if made["one.csv"] != made["two.csv"] || len(made["one.csv"]) == 0 {
		t.Error("other bytes")
	}
}

// A file that changes on the way is an error by name, nothing is left of the output, and cancelling stops.
func TestRangesThatGoWrong(t *testing.T) {
	defer func(was int64) { ByRangesFrom = was }(ByRangesFrom)
	ByRangesFrom = 1
	path := filepath.Join(t.TempDir(), "cells.fcs")
	cells(t, path, 20_000)
	s := run.Defaults()
	s.Origin.Landmarks, s.Machine.Engine = landmarksOf(t, path, func(*run.Flags) {}), "reference"
	for _, how := range []string{"cut", "cancelled"} {
		e := &Embedding{Output: filepath.Join(t.TempDir(), "a.csv")}
		s.Input.ByRanges = true
		j, err := Open(t.Context(), &s, []string{path}, false, nil)
		if err == nil {
			err = j.ForMap(t.Context(), &s)
		}
		if err != nil {
			t.Fatal(err)
		}
		j.Want(e)
		ctx, cancel := context.WithCancel(t.Context())
		if how == "cancelled" {
			_, err = Execute(ctx, j, Options{Report: func(stage string, _, _ int64) {
				if stage == "projecting" {
					cancel()
				}
			}})
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%v", err)
			}
		} else {
			if err := os.Chmod(path, 0o600); err != nil {
				t.Fatal(err)
			}
			whole, err := os.ReadFile(path)
			if err == nil {
				err = os.WriteFile(path, whole[:len(whole)-4000], 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
			_, err = Execute(ctx, j, Options{})
			if p := problem.As(err); err == nil || p.File != path || !strings.Contains(p.What, "changed") {
				t.Errorf("%v", err)
			}
			if err := os.WriteFile(path, whole, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		cancel()
		if left, err := os.ReadDir(filepath.Dir(e.Output)); err != nil || len(left) > 0 {
			t.Errorf("%s: left %v, %v", how, left, err)
		}
	}
}
