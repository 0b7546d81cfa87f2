package hdf5

import "blossom/model/base/problem"

// superblock finds the signature and reads what follows it.
func (f *File) superblock() error {
	start, err := f.signature()
	if err != nil {
		return err
	}
	f.address, f.length = 8, 8
	b := make([]byte, min(int64(160), f.size-start))
	if _, err := f.r.ReadAt(b, start); err != nil {
		return err
	}
	c := f.over(b[8:])
	version := c.u(1)
	var end int64
	switch version {
	case 0, 1:
		c.skip(4) // versions of other things
		f.address, f.length = c.int(1), c.int(1)
		c.skip(1 + 4 + 4)
		if version == 1 {
			c.skip(4)
		}
	case 2, 3:
		f.address, f.length = c.int(1), c.int(1)
		f.Writing = c.u(1)&1 != 0
	default:
		return unsupported("write it again with a program of today",
			"is an HDF5 file of version %d, which is not known here", version)
	}
	if !width(f.address) || !width(f.length) {
		return damaged("addresses of %d bytes are not possible", f.address)
	}
	c.addr() // where addresses count from, as the writer thought: the signature is there
	f.base = start
	c.addr() // the extension, or free space
	end = c.addr()
	if version < 2 {
		c.addr() // a driver
		c.skip(f.length)
	}
	f.root = c.addr()
	if err := c.err("its superblock"); err != nil {
		return err
	}
	if end > 0 && end > f.size-start && end > f.size {
		return problem.New("", copyAgain, "is cut: %d of its %d bytes are there", f.size, end)
	}
	if version < 2 {
		return nil
	}
	n := 12 + 4*f.address
	if c := f.over(b[n:]); !f.lax && uint32(c.u(4)) != lookup3(b[:n]) {
		return damaged("the checksum of its superblock does not fit")
	}
	return nil
}

func width(n int) bool { return n == 2 || n == 4 || n == 8 }

// signature finds where the file begins: at 0, 512, 1024, ...
func (f *File) signature() (int64, error) {
	head := make([]byte, 16)
	for start := int64(0); ; start = max(512, 2*start) {
		if start > f.size-int64(len(head)) {
			return 0, problem.New("", "check that it is the right file", "is no HDF5 file")
		}
		if _, err := f.r.ReadAt(head, start); err != nil {
			return 0, err
		}
		if string(head[:8]) == Signature {
			return start, nil
		}
	}
}
