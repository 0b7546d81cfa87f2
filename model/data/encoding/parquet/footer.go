package parquet

// element is a node of the schema, as it is written: all of them in the order in which a tree is walked.
type element struct {
	name      string
	kind      int64 // physical type; -1: none
	length    int64 // bytes of fixed values
	repeated  int64 // required, optional, repeated
	children  int64
	converted int64 // its meaning, in old files; -1: not said
	scale     int64 // digits of a decimal behind the point
	logical   int   // its meaning, the number of a field of the union; 0: not said
	digits    int   // digits of seconds behind the point
	unsigned  bool
}

// chunk is a column of a group of rows.
type chunk struct {
	kind         int64
	codec        int64
	values       int64 // with those that are missing
	start, size  int64
	elsewhere    string
	encrypted    bool
	data, naming int64 // places of the first page of values and of the dictionary
}

// group is a group of rows.
type group struct {
	rows   int64
	chunks []chunk
}

// footer is what a file says of itself.
type footer struct {
	elements  []element
	rows      int64
	groups    []group
	notes     map[string]string
	encrypted bool
}

// Most of what a footer may describe for each of its bytes: a column of a group takes some 30 bytes.
const fewestBytes = 4

func (f *File) parse(b []byte) (*footer, error) {
	t, out := &thrift{b: b}, &footer{notes: map[string]string{}}
	described := 0
	count := func() {
		if described++; described > len(b)/fewestBytes+16 {
			t.fail()
		}
	}
	t.fields(func(id int, kind byte) bool {
		switch id {
		case 2:
			return t.structs(kind, func() { count(); out.elements = append(out.elements, t.element()) })
		case 3:
			return t.number(kind, &out.rows)
		case 4:
			return t.structs(kind, func() { count(); out.groups = append(out.groups, t.group(count)) })
		case 5:
			return t.structs(kind, func() {
				count()
				var key, value string
				t.fields(func(id int, kind byte) bool {
					switch id {
					case 1:
						return t.text(kind, &key)
					case 2:
						return t.text(kind, &value)
					}
					return false
				})
				out.notes[key] = value
			})
		case 8:
			out.encrypted = true
		}
		return false
	})
	if t.bad {
		return nil, damaged("its footer cannot be read")
	}
	return out, nil
}

func (t *thrift) element() element {
	e := element{kind: -1, converted: -1}
	t.fields(func(id int, kind byte) bool {
		switch id {
		case 1:
			return t.number(kind, &e.kind)
		case 2:
			return t.number(kind, &e.length)
		case 3:
			return t.number(kind, &e.repeated)
		case 4:
			return t.text(kind, &e.name)
		case 5:
			return t.number(kind, &e.children)
		case 6:
			return t.number(kind, &e.converted)
		case 7:
			return t.number(kind, &e.scale)
		case 10:
			return t.within(kind, func(id int, kind byte) bool {
				e.logical = id
				return t.within(kind, func(field int, kind byte) bool {
					switch {
					case id == logicalDecimal && field == 1:
						return t.number(kind, &e.scale)
					case id == logicalInteger && field == 2:
						signed := true
						known := t.truth(kind, &signed)
						e.unsigned = !signed
						return known
					case (id == logicalTime || id == logicalTimestamp) && field == 2:
						return t.within(kind, func(unit int, _ byte) bool {
							e.digits = 3 * min(3, max(0, unit))
							return false
						})
					}
					return false
				})
			})
		}
		return false
	})
	switch e.converted {
	case convertedUint8, convertedUint8 + 1, convertedUint8 + 2, convertedUint64:
		e.unsigned = true
	case convertedTimeMillis, convertedTimestampMillis:
		e.digits = 3
	case convertedTimeMicros, convertedTimestampMicros:
		e.digits = 6
	}
	return e
}

func (t *thrift) group(count func()) (g group) {
	t.fields(func(id int, kind byte) bool {
		switch id {
		case 1:
			return t.structs(kind, func() { count(); g.chunks = append(g.chunks, t.chunk()) })
		case 3:
			return t.number(kind, &g.rows)
		}
		return false
	})
	return g
}

func (t *thrift) chunk() (c chunk) {
	c.kind = -1
	t.fields(func(id int, kind byte) bool {
		switch id {
		case 1:
			return t.text(kind, &c.elsewhere)
		case 3:
			return t.within(kind, func(id int, kind byte) bool {
				switch id {
				case 1:
					return t.number(kind, &c.kind)
				case 4:
					return t.number(kind, &c.codec)
				case 5:
					return t.number(kind, &c.values)
				case 7:
					return t.number(kind, &c.size)
				case 9:
					return t.number(kind, &c.data)
				case 11:
					return t.number(kind, &c.naming)
				}
				return false
			})
		case 8, 9:
			c.encrypted = true
		}
		return false
	})
	c.start = c.data
	if c.naming > 0 && c.naming < c.data {
		c.start = c.naming
	}
	return c
}
