package enginetest

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"

	"blossom/model/base/oracle"
	"blossom/model/maps/tsne"
)

// tsneLimits are what a method may be off by at maps of the exact answers, of repulsion (relative, L2) and of Z.
type tsneLimits struct {
	method     tsne.Method
	theta      float64
	accuracy   tsne.Accuracy
	early, rep float64
	z          float64
}

var tsneAnswerLimits = []tsneLimits{
	{method: tsne.Exact, early: 1e-6, rep: 1e-6, z: 1e-6},
	{method: tsne.Tree, theta: 0.5, early: 3e-2, rep: 3e-3, z: 5e-3},
	{method: tsne.Tree, theta: 0, early: 1e-5, rep: 1e-5, z: 1e-5},
	{method: tsne.Field, accuracy: tsne.Normal, early: 4e-2, rep: 4e-2, z: 3e-3},
	{method: tsne.Field, accuracy: tsne.Fine, early: 3e-3, rep: 3e-3, z: 2e-4},
}

// tsneAnswers compares forces, Z and KL at the maps of the exact answers with float64, which the tests of
// model/maps/tsne compare with those answers, and how well a whole run ends: of some hundred points where BLOSSOM_LONG
// says so.
func tsneAnswers(s *suite) {
	d, free := s.device()
	defer free()
	for _, f := range oracle.Cases(s.T, oracle.TSNE) {
		var c struct {
			Perplexity float64
			Layouts    map[string]struct{ KL float64 }
		}
		oracle.Case(s.T, f, &c)
		x := oracle.Matrix(s.T, f, "points.npy")
		p, err := tsne.Affine(context.Background(), x, c.Perplexity)
		if err != nil {
			s.Fatal(err)
		}
		for dims := 2; dims <= 3; dims++ {
			for _, when := range []string{"early", "late"} {
				y := oracle.Matrix(s.T, f, fmt.Sprintf("Y%d_%s.npy", dims, when))
				s.at(d, filepath.Base(f), when, p, y.Data, dims)
			}
			if x.Rows > 200 && os.Getenv("BLOSSOM_LONG") == "" {
				continue // a run of so many takes seconds
			}
			late := c.Layouts[fmt.Sprintf("%d_late", dims)].KL
			o := tsne.DefaultsIn(dims)
			o.Total = 750 // auto takes all pairs where there are so few points
			for {         // one start in six of 40 points ends in another minimum
				start, err := tsne.PCAStart(context.Background(), x, dims, o.Seed)
				if err != nil {
					s.Fatal(err)
				}
				st := s.state(d, p.Sparse(), start, o, 1000)
				kl := reference(p, st.Y, dims).KL
				if st.Plan.Method == tsne.Exact && kl <= 1.015*late+0.003 {
					break
				}
				if o.Seed++; o.Seed == 3 || x.Rows > 40 {
					s.Errorf("%s in %dD: after %d units by %s KL is %g, exact answer %g", f, dims, st.Units,
						st.Plan.Method, kl, late)
					break
				}
			}
		}
	}
}

// reference computes forces in float64.
func reference(p *tsne.Affinities, y []float32, dims int) *tsne.Forces {
	wide := make([]float64, len(y))
	for c, v := range y {
		wide[c] = float64(v)
	}
	f := new(tsne.Forces)
	f.Of(p, wide, dims)
	return f
}

// at compares all methods at one map.
func (s *suite) at(d tsne.Device, name, when string, p *tsne.Affinities, y []float32, dims int) {
	s.Helper()
	want := reference(p, y, dims)
	rms, sum := 0.0, make([]float64, dims)
	for _, v := range want.Attraction {
		rms += v * v / float64(len(y))
	}
	for _, limit := range tsneAnswerLimits {
		if !slices.Contains(d.Traits(dims).Methods, limit.method) || limit.method == tsne.Field && p.N < 40 {
			continue
		}
		o := tsne.DefaultsIn(dims)
		o.Method, o.Theta, o.Accuracy = limit.method, limit.theta, limit.accuracy
		l, err := tsne.Start(context.Background(), d, p.Sparse(), y, o)
		if err != nil {
			s.Fatal(err)
		}
		out := tsne.Evaluation{Attraction: make([]float32, len(y)), Repulsion: make([]float32, len(y))}
		err = l.Evaluate(context.Background(), &out)
		l.Close()
		if err != nil {
			s.Fatal(err)
		}
		most := limit.rep
		if when == "early" {
			most = limit.early
		}
		a := 0.0
		for c, v := range want.Attraction {
			a = max(a, math.Abs(float64(out.Attraction[c])-v)/math.Sqrt(rms))
			if limit.method == tsne.Exact {
				sum[c%dims] += float64(out.Repulsion[c])
			}
		}
		r, z := apart(out.Repulsion, want.Repulsion), math.Abs(out.Z/want.Z-1)
		kl := math.Abs(out.KL - want.KL)
		s.Logf("%s %s %dD, %s %g %s: attraction %.1g, repulsion %.1g, Z %.1g, KL %.1g", name, when, dims, limit.method,
			limit.theta, limit.accuracy, a, r, z, kl)
		if !(a <= 1e-5) || !(r <= most) || !(z <= limit.z) || !(kl <= 1e-5+1.1*z) {
			s.Errorf("%s %s in %dD, %s, theta %g, %s: attraction is off by %.2g, repulsion by %.2g, Z by %.2g, "+
				"KL by %.2g", name, when, dims, limit.method, limit.theta, limit.accuracy, a, r, z, kl)
		}
	}
	for _, v := range sum {
		if math.Abs(v) > 1e-5*want.Z {
			s.Errorf("%s %s in %dD: repulsion of all pairs moves the whole map by %g", name, when, dims, v)
		}
	}
}
