package problem

import "testing"

func TestFewer(t *testing.T) {
	each := func(n int) float64 { return 10 * float64(n) }
	for room, want := range map[float64]int{0: 0, 990: 0, 1000: 100, 27_000: 2000, 1e9: 5000} {
		if got := Fewer(5000, room, each); got != want {
			t.Errorf("%d fit into %g, not %d", got, room, want)
		}
	}
}
