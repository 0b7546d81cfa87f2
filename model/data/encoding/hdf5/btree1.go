package hdf5

// tree1 walks over the leaves of a B-tree of version 1, in the order of their keys, each of width bytes.
func (f *File) tree1(at int64, kind uint64, width int, visit func(key []byte, at int64) error) error {
	if at == undefined {
		return nil
	}
	return f.node1(at, kind, width, -1, map[int64]bool{}, visit)
}

func (f *File) node1(at int64, kind uint64, width, level int, seen map[int64]bool,
	visit func(key []byte, at int64) error) error {
	if seen[at] {
		return damaged("a tree holds itself")
	}
	seen[at] = true
	c, err := f.at(at, int64(8+2*f.address))
	if err != nil {
		return err
	}
	if string(c.take(4)) != "TREE" {
		return damaged("TREE is not where it should be")
	}
	if c.u(1) != kind {
		return damaged("a tree is of the wrong kind")
	}
	own, entries := c.int(1), c.int(2)
	if own > depthMost || level >= 0 && own != level {
		return damaged("a tree has nodes of the wrong level")
	}
	body, err := f.at(at+int64(8+2*f.address), int64(entries*(width+f.address)))
	if err != nil {
		return err
	}
	for range entries {
		key := body.take(width)
		child := body.addr()
		if child == undefined {
			return damaged("a tree leads nowhere")
		}
		if own == 0 {
			err = visit(key, child)
		} else {
			err = f.node1(child, kind, width, own-1, seen, visit)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
