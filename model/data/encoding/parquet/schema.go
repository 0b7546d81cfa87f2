package parquet

import (
	"math"
	"strings"

	"blossom/model/data/encoding/frame"
)

// Physical types.
const (
	kindBoolean = iota
	kindInt32
	kindInt64
	kindInt96
	kindFloat
	kindDouble
	kindBytes
	kindFixed
)

// Meanings of values, in old files and in new ones.
const (
	convertedMap             = 1
	convertedMapEntry        = 2
	convertedList            = 3
	convertedDecimal         = 5
	convertedDate            = 6
	convertedTimeMillis      = 7
	convertedTimeMicros      = 8
	convertedTimestampMillis = 9
	convertedTimestampMicros = 10
	convertedUint8           = 11
	convertedUint64          = 14
	convertedBSON            = 20

	logicalMap       = 2
	logicalList      = 3
	logicalDecimal   = 5
	logicalDate      = 6
	logicalTime      = 7
	logicalTimestamp = 8
	logicalInteger   = 10
	logicalBSON      = 13
	logicalHalf      = 15
	logicalVariant   = 16
	logicalGeography = 18 // higher numbers are not known yet, and their values are taken as they are
)

const (
	required = iota
	optional
	repeated
)

// leaf is a node of the schema that has values.
type leaf struct {
	kind    int64
	length  int  // bytes of fixed values
	defined int  // level of definition of a value that is there
	repeats int  // lists around it
	entry   int  // level of definition of an entry of its list
	column  int  // which column it is of
	form    form // how its values are handed on
}

// form is how values are handed on.
type form uint8

const (
	formWhole    form = iota // whole numbers
	formUnsigned             // the same, without a sign
	formFloat
	formDouble
	formHalf    // float16 as float32
	formDecimal // bytes of a number, the highest first, as float64
	formText
)

// walk goes through the schema.
type walk struct {
	f    *File
	next int
	list int // column of the list that it is within; -1: none
}

// tree makes columns of the schema.
func (f *File) tree() error {
	if len(f.footer.elements) == 0 {
		return damaged("it has no schema")
	}
	w := &walk{f: f, next: 1, list: -1}
	for range f.footer.elements[0].children {
		if err := w.node(nil, leaf{}, ""); err != nil {
			return err
		}
	}
	if w.next != len(f.footer.elements) {
		return damaged("its schema is no tree")
	}
	return nil
}

// node takes the next element, which lies below path. list is what a list of it is called, where it is that of one.
func (w *walk) node(path []string, at leaf, list string) error {
	if w.next >= len(w.f.footer.elements) || len(path) >= deepest {
		return damaged("its schema is no tree")
	}
	e := &w.f.footer.elements[w.next]
	w.next++
	path = append(path[:len(path):len(path)], e.name)
	name := strings.Join(path, ".")
	outermost := false
	switch e.repeated {
	case optional:
		at.defined++
	case repeated:
		at.defined++
		at.repeats++
		if outermost = at.repeats == 1; outermost {
			at.entry = at.defined
			if list != "" {
				name = list
			}
			w.list = w.column(frame.Column{Name: name})
		}
	}
	if outermost {
		defer func() { w.list = -1 }()
	}
	if e.children > 0 {
		list = ""
		isMap := e.converted == convertedMap || e.converted == convertedMapEntry || e.logical == logicalMap
		if isMap || e.converted == convertedList || e.logical == logicalList {
			list = name
		}
		for range e.children {
			if err := w.node(path, at, list); err != nil {
				return err
			}
		}
		return nil
	}
	if e.kind < kindBoolean || e.kind > kindFixed || e.length < 0 || e.length > 1<<20 ||
		e.kind == kindFixed && e.length == 0 {
		return damaged("column %q has no known type", name)
	}
	return w.leaf(e, at, name)
}

// column adds a column.
func (w *walk) column(c frame.Column) int {
	w.f.columns = append(w.f.columns, c)
	w.f.leafOf = append(w.f.leafOf, -1)
	return len(w.f.columns) - 1
}

func (w *walk) leaf(e *element, at leaf, name string) error {
	at.kind, at.length = e.kind, int(e.length)
	var c frame.Column
	c, at.form = e.means()
	c.Name = name
	if w.list < 0 {
		at.column = w.column(c)
	} else {
		at.column = w.list
		list := &w.f.columns[w.list]
		c.Name = list.Name
		switch {
		case w.f.leafOf[w.list] >= 0:
			c.Kind, c.Why = frame.Left, "it holds lists of several things"
		case at.repeats > 1:
			c.Kind, c.Why = frame.Left, "it holds lists of lists"
		case c.Kind == frame.Text:
			c.Kind, c.Why = frame.Left, "it holds lists of texts"
		case c.Kind == frame.Truth:
			c.Kind = frame.Number
		}
		*list = c
	}
	if at.defined > 255 {
		w.f.columns[at.column].Kind, w.f.columns[at.column].Why = frame.Left, "it is nested too deep"
	}
	w.f.leafOf[at.column] = len(w.f.leaves)
	w.f.leaves = append(w.f.leaves, at)
	return nil
}

// means says what the values of an element are.
func (e *element) means() (c frame.Column, how form) {
	decimal := e.logical == logicalDecimal || e.converted == convertedDecimal
	day := e.logical == logicalDate || e.converted == convertedDate
	clock := e.logical == logicalTime || e.converted == convertedTimeMillis || e.converted == convertedTimeMicros
	moment := e.logical == logicalTimestamp || e.converted == convertedTimestampMillis ||
		e.converted == convertedTimestampMicros
	c.Date = day || clock || moment
	switch {
	case decimal && e.scale > 0 && e.scale <= 300:
		c.Over = math.Pow10(int(e.scale))
	case clock:
		c.Over = math.Pow10(e.digits)
	case moment: // days, as of dates that are written as text
		c.Over = 86400 * math.Pow10(e.digits)
	}
	left := func(why string) (frame.Column, form) {
		return frame.Column{Kind: frame.Left, Why: why}, formText
	}
	switch e.kind {
	case kindBoolean:
		c.Kind = frame.Truth
		return c, formWhole
	case kindInt32, kindInt64:
		if !e.unsigned || decimal || c.Date {
			return c, formWhole
		}
		c.Unsigned = e.kind == kindInt64
		return c, formUnsigned
	case kindInt96:
		return left("its times are of the old kind INT96")
	case kindFloat:
		return c, formFloat
	case kindDouble:
		return c, formDouble
	case kindFixed:
		switch {
		case decimal && e.length <= 32:
			return c, formDecimal
		case e.logical == logicalHalf && e.length == 2:
			return c, formHalf
		}
		return left("it holds bytes")
	}
	switch {
	case decimal:
		return c, formDecimal
	case e.logical == logicalBSON || e.logical >= logicalVariant && e.logical <= logicalGeography ||
		e.converted == convertedBSON:
		return left("it holds bytes")
	}
	c.Kind, c.Bytes = frame.Text, e.converted < 0 && e.logical == 0
	return c, formText
}
