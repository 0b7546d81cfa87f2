package enginetest

import (
	"errors"
	"math"
	"os"
	"path/filepath"

	"blossom/model/base/oracle"
	"blossom/model/clusters/linkage"
)

// hierarchyAnswers compares single linkage with the exact answers, whatever the threads and the neighbours of a graph:
// ids and counts equal, heights within what sums of float64 may be off by.
func hierarchyAnswers(s *suite) {
	for _, at := range oracle.Cases(s.T, oracle.Linkage) {
		var c struct {
			Metric     string
			Tolerance  float64 `json:"relative_tolerance"`
			MinSamples int     `json:"min_samples"`
		}
		oracle.Case(s.T, at, &c)
		x := oracle.Matrix(s.T, at, "points.npy")
		metric, err := linkage.ParseMetric(c.Metric)
		if err != nil {
			s.Fatal(err)
		}
		can := s.load(x)
		for name, least := range map[string]int{"Z.npy": 1, "Z_mr.npy": c.MinSamples} {
			file, err := os.Open(filepath.Join(at, name))
			if least < 1 || errors.Is(err, os.ErrNotExist) {
				continue
			}
			if err != nil {
				s.Fatal(err)
			}
			want, err := linkage.ReadZ(file, name)
			if err = errors.Join(err, file.Close()); err != nil {
				s.Fatal(err)
			}
			for _, o := range []linkage.Options{{Threads: 1}, {Threads: 2}, {Algorithm: "boruvka", K: 2},
				{Algorithm: "boruvka", K: 40}} {
				if o.Algorithm != "" && os.Getenv(Slow) != "" {
					continue
				}
				o.Metric, o.MinSamples, o.Device, o.Near = metric, least, can.Linkage, can.Neighbours
				got := s.hierarchy(x, o)
				if len(got) != len(want) {
					s.Fatalf("%s: %d numbers, want %d", at, len(got), len(want))
				}
				for i, v := range got {
					if v != want[i] && !(i%4 == 2 && math.Abs(v-want[i]) <= c.Tolerance*want[i]) {
						s.Errorf("%s of %s, %+v: row %d has %g, want %g", name, at, o, i/4, v, want[i])
						break
					}
				}
			}
		}
	}
}
