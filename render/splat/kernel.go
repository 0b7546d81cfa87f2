package splat

import (
	"image/color"
	"math"
)

// The disc of radius r around a centre covers a pixel whose middle is at distance d by
// clamp(r + 1/2 - d, 0, 1): a step one pixel wide. For small discs those coverages, times the opacity,
// are tabulated for a grid of places of the centre within its pixel.

const (
	one         = 1 << 16 // full coverage
	tableRadius = 4       // larger discs are computed pixel by pixel
	sizeSteps   = 8       // sizes per octave that are told apart in 3D
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
	reach   int32 // no pixel of the disc is further from the centre's pixel than this
	bits    uint  // the centre's place is known to 2^-bits pixels; 0: not tabulated
	taps    []tap
	// The taps are sorted by place, then by row; row y (from -reach) of place i begins at
	// first[i*rows + y + reach], where the row before ends. So any rows of a disc are one slice.
	first []int32
	rows  int
}

type kernels struct {
	size, opacity float32
	width         int
	perspective   bool
	list          []kernel
}

// prepare makes the discs of a flat picture (one size) or of one in perspective (all sizes that occur:
// kernel i is for diameter minSize * 2^(i/sizeSteps)).
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
		k.list[i].build(minSize*float32(math.Exp2(float64(i)/sizeSteps)), opacity, width)
	}
}

func (k *kernels) grow(n int) {
	for cap(k.list) < n {
		k.list = append(k.list[:cap(k.list)], kernel{})
	}
	k.list = k.list[:n]
}

// classOf returns the kernel of a diameter in perspective.
func classOf(size float32) int {
	return int(math.Log2(float64(size)/minSize)*sizeSteps + 0.5)
}

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
	k.reach = int32(math.Ceil(float64(k.radius) + 0.5))
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
	places := 1 << k.bits
	k.rows = int(2*k.reach + 1)
	for sy := range places {
		for sx := range places {
			fx := (float32(sx) + 0.5) / float32(places)
			fy := (float32(sy) + 0.5) / float32(places)
			for dy := -k.reach; dy <= k.reach; dy++ {
				k.first = append(k.first, int32(len(k.taps)))
				for dx := -k.reach; dx <= k.reach; dx++ {
					w := k.weight(float32(dx)+0.5-fx, float32(dy)+0.5-fy)
					if w >= minWeight {
						k.taps = append(k.taps, tap{dy*int32(width) + dx, w})
					}
				}
			}
		}
	}
	k.first = append(k.first, int32(len(k.taps)))
}

// weight returns the coverage times the opacity at (dx, dy) from the centre, in parts of one.
func (k *kernel) weight(dx, dy float32) uint32 {
	c := k.radius + 0.5 - float32(math.Sqrt(float64(dx*dx+dy*dy)))
	if !(c > 0) {
		return 0
	}
	return uint32(min(c, 1)*k.opacity*one + 0.5)
}

// place returns the taps in the rows [from, to) around a centre at (fx, fy) / 256 within its pixel.
func (k *kernel) place(fx, fy uint8, from, to int) []tap {
	i := int(fy>>(8-k.bits))<<k.bits | int(fx>>(8-k.bits))
	row := i*k.rows + int(k.reach)
	return k.taps[k.first[row+from]:k.first[row+to]]
}

// lanes is a colour spread out so that two multiplications weigh all four channels: each half of a
// word holds a channel, premultiplied, in parts of 4096.
type lanes struct{ rb, ga uint64 }

func makeLanes(c color.NRGBA) lanes {
	part := func(v uint8) uint64 { return (uint64(v)*uint64(c.A)*4096 + 255*255/2) / (255 * 255) }
	return lanes{part(c.R) | part(c.B)<<32, part(c.G) | (uint64(c.A)*4096+127)/255<<32}
}
