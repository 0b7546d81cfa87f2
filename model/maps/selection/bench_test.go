package selection

import (
	"context"
	"math/rand/v2"
	"testing"
)

func benchPoints(n, dims int) Points {
	r := rand.New(rand.NewPCG(1, 2))
	p := Points{Pos: make([]float32, n*dims), Dims: dims, Order: make([]int32, n)}
	for i := range p.Pos {
		p.Pos[i] = 2*r.Float32() - 1
	}
	for i, row := range r.Perm(n) {
		p.Order[i] = int32(row)
	}
	return p
}

func BenchmarkPick(b *testing.B) {
	flat, space := flatView(0, 0, 400, 1000, 1000), spaceView(0.4, 0.3, 3, 1000, 1000)
	for dims, v := range map[int]View{2: flat, 3: space} {
		p := benchPoints(1<<20, dims)
		for name, r := range map[string]Region{
			"rect": Rect(Point{200, 200}, Point{800, 800}), "lasso200": Lasso(longRound(200)),
			"lasso100k":    Lasso(longRound(100_000)),
			"scribble1000": Lasso(randomPath(rand.New(rand.NewPCG(1, 1)), 1000, 1000, 1000)),
		} {
			b.Run(name+string(rune('0'+dims)), func(b *testing.B) {
				for b.Loop() {
					s, err := Pick(context.Background(), r, v, p)
					if err != nil || s.Empty() {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(p.Len()), "ns/point")
			})
		}
		b.Run("nearest"+string(rune('0'+dims)), func(b *testing.B) {
			for b.Loop() {
				Nearest(context.Background(), v, p, Point{500, 500}, 8)
			}
		})
		b.Run("build"+string(rune('0'+dims)), func(b *testing.B) {
			for b.Loop() {
				BuildIndex(context.Background(), v, p)
			}
		})
		x, _ := BuildIndex(context.Background(), v, p)
		b.Run("index"+string(rune('0'+dims)), func(b *testing.B) {
			for b.Loop() {
				x.Nearest(v, Point{500, 500}, 8)
			}
		})
		s, _ := Pick(context.Background(), Lasso(longRound(200)), v, p)
		states := make([]byte, p.Len())
		b.Run("states"+string(rune('0'+dims)), func(b *testing.B) {
			for b.Loop() {
				s.FillStates(p.Order, states, 2)
			}
		})
	}
	long := longRound(100_000)
	b.Run("build100k", func(b *testing.B) {
		for b.Loop() {
			Lasso(long).tester(context.Background(), 1<<20)
		}
	})
}
