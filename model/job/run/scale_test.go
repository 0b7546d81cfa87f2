package run

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"blossom/model/document/opening"
	"blossom/model/landmarks/landmark"
)

// mixedScales writes cells in four clusters by CD4 and CD8, with their UMI counts, a counter and a column of dates.
func mixedScales(t *testing.T) string {
	t.Helper()
	rng := rand.New(rand.NewPCG(8, 2))
	var b strings.Builder
	b.WriteString("nr,UMI,CD3,CD4,CD8,seen\n")
	for i := range 1200 {
		fmt.Fprintf(&b, "%d,%.0f,%.4f,%.4f,%.4f,%d\n", i+1, 500+49500*math.Pow(rng.Float64(), 4),
			2+0.2*rng.NormFloat64(), 2.5*float64(i%2)+0.2*rng.NormFloat64(),
			2.5*float64(i/2%2)+0.2*rng.NormFloat64(), 1_600_000_000+rng.IntN(20_000_000))
	}
	path := filepath.Join(t.TempDir(), "cells.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// The command line scales as the window does, says so, and leaves counters out; what is asked for is done.
func TestScaleOnTheCommandLine(t *testing.T) {
	path := mixedScales(t)
	start, err := opening.Begin(t.Context(), open(t, path), 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !start.Spec.Scale || !strings.Contains(start.Said, "scaled to unit deviation because UMI holds 99 %") {
		t.Errorf("the window: %q", start.Said)
	}
	for name, c := range map[string]struct {
		change        func(*Flags)
		scale, robust bool
		note          string
	}{
		"by itself":  {func(*Flags) {}, true, true, "scaled to unit deviation because UMI holds 99 %"},
		"left out":   {func(*Flags) {}, true, true, "left out of the map: nr (counts up from 1 to 1200), seen ("},
		"deviation":  {func(s *Flags) { s.Space.Scale = true }, true, false, ""},
		"none":       {func(s *Flags) { s.Space.Unscaled = true }, false, false, "UMI holds 99 % of the spread and"},
		"transform":  {func(s *Flags) { s.Space.Transforms = []string{"none"} }, false, false, "UMI holds 99 %"},
		"asinh":      {func(s *Flags) { s.Space.Transforms = []string{"asinh:5"} }, false, false, ""},
		"columns":    {func(s *Flags) { s.Space.Columns = "CD3,CD4,CD8" }, false, false, ""},
		"taken in":   {func(s *Flags) { s.Space.Columns = "1,CD4,CD8" }, true, true, "nr holds 99 %"},
		"two of all": {func(s *Flags) { s.Space.Exclude = "UMI" }, false, false, ""},
	} {
		s := quick()
		c.change(&s)
		m := embed(t, s, path)
		if p := m.Points.Spec; p.Scale != c.scale || p.Robust != c.robust || !said(m.Notes, c.note) {
			t.Errorf("%s: scaled %v, robust %v, %q", name, p.Scale, p.Robust, m.Notes)
		}
	}
}

// Both clusters that CD4 and CD8 tell apart lie apart in the map, and did not while the counts made it alone.
func TestClustersAreSeenWhenScaled(t *testing.T) {
	path := mixedScales(t)
	separation := func(unscaled bool) float64 {
		s := quick()
		s.Origin.SOM, s.Origin.Epochs, s.Space.Unscaled = "8x8", 10, unscaled
		places := embed(t, s, path).InRows()
		// How many of the points nearest on the map have the CD4 and CD8 of the point itself?
		same, all := 0, 0
		for i := 0; i < 1200; i += 7 {
			best, at := math.Inf(1), -1
			for k := range 1200 {
				dx := float64(places[2*i] - places[2*k])
				dy := float64(places[2*i+1] - places[2*k+1])
				if d := dx*dx + dy*dy; k != i && d < best {
					best, at = d, k
				}
			}
			if all++; at%4 == i%4 {
				same++
			}
		}
		return float64(same) / float64(all)
	}
	with, without := separation(false), separation(true)
	if with < 0.9 || without > 0.6 {
		t.Errorf("%.0f %% of nearest points are of the same cluster, unscaled %.0f %%", 100*with, 100*without)
	}
}

// A landmark file of before scales as it says, with its own deviations or none.
func TestLandmarkFilesOfBeforeScale(t *testing.T) {
	ds := open(t, mixedScales(t))
	for _, scaled := range []bool{false, true} {
		f := &landmark.File{Scaled: scaled, Columns: []landmark.FileColumn{
			{Name: "UMI", Transform: "none", Weight: 1, SD: map[bool]float64{true: 4000}[scaled]},
			{Name: "nr", Transform: "none", Weight: 1}}}
		cols, spec, err := new(Space).trainedColumns(t.Context(), ds, f, "f")
		if err != nil || spec.Scale != scaled || spec.Robust || len(cols) != 2 {
			t.Fatalf("scaled %v: %v, %v, %v", scaled, cols, spec.Scale, err)
		}
		p, err := PointsOf(t.Context(), ds, cols, spec, nil, nil)
		if err != nil || p.Table.Factor[0] != map[bool]float64{true: 1.0 / 4000, false: 1}[scaled] {
			t.Errorf("scaled %v: %v, %v", scaled, p.Table.Factor, err)
		}
	}
}
