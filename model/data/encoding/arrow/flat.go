package arrow

import "encoding/binary"

// flat is bytes of FlatBuffers, in which Arrow describes its messages. What cannot be sets bad and is zero.
type flat struct {
	b    []byte
	bad  bool
	left int // tables that may still be looked at: they may share parts without end
}

// table is a table of flat; a zero one has no fields.
type table struct {
	f  *flat
	at int // 0: none
}

// root is the outermost table.
func root(b []byte) table {
	f := &flat{b: b, left: len(b)/8 + 64}
	return f.table(0)
}

func (f *flat) has(at, n int) bool {
	if at < 0 || n < 0 || at > len(f.b)-n {
		f.bad = true
		return false
	}
	return true
}

func (f *flat) u16(at int) int {
	if !f.has(at, 2) {
		return 0
	}
	return int(binary.LittleEndian.Uint16(f.b[at:]))
}

func (f *flat) i32(at int) int32 {
	if !f.has(at, 4) {
		return 0
	}
	return int32(binary.LittleEndian.Uint32(f.b[at:]))
}

func (f *flat) i64(at int) int64 {
	if !f.has(at, 8) {
		return 0
	}
	return int64(binary.LittleEndian.Uint64(f.b[at:]))
}

// table is what the offset at a place leads to.
func (f *flat) table(at int) table {
	off := f.i32(at)
	if f.left--; off <= 0 || f.left < 0 {
		f.bad = true
		return table{f: f}
	}
	return table{f, at + int(off)}
}

// field is the place of a field, 0 where it is not written.
func (t table) field(i int) int {
	if t.at == 0 || t.f.bad {
		return 0
	}
	list := t.at - int(t.f.i32(t.at))
	if list < 0 || 4+2*i+2 > t.f.u16(list) {
		return 0
	}
	off := t.f.u16(list + 4 + 2*i)
	if off == 0 {
		return 0
	}
	return t.at + off
}

func (t table) byte(i int, otherwise int) int {
	at := t.field(i)
	if at == 0 || !t.f.has(at, 1) {
		return otherwise
	}
	return int(t.f.b[at])
}

func (t table) short(i int, otherwise int) int {
	if at := t.field(i); at != 0 {
		return int(int16(t.f.u16(at)))
	}
	return otherwise
}

func (t table) int(i int, otherwise int32) int {
	if at := t.field(i); at != 0 {
		return int(t.f.i32(at))
	}
	return int(otherwise)
}

func (t table) long(i int) int64 {
	if at := t.field(i); at != 0 {
		return t.f.i64(at)
	}
	return 0
}

func (t table) table(i int) table {
	if at := t.field(i); at != 0 {
		return t.f.table(at)
	}
	return table{f: t.f}
}

// vector is the place of the first of n values of so many bytes.
func (t table) vector(i, size int) (at, n int) {
	if at = t.field(i); at == 0 {
		return 0, 0
	}
	off := t.f.i32(at)
	if off <= 0 {
		t.f.bad = true
		return 0, 0
	}
	at += int(off)
	n = int(t.f.i32(at))
	at += 4
	if n < 0 || n > len(t.f.b)/size || !t.f.has(at, n*size) {
		t.f.bad = true
		return 0, 0
	}
	return at, n
}

func (t table) text(i int) string {
	at, n := t.vector(i, 1)
	return string(t.f.b[at : at+n])
}

// tables are those of a vector.
func (t table) tables(i int) (out []table) {
	at, n := t.vector(i, 4)
	for k := range n {
		if t.f.bad {
			return nil
		}
		out = append(out, t.f.table(at+4*k))
	}
	return out
}

// pairs are structs of two long numbers.
func (t table) pairs(i int) [][2]int64 {
	at, n := t.vector(i, 16)
	out := make([][2]int64, n)
	for k := range out {
		out[k] = [2]int64{t.f.i64(at + 16*k), t.f.i64(at + 16*k + 8)}
	}
	return out
}
