package cpu

import "math"

// The conditions on rounding of project.h.
const (
	refineAbove = 512
	hopeless    = 2e3
	tinyDet     = 1e-30
)

func (k *goKernel) project(x []float32, from, to, kk, find int, boost float32, c cache, out []float32,
	sc *scratch) int {
	n := 0
	for i := from; i < to; i++ {
		y := out[i*k.m : (i+1)*k.m]
		if c.near[i] != c.near[i] {
			for q := range y {
				y[q] = float32(math.NaN())
			}
			continue
		}
		at := i/tile*find*tile + i%tile
		if k.table == nil || c.near[i] > 1e38 || !k.point(x[i*k.d:(i+1)*k.d], kk, find, boost, c, i, at, sc.plain, y) {
			sc.hard[n] = int32(i - from)
			n++
		}
	}
	return n
}

// scores fills the scratch with what point needs per neighbour; it returns the factor of gravity.
func (k *goKernel) scores(kk, find int, boost float32, c cache, i, at int, s *goScratch) (pull float32, fair bool) {
	d1 := math.Sqrt(float64(c.near[i]))
	var sum, mu, v, last float64
	for r := range find {
		s.id[r] = int32(c.ids[at+r*tile])
		s.dist[r] = c.delta[at+r*tile]
		last = 0
		if s.dist[r] > 0 {
			last = float64(s.dist[r]) / (math.Sqrt(float64(c.near[i])+float64(s.dist[r])) + d1)
		}
		s.excess[r] = float32(last)
		w := 1 / float64(r+1)
		sum += w
		mu += w * last
	}
	mu /= sum
	for r, e := range s.excess[:find] {
		v += (float64(e) - mu) * (float64(e) - mu) / float64(r+1)
	}
	per := -float64(boost) / math.Sqrt(v/sum)
	for r, e := range s.excess[:kk] {
		sr := math.Exp(per * float64(e))
		if kk < find {
			sr *= -math.Expm1(10 * (float64(e) - last) / (d1 + last))
		}
		s.score[r] = float32(sr)
		var half float32
		for q := range k.m {
			l := k.pos[int(s.id[r])*k.m+q] - k.pos[int(s.id[0])*k.m+q]
			s.rel[3*r+q] = l
			half += l * l
		}
		if k.m == 2 {
			s.rel[3*r+2] = 0
		}
		s.half[r] = half / 2
	}
	return float32(1e-5 * math.Exp(per*mu)), v > 1e-30
}

// point projects one point, or returns false where float32 cannot do it.
func (k *goKernel) point(x []float32, kk, find int, boost float32, c cache, i, at int, s *goScratch,
	out []float32) bool {
	pull, fair := k.scores(kk, find, boost, c, i, at, s)
	if !fair {
		return false
	}
	var xx, xy, yy, xz, yz, zz, cx, cy, cz, weights float32
	flattest, limit := float32(3e38), float32(3e38)
	for a := range kk {
		sa, da, ha := s.score[a], s.dist[a], s.half[a]
		ax, ay, az := s.rel[3*a], s.rel[3*a+1], s.rel[3*a+2]
		row := k.table[int(s.id[a])*k.g:][:k.g]
		own := pull * sa
		weights += own
		cx += own * ax
		cy += own * ay
		cz += own * az
		for b := a + 1; b < kk; b++ {
			t := row[s.id[b]]
			if k.flies {
				t.line = k.line(k.adjust, int(s.id[a]), int(s.id[b]), t.iq)
			}
			if a == 0 {
				flattest = min(flattest, t.iq)
			}
			e := (da - s.dist[b]) * t.iq
			if t.iq > limit && t.line > 0 {
				e = k.refine(x, int(s.id[a]), int(s.id[b]))
			}
			if !(e < 12 && e > -12) { // its weight is below 1e-62
				continue
			}
			w := sa * s.score[b] * t.line * float32(math.Exp(-float64(e)*float64(e)))
			hx, hy, hz := s.rel[3*b]-ax, s.rel[3*b+1]-ay, s.rel[3*b+2]-az
			r := e*(hx*hx+hy*hy+hz*hz) + (s.half[b] - ha)
			wx, wy, wz := w*hx, w*hy, w*hz
			xx += wx * hx
			xy += wx * hy
			yy += wy * hy
			xz += wx * hz
			yz += wy * hz
			zz += wz * hz
			cx += wx * r
			cy += wy * r
			cz += wz * r
		}
		if a == 0 {
			v2 := 0.5 / flattest
			rounding := 2*float32(math.Sqrt(float64(v2)*float64(c.near[i]))) + v2
			limit = refineAbove / rounding
			if !(rounding*flattest < hopeless && rounding*1e-4 < s.dist[find-1]) {
				return false
			}
		}
	}
	o := k.pos[int(s.id[0])*k.m:][:k.m]
	return (&normal{xx + weights, xy, yy + weights, xz, yz, zz + weights, cx, cy, cz}).solve(o, out)
}

// normal are the equations of a point's place: a symmetric matrix and the right side.
type normal struct{ xx, xy, yy, xz, yz, zz, cx, cy, cz float32 }

// solve writes the place to out, as far from origin as the equations say, in two or three dimensions. It returns false
// where they are too near to singular for float32.
func (e *normal) solve(origin, out []float32) bool {
	if len(origin) == 2 {
		det, tr := e.xx*e.yy-e.xy*e.xy, e.xx+e.yy
		if !(det > max(5e-4*tr*tr, tinyDet)) {
			return false
		}
		out[0] = (e.cx*e.yy-e.cy*e.xy)/det + origin[0]
		out[1] = (e.cy*e.xx-e.cx*e.xy)/det + origin[1]
		return true
	}
	axx, axy, axz := e.yy*e.zz-e.yz*e.yz, e.xz*e.yz-e.xy*e.zz, e.xy*e.yz-e.xz*e.yy
	ayy, ayz, azz := e.xx*e.zz-e.xz*e.xz, e.xy*e.xz-e.xx*e.yz, e.xx*e.yy-e.xy*e.xy
	det, tr := e.xx*axx+e.xy*axy+e.xz*axz, e.xx+e.yy+e.zz
	if !(det > max(1e-3*tr*tr*tr, tinyDet)) {
		return false
	}
	out[0] = (axx*e.cx+axy*e.cy+axz*e.cz)/det + origin[0]
	out[1] = (axy*e.cx+ayy*e.cy+ayz*e.cz)/det + origin[1]
	out[2] = (axz*e.cx+ayz*e.cy+azz*e.cz)/det + origin[2]
	return true
}

// refine computes e of one pair for one point from the coordinates, in float64.
func (k *goKernel) refine(x []float32, i, j int) float32 {
	var dot, q float64
	li, lj := k.row(i), k.row(j)
	for c, v := range x {
		l, xs := float64(lj[c])-float64(li[c]), float64(v)*float64(k.scale)
		q += l * l
		dot += l * ((xs - float64(li[c])) + (xs - float64(lj[c])))
	}
	if q == 0 {
		return 0
	}
	return float32(dot / (2 * q))
}
