package parquet

import "encoding/binary"

// thrift reads the compact protocol of Thrift, in which Parquet describes itself. After something that cannot be, bad
// is set and everything is zero. No count is believed that the bytes left could not hold.
type thrift struct {
	b   []byte
	at  int
	bad bool
	cut bool // it is bad because the bytes ended
}

// The types of the compact protocol.
const (
	typeTrue   = 1
	typeFalse  = 2
	typeByte   = 3
	typeDouble = 7
	typeBinary = 8
	typeList   = 9
	typeSet    = 10
	typeMap    = 11
	typeStruct = 12
	typeUUID   = 13
)

func (t *thrift) fail() { t.bad, t.at = true, len(t.b) }

func (t *thrift) take(n int) []byte {
	if t.bad || n < 0 || n > len(t.b)-t.at {
		t.cut = t.cut || !t.bad && n >= 0
		t.fail()
		return nil
	}
	out := t.b[t.at : t.at+n]
	t.at += n
	return out
}

func (t *thrift) byte() byte {
	if b := t.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (t *thrift) varint() uint64 {
	v, n := binary.Uvarint(t.b[t.at:])
	if n <= 0 {
		t.cut = t.cut || !t.bad && n == 0
		t.fail()
		return 0
	}
	t.at += n
	return v
}

// whole reads a number of 16, 32 or 64 bits.
func (t *thrift) whole() int64 {
	v := t.varint()
	return int64(v>>1) ^ -int64(v&1)
}

func (t *thrift) binary() []byte {
	n := t.varint()
	if n > uint64(len(t.b)) {
		t.cut = t.cut || !t.bad
		t.fail()
		return nil
	}
	return t.take(int(n))
}

// fields reads a struct: field is told the number and type of each field and reads it, or says that it did not.
func (t *thrift) fields(field func(id int, kind byte) bool) { t.structure(0, field) }

const deepest = 32

func (t *thrift) structure(depth int, field func(id int, kind byte) bool) {
	id := 0
	for !t.bad {
		head := t.byte()
		if head == 0 {
			return
		}
		if delta := int(head >> 4); delta != 0 {
			id += delta
		} else {
			id = int(int16(t.whole()))
		}
		before := t.at
		if !field(id, head&15) {
			if t.at != before {
				t.fail()
			}
			t.skip(head&15, depth+1, false)
		}
	}
}

// list reads how many values of what type follow.
func (t *thrift) list() (n int, kind byte) {
	head := t.byte()
	count := uint64(head >> 4)
	if count == 15 {
		count = t.varint()
	}
	if count > uint64(len(t.b)-t.at) {
		t.cut = t.cut || !t.bad
		t.fail()
		return 0, 0
	}
	return int(count), head & 15
}

// structs reads a list of structs.
func (t *thrift) structs(kind byte, each func()) bool {
	if kind != typeList {
		return false
	}
	n, of := t.list()
	if of != typeStruct && n > 0 {
		t.fail()
	}
	for range n {
		if t.bad {
			break
		}
		each()
	}
	return true
}

// skip passes over a value. Truth values stand in the type of a field, and as a byte in lists.
func (t *thrift) skip(kind byte, depth int, inList bool) {
	if depth > deepest {
		t.fail()
	}
	if t.bad {
		return
	}
	switch kind {
	case typeTrue, typeFalse:
		if inList {
			t.byte()
		}
	case typeByte:
		t.byte()
	case 4, 5, 6:
		t.varint()
	case typeDouble:
		t.take(8)
	case typeUUID:
		t.take(16)
	case typeBinary:
		t.binary()
	case typeList, typeSet:
		n, of := t.list()
		for range n {
			if t.bad {
				return
			}
			t.skip(of, depth+1, true)
		}
	case typeMap:
		n := t.varint()
		if n == 0 {
			return
		}
		of := t.byte()
		if n > uint64(len(t.b)) {
			t.fail()
		}
		for range n {
			if t.bad {
				return
			}
			t.skip(of>>4, depth+1, true)
			t.skip(of&15, depth+1, true)
		}
	case typeStruct:
		t.structure(depth, func(int, byte) bool { return false })
	default:
		t.fail()
	}
}

// number reads a field that is a whole number.
func (t *thrift) number(kind byte, to *int64) bool {
	switch kind {
	case typeByte:
		*to = int64(int8(t.byte()))
	case 4, 5, 6:
		*to = t.whole()
	default:
		return false
	}
	return true
}

func (t *thrift) text(kind byte, to *string) bool {
	if kind != typeBinary {
		return false
	}
	*to = string(t.binary())
	return true
}

// truth reads a field that is a truth value, which stands in its type.
func (t *thrift) truth(kind byte, to *bool) bool {
	if kind != typeTrue && kind != typeFalse {
		return false
	}
	*to = kind == typeTrue
	return true
}

// within reads a field that is a struct.
func (t *thrift) within(kind byte, field func(id int, kind byte) bool) bool {
	if kind != typeStruct {
		return false
	}
	t.fields(field)
	return true
}
