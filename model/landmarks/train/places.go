package train

// places are points that landmarks are put onto, one after the other.
type places struct {
	d       int
	x       []float64 // n x d: their values, as distance64 takes them
	chances []float64 // how likely each was to be one
	left    []float64 // squared distances from the nearest landmark, over these chances
}

func newPlaces(some []stray, chances []float64) *places {
	p := &places{chances: chances, left: make([]float64, len(some))}
	for i, s := range some {
		p.left[i], p.d = s.d2/chances[i], len(s.x)
	}
	p.x = make([]float64, 0, len(some)*p.d)
	for _, s := range some {
		for _, v := range s.x {
			p.x = append(p.x, float64(v))
		}
	}
	return p
}

func (p *places) row(i int) []float64 { return p.x[i*p.d : (i+1)*p.d] }

// take puts a landmark onto place i. Each sum has the order that distance64 has; four are made together, as each
// addition waits for the one before.
func (p *places) take(i int) {
	x, k := p.row(i), 0
	for ; k+4 <= len(p.left); k += 4 {
		x0, x1, x2, x3 := p.row(k)[:len(x)], p.row(k + 1)[:len(x)], p.row(k + 2)[:len(x)], p.row(k + 3)[:len(x)]
		var s0, s1, s2, s3 float64
		for j, v := range x {
			e0, e1, e2, e3 := x0[j]-v, x1[j]-v, x2[j]-v, x3[j]-v
			s0 += float64(e0 * e0)
			s1 += float64(e1 * e1)
			s2 += float64(e2 * e2)
			s3 += float64(e3 * e3)
		}
		p.nearer(k, s0)
		p.nearer(k+1, s1)
		p.nearer(k+2, s2)
		p.nearer(k+3, s3)
	}
	for ; k < len(p.left); k++ {
		s := 0.0
		for j, v := range p.row(k) {
			e := v - x[j]
			s += float64(e * e)
		}
		p.nearer(k, s)
	}
}

func (p *places) nearer(k int, d2 float64) { p.left[k] = min(p.left[k], d2/p.chances[k]) }
