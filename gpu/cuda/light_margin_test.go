//go:build linux && (amd64 || arm64)

package cuda

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"
	"unsafe"

	"blossom/gpu/cuda/driver"
	"blossom/gpu/cuda/hosted"
)

// two is two blocks of points in the filter's space, as the kernels have them.
type two struct {
	d                                       int
	packed, centre, radius, length, longest []float32
	s, smax                                 []float32
}

// adverse makes blocks around centres at any distance, whose coordinates round to halves the same way, so that errors
// add up, or at random; some have one point alone.
func adverse(r *rand.Rand, d, try int) *two {
	b := &two{d: d, packed: make([]float32, 2*side*d), centre: make([]float32, 2*d), radius: make([]float32, 2),
		length: make([]float32, 2*side), longest: make([]float32, 2), s: make([]float32, 2*side),
		smax: make([]float32, 2)}
	far, wide := math.Pow(10, -4*r.Float64()), math.Pow(10, -3*r.Float64())
	way := r.IntN(4)
	for k := range 2 {
		for c := range d {
			v := r.NormFloat64() / math.Sqrt(float64(d))
			if b.centre[c] += float32(0.4 * v * float64(1-k)); k == 1 {
				b.centre[d+c] = b.centre[c] + float32(far*v)
			}
		}
		size := wide * math.Pow(10, -2*r.Float64()) / math.Sqrt(float64(d))
		if way == 1 || way == 2 {
			size = math.Exp2(math.Round(math.Log2(size)))
		}
		for i := range side {
			sum, all := 0.0, 0.0
			for c := range d {
				v := r.NormFloat64()
				switch way {
				case 1: // just below or above the middle of two halves, all of one sign
					v = 1 + math.Ldexp(1, -11)*(1+0.01*r.Float64()-0.02*float64(try%2))
				case 2:
					v = (1 + math.Ldexp(float64(2*r.IntN(900)+1), -11)) * float64(1-2*(c%2))
				case 3: // halves that are subnormal, but one
					if v *= 1e-6; c == i%d {
						v = 1
					}
				}
				at := float32(float64(b.centre[k*d+c]) + size*v)
				b.packed[(k*d+c)*side+i] = at
				t := float64(at) - float64(b.centre[k*d+c])
				sum, all = sum+t*t, all+float64(at)*float64(at)
			}
			b.length[k*side+i] = float32(math.Sqrt(all) * (1 + 1e-6))
			b.longest[k] = max(b.longest[k], b.length[k*side+i])
			b.radius[k] = max(b.radius[k], float32(math.Sqrt(sum)*(1+1e-6)))
		}
	}
	return b
}

// apart is how far places u of the first and v of the second block are apart.
func (b *two) apart(u, v int) float64 {
	s := 0.0
	for c := range b.d {
		t := float64(b.packed[c*side+u]) - float64(b.packed[(b.d+c)*side+v])
		s += t * t
	}
	return math.Sqrt(s)
}

func (b *two) centres() float32 {
	s := 0.0
	for c := range b.d {
		t := float64(b.centre[c]) - float64(b.centre[b.d+c])
		s += t * t
	}
	return float32(s)
}

// Products of halves around centres let every pair through that is within its threshold, which is put just above a
// point's distance from another: also where all coordinates round the same way. And they let few others through: none
// whose squared distance is above the threshold's by more than four margins.
func TestNearMarginEmulated(t *testing.T) {
	m := hosted.Open(t, "../kernels/light_near.cu")
	r := rand.New(rand.NewPCG(9, 4))
	tries := 60
	if testing.Short() {
		tries = 16
	}
	let, kept := 0, 0
	for try := range tries {
		d := []int{9, 16, 39, 100}[try%4]
		b := adverse(r, d, try/8)
		full := int32(try / 4 % 2)
		var want [side]uint64
		for i := range 2 * side { // a threshold is where another point just is
			u, v := i, r.IntN(side)
			if i >= side {
				u, v = v, i-side
			}
			b.s[i] = math.Nextafter32(float32(b.apart(u, v)*(1+1e-15)), 9)
			b.smax[i/side] = max(b.smax[i/side], b.s[i])
		}
		for u := range side {
			for v := range side {
				if reach := b.s[u]; b.apart(u, v) < float64(reach) ||
					full == 0 && b.apart(u, v) < float64(b.s[side+v]) {
					want[u] |= 1 << v
				}
			}
		}
		got, where := b.look(t, m, full)
		margin := (1.0625*math.Ldexp(1, -10) + float64(d+16)*math.Ldexp(1, -21)) * float64(b.radius[0]) *
			float64(b.radius[1])
		around := math.Sqrt(float64(b.centres())) + float64(b.radius[0]+b.radius[1])
		margin += 4 * float64(d+8) * math.Ldexp(1, -23) * around * around
		for u := range side {
			if missing := want[u] &^ got[u]; missing != 0 {
				t.Fatalf("try %d, %s: of row %d pairs %x are within reach, not let through", try, where, u, missing)
			}
			for v := range side {
				if got[u]>>v&1 == 0 {
					continue
				}
				let++
				if want[u]>>v&1 != 0 {
					kept++
					continue
				}
				reach := float64(b.s[u])
				if full == 0 {
					reach = max(reach, float64(b.s[side+v]))
				}
				w := b.apart(u, v)
				slack := math.Ldexp(1, -22) * reach * float64(b.longest[0]+b.longest[1]+4*float32(reach))
				if w*w/2 > reach*reach/2+4*margin+slack {
					t.Fatalf("try %d, %s: a pair at %g is let through for %g: margin %g", try, where, w, reach, margin)
				}
			}
		}
	}
	if kept == 0 || let > 2*kept {
		t.Errorf("%d pairs are let through for %d", let, kept)
	}
}

// look runs the kernels, and returns what they pass of each row of the first block with the second.
func (b *two) look(t *testing.T, m *hosted.Module, full int32) (masks [side]uint64, where string) {
	t.Helper()
	var pins runtime.Pinner
	defer pins.Unpin()
	at := func(p unsafe.Pointer) driver.Ptr {
		pins.Pin(p)
		return driver.Ptr(uintptr(p))
	}
	steps := blocksOf(b.d, 16)
	nears, scale := make([]uint64, 2*steps*256), make([]float32, 2)
	type tile struct {
		a, b       int32
		way, apart float32
		rows       uint64
	}
	tiles := []tile{{0, 1, 0, b.centres(), ^uint64(0)}}
	type passed struct {
		u, block int32
		mask     uint64
	}
	out, counts := make([]passed, side), make([]uint64, countBytes/8)
	const nearTiles, passes = 8, 2
	counts[nearTiles] = 1
	a := lightArgs{n: 2 * side, d: int32(b.d), blocks: 2, packed: at(unsafe.Pointer(&b.packed[0])),
		centre: at(unsafe.Pointer(&b.centre[0])), radius: at(unsafe.Pointer(&b.radius[0])),
		length: at(unsafe.Pointer(&b.length[0])), longest: at(unsafe.Pointer(&b.longest[0])),
		s: at(unsafe.Pointer(&b.s[0])), smax: at(unsafe.Pointer(&b.smax[0])), full: full,
		nearTiles: at(unsafe.Pointer(&tiles[0])), passed: at(unsafe.Pointer(&out[0])), passedRoom: side,
		counts: at(unsafe.Pointer(&counts[0])), nears: at(unsafe.Pointer(&nears[0])),
		nearScale: at(unsafe.Pointer(&scale[0])), nearSteps: int32(steps)}
	if err := m.Launch("lightNears", hosted.Dim{X: 2}, hosted.Dim{X: 256}, 0, 0, &a); err != nil {
		t.Fatal(err)
	}
	if err := m.Launch("lightLookNear", hosted.Dim{X: 1}, hosted.Dim{X: 128}, 0, 0, &a); err != nil {
		t.Fatal(err)
	}
	for _, p := range out[:counts[passes]] {
		masks[p.u] |= p.mask
	}
	return masks, fmt.Sprintf("%d columns, full %d, radii %g and %g, centres %g", b.d, full, b.radius[0], b.radius[1],
		b.centres())
}
