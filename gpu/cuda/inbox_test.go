package cuda

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"blossom/gpu/cuda/driver"
	"blossom/model/work/engine"
)

// The card gets through the inbox what was there when it was sent, at any size, also where the inbox is in use again,
// and what it has comes back, also where somebody else has taken the returns.
func TestLightInbox(t *testing.T) {
	needsCard(t)
	e, err := New(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	c := e.(*card)
	leave, err := c.c.Enter()
	if err != nil {
		t.Fatal(err)
	}
	defer leave()
	r := rand.New(rand.NewPCG(2, 6))
	for _, n := range []int{1, int(returnsLeast) / 4, inboxLeast / 4, inboxLeast/4 + 1, 5*parcelMost/4 + 77,
		int(returnsMost*returnsParcel) / 2} {
		w := work{}
		if err := w.begin(c); err != nil {
			t.Fatal(err)
		}
		list, got := make([]uint32, n), make([]uint32, n)
		for i := range list {
			list[i] = r.Uint32()
		}
		want := slices.Clone(list)
		at, err := w.room(int64(4 * n))
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := c.inbox.send(c.c, w.s, at.at, unsafe.Pointer(&list[0]), int64(4*n)); err != nil {
				t.Fatal(err)
			}
		}
		clear(list)
		if err := fetch(&w, got, at.at); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d words arrive as others", n)
		}
		clear(got)
		if err := fetchAll(&w, got, at.at); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d words come back as others", n)
		}
		clear(got)
		if !c.returns.take(c.c) {
			t.Fatal("the returns are not given up")
		}
		if err := fetchAll(&w, got, at.at); err != nil {
			t.Fatal(err)
		}
		if c.returns.drop(w.s); !slices.Equal(got, want) {
			t.Errorf("%d words come back as others while the returns are taken", n)
		}
		w.end()
	}
	var none driver.Ptr
	if err := c.inbox.send(c.c, c.s, none, nil, 0); err != nil {
		t.Error(err)
	}
}
