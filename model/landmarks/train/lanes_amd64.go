package train

import "golang.org/x/sys/cpu"

// instructions are those that lanes are worked on with. All give the same bits.
type instructions int

const (
	sse instructions = iota // every amd64 processor has SSE2
	avx2
	avx512
)

// vectors are the widest that the processor has.
var vectors = func() instructions {
	switch {
	case cpu.X86.HasAVX512F:
		return avx512
	case cpu.X86.HasAVX2:
		return avx2
	}
	return sse
}()

func distances(c, x []float32, d2 *[laneCount]float32) (least float32) {
	_ = c[len(x)*laneCount-1]
	return distancesSSE(&c[0], &x[0], len(x), d2)
}

func fourDistances(c, x []float32, d2 *[4 * laneCount]float32, least *[4]float32) {
	_ = c[4*len(x)*laneCount-1]
	switch vectors {
	case avx512:
		distancesAVX512(&c[0], &x[0], len(x), d2, least)
	case avx2:
		distancesAVX2(&c[0], &x[0], len(x), d2, least)
	default:
		eachDistances(c, x, d2, least)
	}
}

func pull(c, x []float32, h *[laneCount]float32) {
	_ = c[len(x)*laneCount-1]
	switch vectors {
	case avx512:
		pullAVX512(&c[0], &x[0], len(x), h)
	case avx2:
		pullAVX2(&c[0], &x[0], len(x), h)
	default:
		pullSSE(&c[0], &x[0], len(x), h)
	}
}

//go:noescape
func distancesSSE(c, x *float32, d int, d2 *[laneCount]float32) (least float32)

//go:noescape
func distancesAVX2(c, x *float32, d int, d2 *[4 * laneCount]float32, least *[4]float32)

//go:noescape
func distancesAVX512(c, x *float32, d int, d2 *[4 * laneCount]float32, least *[4]float32)

//go:noescape
func pullSSE(c, x *float32, d int, h *[laneCount]float32)

//go:noescape
func pullAVX2(c, x *float32, d int, h *[laneCount]float32)

//go:noescape
func pullAVX512(c, x *float32, d int, h *[laneCount]float32)
