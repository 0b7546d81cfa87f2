package hdf5

import "strings"

// Numbers of the messages of an object header that are read.
const (
	messageSpace     = 0x01
	messageLinkInfo  = 0x02
	messageType      = 0x03
	messageOldFill   = 0x04
	messageFill      = 0x05
	messageLink      = 0x06
	messageExternal  = 0x07
	messageLayout    = 0x08
	messageGroupInfo = 0x0a
	messageFilters   = 0x0b
	messageAttribute = 0x0c
	messageContinues = 0x10
	messageTable     = 0x11
	messageDense     = 0x15
)

// message is one of an object's header.
type message struct {
	kind   int
	shared bool
	body   []byte
}

// header collects the messages of an object.
type header struct {
	f        *File
	version  int
	ordered  bool // version 2: messages have the number of their creation
	messages []message
	blocks   []block // continuations that are still to be read
	seen     map[int64]bool
}

type block struct{ at, size int64 }

// mostMessages is more than any object has: dense storage begins at 8 attributes, unless it was switched off.
const mostMessages = 1 << 17

// readHeader reads the messages of the object at an address.
func (f *File) readHeader(at int64) ([]message, error) {
	h := &header{f: f, seen: map[int64]bool{at: true}}
	start, err := f.at(at, 16)
	if err != nil {
		return nil, err
	}
	if string(start.b[:4]) == "OHDR" {
		err = h.second(at)
	} else {
		err = h.first(at, start)
	}
	for err == nil && len(h.blocks) > 0 {
		b := h.blocks[0]
		h.blocks = h.blocks[1:]
		if h.seen[b.at] {
			return nil, damaged("an object continues in itself")
		}
		h.seen[b.at] = true
		err = h.continued(b)
	}
	return h.messages, err
}

// first reads a header of version 1.
func (h *header) first(at int64, c *cursor) error {
	h.version = 1
	if c.u(1) != 1 {
		return damaged("an object has a header of no known version")
	}
	c.skip(1 + 2 + 4)
	size := int64(c.u(4))
	body, err := h.f.at(at+16, size)
	if err != nil {
		return err
	}
	return h.take(body)
}

// second reads the first block of a header of version 2.
func (h *header) second(at int64) error {
	c, err := h.f.at(at, min(32, h.f.size-h.f.base-at))
	if err != nil {
		return err
	}
	all := len(c.b)
	c.skip(4)
	if c.u(1) != 2 {
		return damaged("an object has a header of no known version")
	}
	h.version = 2
	flags := c.u(1)
	h.ordered = flags&4 != 0
	if flags&0x20 != 0 {
		c.skip(16)
	}
	if flags&0x10 != 0 {
		c.skip(4)
	}
	size := int64(c.u(1<<(flags&3)) & (1<<62 - 1))
	if err := c.err("the header of an object"); err != nil {
		return err
	}
	prefix := int64(all - len(c.b))
	if size > h.f.size {
		return damaged("the header of an object is longer than the file")
	}
	whole, err := h.f.bytes(at, prefix+size+4)
	if err != nil {
		return err
	}
	body, err := h.f.verified(whole, "OHDR")
	if err != nil {
		return err
	}
	body.skip(int(prefix) - 4)
	return h.take(body)
}

// continued reads a further block.
func (h *header) continued(b block) error {
	if h.version == 1 {
		c, err := h.f.at(b.at, b.size)
		if err != nil {
			return err
		}
		return h.take(c)
	}
	c, err := h.f.signed(b.at, b.size, "OCHK")
	if err != nil {
		return err
	}
	return h.take(c)
}

// take takes the messages of a block. What is left behind the last one is a gap.
func (h *header) take(c *cursor) error {
	least := 8
	if h.version == 2 {
		if least = 4; h.ordered {
			least = 6
		}
	}
	for len(c.b) >= least {
		var m message
		var size int
		var flags uint64
		if h.version == 1 {
			m.kind, size, flags = c.int(2), c.int(2), c.u(1)
			c.skip(3)
		} else {
			m.kind, size, flags = c.int(1), c.int(2), c.u(1)
			if h.ordered {
				c.skip(2)
			}
		}
		m.shared = flags&2 != 0
		m.body = c.take(size)
		if err := c.err("the header of an object"); err != nil {
			return err
		}
		if m.kind == messageContinues {
			b := h.f.over(m.body)
			h.blocks = append(h.blocks, block{b.addr(), b.long()})
			if err := b.err("the header of an object"); err != nil {
				return err
			}
			continue
		}
		if h.messages = append(h.messages, m); len(h.messages) > mostMessages {
			return damaged("an object has more than %d messages", mostMessages)
		}
	}
	return nil
}

// sharedAt is the address of the object that has a shared message, which is a committed type.
func (f *File) sharedAt(body []byte) (int64, error) {
	c := f.over(body)
	version, kind := c.u(1), c.u(1)
	switch {
	case version == 1:
		c.skip(6)
	case version == 3 && kind == 1:
		return 0, unsupported("write it again without shared messages",
			"keeps its messages in a heap, which is not read here")
	}
	at := c.addr()
	return at, c.err("a shared message")
}

// symbol is a text without the zeros that pad it.
func symbol(b []byte) string { return cut(string(b)) }

func cut(s string) string {
	if i := strings.IndexByte(s, 0); i >= 0 {
		return s[:i]
	}
	return s
}
