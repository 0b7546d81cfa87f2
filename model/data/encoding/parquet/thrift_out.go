package parquet

import "encoding/binary"

// thriftOut writes the compact protocol of Thrift. The outermost struct is begun.
type thriftOut struct {
	b    []byte
	last int   // the field that was written before
	outs []int // the same of the structs around it
}

func (t *thriftOut) field(id int, kind byte) {
	t.b = append(t.b, byte(id-t.last)<<4|kind) // fields are few and in order
	t.last = id
}

func (t *thriftOut) zigzag(v int64) { t.b = binary.AppendUvarint(t.b, uint64(v<<1^v>>63)) }

// number writes a field of 32 (kind 5) or 64 bits (kind 6).
func (t *thriftOut) number(id int, kind byte, v int64) {
	t.field(id, kind)
	t.zigzag(v)
}

func (t *thriftOut) text(id int, s string) {
	t.field(id, typeBinary)
	t.word(s)
}

func (t *thriftOut) word(s string) {
	t.b = append(binary.AppendUvarint(t.b, uint64(len(s))), s...)
}

// begin begins a field that is a struct; end ends it.
func (t *thriftOut) begin(id int) {
	t.field(id, typeStruct)
	t.item()
}

func (t *thriftOut) end() {
	t.b = append(t.b, 0)
	t.last, t.outs = t.outs[len(t.outs)-1], t.outs[:len(t.outs)-1]
}

// item begins a struct of a list.
func (t *thriftOut) item() {
	t.outs = append(t.outs, t.last)
	t.last = 0
}

func (t *thriftOut) head(n int, kind byte) {
	if n < 15 {
		t.b = append(t.b, byte(n)<<4|kind)
		return
	}
	t.b = binary.AppendUvarint(append(t.b, 0xf0|kind), uint64(n))
}

// list begins a field that is a list of n values; structs of it begin with item and end with end.
func (t *thriftOut) list(id int, kind byte, n int) {
	t.field(id, typeList)
	t.head(n, kind)
}

func (t *thriftOut) numbers(id int, numbers []int64) {
	t.list(id, 5, len(numbers))
	for _, v := range numbers {
		t.zigzag(v)
	}
}

func (t *thriftOut) texts(id int, texts ...string) {
	t.list(id, typeBinary, len(texts))
	for _, s := range texts {
		t.word(s)
	}
}

// done ends the outermost struct.
func (t *thriftOut) done() []byte { return append(t.b, 0) }
