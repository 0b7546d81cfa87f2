package cpu

import "context"

var background = context.Background()

// Bits of an axis of the Hilbert curve, by dimensions. They cost speed alone.
var curveBits = [4]uint{2: 16, 3: 10}

// follow orders points along a Hilbert curve through the map as it lies. Equal keys stay in order of slots.
func (b *tsneBody) follow() {
	if len(b.sorter.keys) != b.n {
		b.sorter = sorter{make([]uint64, b.n), make([]uint64, b.n)}
	}
	m, _ := b.Measure(background)
	cells := float64(uint(1)<<curveBits[b.dims] - 1)
	over := 0.0
	if e := m.Extent(); e > 0 {
		over = cells / e
	}
	b.run(slotBlock, b.n, func(_, from, to int) {
		var at [3]uint32
		for i := from; i < to; i++ {
			for c := range b.dims {
				at[c] = uint32(min(cells, over*(float64(b.y[i*b.stride+c])-m.Lo[c])))
			}
			b.sorter.keys[i] = uint64(hilbert(at[0], at[1], at[2], curveBits[b.dims], uint(b.dims)))<<32 | uint64(i)
		}
	})
	for i, key := range b.sorter.sort(curveBits[b.dims] * uint(b.dims)) {
		b.curve[i] = int32(uint32(key))
	}
	b.curved = true
}

// hilbert is the number of a cell along the curve, after J. Skilling, "Programming the Hilbert curve" (2004), without
// branches. Of two dimensions z is 0 and stays it.
func hilbert(x, y, z uint32, order, dims uint) uint32 {
	for k := order - 1; k > 0; k-- {
		p := uint32(1)<<k - 1
		x ^= p & -(x >> k & 1)
		// Where the bit of another axis is set the first is inverted, else they change places.
		set := -(y >> k & 1)
		t := (x ^ y) & p &^ set
		x ^= t | p&set
		y ^= t
		if dims == 3 {
			set = -(z >> k & 1)
			t = (x ^ z) & p &^ set
			x ^= t | p&set
			z ^= t
		}
	}
	y ^= x
	last := y
	if dims == 3 {
		z ^= y
		last = z
	}
	t := uint32(0)
	for k := order - 1; k > 0; k-- {
		t ^= (uint32(1)<<k - 1) & -(last >> k & 1)
	}
	x, y, z = x^t, y^t, z^t
	key := uint32(0)
	for k := int(order) - 1; k >= 0; k-- {
		key = key<<2 | x>>uint(k)&1<<1 | y>>uint(k)&1
		if dims == 3 {
			key = key<<1 | z>>uint(k)&1
		}
	}
	return key
}

// sorter orders numbers by the bits from the 33rd on, keeping the order of equal ones.
type sorter struct{ keys, other []uint64 }

func (s *sorter) sort(keyBits uint) []uint64 {
	const digit = 11
	for shift := uint(32); shift < 32+keyBits; shift += digit {
		var count [1<<digit + 1]int
		for _, k := range s.keys {
			count[k>>shift&(1<<digit-1)+1]++
		}
		for d := range 1 << digit {
			count[d+1] += count[d]
		}
		for _, k := range s.keys {
			d := k >> shift & (1<<digit - 1)
			s.other[count[d]] = k
			count[d]++
		}
		s.keys, s.other = s.other, s.keys
	}
	return s.keys
}

// renumber puts points into slots in the order of the curve, so that neighbours of the map are near in memory.
func (b *tsneBody) renumber() {
	words, numbers := make([]int32, b.n), make([]float32, b.n*b.stride)
	for _, a := range []*[]float32{&b.y, &b.v, &b.gain, &b.loose} {
		for i, from := range b.curve {
			copy(numbers[i*b.stride:(i+1)*b.stride], (*a)[int(from)*b.stride:])
		}
		copy(*a, numbers)
	}
	for i, from := range b.curve {
		words[i] = b.slots[from]
	}
	b.number(words)
	for i := range b.curve {
		b.curve[i] = int32(i)
	}
	b.deal()
}
