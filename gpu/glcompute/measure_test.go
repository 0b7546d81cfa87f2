package glcompute

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"blossom/gpu"
	"blossom/gpu/enginetest"
	"blossom/model/embedsom"
)

func TestMeasure(t *testing.T) {
	if os.Getenv("GLM") == "" {
		t.Skip()
	}
	e := openEngine(t, gpu.Options{})
	for _, s := range [][3]int{{16, 256, 16}, {32, 512, 20}, {64, 1024, 32}, {5, 50, 8}} {
		n := 1 << 15
		if s[0] == 64 {
			n = 1 << 13
		}
		c := enginetest.Uniform(rand.New(rand.NewPCG(1, 1)), n, s[0], s[1], s[2], 2)
		res, _ := e.Load(context.Background(), c.X)
		l := c.Landmarks()
		dst := embedsom.NewHostTarget(n, 2)
		all := gpu.Range{From: 0, To: n}
		for range 2 {
			t0 := time.Now()
			if err := res.Neighbours(context.Background(), l, c.P, all); err != nil {
				t.Fatal(err)
			}
			res.(gpu.Async).Wait()
			t1 := time.Now()
			if err := res.Project(context.Background(), l, c.P, dst, all); err != nil {
				t.Fatal(err)
			}
			t2 := time.Now()
			r := res.(*resident)
			r.e.thread.do(func() { j := r.hard.idle[0]; n, _ := r.hard.fetch(j); fmt.Println("hard", n) })
			fmt.Println(s, n, "near", t1.Sub(t0), "place", t2.Sub(t1))
		}
		res.(gpu.Async).Timings(func(t gpu.Timing) { fmt.Println(t) })
		res.Free()
	}
}
