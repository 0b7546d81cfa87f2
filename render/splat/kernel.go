package splat

import (
	"math"
)

// The disc of radius r around a centre covers a pixel whose middle is at distance d by
// clamp(r + 1/2 - d, 0, 1): a step one pixel wide. For small discs those coverages, times the opacity,
// are tabulated for a grid of places of the centre within its pixel.

const (
	one         = 1 << 16 // full coverage
	tableRadius = 4       // larger discs are computed pixel by pixel
	minWeight   = 24      // coverages below this (of one) change no 8-bit colour
	minSize     = 1.0 / 8 // below this a disc of 3D is as good as invisible
)

// tap is one pixel of a tabulated disc.
type tap struct {
	offset int32 // from the pixel of the centre, in pixels of the canvas
	weight uint32
}

// kernel is the discs of one size, for all places of the centre.
type kernel struct {
	radius  float32
	opacity float32
	reach   int  // no pixel of the disc is further from the centre's pixel than this
	bits    uint // the centre's place is known to 2^-bits pixels; 0: not tabulated
	// Every place has length taps: those of its disc by rows, then some without weight. That the number
	// is the same for all saves the processor a wrong guess per disc.
	taps   []tap
	length int
	// Row dy of a place is taps[first[i]:first[i+1]], i = place*(rows+1) + dy + reach.
	first []int32
}

type kernels struct {
	size, opacity float32
	width         int
	perspective   bool
	list          []kernel
}

// prepare makes the discs of a flat picture (one size) or of one in perspective (all sizes that occur:
// kernel i is for the diameter sizeOf(i)).
func (k *kernels) prepare(size, opacity float32, width int, perspective bool) {
	if perspective {
		size = 0 // the classes do not depend on it
	}
	if k.size == size && k.opacity == opacity && k.width == width && k.perspective == perspective && len(k.list) > 0 {
		return
	}
	k.size, k.opacity, k.width, k.perspective = size, opacity, width, perspective
	if !perspective {
		k.grow(1)
		k.list[0].build(size, opacity, width)
		return
	}
	k.grow(classOf(MaxSize) + 1)
	for i := range k.list {
		big := &k.list[i]
		big.build(sizeOf(i), opacity, width)
		if big.bits == 0 {
			big.reach = int(math.Ceil(float64(big.radius)*(1+1.0/16) + 0.5)) // the reach for all sizes of the class
		}
	}
}

func (k *kernels) grow(n int) {
	for cap(k.list) < n {
		k.list = append(k.list[:cap(k.list)], kernel{})
	}
	k.list = k.list[:n]
}

// classOf returns the kernel of a diameter in perspective, minSize or more: the exponent of the float
// and the first three bits of what follows, rounded. That makes eight sizes per octave.
func classOf(size float32) int {
	const half = 1 << (classShift - 1)
	return int((math.Float32bits(size)+half)>>classShift - firstClass)
}

// sizeOf returns the diameter that a kernel is made for, the inverse of classOf.
func sizeOf(class int) float32 { return math.Float32frombits(uint32(class+firstClass) << classShift) }

const (
	classShift = 23 - 3
	firstClass = (127 - 3) << 3 // class of minSize, 2^-3
)

// Disc returns the radius and the opacity that a disc of a diameter in pixels is drawn with: one that
// is smaller than a pixel keeps a pixel's size and loses opacity with its area.
func Disc(size, opacity float32) (r, a float32) {
	if !(size > 0) || !(opacity > 0) {
		return 0.5, 0
	}
	size, opacity = min(size, MaxSize), min(opacity, 1)
	if size < 1 {
		return 0.5, opacity * size * size
	}
	return size / 2, opacity
}

func (k *kernel) build(size, opacity float32, width int) {
	k.radius, k.opacity = Disc(size, opacity)
	k.reach = int(math.Ceil(float64(k.radius) + 0.5))
	k.taps, k.first = k.taps[:0], k.first[:0]
	switch {
	case k.radius > tableRadius:
		k.bits = 0
		return
	case k.radius <= 1.25:
		k.bits = 4
	default:
		k.bits = 3
	}
	k.length = 0
	for place := range 1 << (2 * k.bits) {
		n := 0
		k.eachTap(place, width, func(int, tap) { n++ })
		k.length = max(k.length, n)
	}
	for place := range 1 << (2 * k.bits) {
		row := -k.reach - 1
		k.eachTap(place, width, func(dy int, t tap) {
			for ; row < dy; row++ {
				k.first = append(k.first, int32(len(k.taps)))
			}
			k.taps = append(k.taps, t)
		})
		for ; row <= k.reach; row++ {
			k.first = append(k.first, int32(len(k.taps)))
		}
		for len(k.taps) < (place+1)*k.length {
			k.taps = append(k.taps, tap{})
		}
	}
}

// eachTap calls f for the pixels of the disc at a place, row by row.
func (k *kernel) eachTap(place, width int, f func(dy int, t tap)) {
	side := float32(int(1) << k.bits)
	fx := (float32(place&(1<<k.bits-1)) + 0.5) / side
	fy := (float32(place>>k.bits) + 0.5) / side
	for dy := -k.reach; dy <= k.reach; dy++ {
		for dx := -k.reach; dx <= k.reach; dx++ {
			if w := k.weight(float32(dx)+0.5-fx, float32(dy)+0.5-fy); w >= minWeight {
				f(dy, tap{int32(dy*width + dx), w})
			}
		}
	}
}

// weight returns the coverage times the opacity at (dx, dy) from the centre, in parts of one.
func (k *kernel) weight(dx, dy float32) uint32 {
	c := k.radius + 0.5 - float32(math.Sqrt(float64(dx*dx+dy*dy)))
	if !(c > 0) {
		return 0
	}
	return uint32(min(c, 1)*k.opacity*one + 0.5)
}

// place returns which tabulated place is nearest to the centre of r.
func (k *kernel) place(r record) int {
	return r.subY()>>(6-k.bits)<<k.bits | r.subX()>>(6-k.bits)
}

// rows returns the taps of the rows [from, to) of a place.
func (k *kernel) rows(place, from, to int) []tap {
	i := place*(2*k.reach+2) + k.reach
	return k.taps[k.first[i+from]:k.first[i+to]]
}
