package cuda

import (
	"errors"
	"sync"
	"unsafe"

	"blossom/gpu/cuda/driver"
)

// returns is memory that stays in its place, through which much comes from the card in parcels: cores take one out
// while others are on their way and the card goes on with its work. The driver alone copies with one core, at a
// fraction of what the card can. It serves one at a time: whoever finds it taken has the driver copy.
type returns struct {
	mu   sync.Mutex
	ring parcelRing
	to   [returnsMost][]byte // where what comes to each parcel goes; nil: nothing is on its way
	next int
}

const returnsMost = 12 // parcels

// Bytes of a parcel, and from how many on they come by it. Tests need less.
var returnsParcel, returnsLeast int64 = 2 << 20, 1 << 20

// take takes it for a stream, until settle or drop; false: it is taken, or there is no memory for it.
func (b *returns) take(c *driver.Context) bool {
	if !b.mu.TryLock() {
		return false
	}
	if b.ring.open(c, returnsMost, returnsParcel) != nil {
		b.mu.Unlock()
		return false
	}
	return true
}

// bring queues a copy from the card; it is there after settle. s is the stream of all calls since take.
func (b *returns) bring(s *driver.Stream, to unsafe.Pointer, from driver.Ptr, bytes int64) error {
	for target := unsafe.Slice((*byte)(to), bytes); len(target) > 0; {
		i, n := b.next, int(min(returnsParcel, int64(len(target))))
		if err := b.unpack(i); err != nil {
			return err
		}
		if err := s.ToHost(b.parcel(i), from, int64(n)); err != nil {
			return err
		}
		if err := s.Record(b.ring.done[i]); err != nil {
			return err
		}
		b.to[i], b.next = target[:n], (i+1)%returnsMost
		target, from = target[n:], from+driver.Ptr(n)
	}
	return nil
}

func (b *returns) parcel(i int) unsafe.Pointer {
	return unsafe.Add(b.ring.host.at, int64(i)*returnsParcel)
}

// unpack waits for a parcel that is on its way, and copies what it has.
func (b *returns) unpack(i int) error {
	to := b.to[i]
	if to == nil {
		return nil
	}
	b.to[i] = nil
	if err := b.ring.done[i].Wait(); err != nil {
		return err
	}
	copyOnCores(to, unsafe.Slice((*byte)(b.parcel(i)), len(to)))
	return nil
}

// settle waits for all that is on its way, and gives it up for others.
func (b *returns) settle(s *driver.Stream) error {
	for k := range returnsMost {
		if err := b.unpack((b.next + k) % returnsMost); err != nil {
			b.drop(s)
			return err
		}
	}
	b.mu.Unlock()
	return nil
}

// drop gives it up for others, once nothing goes to its parcels any more. What was on its way is lost.
func (b *returns) drop(s *driver.Stream) {
	_ = s.Wait()
	b.to = [returnsMost][]byte{}
	b.mu.Unlock()
}

// fetch copies from the card, and waits, as Stream.ToHost and Stream.Wait do.
func (b *returns) fetch(c *driver.Context, s *driver.Stream, to unsafe.Pointer, from driver.Ptr, bytes int64) error {
	if err := s.Wait(); err != nil { // before others find it taken
		return err
	}
	if bytes < returnsLeast || !b.take(c) {
		return errors.Join(s.ToHost(to, from, bytes), s.Wait())
	}
	if err := b.bring(s, to, from, bytes); err != nil {
		b.drop(s)
		return err
	}
	return b.settle(s)
}

// free gives the memory back; the card must be at rest.
func (b *returns) free(c *driver.Context) { b.ring.free(c) }

// bringing is copies from a card that come by its returns, if these are free when the first of much is queued.
type bringing struct {
	taken bool
}

// bring queues a copy; it is there after end, and a wait for the card. by may be nil.
func (b *bringing) bring(by *returns, c *driver.Context, s *driver.Stream, to unsafe.Pointer, from driver.Ptr,
	bytes int64) error {
	if b.taken = b.taken || by != nil && bytes >= returnsLeast && by.take(c); b.taken {
		return by.bring(s, to, from, bytes)
	}
	return s.ToHost(to, from, bytes)
}

// end waits for what comes by the returns; after a failure that is lost.
func (b *bringing) end(by *returns, s *driver.Stream, failed error) error {
	switch {
	case !b.taken:
		return nil
	case failed != nil:
		by.drop(s)
		return nil
	}
	return by.settle(s)
}
