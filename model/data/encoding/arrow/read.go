package arrow

import (
	"context"
	"encoding/binary"
	"math"

	"blossom/model/base/problem"
	"blossom/model/data/encoding/frame"
)

// rowsAtOnce is how many rows are handed on at once.
const rowsAtOnce = 16 << 10

// values are the unpacked parts of a column in a batch.
type values struct {
	of      *field
	rows    int64
	there   [][]byte // bits that say which values are there, its own and those of the structs around it
	data    []byte
	offsets []byte
	blocks  [][]byte // where texts lie whose bytes are in several parts
	names   *frame.Names
	numbers []float64 // values of a dictionary
}

// Read hands on the values of a column of a batch, see frame.Table.
func (f *File) Read(ctx context.Context, piece, column int, wanted func(row int64, rows int) bool,
	take func(*frame.Run) error) error {
	err := f.read(ctx, piece, column, wanted, take)
	if p, ok := err.(*problem.Problem); ok && p.File == "" {
		named := *p
		named.What += " (column \"" + f.columns[column].Name + "\")"
		return &named
	}
	return err
}

func (f *File) read(ctx context.Context, piece, column int, wanted func(row int64, rows int) bool,
	take func(*frame.Run) error) error {
	b, l, width := f.batches[piece], &f.leaves[column], max(1, f.columns[column].Width)
	v, list := (*values)(nil), (*lists)(nil)
	var err error
	if l.list != nil {
		if list, err = f.lists(b, l.list, width); err != nil {
			return err
		}
		v, err = f.values(b, l, list.entries)
	} else {
		v, err = f.values(b, l, b.rows)
	}
	if err != nil {
		return err
	}
	once := int64(max(1, rowsAtOnce/width))
	for from := int64(0); from < b.rows; from += once {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := min(once, b.rows-from)
		if wanted != nil && !wanted(from, int(n)) {
			continue
		}
		run := &frame.Run{Row: from, Rows: int(n)}
		if list != nil {
			err = list.run(run, v)
		} else {
			err = v.run(run, from, from+n)
		}
		if err == nil {
			err = take(run)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// bits adds the bits that say which of the values are there. Without bits all are.
func (f *File) bits(v *values, b *batch, of ...part) error {
	for _, p := range of {
		buffer, _, err := b.place(p)
		if err != nil {
			return err
		}
		if buffer < len(b.buffers) && b.buffers[buffer][1] == 0 {
			continue
		}
		bits, err := f.buffer(b, buffer, (v.rows+7)/8)
		if err != nil {
			return err
		}
		v.there = append(v.there, bits)
	}
	return nil
}

// values unpacks n values of a column.
func (f *File) values(b *batch, l *leaf, n int64) (*values, error) {
	v := &values{of: l.of, rows: n}
	if l.node >= len(b.nodes) || b.nodes[l.node][0] < n {
		return nil, damaged("a column has fewer values than rows")
	}
	if err := f.bits(v, b, l.parents...); err != nil {
		return nil, err
	}
	if l.of.kind == typeNull && !l.of.named {
		return v, nil
	}
	if err := f.bits(v, b, l.part); err != nil {
		return nil, err
	}
	at, views, err := b.place(l.part)
	if err != nil {
		return nil, err
	}
	if l.of.named {
		if v.data, err = f.buffer(b, at+1, n*int64(l.of.index.bits/8)); err != nil {
			return nil, err
		}
		return v, f.dictionary(b, l.of, v)
	}
	switch l.of.kind {
	case typeText, typeLargeText:
		size := int64(4)
		if l.of.kind == typeLargeText {
			size = 8
		}
		if n == 0 {
			return v, nil // some have no offset then
		}
		if v.offsets, err = f.buffer(b, at+1, (n+1)*size); err != nil {
			return nil, err
		}
		v.data, err = f.buffer(b, at+2, 0)
		return v, err
	case typeTextView:
		return v, f.blocks(b, v, at, views)
	case typeBool:
		v.data, err = f.buffer(b, at+1, (n+7)/8)
		return v, err
	}
	v.data, err = f.buffer(b, at+1, n*int64(l.of.bits/8))
	return v, err
}

// blocks unpacks texts that lie in several parts.
func (f *File) blocks(b *batch, v *values, at, n int) (err error) {
	if v.data, err = f.buffer(b, at+1, 16*v.rows); err != nil {
		return err
	}
	total := int64(0)
	for i := range n {
		block, err := f.buffer(b, at+2+i, 0)
		if err != nil {
			return err
		}
		if total += int64(len(block)); total > f.memory/8 {
			return tooLarge(total)
		}
		v.blocks = append(v.blocks, block)
	}
	return nil
}

// run hands on the values from from to to.
func (v *values) run(run *frame.Run, from, to int64) error {
	run.Missing = v.missing(from, to)
	n := int(to - from)
	if v.of.named {
		return v.coded(run, from)
	}
	switch v.of.kind {
	case typeNull:
		run.Missing = make([]bool, n)
		for i := range run.Missing {
			run.Missing[i] = true
		}
	case typeText, typeLargeText, typeTextView:
		run.Texts = make([][]byte, n)
		for i := range run.Texts {
			if run.Missing != nil && run.Missing[i] {
				continue
			}
			var ok bool
			if run.Texts[i], ok = v.text(from + int64(i)); !ok {
				return damaged("a text lies beyond its part")
			}
		}
	case typeFloat:
		v.floats(run, from, n)
	case typeDecimal:
		run.Doubles = make([]float64, n)
		size := int64(v.of.bits / 8)
		high := make([]byte, size)
		for i := range run.Doubles {
			low := v.data[size*(from+int64(i)):]
			for k := range high {
				high[k] = low[len(high)-1-k]
			}
			run.Doubles[i] = frame.BigWhole(high)
		}
	default:
		run.Whole = make([]int64, n)
		for i := range run.Whole {
			run.Whole[i] = v.of.whole(v.data, from+int64(i))
		}
	}
	return nil
}

// floats hands on n floats.
func (v *values) floats(run *frame.Run, from int64, n int) {
	data := v.data[int64(v.of.bits/8)*from:]
	if v.of.bits == 64 {
		run.Doubles = make([]float64, n)
		for i := range run.Doubles {
			run.Doubles[i] = math.Float64frombits(binary.LittleEndian.Uint64(data[8*i:]))
		}
		return
	}
	run.Floats = make([]float32, n)
	for i := range run.Floats {
		if v.of.bits == 16 {
			run.Floats[i] = frame.Half(binary.LittleEndian.Uint16(data[2*i:]))
		} else {
			run.Floats[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
		}
	}
}

// coded hands on numbers of a dictionary as texts, or as the numbers that they stand for.
func (v *values) coded(run *frame.Run, from int64) error {
	codes := make([]uint32, run.Rows)
	most := len(v.numbers)
	if v.names != nil {
		most = len(v.names.Texts)
	}
	for i := range codes {
		k := v.of.index.whole(v.data, from+int64(i))
		switch {
		case run.Missing != nil && run.Missing[i]:
		case k < 0 || k >= int64(most):
			return damaged("a number of its dictionary is not in it")
		default:
			codes[i] = uint32(k)
		}
	}
	if v.names != nil {
		run.Codes, run.Names = codes, v.names
		return nil
	}
	run.Doubles = make([]float64, len(codes))
	for i, k := range codes {
		if run.Missing == nil || !run.Missing[i] {
			run.Doubles[i] = v.numbers[k]
		}
	}
	return nil
}

// whole is a whole number, or a truth value.
func (of *field) whole(b []byte, i int64) int64 {
	switch {
	case of.kind == typeBool:
		return int64(b[i>>3] >> (i & 7) & 1)
	case of.bits == 8 && of.signed:
		return int64(int8(b[i]))
	case of.bits == 8:
		return int64(b[i])
	case of.bits == 16 && of.signed:
		return int64(int16(binary.LittleEndian.Uint16(b[2*i:])))
	case of.bits == 16:
		return int64(binary.LittleEndian.Uint16(b[2*i:]))
	case of.bits == 32 && of.signed:
		return int64(int32(binary.LittleEndian.Uint32(b[4*i:])))
	case of.bits == 32:
		return int64(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return int64(binary.LittleEndian.Uint64(b[8*i:]))
}

// missing says which values are not there; nil: all are.
func (v *values) missing(from, to int64) (out []bool) {
	for _, bits := range v.there {
		for i := from; i < to; i++ {
			if bits[i>>3]>>(i&7)&1 == 0 {
				if out == nil {
					out = make([]bool, to-from)
				}
				out[i-from] = true
			}
		}
	}
	return out
}

// text is a text.
func (v *values) text(i int64) ([]byte, bool) {
	if v.of.kind == typeTextView {
		view := v.data[16*i:]
		n := int64(int32(binary.LittleEndian.Uint32(view)))
		if n >= 0 && n <= 12 {
			return view[4 : 4+n], true
		}
		block, at := int64(binary.LittleEndian.Uint32(view[8:])), int64(binary.LittleEndian.Uint32(view[12:]))
		if n < 0 || block >= int64(len(v.blocks)) || at+n > int64(len(v.blocks[block])) {
			return nil, false
		}
		return v.blocks[block][at : at+n], true
	}
	from, to := v.of.offset(v.offsets, i), v.of.offset(v.offsets, i+1)
	if from < 0 || to < from || to > int64(len(v.data)) {
		return nil, false
	}
	return v.data[from:to], true
}

// offset is where a text or list begins.
func (of *field) offset(b []byte, i int64) int64 {
	if of.kind == typeLargeText || of.kind == typeLargeList {
		return int64(binary.LittleEndian.Uint64(b[8*i:]))
	}
	return int64(int32(binary.LittleEndian.Uint32(b[4*i:])))
}

// dictionary finds what the codes of a column of a batch stand for.
func (f *File) dictionary(b *batch, of *field, v *values) error {
	parts := b.names[of.id]
	if len(parts) == 0 {
		return damaged("its dictionary is missing")
	}
	f.mutex.Lock()
	defer f.mutex.Unlock()
	key := dictionary{of, parts[len(parts)-1]}
	known := f.texts[key]
	if known == nil {
		var err error
		if known, err = f.stand(of.plain(), parts); err != nil {
			return err
		}
		if f.held += known.size(); f.held > f.memory/8 {
			clear(f.texts)
			f.held = known.size()
		}
		f.texts[key] = known
	}
	v.names, v.numbers = known.names, known.numbers
	return nil
}

// plain is the field of what a dictionary holds.
func (of *field) plain() *field {
	out := *of
	out.named = false
	return &out
}

// stand reads what the codes of a dictionary stand for, of all its parts.
func (f *File) stand(of *field, parts []*batch) (*values, error) {
	known := &values{}
	if of.kind == typeText || of.kind == typeLargeText || of.kind == typeTextView {
		known.names = &frame.Names{}
	}
	for _, part := range parts {
		if part.rows > f.most() {
			return nil, damaged("%d texts cannot lie in %d bytes", part.rows, f.size)
		}
		one, err := f.values(part, &leaf{of: of}, part.rows)
		if err != nil {
			return nil, err
		}
		run := &frame.Run{}
		if err := one.run(run, 0, part.rows); err != nil {
			return nil, err
		}
		if known.names != nil {
			known.names.Texts = append(known.names.Texts, run.Texts...)
			continue
		}
		for i := range int(part.rows) {
			x := math.NaN()
			switch {
			case run.Missing != nil && run.Missing[i]:
			case run.Doubles != nil:
				x = run.Doubles[i]
			case run.Floats != nil:
				x = float64(run.Floats[i])
			case run.Whole != nil && !of.signed && of.bits == 64:
				x = float64(uint64(run.Whole[i]))
			case run.Whole != nil:
				x = float64(run.Whole[i])
			}
			known.numbers = append(known.numbers, x)
		}
	}
	return known, nil
}

// size is about how many bytes a dictionary takes.
func (v *values) size() (n int64) {
	n = 8 * int64(len(v.numbers))
	if v.names != nil {
		for _, text := range v.names.Texts {
			n += 24 + int64(len(text))
		}
	}
	return n
}
