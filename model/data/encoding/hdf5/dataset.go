package hdf5

import "blossom/model/base/problem"

// Dataset is an array of values of one type.
type Dataset struct {
	Type  *Type
	Shape []int64 // nil: a single value
	Null  bool    // it has a type and no value
	f     *File
	space space
	layout
	filters filters
	fill    []byte  // the value of what nobody has written; nil: zeros
	list    []chunk // all of them in order, once somebody has asked for a slice
	listed  bool
}

// Kinds of layouts.
const (
	compact = iota
	contiguous
	chunked
	virtual
)

// layout says where the values lie.
type layout struct {
	kind   int
	at     int64   // contiguous values, or the index of chunks
	size   int64   // bytes of contiguous values; of a single packed chunk
	mask   uint64  // filters that a single chunk has not gone through
	inline []byte  // compact values
	chunk  []int64 // shape of a chunk
	index  int     // kind of the index of chunks; 0: a B-tree of version 1
	whole  bool    // chunks over the edge are not packed
	bits   []byte  // parameters of the index
}

func (f *File) dataset(o *Object) (*Dataset, error) {
	d := &Dataset{f: f}
	if _, ok := o.find(messageExternal); ok {
		return nil, problem.New("", "write it again into one file (h5repack)",
			"keeps values in another file (external storage), and no other file is opened")
	}
	at := map[int]message{}
	for _, m := range o.messages {
		if _, ok := at[m.kind]; !ok {
			at[m.kind] = m
		}
	}
	for _, kind := range []int{messageSpace, messageType, messageLayout} {
		m, ok := at[kind]
		if !ok || m.shared && kind != messageType {
			return nil, damaged("an object is no dataset")
		}
	}
	var err error
	if d.space, err = f.space(at[messageSpace].body); err != nil {
		return nil, err
	}
	d.Shape, d.Null = d.space.dims, d.space.null
	if d.Type, err = f.typeOf(at[messageType]); err != nil {
		return nil, err
	}
	if d.Type.Size == 0 {
		return nil, damaged("values of no bytes are not possible")
	}
	if _, ok := product(d.space.count(), int64(d.Type.Size)); !ok {
		return nil, damaged("a shape holds more values than can be counted")
	}
	if m, ok := at[messageFilters]; ok && !m.shared {
		if d.filters, err = f.pipeline(m.body); err != nil {
			return nil, err
		}
	}
	if err := f.layout(at[messageLayout].body, d); err != nil {
		return nil, err
	}
	d.fill = f.fillOf(at, d.Type.Size)
	return d, nil
}

// fillOf is the value of what nobody has written, nil where that is 0.
func (f *File) fillOf(at map[int]message, size int) []byte {
	var b []byte
	if m, ok := at[messageFill]; ok && !m.shared {
		c := f.over(m.body)
		switch version := c.u(1); version {
		case 1, 2:
			c.skip(2)
			if defined := c.u(1); version == 1 || defined != 0 {
				b = c.take(c.int(4))
			}
		case 3:
			if c.u(1)&0x20 != 0 {
				b = c.take(c.int(4))
			}
		}
	} else if m, ok := at[messageOldFill]; ok && !m.shared {
		c := f.over(m.body)
		b = c.take(c.int(4))
	}
	if len(b) != size {
		return nil
	}
	for _, x := range b {
		if x != 0 {
			return b
		}
	}
	return nil
}

// layout reads where the values of a dataset lie.
func (f *File) layout(body []byte, d *Dataset) error {
	c := f.over(body)
	var err error
	switch version := c.u(1); version {
	case 1, 2:
		err = d.oldLayout(c)
	case 3, 4:
		err = d.newLayout(c, version)
	default:
		return unsupported("write it again with HDF5 1.14",
			"has a layout of version %d, which is not known here", version)
	}
	if err == nil {
		err = c.err("a layout")
	}
	if err != nil {
		return err
	}
	return d.checkLayout()
}

func (d *Dataset) oldLayout(c *cursor) error {
	rank := c.int(1)
	d.kind = c.int(1)
	c.skip(5)
	if d.kind != compact {
		d.at = c.addr()
	}
	var dims []int64
	for range rank {
		dims = append(dims, int64(c.u(4)))
	}
	switch d.kind {
	case compact:
		d.inline = c.take(c.int(4))
	case contiguous:
		d.size = d.bytes()
	case chunked:
		if rank < 1 {
			return damaged("chunks have no shape")
		}
		d.chunk = dims[:rank-1]
	}
	return nil
}

func (d *Dataset) newLayout(c *cursor, version uint64) error {
	switch d.kind = c.int(1); d.kind {
	case compact:
		d.inline = c.take(c.int(2))
	case contiguous:
		d.at = c.addr()
		d.size = c.long()
	case chunked:
		if version == 3 {
			rank := c.int(1)
			d.at = c.addr()
			for range rank - 1 {
				d.chunk = append(d.chunk, int64(c.u(4)))
			}
			return nil
		}
		return d.chunkLayout(c)
	}
	return nil
}

// Indices of chunks that HDF5 1.10 brought.
const (
	indexTree1 = iota
	indexSingle
	indexImplicit
	indexFixed
	indexExtensible
	indexTree2
)

func (d *Dataset) chunkLayout(c *cursor) error {
	flags, rank, width := c.u(1), c.int(1), c.int(1)
	if width > 8 {
		return damaged("chunks have no shape")
	}
	for range rank {
		d.chunk = append(d.chunk, int64(c.u(width)&(1<<62-1)))
	}
	if rank < 1 || c.short {
		return damaged("chunks have no shape")
	}
	d.chunk = d.chunk[:rank-1]
	d.whole = flags&1 != 0
	d.index = c.int(1)
	switch d.index {
	case indexSingle:
		if flags&2 != 0 {
			d.size, d.mask = c.long(), c.u(4)
		}
	case indexImplicit:
	case indexFixed:
		d.bits = c.take(1)
	case indexExtensible:
		d.bits = c.take(5)
	case indexTree2:
		c.skip(6)
	default:
		return damaged("chunks have an index of no known kind")
	}
	d.at = c.addr()
	return nil
}

func (d *Dataset) checkLayout() error {
	switch d.kind {
	case compact, contiguous:
		if d.filters != nil {
			return damaged("values that are not in chunks are packed")
		}
		if d.kind == compact && int64(len(d.inline)) < d.bytes() {
			return damaged("values are missing")
		}
		if d.kind == contiguous && d.at != undefined && (d.size < d.bytes() || d.bytes() > d.f.size) {
			return damaged("values are missing: %d bytes where %d belong", min(d.size, d.f.size), d.bytes())
		}
	case chunked:
		if len(d.chunk) != len(d.Shape) || len(d.chunk) == 0 {
			return damaged("chunks have another shape than what they are of")
		}
		n, ok := product(append(d.chunk[:len(d.chunk):len(d.chunk)], int64(d.Type.Size))...)
		if !ok || n <= 0 || n > 1<<32 {
			return damaged("chunks have %d bytes", n)
		}
	case virtual:
		return problem.New("", "write it again into one file (h5repack)",
			"is put together from other files (a virtual dataset), and no other file is opened")
	default:
		return damaged("values lie in no known way")
	}
	return nil
}

// bytes is how much memory all values take, as they are stored.
func (d *Dataset) bytes() int64 {
	return d.space.count() * int64(d.Type.Size) // no overflow: the file was asked when the dataset was opened
}

// Count is how many values there are.
func (d *Dataset) Count() int64 { return d.space.count() }

// Fill is the value of what nobody has written, as it is stored.
func (d *Dataset) Fill() []byte {
	if d.fill == nil {
		return make([]byte, d.Type.Size)
	}
	return d.fill
}
