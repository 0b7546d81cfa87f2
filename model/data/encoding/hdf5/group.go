package hdf5

import (
	"maps"
	"slices"
	"strings"

	"blossom/model/base/problem"
)

// link is where a name of a group leads: to an object, to another path, or out of the file.
type link struct {
	at       int64
	soft     string
	external string
}

// Names are those of a group, sorted.
func (o *Object) Names() ([]string, error) {
	if err := o.list(); err != nil {
		return nil, err
	}
	return o.names, nil
}

// Child returns what a group has under a name; nil: nothing.
func (o *Object) Child(name string) (*Object, error) { return o.child(name, 0) }

func (o *Object) child(name string, depth int) (*Object, error) {
	if err := o.list(); err != nil {
		return nil, err
	}
	l, ok := o.links[name]
	switch {
	case !ok:
		return nil, nil
	case l.external != "":
		return nil, problem.New("", "copy what it links to into the file (h5copy, or write it again)",
			"has a link to another file (%.80q), and no other file is opened", l.external)
	case l.soft == "":
		return o.f.object(l.at)
	case depth >= depthMost:
		return nil, damaged("the link %.80q leads round in a circle", name)
	}
	found, err := o.follow(l.soft, depth+1)
	if err == nil && found == nil {
		err = problem.New("", copyAgain, "has a link %.80q that leads nowhere (%.80q)", name, l.soft)
	}
	return found, err
}

// follow goes along a path of names, from the group or, where it begins with a slash, from the root.
func (o *Object) follow(path string, depth int) (*Object, error) {
	at := o
	if strings.HasPrefix(path, "/") {
		root, err := o.f.Root()
		if err != nil {
			return nil, err
		}
		at = root
	}
	for part := range strings.SplitSeq(path, "/") {
		if part == "" || part == "." {
			continue
		}
		next, err := at.child(part, depth)
		if err != nil || next == nil {
			return nil, err
		}
		at = next
	}
	return at, nil
}

// Path returns what lies on a path below the group; nil: nothing.
func (o *Object) Path(path string) (*Object, error) { return o.follow(path, 0) }

// list reads the names of a group, in whichever way it keeps them.
func (o *Object) list() error {
	if o.links != nil {
		return nil
	}
	links := map[string]link{}
	for _, m := range o.messages {
		var err error
		switch m.kind {
		case messageTable:
			err = o.f.symbols(m.body, links)
		case messageLink:
			err = o.f.oneLink(m.body, links)
		case messageLinkInfo:
			err = o.f.denseLinks(m.body, links)
		}
		if err != nil {
			return err
		}
	}
	o.links, o.names = links, slices.Sorted(maps.Keys(links))
	return nil
}

// oneLink reads a link message.
func (f *File) oneLink(body []byte, to map[string]link) error {
	c := f.over(body)
	if version := c.u(1); version != 1 {
		return damaged("a link has no known version")
	}
	flags := c.u(1)
	kind := uint64(0)
	if flags&8 != 0 {
		kind = c.u(1)
	}
	if flags&4 != 0 {
		c.skip(8)
	}
	if flags&16 != 0 {
		c.skip(1)
	}
	name := string(c.take(c.int(1 << (flags & 3))))
	var l link
	switch kind {
	case 0:
		l.at = c.addr()
	case 1:
		l.soft = string(c.take(c.int(2)))
	default:
		l.external = "?"
		if b := c.take(c.int(2)); len(b) > 1 {
			l.external = symbol(b[1:])
		}
	}
	if err := c.err("a link"); err != nil {
		return err
	}
	to[name] = l
	return nil
}

// denseLinks reads the links that a group keeps in a heap, if it does.
func (f *File) denseLinks(body []byte, to map[string]link) error {
	c := f.over(body)
	c.skip(1)
	flags := c.u(1)
	if flags&1 != 0 {
		c.skip(8)
	}
	heap, index := c.addr(), c.addr()
	if err := c.err("a group"); err != nil || heap == undefined {
		return err
	}
	h, err := f.fractal(heap)
	if err != nil {
		return err
	}
	return f.records(index, 5, func(record []byte) error {
		if len(record) < 4 {
			return damaged("an index of names is too narrow")
		}
		b, err := h.get(record[4:]) // behind the hash of the name
		if err != nil {
			return err
		}
		return f.oneLink(b, to)
	})
}

// symbols reads the links of a group of the old kind: a tree of tables, whose names lie in a heap.
func (f *File) symbols(body []byte, to map[string]link) error {
	c := f.over(body)
	tree, heap := c.addr(), c.addr()
	if err := c.err("a group"); err != nil {
		return err
	}
	names, err := f.localHeap(heap)
	if err != nil {
		return err
	}
	return f.tree1(tree, 0, f.length, func(_ []byte, at int64) error {
		head, err := f.at(at, 8)
		if err != nil {
			return err
		}
		if string(head.take(4)) != "SNOD" {
			return damaged("SNOD is not where it should be")
		}
		head.skip(2)
		n := head.int(2)
		width := f.length + f.address + 4 + 4 + 16
		table, err := f.at(at+8, int64(n*width))
		if err != nil {
			return err
		}
		for range n {
			e := f.over(table.take(width))
			at := e.long()
			l := link{at: e.addr()}
			kind := e.u(4)
			e.skip(4)
			name, err := names.at(at)
			if err != nil {
				return err
			}
			if kind == 2 {
				if l.soft, err = names.at(int64(e.u(4))); err != nil {
					return err
				}
			}
			to[name] = l
		}
		return nil
	})
}
