package cuda

import "blossom/gpu/cuda/driver"

// parcelRing is memory that stays in its place, in parcels that a card and the program use by turns, each with an event
// that tells when the card has done with it.
type parcelRing struct {
	host pinned
	done []*driver.Event
}

// open takes the memory of so many parcels of so many bytes, once.
func (r *parcelRing) open(c *driver.Context, parcels int, bytes int64) error {
	for len(r.done) < parcels {
		e, err := c.NewEvent()
		if err != nil {
			return err
		}
		r.done = append(r.done, e)
	}
	return r.host.grow(c, int64(parcels)*bytes)
}

// free gives the memory back; the card must be at rest, and errors are of no use then.
func (r *parcelRing) free(c *driver.Context) {
	for _, e := range r.done {
		_ = e.Destroy()
	}
	_ = r.host.free(c)
	r.done = nil
}
