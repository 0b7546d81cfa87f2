package shape

import (
	"math"
	"strings"
	"testing"

	"blossom/model/base/problem"
)

// A spacing that is refused is told the range in which it would not be.
func TestSpacingsThatAreRefused(t *testing.T) {
	for _, v := range []float64{-1, 0, math.NaN(), math.Inf(1), farthest, 1e30} {
		err := Shape{Kind: "disc", Frame: Frame{Size: Vec{8, 6}, Axes: Upright()}, Spacing: v}.check()
		if err == nil || !strings.Contains(problem.As(err).What, "spacing") ||
			!strings.Contains(problem.As(err).Remedy, "below a million") {
			t.Errorf("a spacing of %g: %v", v, err)
		}
	}
}
