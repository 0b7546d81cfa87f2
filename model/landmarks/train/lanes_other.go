//go:build !amd64

package train

func distances(c, x []float32, d2 *[laneCount]float32) (least float32) { return distancesGo(c, x, d2) }

func fourDistances(c, x []float32, d2 *[4 * laneCount]float32, least *[4]float32) {
	eachDistances(c, x, d2, least)
}

func pull(c, x []float32, h *[laneCount]float32) { pullGo(c, x, h) }
