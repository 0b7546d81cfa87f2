package cuda

import (
	"runtime"
	"sync"
	"unsafe"

	"blossom/gpu/cuda/driver"
)

// inbox is memory that stays in its place, through which much goes to the card: cores copy into one part of it while
// the card reads the others. The driver alone copies with one core, at a fraction of what the card can.
type inbox struct {
	mu   sync.Mutex
	ring parcelRing
	sent [parcels]bool
	next int
}

const (
	parcels     = 3
	parcelMost  = 8 << 20 // bytes
	parcelShare = 1 << 18 // bytes for a core, at least
	inboxLeast  = 2 * parcelMost
)

// send copies to the card as Stream.ToDevice does: from may change when it returns.
func (b *inbox) send(c *driver.Context, s *driver.Stream, to driver.Ptr, from unsafe.Pointer, bytes int64) error {
	if bytes < inboxLeast {
		return s.ToDevice(to, from, bytes)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ring.open(c, parcels, parcelMost) != nil { // without such memory it takes longer
		return s.ToDevice(to, from, bytes)
	}
	source := unsafe.Slice((*byte)(from), bytes)
	for len(source) > 0 {
		i, n := b.next, min(parcelMost, len(source))
		if b.next = (i + 1) % parcels; b.sent[i] {
			if err := b.ring.done[i].Wait(); err != nil {
				return err
			}
		}
		parcel := unsafe.Slice((*byte)(unsafe.Add(b.ring.host.at, i*parcelMost)), n)
		copyOnCores(parcel, source[:n])
		if err := s.ToDevice(to, unsafe.Pointer(&parcel[0]), int64(n)); err != nil {
			return err
		}
		if err := s.Record(b.ring.done[i]); err != nil {
			return err
		}
		b.sent[i] = true
		source, to = source[n:], to+driver.Ptr(n)
	}
	return nil
}

// free gives the memory back; the card must be at rest.
func (b *inbox) free(c *driver.Context) {
	b.ring.free(c)
	b.sent = [parcels]bool{}
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
