package cuda

import (
	"context"
	"fmt"
	"unsafe"

	"blossom/gpu/cuda/driver"
)

// work is a stream of a computation's own, with the memory that it takes on the card.
type work struct {
	e     *card
	s     *driver.Stream
	args  driver.Args
	rooms []*room
}

// begin opens the stream. The card must have been entered, here and in all that follows.
func (w *work) begin(e *card) (err error) {
	w.e = e
	w.s, err = e.c.NewStream()
	return err
}

// end gives everything back.
func (w *work) end() {
	if w.s == nil {
		return
	}
	_ = w.s.Wait() // an error was told before, or is of no use now
	for _, r := range w.rooms {
		_ = r.free(w.e.c)
	}
	_ = w.s.Destroy()
	w.rooms, w.s = nil, nil
}

// room takes so many bytes on the card, until the end.
func (w *work) room(bytes int64) (*room, error) {
	r := &room{}
	w.rooms = append(w.rooms, r)
	return r, r.grow(w.e.c, w.s, bytes)
}

// takeRooms takes memory for several, by bytes.
func (w *work) takeRooms(all map[**room]int64) error {
	for to, bytes := range all {
		r, err := w.room(bytes)
		if err != nil {
			return err
		}
		*to = r
	}
	return nil
}

// memoryLeft is how many bytes may be taken now: what is free less a reserve for drawing and other programs.
func (w *work) memoryLeft() (int64, error) {
	free, total, err := w.e.c.MemInfo()
	if err != nil {
		return 0, err
	}
	left := free - min(total/16, 512<<20)
	if most := w.e.o.Memory; most > 0 {
		left = min(left, most)
	}
	return max(0, left), nil
}

// send copies a list to the card, from where it may be taken back at once.
func send[T any](w *work, to driver.Ptr, list []T) error {
	if len(list) == 0 {
		return nil
	}
	return w.s.ToDevice(to, unsafe.Pointer(&list[0]), int64(len(list))*int64(unsafe.Sizeof(list[0])))
}

// sendAll is send of a long list, in pieces that a cancel need not wait for.
func sendAll[T any](ctx context.Context, w *work, to driver.Ptr, list []T) error {
	size := int64(unsafe.Sizeof(*new(T)))
	for most := int((64 << 20) / size); len(list) > 0; {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := min(most, len(list))
		if err := w.e.inbox.send(w.e.c, w.s, to, unsafe.Pointer(&list[0]), int64(n)*size); err != nil {
			return err
		}
		list, to = list[n:], to+driver.Ptr(int64(n)*size)
	}
	return nil
}

// fetch copies a list from the card, and waits.
func fetch[T any](w *work, list []T, from driver.Ptr) error {
	if len(list) == 0 {
		return nil
	}
	if err := w.s.ToHost(unsafe.Pointer(&list[0]), from, int64(len(list))*int64(unsafe.Sizeof(list[0]))); err != nil {
		return err
	}
	return w.s.Wait()
}

// fetchAll is fetch of a long list.
func fetchAll[T any](w *work, list []T, from driver.Ptr) error {
	if len(list) == 0 {
		return nil
	}
	return w.e.returns.fetch(w.e.c, w.s, unsafe.Pointer(&list[0]), from, int64(len(list))*int64(unsafe.Sizeof(list[0])))
}

// enqueue puts a kernel into the stream.
func enqueue[P any](w *work, k *kernel[P], p P, grid driver.Dim, threads, shared int) error {
	f, err := w.e.kernel(k.module, k.name)
	if err != nil {
		return err
	}
	if shared > 48<<10 && w.e.fits(f, threads, shared) == 0 {
		return fmt.Errorf("cuda: kernel %s needs %d bytes of shared memory and does not get them", k.name, shared)
	}
	return k.launchOn(w.s, f, &w.args, p, grid, driver.Dim{X: threads}, shared)
}

// cores is how many multiprocessors the card has, at least one.
func (w *work) cores() int64 { return int64(max(1, w.e.dev.SMs)) }

// stretch is how many products a multiprocessor makes in one launch, some 10 to 20 ms of it, so that a cancel is heard
// in time. Tests on an emulated card need less.
var stretch = int64(1) << 31
