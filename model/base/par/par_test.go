package par

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
)

func TestBlocksCoverEverythingOnce(t *testing.T) {
	for _, n := range []int{-1, 0, 1, 7, 8, 9, 1000} {
		seen := make([]atomic.Int32, max(n, 0))
		err := Blocks(context.Background(), n, 8, func(b, from, to int) {
			if from != 8*b || to > n || from >= to {
				t.Errorf("block %d is %d to %d of %d", b, from, to, n)
			}
			for i := from; i < to; i++ {
				seen[i].Add(1)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		for i := range seen {
			if seen[i].Load() != 1 {
				t.Fatalf("row %d of %d was seen %d times", i, n, seen[i].Load())
			}
		}
	}
}

func TestBlocksStop(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	var calls atomic.Int32
	err := Blocks(ctx, 1_000_000, 1, func(int, int, int) {
		if calls.Add(1) == 10 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || calls.Load() > 1000 {
		t.Errorf("%v after %d calls", err, calls.Load())
	}
	if err := Blocks(ctx, 0, 1, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
