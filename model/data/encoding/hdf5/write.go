package hdf5

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
)

// Files are written with superblock 2, object headers 2, links and attributes within the headers, and datasets in one
// piece: what every HDF5 since 1.8 reads. A file is a tree of nodes whose sizes are known beforehand, so that it is
// written from its first byte to its last, and values are made when they are written.

// Node is a group or a dataset to be written.
type Node struct {
	attributes []attributeOut
	links      []linkOut
	data       *dataOut // nil: it is a group
	at         int64    // where its header is
	header     int64    // bytes of that
}

type linkOut struct {
	name string
	to   *Node
}

// dataOut is a dataset.
type dataOut struct {
	of    Kind
	shape []int64
	write func(w io.Writer) error // writes all of its values, little-endian, row by row
	texts func(i int) string      // the texts, in the place of numbers
	at    int64                   // where its values are
	bytes int64                   // its size, texts themselves left aside
}

// NewGroup returns a group without anything in it: the root of a file.
func NewGroup() *Node { return &Node{} }

// Group adds a group.
func (g *Node) Group(name string) *Node {
	n := &Node{}
	g.links = append(g.links, linkOut{name, n})
	return n
}

// Values adds a dataset of numbers, which write writes one after the other, little-endian, when their turn has come.
func (g *Node) Values(name string, of Kind, shape []int64, write func(w io.Writer) error) *Node {
	n := &Node{data: &dataOut{of: of, shape: shape, write: write}}
	g.links = append(g.links, linkOut{name, n})
	return n
}

// Texts adds a dataset of n texts (UTF-8), of which text is asked several times.
func (g *Node) Texts(name string, n int, text func(i int) string) *Node {
	c := &Node{data: &dataOut{of: textKind, shape: []int64{int64(n)}, texts: text}}
	g.links = append(g.links, linkOut{name, c})
	return c
}

// Text adds a single text.
func (g *Node) Text(name, text string) *Node {
	c := &Node{data: &dataOut{of: textKind, texts: func(int) string { return text }}}
	g.links = append(g.links, linkOut{name, c})
	return c
}

// count is how many values there are; a dataset without a shape has one.
func (d *dataOut) count() int64 {
	n := int64(1)
	for _, x := range d.shape {
		n *= x
	}
	return n
}

// Write writes the file whose root is a group. The error is ctx's, w's, or that of what writes values.
func Write(ctx context.Context, w io.Writer, root *Node) error {
	p := &plan{at: superblockBytes}
	p.heap.at = p.at
	p.nodes(root)
	p.at = p.heap.end()
	for _, n := range p.all {
		header, err := n.encode()
		if err != nil {
			return err
		}
		n.at, n.header = p.at, int64(len(header))
		p.at += pad(n.header)
	}
	for _, n := range p.all {
		if n.data != nil {
			p.place(n.data)
		}
	}
	b := &counted{w: bufio.NewWriterSize(w, 1<<18), ctx: ctx}
	if err := p.write(b, root); err != nil {
		return err
	}
	return b.w.Flush()
}

// plan is where things of a file go.
type plan struct {
	all  []*Node // from the root down
	heap heap    // texts of attributes
	at   int64   // the end of what has a place
}

// nodes lists a node and all below, and places the texts of their attributes.
func (p *plan) nodes(n *Node) {
	p.all = append(p.all, n)
	for i := range n.attributes {
		a := &n.attributes[i]
		for _, text := range a.texts {
			a.refs = append(a.refs, p.heap.place(text))
		}
	}
	for _, l := range n.links {
		p.nodes(l.to)
	}
}

// place places the values of a dataset.
func (p *plan) place(d *dataOut) {
	d.bytes = d.count() * int64(d.of.bytes())
	if d.at = p.at; d.bytes == 0 {
		d.at = -1
		return
	}
	p.at += pad(d.bytes)
	if d.texts != nil {
		h := heap{at: p.at}
		for i := range int(d.count()) {
			h.place(d.texts(i))
		}
		p.at = h.end()
	}
}

// write writes all of it.
func (p *plan) write(w *counted, root *Node) error {
	if _, err := w.Write(p.superblock(root)); err != nil {
		return err
	}
	h := heap{at: w.n, to: w}
	for _, n := range p.all {
		for _, a := range n.attributes {
			for _, text := range a.texts {
				h.place(text)
			}
		}
	}
	h.end()
	for _, n := range p.all {
		header, err := n.encode()
		if err != nil {
			return err
		}
		if err := w.padded(header); err != nil {
			return err
		}
	}
	for _, n := range p.all {
		if n.data == nil || n.data.at < 0 {
			continue
		}
		if w.n != n.data.at {
			return fmt.Errorf("values stand at %d and were to stand at %d", w.n, n.data.at)
		}
		if err := n.data.values(w); err != nil {
			return err
		}
	}
	return w.err
}

// values writes those of a dataset.
func (d *dataOut) values(w *counted) error {
	if d.texts == nil {
		from := w.n
		if err := d.write(w); err != nil {
			return err
		}
		if w.n-from != d.bytes {
			return fmt.Errorf("%d bytes of values were written, and %d announced", w.n-from, d.bytes)
		}
		return w.padded(nil)
	}
	n := int(d.count())
	h := heap{at: d.at + pad(d.bytes)}
	for i := range n {
		if _, err := w.Write(h.place(d.texts(i)).encode()); err != nil {
			return err
		}
	}
	if err := w.padded(nil); err != nil {
		return err
	}
	h = heap{at: w.n, to: w}
	for i := range n {
		h.place(d.texts(i))
	}
	h.end()
	return w.err
}

const superblockBytes = 48

// superblock is the beginning of the file.
func (p *plan) superblock(root *Node) []byte {
	b := append([]byte(Signature), 2, 8, 8, 0)
	b = binary.LittleEndian.AppendUint64(b, 0)
	b = binary.LittleEndian.AppendUint64(b, nowhere)
	b = binary.LittleEndian.AppendUint64(b, uint64(p.at))
	b = binary.LittleEndian.AppendUint64(b, uint64(root.at))
	return binary.LittleEndian.AppendUint32(b, lookup3(b))
}

// nowhere is the address of what is not there.
const nowhere = ^uint64(0)

// pad is a size with what it takes to the next multiple of 8.
func pad(n int64) int64 { return (n + 7) &^ 7 }

// counted writes and counts. After an error nothing more is written.
type counted struct {
	w   *bufio.Writer
	ctx context.Context
	n   int64
	err error
}

func (c *counted) Write(b []byte) (int, error) {
	if c.err == nil {
		c.err = c.ctx.Err()
	}
	if c.err != nil {
		return 0, c.err
	}
	n, err := c.w.Write(b)
	c.n, c.err = c.n+int64(n), err
	return n, err
}

// padded writes bytes and what it takes to a multiple of 8.
func (c *counted) padded(b []byte) error {
	if _, err := c.Write(b); err != nil {
		return err
	}
	_, err := c.Write(make([]byte, pad(c.n)-c.n))
	return err
}
