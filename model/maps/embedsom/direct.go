package embedsom

import (
	"math"

	"blossom/model/base/matrix"
)

// Direct32 projects the points with the formula as it was published, in float32 throughout and
// with no care for edge cases (they give NaN). It is no engine: its distance from the reference is
// the yardstick for the rounding that an engine may show (at most twice this).
func Direct32(points, codebook, pos matrix.Matrix32, p Params) matrix.Matrix32 {
	g, m := codebook.Rows, pos.Cols
	k, find := p.Neighbours(g)
	out := matrix.New(points.Rows, m)
	ids := make([]int, find)
	dist := make([]float32, find)
	score := make([]float32, find)
	for n := range points.Rows {
		x := points.Row(n)
		have := 0
		for i := range g {
			var s float32
			for c, l := range codebook.Row(i) {
				s += (x[c] - l) * (x[c] - l)
			}
			j := have
			if have < find {
				have++
			} else if s >= dist[find-1] {
				continue
			} else {
				j--
			}
			for ; j > 0 && dist[j-1] > s; j-- {
				dist[j], ids[j] = dist[j-1], ids[j-1]
			}
			dist[j], ids[j] = s, i
		}
		directScores(dist, score[:k], p.Boost)
		directSolve(x, codebook, pos, ids[:k], score, p.Adjust, out.Row(n))
	}
	return out
}

// directScores turns squared distances into distances and those into scores.
func directScores(dist, score []float32, boost float32) {
	var sum, mu, v float32
	for i := range dist {
		dist[i] = sqrt32(dist[i])
		sum += 1 / float32(i+1)
		mu += dist[i] / float32(i+1)
	}
	mu /= sum
	for i, d := range dist {
		v += (d - mu) * (d - mu) / float32(i+1)
	}
	scale := boost / sqrt32(v/sum)
	last := dist[len(dist)-1]
	for i := range score {
		score[i] = exp32((mu - dist[i]) * scale)
		if len(score) < len(dist) {
			score[i] *= 1 - exp32(cutoff*(dist[i]/last-1))
		}
	}
}

func directSolve(x []float32, codebook, pos matrix.Matrix32, ids []int, score []float32, adjust float32,
	out []float32) {
	m := pos.Cols
	var a [3][3]float32
	var c, h [3]float32
	for i, u := range ids {
		lu := pos.Row(u)
		for q := range m {
			a[q][q] += gravity * score[i]
			c[q] += gravity * score[i] * lu[q]
		}
		for j := i + 1; j < len(ids); j++ {
			lv := pos.Row(ids[j])
			var hh, q2, t, along float32
			for q := range m {
				h[q] = lv[q] - lu[q]
				hh += h[q] * h[q]
				along += h[q] * lu[q]
			}
			cu, cv := codebook.Row(u), codebook.Row(ids[j])
			for q := range cu {
				q2 += (cv[q] - cu[q]) * (cv[q] - cu[q])
				t += (cv[q] - cu[q]) * (x[q] - cu[q])
			}
			if hh < minimalH || q2 == 0 {
				continue
			}
			t /= q2
			s := score[i] * score[j] * float32(math.Pow(float64(1+hh), -float64(adjust))) * exp32(-(t-0.5)*(t-0.5))
			for q := range m {
				c[q] += s * (t + along/hh) * h[q]
				for r := range m {
					a[q][r] += s / hh * h[q] * h[r]
				}
			}
		}
	}
	if m == 2 {
		det := a[0][0]*a[1][1] - a[0][1]*a[1][0]
		out[0] = (c[0]*a[1][1] - c[1]*a[0][1]) / det
		out[1] = (c[1]*a[0][0] - c[0]*a[1][0]) / det
		return
	}
	det := func(u, v, w [3]float32) float32 {
		return u[0]*(v[1]*w[2]-v[2]*w[1]) - v[0]*(u[1]*w[2]-u[2]*w[1]) + w[0]*(u[1]*v[2]-u[2]*v[1])
	}
	all := det(a[0], a[1], a[2])
	out[0] = det(c, a[1], a[2]) / all
	out[1] = det(a[0], c, a[2]) / all
	out[2] = det(a[0], a[1], c) / all
}

func sqrt32(x float32) float32 { return float32(math.Sqrt(float64(x))) }
func exp32(x float32) float32  { return float32(math.Exp(float64(x))) }
