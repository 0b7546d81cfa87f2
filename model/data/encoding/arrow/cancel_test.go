package arrow

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"testing"
)

// unwanted is a file that nobody wants any more from one of its readings on.
type unwanted struct {
	io.ReaderAt
	left   int
	cancel func()
}

func (u *unwanted) ReadAt(to []byte, at int64) (int, error) {
	if u.left--; u.left == 0 {
		u.cancel()
	}
	return u.ReaderAt.ReadAt(to, at)
}

// Opening a file ends at whichever of its readings nobody wants it any more, also at those for lengths of lists.
func TestOpeningIsCancelled(t *testing.T) {
	for _, stream := range []bool{false, true} {
		b, _ := written(t, rand.New(rand.NewPCG(1, 2)), stream, 1, 50)
		all := &unwanted{ReaderAt: bytes.NewReader(b), left: -1}
		if _, err := Open(context.Background(), all, int64(len(b)), 1<<30); err != nil {
			t.Fatal(err)
		}
		for last := 1; last <= -1-all.left; last++ {
			ctx, cancel := context.WithCancel(context.Background())
			r := &unwanted{ReaderAt: bytes.NewReader(b), left: last, cancel: cancel}
			if _, err := Open(ctx, r, int64(len(b)), 1<<30); !errors.Is(err, context.Canceled) {
				t.Errorf("stream %v, cancelled at reading %d of %d: %v", stream, last, -1-all.left, err)
			}
			cancel()
		}
	}
}
