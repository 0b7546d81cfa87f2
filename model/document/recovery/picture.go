package recovery

import "encoding/binary"

// Picture is a small picture of a map: some of its points, each with its place and colour. Drawn as dots it is sharp
// at any scale.
type Picture []byte

// dot is how many bytes a point of a picture has: two places of 16 bits, three channels.
const dot = 7

// Add puts a point in: x and y from 0 to 1, from the left and from the top.
func (p *Picture) Add(x, y float32, r, g, b uint8) {
	q := func(v float32) uint16 { return uint16(min(max(v, 0), 1)*65535 + 0.5) }
	out := binary.LittleEndian.AppendUint16(*p, q(x))
	out = binary.LittleEndian.AppendUint16(out, q(y))
	*p = append(out, r, g, b)
}

// Len returns the number of points.
func (p Picture) Len() int { return len(p) / dot }

// At returns a point as Add was given it.
func (p Picture) At(i int) (x, y float32, r, g, b uint8) {
	d := p[i*dot:]
	q := func(v uint16) float32 { return float32(v) / 65535 }
	return q(binary.LittleEndian.Uint16(d)), q(binary.LittleEndian.Uint16(d[2:])), d[4], d[5], d[6]
}
