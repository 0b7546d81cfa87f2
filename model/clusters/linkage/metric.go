package linkage

import (
	"math"
	"strings"

	"blossom/model/base/problem"
)

// Metric is how far two points are apart. Every difference, product and sum is rounded to float64, columns ascend, and
// nothing is fused: the explicit conversions of the code keep compilers from it. Weights are symmetric. Equal rows are
// 0 apart, whatever rounding would make of the angle of a row with itself.
type Metric uint8

const (
	Euclidean Metric = iota // sqrt(sum (x-y)^2)
	Cosine                  // max(0, 1 - x.y/(|x||y|)); a row of zeros has none
	L1                      // sum |x-y|
)

var metricNames = []string{"euclidean", "cosine", "l1"}

// Metrics are the names of all.
func Metrics() []string { return metricNames }

func (m Metric) String() string { return metricNames[m] }

// l1Names are what L1 is called elsewhere.
var l1Names = map[string]bool{"cityblock": true, "city block": true, "city-block": true, "manhattan": true,
	"taxicab": true}

// ParseMetric finds a metric by its name; the error is a Problem.
func ParseMetric(name string) (Metric, error) {
	for i, n := range metricNames {
		if strings.EqualFold(strings.TrimSpace(name), n) {
			return Metric(i), nil
		}
	}
	if l1Names[strings.ToLower(strings.TrimSpace(name))] {
		return 0, problem.New("", "use l1, which is the same", "there is no metric %q", name)
	}
	return 0, problem.New("", "use "+problem.OneOf(metricNames...), "there is no metric %q", name)
}

// norm is what weight needs of each point beside its values: its length for Cosine, else nothing.
func (m Metric) norm(x []float32) float64 {
	if m != Cosine {
		return 0
	}
	s := 0.0
	for _, v := range x {
		s += float64(float64(v) * float64(v))
	}
	return math.Sqrt(s)
}

// weight is how far x and y are apart.
func (m Metric) weight(x, y []float32, nx, ny float64) float64 {
	s := 0.0
	y = y[:len(x)]
	switch m {
	case Cosine:
		for c, v := range x {
			s += float64(float64(v) * float64(y[c]))
		}
		return cosine(s, nx, ny)
	case L1:
		for c, v := range x {
			s += math.Abs(float64(v) - float64(y[c]))
		}
		return s
	}
	for c, v := range x {
		d := float64(v) - float64(y[c])
		s += float64(d * d)
	}
	return math.Sqrt(s)
}

func cosine(dot, nx, ny float64) float64 { return max(0, 1-dot/float64(nx*ny)) }

// weights is weight of x to four points at once, which does not change a bit of any: sums of one point wait for each
// other, those of four do not.
func (m Metric) weights(x []float32, y *[4][]float32, nx float64, ny *[4]float64) (w [4]float64) {
	a, b, c, d := y[0][:len(x)], y[1][:len(x)], y[2][:len(x)], y[3][:len(x)]
	switch m {
	case Cosine:
		for i, v := range x {
			t := float64(v)
			w[0] += float64(t * float64(a[i]))
			w[1] += float64(t * float64(b[i]))
			w[2] += float64(t * float64(c[i]))
			w[3] += float64(t * float64(d[i]))
		}
		for i := range w {
			w[i] = cosine(w[i], nx, ny[i])
		}
	case L1:
		for i, v := range x {
			t := float64(v)
			w[0] += math.Abs(t - float64(a[i]))
			w[1] += math.Abs(t - float64(b[i]))
			w[2] += math.Abs(t - float64(c[i]))
			w[3] += math.Abs(t - float64(d[i]))
		}
	default:
		var s0, s1, s2, s3 float64
		for i, v := range x {
			t := float64(v)
			p, q, r, s := t-float64(a[i]), t-float64(b[i]), t-float64(c[i]), t-float64(d[i])
			s0 += float64(p * p)
			s1 += float64(q * q)
			s2 += float64(r * r)
			s3 += float64(s * s)
		}
		w = [4]float64{math.Sqrt(s0), math.Sqrt(s1), math.Sqrt(s2), math.Sqrt(s3)}
	}
	return w
}
