package cuda

import (
	"errors"
	"runtime"
	"sync"
	"unsafe"

	"blossom/gpu/cuda/driver"
)

// inbox is memory that stays in its place, through which much goes to the card, and back: cores copy into one part of
// it, or out of it, while the card works on the others. The driver alone copies with one core, at a fraction of what
// the card can.
type inbox struct {
	mu   sync.Mutex
	host pinned
	read [parcels]*driver.Event
	sent [parcels]bool
	next int
}

const (
	parcels     = 3
	parcelMost  = 8 << 20 // bytes
	parcelShare = 1 << 20 // bytes for a core, at least
	inboxLeast  = 2 * parcelMost
)

// send copies to the card as Stream.ToDevice does: from may change when it returns.
func (b *inbox) send(c *driver.Context, s *driver.Stream, to driver.Ptr, from unsafe.Pointer, bytes int64) error {
	if bytes < inboxLeast {
		return s.ToDevice(to, from, bytes)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.open(c) != nil { // without such memory it takes longer
		return s.ToDevice(to, from, bytes)
	}
	source := unsafe.Slice((*byte)(from), bytes)
	for len(source) > 0 {
		i, n := b.next, min(parcelMost, len(source))
		if b.next = (i + 1) % parcels; b.sent[i] {
			if err := b.read[i].Wait(); err != nil {
				return err
			}
		}
		parcel := unsafe.Slice((*byte)(unsafe.Add(b.host.at, i*parcelMost)), n)
		copyOnCores(parcel, source[:n])
		if err := s.ToDevice(to, unsafe.Pointer(&parcel[0]), int64(n)); err != nil {
			return err
		}
		if err := s.Record(b.read[i]); err != nil {
			return err
		}
		b.sent[i] = true
		source, to = source[n:], to+driver.Ptr(n)
	}
	return nil
}

// fetch copies from the card, and waits, as Stream.ToHost and Stream.Wait do.
func (b *inbox) fetch(c *driver.Context, s *driver.Stream, to unsafe.Pointer, from driver.Ptr, bytes int64) error {
	if err := s.Wait(); err != nil { // before others wait for the inbox
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if bytes < inboxLeast || b.open(c) != nil {
		return errors.Join(s.ToHost(to, from, bytes), s.Wait())
	}
	err := b.fetchParcels(s, to, from, bytes)
	if err != nil {
		_ = s.Wait() // nothing goes to parcels any more that the next one may use
	}
	return err
}

func (b *inbox) fetchParcels(s *driver.Stream, to unsafe.Pointer, from driver.Ptr, bytes int64) error {
	for i := range b.sent {
		if b.sent[i] {
			if err := b.read[i].Wait(); err != nil {
				return err
			}
		}
		b.sent[i] = false
	}
	target := unsafe.Slice((*byte)(to), bytes)
	count := blocksOf(int(bytes), parcelMost)
	for k := range count + parcels - 1 { // parcel k goes out while those before it are on their way
		if at := k - (parcels - 1); at >= 0 {
			if err := b.read[at%parcels].Wait(); err != nil {
				return err
			}
			part := target[at*parcelMost : min(len(target), (at+1)*parcelMost)]
			copyOnCores(part, unsafe.Slice((*byte)(unsafe.Add(b.host.at, at%parcels*parcelMost)), len(part)))
		}
		if k >= count {
			continue
		}
		size := min(parcelMost, len(target)-k*parcelMost)
		if err := s.ToHost(unsafe.Add(b.host.at, k%parcels*parcelMost), from+driver.Ptr(k*parcelMost),
			int64(size)); err != nil {
			return err
		}
		if err := s.Record(b.read[k%parcels]); err != nil {
			return err
		}
	}
	return nil
}

// open takes the memory, once.
func (b *inbox) open(c *driver.Context) (err error) {
	for i := range b.read {
		if b.read[i] == nil {
			if b.read[i], err = c.NewEvent(); err != nil {
				return err
			}
		}
	}
	return b.host.grow(c, parcels*parcelMost)
}

// free gives the memory back; the card must be at rest.
func (b *inbox) free(c *driver.Context) {
	for _, e := range b.read {
		if e != nil {
			_ = e.Destroy()
		}
	}
	_ = b.host.free(c)
	b.read, b.sent = [parcels]*driver.Event{}, [parcels]bool{}
}

// copyOnCores is copy, by as many cores as are worth it.
func copyOnCores(to, from []byte) {
	share := max(parcelShare, (len(from)+runtime.GOMAXPROCS(0)-1)/runtime.GOMAXPROCS(0))
	var wait sync.WaitGroup
	for len(from) > share {
		a, b := to[:share], from[:share]
		wait.Go(func() { copy(a, b) })
		to, from = to[share:], from[share:]
	}
	copy(to, from)
	wait.Wait()
}
