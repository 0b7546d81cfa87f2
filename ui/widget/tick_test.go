package widget

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Neighbouring ticks read as different numbers, however near they lie to each other, and zero has no sign.
func TestTicksOfACourseAreToldApart(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	for range 10_000 {
		lo := float32(math.Pow(10, 6*r.Float64()-3)) * float32(r.NormFloat64())
		span := max(1e-3*float32(math.Abs(float64(lo))), 1e-6) * float32(math.Pow(10, 3*r.Float64()))
		step := ticksOf(span, 3)
		lo = step * floor32(lo/step)
		for i := range 3 {
			at := func(n int) string { return tickText(float64(lo+float32(n)*step), float64(step)) }
			a, b := at(i), at(i+1)
			if a == b || a == "-0" {
				t.Fatalf("%g and %g further both read %q", lo, step, a)
			}
		}
	}
	if got := tickText(1.365, 0.005); got != "1.365" {
		t.Errorf("1.365 reads %q", got)
	}
}
