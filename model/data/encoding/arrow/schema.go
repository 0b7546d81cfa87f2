package arrow

import (
	"math"

	"blossom/model/data/encoding/frame"
)

// The types of Arrow.
const (
	typeNull = iota + 1
	typeInt
	typeFloat
	typeBinary
	typeText
	typeBool
	typeDecimal
	typeDate
	typeTime
	typeTimestamp
	typeInterval
	typeList
	typeStruct
	typeUnion
	typeFixedBinary
	typeFixedList
	typeMap
	typeDuration
	typeLargeBinary
	typeLargeText
	typeLargeList
	typeRunEnds
	typeBinaryView
	typeTextView
	typeListView
	typeLargeListView
)

// field is a node of the schema.
type field struct {
	name     string
	kind     int
	bits     int // bits of a number
	signed   bool
	over     float64
	date     bool
	width    int // entries of lists of one length
	sparse   bool
	children []*field
	named    bool // its values are numbers of a dictionary
	id       int64
	index    *field // the type of these numbers
}

const deepest = 32

// field reads a field of a schema.
func (f *File) field(t table, depth int) (*field, error) {
	out := &field{name: t.text(0), kind: t.byte(2, 0)}
	out.unit(t.table(3))
	switch out.kind {
	case typeInt, typeDecimal, typeTime:
		if out.bits < 8 || out.bits > 256 || out.bits&(out.bits-1) != 0 || out.kind != typeDecimal && out.bits > 64 {
			return nil, damaged("column %q has numbers of %d bits", out.name, out.bits)
		}
	}
	if out.width < 0 || depth > deepest {
		return nil, damaged("its schema is no tree")
	}
	if d := t.table(4); d.at != 0 {
		out.named, out.id = true, d.long(0)
		out.index = &field{kind: typeInt, bits: 32, signed: true}
		if i := d.table(1); i.at != 0 {
			out.index.bits, out.index.signed = i.int(0, 0), i.byte(1, 0) != 0
		}
		if b := out.index.bits; b != 8 && b != 16 && b != 32 && b != 64 {
			return nil, damaged("column %q has a dictionary with numbers of %d bits", out.name, b)
		}
	}
	for _, c := range t.tables(5) {
		child, err := f.field(c, depth+1)
		if err != nil {
			return nil, err
		}
		out.children = append(out.children, child)
	}
	if t.f.bad {
		return nil, damaged("its schema cannot be read")
	}
	return out, nil
}

// unit reads what a type says of itself.
func (out *field) unit(of table) {
	switch out.kind {
	case typeInt:
		out.bits, out.signed = of.int(0, 0), of.byte(1, 0) != 0
	case typeFloat:
		out.bits = 16 << min(2, max(0, of.short(0, 0)))
	case typeDecimal:
		out.bits = of.int(2, 128)
		if scale := of.int(1, 0); scale > -300 && scale < 300 && scale != 0 {
			out.over = math.Pow10(scale)
		}
	case typeDate:
		out.bits, out.date = 32, true
		if of.short(0, 1) == 1 {
			out.bits, out.over = 64, 86400e3
		}
	case typeTime:
		out.bits, out.date, out.over = of.int(1, 32), true, second(of.short(0, 1))
	case typeTimestamp: // days, as of dates that are written as text
		out.bits, out.date, out.over = 64, true, 86400*second(of.short(0, 0))
	case typeDuration:
		out.bits, out.over = 64, second(of.short(0, 1))
	case typeFixedBinary:
		out.width = of.int(0, 0)
	case typeFixedList:
		out.width = of.int(0, 0)
	case typeUnion:
		out.sparse = of.short(0, 0) == 0
	}
	if out.kind == typeTime || out.kind == typeTimestamp || out.kind == typeDuration || out.kind == typeDecimal {
		out.signed = true
	}
	out.signed = out.signed || out.kind == typeDate
}

// second is how many of a unit of time are a second.
func second(unit int) float64 { return math.Pow10(3 * min(3, max(0, unit))) }

// leaf is a column of numbers or texts, with the places of its parts in each batch.
type leaf struct {
	of      *field
	node    int
	part    part
	list    *leaf  // the list that its values are entries of
	parents []part // the bits of the structs around it
}

// part is the place of a buffer in each batch, which says how many some columns of texts before it have besides.
type part struct{ buffer, views int }

// places counts nodes and buffers while the schema is walked, as batches have them.
type places struct {
	node int
	part
}

// next passes over a field alone.
func (p *places) next(of *field, old bool) {
	p.node++
	kind := of.kind
	if of.named {
		kind = typeInt
	}
	switch kind {
	case typeNull, typeRunEnds:
	case typeStruct, typeFixedList:
		p.buffer++
	case typeText, typeBinary, typeLargeText, typeLargeBinary, typeListView, typeLargeListView:
		p.buffer += 3
	case typeTextView, typeBinaryView:
		p.buffer += 2
		p.views++
	case typeUnion:
		if p.buffer++; !of.sparse {
			p.buffer++
		}
		if old {
			p.buffer++
		}
	default:
		p.buffer += 2
	}
}

// over passes over a field with all that is in it.
func (p *places) over(of *field, old bool) {
	p.next(of, old)
	if !of.named {
		for _, c := range of.children {
			p.over(c, old)
		}
	}
}

// walk makes columns of a field.
func (f *File) walk(p *places, of *field, path string, parents []part) {
	name := of.name
	if path != "" {
		name = path + "." + name
	}
	at := leaf{of: of, node: p.node, part: p.part, parents: parents}
	left := func(why string) {
		p.over(of, f.old)
		f.leaves = append(f.leaves, leaf{})
		f.columns = append(f.columns, frame.Column{Name: name, Kind: frame.Left, Why: why})
	}
	if of.kind == typeStruct && !of.named {
		p.next(of, f.old)
		if len(of.children) == 0 {
			f.leaves = append(f.leaves, leaf{})
			f.columns = append(f.columns, frame.Column{Name: name, Kind: frame.Left, Why: "it holds nothing"})
		}
		within := append(parents[:len(parents):len(parents)], at.part)
		for _, c := range of.children {
			f.walk(p, c, name, within)
		}
		return
	}
	list := !of.named && (of.kind == typeList || of.kind == typeLargeList || of.kind == typeFixedList)
	if list && len(of.children) == 1 {
		c := frame.Column{Name: name}
		inner := of.children[0]
		kind, why := inner.means(&c)
		switch {
		case why != "":
			why = "lists: " + why
		case kind == frame.Text:
			why = "it holds lists of texts"
		case of.kind == typeFixedList && (of.width == 0 || of.width > mostEntries):
			why = "it holds lists of nothing, or of more than a million numbers"
		case inner.named:
			why = "it holds lists with a dictionary"
		}
		if why != "" {
			left(why)
			return
		}
		c.Kind, c.Width = frame.Number, of.width
		p.next(of, f.old)
		entry := leaf{of: inner, node: p.node, part: p.part, list: &at}
		p.over(inner, f.old)
		f.leaves, f.columns = append(f.leaves, entry), append(f.columns, c)
		return
	}
	c := frame.Column{Name: name}
	kind, why := of.means(&c)
	if why != "" {
		left(why)
		return
	}
	c.Kind = kind
	p.over(of, f.old)
	f.leaves, f.columns = append(f.leaves, at), append(f.columns, c)
}

// mostEntries is how long a list may be: each entry becomes a column.
const mostEntries = 1 << 20

// means says what the values of a field are, or why they are left out.
func (of *field) means(c *frame.Column) (kind frame.Kind, why string) {
	c.Over, c.Date = of.over, of.date
	switch of.kind {
	case typeNull:
		return frame.Number, ""
	case typeInt:
		c.Unsigned = !of.signed && of.bits == 64
		return frame.Number, ""
	case typeFloat, typeDecimal, typeDate, typeTime, typeTimestamp, typeDuration:
		return frame.Number, ""
	case typeBool:
		return frame.Truth, ""
	case typeText, typeLargeText, typeTextView:
		return frame.Text, ""
	case typeBinary, typeLargeBinary, typeBinaryView, typeFixedBinary:
		return 0, "it holds bytes"
	case typeMap:
		return 0, "it is a map"
	case typeList, typeLargeList, typeFixedList, typeListView, typeLargeListView:
		return 0, "it holds lists of lists or of another kind"
	case typeStruct:
		return 0, "it holds structs"
	case typeUnion:
		return 0, "it holds values of several types"
	case typeInterval:
		return 0, "it holds intervals of time"
	case typeRunEnds:
		return 0, "it is written as runs"
	}
	return 0, "its type is not known"
}
