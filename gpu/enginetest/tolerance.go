package enginetest

import (
	"fmt"
	"math"
	"slices"

	"blossom/model/base/matrix"
)

// Errors sums up how far an embedding is from the exact one, in parts of the map's extent. The error
// of a point is the largest over its coordinates.
type Errors struct {
	Points                 int
	Median, P99, RMS, Tail float64 // Tail: 99.9th percentile
	Max                    float64
	Strange                int // points that are finite in one and not in the other
}

func (e Errors) String() string {
	return fmt.Sprintf("median %.1e p99 %.1e rms %.1e max %.1e strange %d", e.Median, e.P99, e.RMS, e.Max, e.Strange)
}

// Extent returns the largest side of the box around the positions; 1 where they are one point.
func Extent(pos matrix.Matrix32) float64 {
	var side float64
	for q := range pos.Cols {
		lo, hi := math.Inf(1), math.Inf(-1)
		for i := range pos.Rows {
			v := float64(pos.Data[i*pos.Cols+q])
			lo, hi = min(lo, v), max(hi, v)
		}
		side = max(side, hi-lo)
	}
	if side > 0 {
		return side
	}
	return 1
}

// Measure compares two embeddings.
func Measure(got, want matrix.Matrix32, extent float64) Errors {
	var e Errors
	var list []float64
	for i := range want.Rows {
		var worst float64
		a, b := got.Row(i), want.Row(i)
		finite := true
		for q := range a {
			fa, fb := a[q]-a[q] == 0, b[q]-b[q] == 0
			if fa != fb {
				worst = math.Inf(1)
			}
			finite = finite && fa && fb
			if fa && fb {
				worst = max(worst, math.Abs(float64(a[q])-float64(b[q]))/extent)
			}
		}
		if math.IsInf(worst, 1) {
			e.Strange++
			continue
		}
		if finite {
			list = append(list, worst)
			e.RMS += worst * worst
		}
	}
	e.Points = len(list)
	if len(list) == 0 {
		return e
	}
	slices.Sort(list)
	at := func(p float64) float64 { return list[min(len(list)-1, int(p*float64(len(list))))] }
	e.Median, e.P99, e.Tail, e.Max = at(0.5), at(0.99), at(0.999), list[len(list)-1]
	if len(list) < 100 { // one point is no percentile
		e.P99 = at(0.9)
	}
	e.RMS = math.Sqrt(e.RMS / float64(len(list)))
	return e
}

// Fails says what is wrong with an engine's errors, or "". The direct float32 formula's errors on
// the same input are the yardstick for the largest ones, where it gives numbers at all.
func (e Errors) Fails(direct *Errors) string {
	switch {
	case e.Strange > 0:
		return fmt.Sprintf("%d points are finite where they should not be, or the reverse", e.Strange)
	case e.Points == 0:
		return ""
	case !(e.Median <= 1e-5):
		return "median above 1e-5"
	case !(e.P99 <= 1e-3):
		return "99th percentile above 1e-3"
	}
	if direct == nil || direct.Strange > 0 {
		return ""
	}
	if e.Points >= fewPoints && e.worse(*direct) {
		return "rms above twice that of the direct float32 formula"
	}
	if e.Points >= 4000 && !(e.Tail <= 2*direct.Tail+rounding) { // with fewer points the tail is the luck of one
		return "99.9th percentile above twice that of the direct float32 formula"
	}
	return ""
}

// rounding is a difference that is always allowed.
const rounding = 3e-6

// worse says whether the rms is above twice that of the direct float32 formula.
func (e Errors) worse(direct Errors) bool { return !(e.RMS <= 2*direct.RMS+rounding) }

// fewPoints is how many an rms is of at least: that of fewer is the luck of one, which is the hardest for the engine or
// for the direct formula. Such tables are judged together.
const fewPoints = 100

// pool sums up the squared errors of tables of few points.
type pool struct {
	points, engine, direct float64
}

func (p *pool) add(e, direct Errors) {
	if e.Points > 0 && e.Points < fewPoints && e.Strange == 0 && direct.Strange == 0 {
		n := float64(e.Points)
		p.points += n
		p.engine += n * e.RMS * e.RMS
		p.direct += n * direct.RMS * direct.RMS
	}
}

// fails says what is wrong with all of them, or "", once they are enough.
func (p *pool) fails() string {
	if p.points < fewPoints {
		return ""
	}
	all, direct := Errors{Points: fewPoints}, Errors{}
	all.RMS, direct.RMS = math.Sqrt(p.engine/p.points), math.Sqrt(p.direct/p.points)
	if why := all.Fails(&direct); why != "" {
		return fmt.Sprintf("tables of few points together: %s (%.1e, %.1e)", why, all.RMS, direct.RMS)
	}
	return ""
}
