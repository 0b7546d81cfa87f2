package cpu

import (
	"math"

	"gonum.org/v1/gonum/dsp/fourier"

	"blossom/model/maps/tsne"
)

// goTSNE is the kernel for builds without a C compiler: one point at a time, sums in float64.
type goTSNE struct {
	*swarm
	spectrum []float64
	plane    []complex128 // (N+1) x N: transforms of columns, by ky
	rows     []*fourier.FFT
	columns  []*fourier.CmplxFFT
	lines    [][]complex128
	reals    [][]float64
}

func newGoTSNE() tsneKernel { return &goTSNE{} }

func (k *goTSNE) lanes() int                      { return 1 }
func (k *goTSNE) floats(n int) ([]float32, error) { return make([]float32, n), nil }
func (k *goTSNE) words(n int) ([]int32, error)    { return make([]int32, n), nil }
func (k *goTSNE) release()                        {}
func (k *goTSNE) drop([]int32, []float32)         {}
func (k *goTSNE) bind(s *swarm)                   { k.swarm = s }

// away is the difference of two points, with 1 + its square.
func (k *goTSNE) away(i, j int) (r [3]float64, d float64) {
	d = 1
	for c := range k.dims {
		r[c] = float64(k.y[i*k.stride+c]) - float64(k.y[j*k.stride+c])
		d += r[c] * r[c]
	}
	return r, d
}

func (k *goTSNE) attract(from, to int) {
	for i := from; i < to; i++ {
		var a [3]float64
		for e := k.start[i]; e < k.start[i+1]; e++ {
			r, d := k.away(i, int(k.column[e]))
			w := float64(k.value[e]) / d
			for c := range a {
				a[c] += w * r[c]
			}
		}
		for c := range k.dims {
			k.att[i*k.stride+c] = float32(a[c])
		}
	}
}

func (k *goTSNE) divergence(from, to int) float64 {
	sum := 0.0
	for i := from; i < to; i++ {
		for e := k.start[i]; e < k.start[i+1]; e++ {
			_, d := k.away(i, int(k.column[e]))
			sum += float64(k.value[e]) * math.Log(d)
		}
	}
	return sum
}

func (k *goTSNE) push(p *push, from, to int, out *moved) {
	for c := range k.dims {
		out.lo[c], out.hi[c] = math.MaxFloat32, -math.MaxFloat32
	}
	for i := from; i < to; i++ {
		at := i * k.stride
		length := float32(0)
		for c := at; c < at+k.dims; c++ {
			g := p.e*k.att[c] - p.over*k.rep[c]
			v := k.v[c]
			if g > 0 && v > 0 || g < 0 && v < 0 || g == 0 && v == 0 {
				k.gain[c] = max(0.01, 0.8*k.gain[c])
			} else {
				k.gain[c] += 0.2
			}
			v = p.mu*v - p.eta*k.gain[c]*g
			k.v[c] = v
			length += v * v
		}
		f := float32(1)
		if length > tsne.Cut*tsne.Cut {
			f = tsne.Cut / float32(math.Sqrt(float64(length)))
		}
		for c := range k.dims {
			v := f * k.v[at+c] * k.loose[at+c]
			y := k.y[at+c] + v
			if p.bound != 0 {
				y = min(p.hi[c], max(p.lo[c], y))
			}
			k.v[at+c], k.next[at+c] = v, y
			out.lo[c], out.hi[c] = min(out.lo[c], y), max(out.hi[c], y)
			out.v2 += float64(v) * float64(v)
			out.y2 += float64(y) * float64(y)
			out.y[c] += float64(y)
		}
	}
}

func (k *goTSNE) exact(from, to int) float64 {
	z := 0.0
	for i := from; i < to; i++ {
		var f [3]float64
		for j := range k.n {
			if j == i {
				continue
			}
			r, d := k.away(i, j)
			w := 1 / d
			z += w
			for c := range f {
				f[c] += w * w * r[c]
			}
		}
		for c := range k.dims {
			k.rep[i*k.stride+c] = float32(f[c])
		}
	}
	return z
}

func (k *goTSNE) leaves(from, to int) {
	for b := from; b < to; b++ {
		first, last := b*leafPoints, min(k.n, (b+1)*leafPoints)
		k.mass[b] = float32(last - first)
		for c := range k.dims {
			own := k.flat[c][first:last]
			lo, hi, sum := own[0], own[0], 0.0
			for _, v := range own {
				lo, hi, sum = min(lo, v), max(hi, v), sum+float64(v)
			}
			k.lo[c][b], k.hi[c][b], k.mean[c][b] = lo, hi, float32(sum/float64(last-first))
		}
		k.side2[b] = 0
		for c := range k.dims {
			s := k.hi[c][b] - k.lo[c][b]
			k.side2[b] = max(k.side2[b], s*s)
		}
	}
}

// box returns the corners of the box around a range of points.
func (k *goTSNE) box(first, last int) (lo, hi [3]float32) {
	for c := range k.dims {
		lo[c], hi[c] = k.flat[c][first], k.flat[c][first]
		for _, v := range k.flat[c][first:last] {
			lo[c], hi[c] = min(lo[c], v), max(hi[c], v)
		}
	}
	return lo, hi
}

// walk opens nodes for the box of a group, and adds those taken to each of its points.
func (k *goTSNE) walk(theta2 float32, group int) float64 {
	z := 0.0
	first, last := group*groupPoints, min(k.n, (group+1)*groupPoints)
	lo, hi := k.box(first, last)
	var f [groupPoints][3]float64
	var w [groupPoints]float64
	add := func(at [3]float32, mass float64) {
		for i := first; i < last; i++ {
			var r [3]float64
			d := 1.0
			for c := range k.dims {
				r[c] = float64(k.flat[c][i]) - float64(at[c])
				d += r[c] * r[c]
			}
			m := mass / d
			w[i-first] += m
			for c := range r {
				f[i-first][c] += m / d * r[c]
			}
		}
	}
	var open func(level, node int)
	open = func(level, node int) {
		at := int(k.level[level]) + node
		var mean [3]float32
		d := float32(1)
		for c := range k.dims {
			mean[c] = k.mean[c][at]
			r := max(0, lo[c]-mean[c], mean[c]-hi[c])
			d += r * r
		}
		if k.side2[at] < theta2*d {
			add(mean, float64(k.mass[at]))
			return
		}
		if level == 0 {
			for i := node * leafPoints; i < min(k.n, (node+1)*leafPoints); i++ {
				add([3]float32{k.flat[0][i], k.flat[1][i], k.flat[2][i]}, 1)
			}
			return
		}
		below := int(k.level[level] - k.level[level-1])
		for child := 4 * node; child < min(below, 4*node+4); child++ {
			open(level-1, child)
		}
	}
	open(len(k.level)-2, 0)
	for i := first; i < last; i++ {
		z += w[i-first] - 1 // its own
		for c := range k.dims {
			k.rep[int(k.curve[i])*k.stride+c] = float32(f[i-first][c])
		}
	}
	return z
}

// splines are the weights of the nodes from floor(u) - spline/2 + 1 on, and their derivatives by u.
func splines(u float64, order int) (first int, w, d [6]float64) {
	floor := math.Floor(u)
	t := u - floor
	first = int(floor) - order/2 + 1
	if order == 4 {
		s := 1 - t
		w = [6]float64{s * s * s / 6, 2./3 - t*t*(2-t)/2, 2./3 - s*s*(2-s)/2, t * t * t / 6}
		d = [6]float64{-s * s / 2, t * (3*t - 4) / 2, s * (4 - 3*s) / 2, t * t / 2}
		return first, w, d
	}
	for j := range 6 {
		x := float64(j) - 2 - t // distance of the node from the point
		w[j], d[j] = quintic(x)
	}
	return first, w, d
}

// quintic is the B-spline of 6 points at x, and less its derivative there.
func quintic(x float64) (value, slope float64) {
	coefficient := 1.0
	for q := range 6 {
		if v := 3 - math.Abs(x) - float64(q); v > 0 {
			p4 := coefficient * v * v * v * v
			value += p4 * v / 120
			slope += p4 / 24
		}
		coefficient *= -float64(6-q) / float64(q+1)
	}
	if x < 0 {
		slope = -slope
	}
	return value, slope
}

// at is where point i is on a lattice, which it never leaves.
func (k *goTSNE) at(l *grid, i int) (x, y float64) {
	inside := func(v, zero float32) float64 {
		u := float64((v - zero) * l.over)
		return min(float64(l.N-4), max(3, u))
	}
	return inside(k.y[2*i], l.x0), inside(k.y[2*i+1], l.y0)
}

func (k *goTSNE) spread(l *grid, from, to int) {
	for _, i := range k.bin[from:to] {
		x, y := k.at(l, int(i))
		column, wx, _ := splines(x, l.Spline)
		row, wy, _ := splines(y, l.Spline)
		for b := range l.Spline {
			to := l.value[(row+b)*l.N+column:]
			for a := range l.Spline {
				to[a] += float32(wy[b] * wx[a])
			}
		}
	}
}

func (k *goTSNE) interpolate(l *grid, from, to int) {
	for i := from; i < to; i++ {
		x, y := k.at(l, i)
		column, wx, dx := splines(x, l.Spline)
		row, wy, dy := splines(y, l.Spline)
		var gx, gy float64
		for b := range l.Spline {
			c := l.value[(row+b)*l.N+column:]
			for a := range l.Spline {
				v := float64(c[a])
				gx += wy[b] * dx[a] * v
				gy += dy[b] * wx[a] * v
			}
		}
		f := -0.5 * float64(l.over)
		k.rep[2*i], k.rep[2*i+1] = float32(f*gx), float32(f*gy)
	}
}

func (k *goTSNE) place(*grid) {}

func (k *goTSNE) grid(l *grid, workers int) error {
	n := l.N
	if l.value == nil {
		l.value = make([]float32, n*n)
	}
	k.spectrum = l.Spectrum()
	l.steps = [3]int{n, n + 1, n}
	if len(k.plane) != n*(n+1) || len(k.rows) != workers {
		k.plane = make([]complex128, n*(n+1))
		k.rows, k.columns, k.lines, k.reals = nil, nil, nil, nil
		for range workers {
			k.rows, k.columns = append(k.rows, fourier.NewFFT(2*n)), append(k.columns, fourier.NewCmplxFFT(2*n))
			k.lines, k.reals = append(k.lines, make([]complex128, 2*n)), append(k.reals, make([]float64, 2*n))
		}
	}
	return nil
}

func (k *goTSNE) convolve(l *grid, step, block, worker int) float64 {
	n := l.N
	line, real := k.lines[worker], k.reals[worker]
	sum := 0.0
	switch step {
	case 0:
		clear(real)
		for y := range n {
			real[y] = float64(l.value[y*n+block])
		}
		k.rows[worker].Coefficients(line[:n+1], real)
		for ky, v := range line[:n+1] {
			k.plane[ky*n+block] = v
		}
	case 1:
		clear(line)
		copy(line, k.plane[block*n:(block+1)*n])
		f := k.columns[worker]
		f.Coefficients(line, line)
		for kx, v := range line {
			s := k.spectrum[block*(n+1)+min(kx, 2*n-kx)]
			sum += (real2(v)) * s
			line[kx] *= complex(s, 0)
		}
		f.Sequence(line, line)
		copy(k.plane[block*n:(block+1)*n], line)
		if block > 0 && block < n {
			sum *= 2
		}
	case 2:
		for ky := range n + 1 {
			line[ky] = k.plane[ky*n+block]
		}
		k.rows[worker].Sequence(real, line[:n+1])
		for y := range n {
			l.value[y*n+block] = float32(real[y])
		}
	}
	return sum
}

func real2(v complex128) float64 { return real(v)*real(v) + imag(v)*imag(v) }
