package parquet

import (
	"encoding/binary"
	"fmt"
	"math"

	"blossom/model/data/encoding/frame"
)

// values are decoded values of one form.
type values struct {
	floats  []float32
	doubles []float64
	whole   []int64
	texts   [][]byte
	bytes   []byte // texts lie in it, where they do not lie in a page
}

func (v *values) clear() {
	v.floats, v.doubles, v.whole, v.texts = v.floats[:0], v.doubles[:0], v.whole[:0], v.texts[:0]
	v.bytes = v.bytes[:0]
}

// decoder decodes the values of a page.
type decoder struct {
	leaf  *leaf
	kind  int64 // encoding
	b     []byte
	left  int // values that may still come
	runs  hybrid
	delta delta
	rests delta // lengths of what comes behind a common beginning
	split int   // values of a page whose bytes lie apart
	taken int
	last  []byte
	names *names
}

// names are the dictionary of a column.
type names struct {
	values values
	count  int
	texts  frame.Names
}

// bytesOf is how many bytes a value takes as it is; 0: that differs.
func (l *leaf) bytesOf() int {
	switch l.kind {
	case kindInt32, kindFloat:
		return 4
	case kindInt64, kindDouble:
		return 8
	case kindFixed:
		return l.length
	}
	return 0
}

// begin takes the bytes of a page of n values, of which some may be missing.
func (d *decoder) begin(l *leaf, encoding int64, b []byte, n int, dict *names) error {
	*d = decoder{leaf: l, kind: encoding, b: b, left: n, names: dict, last: d.last[:0]}
	bytes := l.kind == kindBytes
	switch {
	case encoding == encodingPlain:
		return nil
	case encoding == encodingNames || encoding == encodingNamesOld:
		return d.beginNames(b)
	case encoding == encodingRuns && l.kind == kindBoolean:
		if len(b) >= 4 {
			size := int64(binary.LittleEndian.Uint32(b))
			b = b[4:]
			d.runs.begin(b[:min(size, int64(len(b)))], 1)
		}
		return nil
	case encoding == encodingDelta && (l.kind == kindInt32 || l.kind == kindInt64):
		return d.delta.begin(b, n)
	case encoding == encodingDeltaLength && bytes:
		return d.lengths(&d.delta, b, n)
	case encoding == encodingDeltaBytes && (bytes || l.kind == kindFixed):
		if err := d.delta.begin(b, n); err != nil {
			return err
		}
		pass := d.delta
		rest, err := pass.end()
		if err != nil {
			return err
		}
		return d.lengths(&d.rests, rest, n)
	case encoding == encodingSplit && l.bytesOf() > 0:
		d.split = len(b) / l.bytesOf()
		return nil
	}
	return errDamaged(fmt.Sprintf("it is written in a way that is not read (encoding %d)", encoding))
}

// beginNames begins numbers of the dictionary.
func (d *decoder) beginNames(b []byte) error {
	d.kind = encodingNames
	switch {
	case d.names == nil:
		return errDamaged("its dictionary is missing")
	case len(b) == 0: // all are missing
		d.left = 0
	case b[0] > 32:
		return errDamaged("the numbers of its dictionary have too many bits")
	default:
		d.runs.begin(b[1:], int(b[0]))
	}
	return nil
}

// lengths begins lengths, behind which the texts lie.
func (d *decoder) lengths(of *delta, b []byte, n int) error {
	if err := of.begin(b, n); err != nil {
		return err
	}
	pass := *of
	var err error
	d.b, err = pass.end()
	return err
}

// next adds up to n values to v, at least one, and says how many.
func (d *decoder) next(v *values, n int, s *scratch) (int, error) {
	if n > d.left {
		return 0, errShort
	}
	d.left -= n
	switch d.kind {
	case encodingPlain:
		return n, d.plain(v, n)
	case encodingNames:
		return n, d.named(v, n, s)
	case encodingRuns:
		s.numbers = room(s.numbers, n)
		if err := d.runs.next(s.numbers); err != nil {
			return 0, err
		}
		for _, x := range s.numbers {
			v.whole = append(v.whole, int64(x))
		}
		return n, nil
	case encodingDelta:
		s.whole = room(s.whole, n)
		if err := d.delta.next(s.whole); err != nil {
			return 0, err
		}
		for _, x := range s.whole {
			v.whole = append(v.whole, d.leaf.narrow(x))
		}
		return n, nil
	case encodingSplit:
		return n, d.splitted(v, n)
	}
	k, err := d.differing(v, n, s)
	d.left += n - k
	return k, err
}

func room[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// narrow makes a number of 32 bits what it is.
func (l *leaf) narrow(x int64) int64 {
	switch {
	case l.kind != kindInt32:
		return x
	case l.form == formUnsigned:
		return int64(uint32(x))
	}
	return int64(int32(x))
}

// plain decodes values that lie one behind the other.
func (d *decoder) plain(v *values, n int) error {
	l := d.leaf
	switch l.kind {
	case kindBoolean:
		if d.taken+n > 8*len(d.b) {
			return errShort
		}
		for i := d.taken; i < d.taken+n; i++ {
			v.whole = append(v.whole, int64(d.b[i>>3]>>(i&7)&1))
		}
		d.taken += n
		return nil
	case kindBytes:
		for range n {
			if len(d.b) < 4 {
				return errShort
			}
			size := uint64(binary.LittleEndian.Uint32(d.b))
			if size > uint64(len(d.b)-4) {
				return errShort
			}
			l.bytes(v, d.b[4:4+size])
			d.b = d.b[4+size:]
		}
		return nil
	}
	size := l.bytesOf()
	if n > len(d.b)/size {
		return errShort
	}
	l.fixed(v, d.b[:n*size], n)
	d.b = d.b[n*size:]
	return nil
}

// fixed adds values that have a fixed number of bytes.
func (l *leaf) fixed(v *values, b []byte, n int) {
	switch l.kind {
	case kindFloat:
		at := len(v.floats)
		v.floats = append(v.floats, make([]float32, n)...)
		to := v.floats[at:]
		for i := range to {
			to[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
		}
	case kindDouble:
		for i := range n {
			v.doubles = append(v.doubles, math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:])))
		}
	case kindInt32:
		for i := range n {
			v.whole = append(v.whole, l.narrow(int64(binary.LittleEndian.Uint32(b[4*i:]))))
		}
	case kindInt64:
		for i := range n {
			v.whole = append(v.whole, int64(binary.LittleEndian.Uint64(b[8*i:])))
		}
	default:
		for i := range n {
			l.bytes(v, b[i*l.length:(i+1)*l.length])
		}
	}
}

// bytes adds a value that is written as bytes.
func (l *leaf) bytes(v *values, b []byte) {
	switch l.form {
	case formHalf:
		v.floats = append(v.floats, frame.Half(uint16(b[0])|uint16(b[1])<<8))
	case formDecimal:
		x := math.NaN()
		if len(b) <= 32 { // no decimal has more than 76 digits
			x = frame.BigWhole(b)
		}
		v.doubles = append(v.doubles, x)
	default:
		v.texts = append(v.texts, b)
	}
}

// splitted decodes values of which all first bytes lie first, then all second ones.
func (d *decoder) splitted(v *values, n int) error {
	size := d.leaf.bytesOf()
	if n > d.split-d.taken {
		return errShort
	}
	at := len(v.bytes)
	v.bytes = append(v.bytes, make([]byte, n*size)...)
	to := v.bytes[at:]
	for k := range size {
		for i, b := range d.b[k*d.split+d.taken:][:n] {
			to[i*size+k] = b
		}
	}
	d.taken += n
	d.leaf.fixed(v, to, n)
	return nil
}

// named decodes numbers of the dictionary. Texts stay numbers.
func (d *decoder) named(v *values, n int, s *scratch) error {
	s.numbers = room(s.numbers, n)
	if err := d.runs.next(s.numbers); err != nil {
		return err
	}
	for _, k := range s.numbers {
		if k >= uint32(d.names.count) {
			return errDamaged("a number of its dictionary is not in it")
		}
	}
	switch of := &d.names.values; {
	case d.leaf.form == formText:
		for _, k := range s.numbers {
			v.whole = append(v.whole, int64(k))
		}
	case of.floats != nil:
		for _, k := range s.numbers {
			v.floats = append(v.floats, of.floats[k])
		}
	case of.doubles != nil:
		for _, k := range s.numbers {
			v.doubles = append(v.doubles, of.doubles[k])
		}
	default:
		for _, k := range s.numbers {
			v.whole = append(v.whole, of.whole[k])
		}
	}
	return nil
}

// mostText is how many bytes of texts with common beginnings are put together at once.
const mostText = 1 << 20

// differing decodes texts whose lengths are written apart, and which may begin as the one before does. It may end
// before n.
func (d *decoder) differing(v *values, n int, s *scratch) (done int, err error) {
	if d.kind == encodingDeltaLength {
		s.whole = room(s.whole, n)
		if err := d.delta.next(s.whole); err != nil {
			return 0, err
		}
		for _, size := range s.whole {
			if size < 0 || size > int64(len(d.b)) {
				return 0, errShort
			}
			d.leaf.bytes(v, d.b[:size])
			d.b = d.b[size:]
		}
		return n, nil
	}
	var common, rest [1]int64
	// Texts must not move while others are added, so bytes grow no further than they have room.
	v.bytes = room(v.bytes, mostText)[:0]
	for done < n {
		before, rests, left := d.delta, d.rests, d.b
		if err := d.delta.next(common[:]); err != nil {
			return 0, err
		}
		if err := d.rests.next(rest[:]); err != nil {
			return 0, err
		}
		if common[0] < 0 || common[0] > int64(len(d.last)) || rest[0] < 0 || rest[0] > int64(len(d.b)) {
			return 0, errShort
		}
		size := int(common[0] + rest[0])
		if size > cap(v.bytes)-len(v.bytes) {
			if done > 0 {
				d.delta, d.rests, d.b = before, rests, left
				break
			}
			v.bytes = make([]byte, 0, size)
		}
		at := len(v.bytes)
		v.bytes = append(append(v.bytes, d.last[:common[0]]...), d.b[:rest[0]]...)
		text := v.bytes[at:]
		d.b = d.b[rest[0]:]
		d.last = append(d.last[:common[0]], text[common[0]:]...)
		if d.leaf.kind == kindFixed && len(text) != d.leaf.length {
			return 0, errDamaged("a value has another length than it should")
		}
		d.leaf.bytes(v, text)
		done++
	}
	return done, nil
}

// dictionary decodes the page of a dictionary, whose bytes are kept.
func (l *leaf) dictionary(p *page, b []byte) (*names, error) {
	if p.encoding != encodingPlain && p.encoding != encodingNamesOld {
		return nil, errDamaged("its dictionary is written in a way that is not read")
	}
	size := 4
	if l.kind != kindBytes {
		size = l.bytesOf()
	}
	if size == 0 || p.values > int64(len(b)/size) {
		return nil, errDamaged("its dictionary is longer than it is")
	}
	out := &names{count: int(p.values)}
	d := &decoder{}
	err := d.begin(l, encodingPlain, append([]byte(nil), b...), out.count, nil)
	if err == nil && out.count > 0 {
		_, err = d.next(&out.values, out.count, &scratch{})
	}
	out.texts.Texts = out.values.texts
	return out, err
}
