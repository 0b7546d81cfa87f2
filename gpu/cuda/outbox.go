package cuda

import (
	"unsafe"

	"blossom/gpu/cuda/driver"
)

// outbox is memory that the card reads at its own time, so that nothing waits for a copy of positions: a
// ring of letters, each of which is written again only when the card has read it.
type outbox struct {
	host   pinned
	read   [letters]*driver.Event
	sent   [letters]bool
	next   int
	floats int
	last   int // 1 + the letter sent last, while nothing marks that it was read
}

const (
	letters    = 8
	letterMost = 1 << 18 // floats
)

func (o *outbox) send(e *card, to driver.Ptr, v []float32) error {
	if o.last > 0 { // now rather than then, when there was work to be queued
		if err := e.s.Record(o.read[o.last-1]); err != nil {
			return err
		}
		o.sent[o.last-1], o.last = true, 0
	}
	if len(v) > o.floats || o.host.at == nil {
		if err := e.s.Wait(); err != nil {
			return err
		}
		o.floats = len(v)
		o.sent = [letters]bool{}
		if err := o.host.grow(e.c, int64(4*letters*o.floats)); err != nil {
			return err
		}
	}
	i := o.next
	o.next = (i + 1) % letters
	if o.read[i] == nil {
		var err error
		if o.read[i], err = e.c.NewEvent(); err != nil {
			return err
		}
	}
	if o.sent[i] {
		if err := o.read[i].Wait(); err != nil { // eight frames ago: it has been read
			return err
		}
	}
	letter := unsafe.Slice((*float32)(unsafe.Add(o.host.at, 4*i*o.floats)), len(v))
	copy(letter, v)
	if err := e.s.ToDevice(to, unsafe.Pointer(&letter[0]), int64(4*len(v))); err != nil {
		return err
	}
	o.last = i + 1
	return nil
}

func (o *outbox) free(c *driver.Context) {
	for _, e := range o.read {
		if e != nil {
			_ = e.Destroy()
		}
	}
	_ = o.host.free(c)
	*o = outbox{}
}
