package embedding

// sizes are of how many points a map is made where all would take too long: round numbers, so that machines that are
// alike make the same map. Of more than the first, finding neighbours takes longer than the units.
var sizes = []int{1_000_000, 500_000, 200_000, 100_000, 50_000}

// layoutWait is for how many seconds an engine may lay a map out that begins by itself.
const layoutWait = 10.0

// sizeOf is of how many of n points a map is made by units on an engine that moves pace points a second, as many as it
// lays out in layoutWait and as fit; 0: of all. It is not ok where those are fewer than all sizes.
func sizeOf(n int, pace, units float64, fits func(size int) bool) (size int, ok bool) {
	for _, size := range sizes {
		if float64(min(size, n))*units <= layoutWait*pace && fits(size) {
			if size >= n {
				size = 0
			}
			return size, true
		}
	}
	return 0, false
}
