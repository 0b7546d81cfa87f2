package hdf5

import "fmt"

// Class is what kind of values a type has.
type Class uint8

// The classes that are read; of others nothing but their size is known.
const (
	Integer Class = iota
	Float
	Text     // a fixed number of bytes
	LongText // any number of bytes, in a heap
	Compound
	Reference // to an object
	Array
	Sequence // any number of values, in a heap
	Other
)

// Type says what the bytes of a value mean.
type Type struct {
	Class   Class
	Size    int // bytes of a value
	Big     bool
	Signed  bool
	Enum    []string // names of the values of an enumeration
	Numbers []int64  // which those are
	Members []Member // fields of a compound
	Of      *Type    // elements of an array or a sequence
	Dims    []int64  // shape of an array
	odd     string   // why its values cannot be read
	bits    [2]int   // first bit of an integer and how many there are
}

// Member is a field of a compound.
type Member struct {
	Name string
	At   int // its first byte
	Type *Type
}

// Bool says whether the type is h5py's truth value: an enumeration of FALSE and TRUE.
func (t *Type) Bool() bool {
	return len(t.Enum) == 2 && (t.Enum[0] == "FALSE" && t.Enum[1] == "TRUE" ||
		t.Enum[0] == "TRUE" && t.Enum[1] == "FALSE")
}

// Number says whether values are numbers that can be read.
func (t *Type) Number() bool { return (t.Class == Integer || t.Class == Float) && t.odd == "" }

// IsText says whether values are texts.
func (t *Type) IsText() bool { return t.Class == Text || t.Class == LongText }

// String names the type for people.
func (t *Type) String() string {
	switch t.Class {
	case Integer:
		if !t.Signed {
			return fmt.Sprintf("uint%d", 8*t.Size)
		}
		return fmt.Sprintf("int%d", 8*t.Size)
	case Float:
		return fmt.Sprintf("float%d", 8*t.Size)
	case Text, LongText:
		return "text"
	case Compound:
		return "compound"
	case Reference:
		return "a reference"
	case Array:
		return "array"
	case Sequence:
		return "sequence"
	}
	return "a type that is not read"
}

// datatype reads a type and what is left of the bytes behind it.
func (c *cursor) datatype(depth int) (*Type, error) {
	if depth > depthMost {
		return nil, damaged("a type is more than %d deep", depthMost)
	}
	head, flags, size := c.u(1), uint32(c.u(3)), c.u(4)
	if size > 1<<31 {
		return nil, damaged("a type has values of %d bytes", size)
	}
	t := &Type{Size: int(size), Class: Other}
	version := int(head >> 4)
	var err error
	switch head & 15 {
	case 0, 4:
		t.integer(c, flags)
	case 1:
		t.float(c, flags)
	case 3:
		t.Class = Text
	case 5:
		c.skip(int(flags & 0xff)) // the tag of opaque values
	case 2:
		c.skip(2)
	case 6:
		err = t.compound(c, version, int(flags&0xffff), depth)
	case 7:
		if flags&15 == 0 {
			t.Class = Reference
		}
	case 8:
		err = t.enum(c, version, int(flags&0xffff), depth)
	case 9:
		if t.Of, err = c.datatype(depth + 1); err == nil {
			if t.Class = Sequence; flags&15 == 1 {
				t.Class = LongText
			}
		}
	case 10:
		err = t.array(c, version, depth)
	}
	if err == nil {
		err = c.err("a type")
	}
	return t, err
}

func (t *Type) integer(c *cursor, flags uint32) {
	t.Class, t.Big, t.Signed = Integer, flags&1 != 0, flags&8 != 0
	t.bits = [2]int{c.int(2), c.int(2)}
	if t.Size < 1 || t.Size > 8 || t.bits[0]+t.bits[1] > 8*t.Size || t.bits[1] == 0 {
		t.odd = fmt.Sprintf("whole numbers of %d bits", t.bits[1])
	}
}

func (t *Type) float(c *cursor, flags uint32) {
	t.Class, t.Big = Float, flags&1 != 0
	var of struct{ first, bits, exponent, exponentBits, mantissa, mantissaBits, bias uint64 }
	of.first, of.bits, of.exponent, of.exponentBits = c.u(2), c.u(2), c.u(1), c.u(1)
	of.mantissa, of.mantissaBits, of.bias = c.u(1), c.u(1), c.u(4)
	want := map[int][4]uint64{2: {10, 5, 10, 15}, 4: {23, 8, 23, 127}, 8: {52, 11, 52, 1023}}[t.Size]
	if flags&0x40 != 0 || want[0] == 0 || of.first != 0 || of.mantissa != 0 || of.exponent != want[0] ||
		of.exponentBits != want[1] || of.mantissaBits != want[2] || of.bias != want[3] {
		t.odd = fmt.Sprintf("floating point numbers of %d bits that are not IEEE 754", of.bits)
	}
}

func (t *Type) compound(c *cursor, version, members, depth int) error {
	t.Class = Compound
	for range members {
		name := c.text()
		m := Member{Name: name}
		if version < 3 {
			c.skip(7 - len(name)%8)
			m.At = c.int(4)
		} else {
			m.At = c.int(enclosing(uint64(max(1, t.Size))))
		}
		var dims []int64
		if version == 1 {
			rank := c.int(1)
			c.skip(3 + 4 + 4)
			for k := range 4 {
				if n := int64(c.u(4)); k < rank {
					dims = append(dims, n)
				}
			}
		}
		if err := c.err("a type"); err != nil {
			return err
		}
		of, err := c.datatype(depth + 1)
		if err != nil {
			return err
		}
		if m.Type = of; len(dims) > 0 {
			n, ok := product(append(dims, int64(of.Size))...)
			if !ok || n > int64(t.Size) {
				return damaged("a field is larger than its row")
			}
			m.Type = &Type{Class: Array, Size: int(n), Of: of, Dims: dims}
		}
		if m.At+m.Type.Size > t.Size {
			return damaged("the field %.80q is not within its row", name)
		}
		t.Members = append(t.Members, m)
	}
	return nil
}

func (t *Type) enum(c *cursor, version, members, depth int) error {
	of, err := c.datatype(depth + 1)
	if err != nil {
		return err
	}
	if of.Class != Integer || of.Size < 1 || of.Size > 8 {
		return damaged("an enumeration is not of whole numbers")
	}
	*t = *of
	t.Enum = []string{}
	for range members {
		name := c.text()
		if version < 3 {
			c.skip(7 - len(name)%8)
		}
		if c.short {
			break
		}
		t.Enum = append(t.Enum, name)
	}
	for range len(t.Enum) {
		b := c.take(of.Size)
		if c.short {
			break
		}
		t.Numbers = append(t.Numbers, of.Int(b))
	}
	return nil
}

func (t *Type) array(c *cursor, version, depth int) error {
	t.Class = Array
	rank := c.int(1)
	if version < 3 {
		c.skip(3)
	}
	for range rank {
		t.Dims = append(t.Dims, int64(c.u(4)))
	}
	if version < 3 {
		c.skip(4 * rank)
	}
	if err := c.err("a type"); err != nil {
		return err
	}
	of, err := c.datatype(depth + 1)
	if err != nil {
		return err
	}
	n, ok := product(append(t.Dims[:rank:rank], int64(of.Size))...)
	if !ok || n != int64(t.Size) {
		return damaged("an array has %d bytes", t.Size)
	}
	t.Of = of
	return nil
}

// typeOf reads the type of a message, which may be that of a committed type.
func (f *File) typeOf(m message) (*Type, error) { return f.typeAt(m, 0) }

func (f *File) typeAt(m message, depth int) (*Type, error) {
	if !m.shared {
		return f.over(m.body).datatype(0)
	}
	at, err := f.sharedAt(m.body)
	if err != nil {
		return nil, err
	}
	o, err := f.object(at)
	if err != nil {
		return nil, err
	}
	of, ok := o.find(messageType)
	if !ok || depth > depthMost {
		return nil, damaged("a type is not where it should be")
	}
	return f.typeAt(of, depth+1)
}
