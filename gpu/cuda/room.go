package cuda

import (
	"unsafe"

	"blossom/gpu/cuda/driver"
)

// room is memory of the card that grows to what is needed.
type room struct {
	at    driver.Ptr
	bytes int64
}

// grow makes room for bytes, whose content is then undefined. Work on s that uses the old place is
// waited for.
func (r *room) grow(c *driver.Context, s *driver.Stream, bytes int64) error {
	if r.at != 0 && bytes <= r.bytes {
		return nil
	}
	if r.at != 0 {
		if err := s.Wait(); err != nil {
			return err
		}
	}
	if err := r.free(c); err != nil {
		return err
	}
	at, err := c.Alloc(bytes)
	if err != nil {
		return err
	}
	r.at, r.bytes = at, bytes
	return nil
}

func (r *room) free(c *driver.Context) error {
	at := r.at
	*r = room{}
	return c.Free(at)
}

// pinned is memory of the computer that the card copies to and from while the program goes on.
type pinned struct {
	at    unsafe.Pointer
	bytes int64
}

// grow makes room for bytes, whose content is then undefined. No work may be using it.
func (p *pinned) grow(c *driver.Context, bytes int64) error {
	if p.at != nil && bytes <= p.bytes {
		return nil
	}
	if err := p.free(c); err != nil {
		return err
	}
	at, err := c.AllocHost(bytes)
	if err != nil {
		return err
	}
	p.at, p.bytes = at, bytes
	return nil
}

func (p *pinned) free(c *driver.Context) error {
	at := p.at
	*p = pinned{}
	return c.FreeHost(at)
}
