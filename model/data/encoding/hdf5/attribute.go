package hdf5

import "blossom/model/base/problem"

// Attribute is a small value that describes an object.
type Attribute struct {
	Type  *Type
	Shape []int64 // nil: a single value
	f     *File
	raw   []byte
}

// Attribute returns the attribute of a name; nil: there is none.
func (o *Object) Attribute(name string) (*Attribute, error) {
	if o.attrs == nil {
		attrs := map[string]*Attribute{}
		for _, m := range o.messages {
			var err error
			switch m.kind {
			case messageAttribute:
				err = o.f.attribute(m, attrs)
			case messageDense:
				err = o.f.denseAttributes(m.body, attrs)
			}
			if err != nil {
				return nil, err
			}
		}
		o.attrs = attrs
	}
	return o.attrs[name], nil
}

// attribute reads an attribute and puts it to the others. One of a type that is not read is left out.
func (f *File) attribute(m message, to map[string]*Attribute) error {
	if m.shared {
		return nil
	}
	c := f.over(m.body)
	version, flags := c.u(1), c.u(1)
	name, kind, shape := c.int(2), c.int(2), c.int(2)
	pad := func(n int) int { return n }
	switch version {
	case 1:
		flags = 0
		pad = func(n int) int { return (n + 7) &^ 7 }
	case 2:
	case 3:
		c.skip(1) // encoding of the name
	default:
		return damaged("an attribute has no known version")
	}
	title := symbol(c.take(pad(name)))
	typeBody, spaceBody := c.take(pad(kind)), c.take(pad(shape))
	if err := c.err("an attribute"); err != nil {
		return err
	}
	t, err := f.typeOf(message{body: typeBody, shared: flags&1 != 0})
	if err != nil {
		return err
	}
	s, err := f.space(spaceBody)
	if err != nil {
		return err
	}
	n, ok := product(s.count(), int64(t.Size))
	if !ok || n > int64(len(c.b)) {
		return damaged("the attribute %.80q ends too early", title)
	}
	to[title] = &Attribute{Type: t, Shape: s.dims, f: f, raw: c.b[:n]}
	return nil
}

// denseAttributes reads the attributes that an object keeps in a heap, if it does.
func (f *File) denseAttributes(body []byte, to map[string]*Attribute) error {
	c := f.over(body)
	c.skip(1)
	if c.u(1)&1 != 0 {
		c.skip(2)
	}
	heap, index := c.addr(), c.addr()
	if err := c.err("an object"); err != nil || heap == undefined {
		return err
	}
	h, err := f.fractal(heap)
	if err != nil {
		return err
	}
	return f.records(index, 8, func(record []byte) error {
		if len(record) < h.idBytes+1 {
			return damaged("an index of attributes is too narrow")
		}
		if record[h.idBytes]&2 != 0 {
			return nil // shared between objects
		}
		b, err := h.get(record[:h.idBytes])
		if err != nil {
			return err
		}
		return f.attribute(message{body: b}, to)
	})
}

// Text returns the attribute as a text.
func (a *Attribute) Text() (string, error) {
	all, err := a.Texts()
	if err == nil && len(all) != 1 {
		err = damaged("an attribute has %d texts where one belongs", len(all))
	}
	if err != nil {
		return "", err
	}
	return all[0], nil
}

// Texts returns the attribute as texts.
func (a *Attribute) Texts() ([]string, error) { return a.f.Texts(a.Type, a.raw) }

// Ints returns the attribute as whole numbers.
func (a *Attribute) Ints() ([]int64, error) {
	if a.Type.Class != Integer || a.Type.odd != "" {
		return nil, problem.New("", copyAgain, "has an attribute of the type %s where numbers belong", a.Type)
	}
	out := make([]int64, len(a.raw)/a.Type.Size)
	for i := range out {
		out[i] = a.Type.Int(a.raw[i*a.Type.Size:])
	}
	return out, nil
}

// Object returns the object that an attribute refers to.
func (a *Attribute) Object() (*Object, error) {
	if a.Type.Class != Reference {
		return nil, damaged("an attribute is no reference")
	}
	return a.f.Refer(a.raw)
}
