//go:build linux

package cuda

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"

	"blossom/gpu/cuda/hosted"
	"blossom/gpu/enginetest"
	"blossom/model/embedsom"
)

type rec struct{ err, pivot, spread, cond float64; what string }

func features(c cloud, i int, p embedsom.Params) (spread, pivot float64) {
	k, find := p.Neighbours(c.g)
	pr := c.nearest(i, find)
	var sum, mu, v float64
	D := make([]float64, find)
	for r := range D {
		var s float64
		for q := range c.d { t := float64(c.x[i*c.d+q]) - float64(c.code[int(pr[r].id)*c.d+q]); s += t*t }
		D[r] = math.Sqrt(s)
		sum += 1/float64(r+1); mu += D[r]/float64(r+1)
	}
	mu /= sum
	for r := range D { v += (D[r]-mu)*(D[r]-mu)/float64(r+1) }
	sd := math.Sqrt(v/sum)
	sc := make([]float64, k)
	for r := range sc { sc[r] = math.Exp(-float64(p.Boost)*(D[r]-D[0])/sd); if k<find { sc[r] *= -math.Expm1(10*(D[r]/D[find-1]-1)) } }
	m := c.dims
	var A [3][3]float64
	for a := range k { for q := range m { A[q][q] += 1e-5*sc[a]*math.Exp(-float64(p.Boost)*(mu-D[0])/sd) }
	for b := a+1; b < k; b++ {
		var q2, dot, H float64
		la, lb := int(pr[a].id), int(pr[b].id)
		for q := range c.d { v := float64(c.code[lb*c.d+q])-float64(c.code[la*c.d+q]); q2 += v*v; dot += v*(float64(c.x[i*c.d+q])-float64(c.code[la*c.d+q])) }
		h := make([]float64, m)
		for q := range m { h[q] = float64(c.pos[lb*m+q])-float64(c.pos[la*m+q]); H += h[q]*h[q] }
		t := dot/q2
		w := sc[a]*sc[b]*math.Pow(1+H, -float64(p.Adjust))*math.Exp(-(t-.5)*(t-.5))/H
		for q := range m { for o := range m { A[q][o] += w*h[q]*h[o] } }
	}}
	pivot = (A[1][1]-A[1][0]*A[1][0]/A[0][0])/A[1][1]
	if m == 3 {
		d1 := A[1][1]-A[1][0]*A[1][0]/A[0][0]
		u := A[2][1]-A[2][0]*A[1][0]/A[0][0]
		r := A[2][2]-A[2][0]*A[2][0]/A[0][0]-u*u/d1
		pivot = min(pivot, r/A[2][2])
	}
	return sd/mu, pivot
}

func TestZZDebug(t *testing.T) {
	m := hosted.Open(t, "../kernels/papers_project.cu")
	rng := rand.New(rand.NewPCG(9, 9))
	var all []rec
	run := func(e enginetest.Case) {
		c := cloud{n: e.X.Rows, d: e.X.Cols, g: e.Codebook.Rows, dims: e.Pos.Cols, x: e.X.Data, code: e.Codebook.Data, pos: e.Pos.Data}
		_, code, pos := c.mats()
		ref, _ := embedsom.NewReference(code, pos, e.P)
		w := ref.Worker()
		out, hard := c.project(t, m, "base", cards[1], e.P, 0, c.n, 0)
		ext := enginetest.Extent(pos)
		for i := range c.n {
			if slices.Contains(hard, int64(i)) { continue }
			var want [3]float64
			w.Point(c.x[i*c.d:][:c.d], want[:c.dims])
			var worst float64
			for q := range c.dims { worst = max(worst, math.Abs(float64(out[i*c.dims+q])-want[q])/ext) }
			sp, pv := features(c, i, e.P)
			all = append(all, rec{worst, pv, sp, float64(e.P.Boost), fmt.Sprintf("%s boost %g dims %d out %v want %v", e.Name, e.P.Boost, c.dims, out[i*c.dims:][:c.dims], want[:c.dims])})
		}
		t.Logf("%s n %d hard %d", e.Name, c.n, len(hard))
	}
	show := func(title string) {
		sort.Slice(all, func(a, b int) bool { return all[a].err > all[b].err })
		fmt.Println(title, len(all), "median", all[len(all)/2].err)
		for i := 0; i < min(14, len(all)); i++ { r := all[i]; fmt.Printf("  err %.1e pivot %.1e sd/mu %.1e %s\n", r.err, r.pivot, r.spread, r.what) }
		all = nil
	}
	for range 150 { run(enginetest.Blobs(rng, 4, 3, 4, 3, 2+rng.IntN(2))) }
	show("g 4")
	e := enginetest.Uniform(rng, 500, 8, 100, 10, 3); e.P.Boost = 60
	run(e); show("boost 60 3D")
	e = enginetest.Blobs(rng, 500, 8, 100, 10, 2); e.P.Boost = 30; e.P.Adjust = .2
	run(e); show("boost 30")
	e = enginetest.Blobs(rng, 1000, 16, 200, 10, 2)
	run(e); show("blobs")
	e = enginetest.Uniform(rng, 1000, 16, 200, 16, 3)
	run(e); show("uniform")
}
