package density

import (
	"math/rand/v2"
	"testing"
)

// Each piece of a line is one side of one loop, and a loop of Contours is closed: consecutive rows, and the last with
// the first, are pieces of its level.
func TestLoopsAreThePiecesJoined(t *testing.T) {
	rng := rand.New(rand.NewPCG(rand.Uint64(), 9))
	pos := make([]float32, 2*4000)
	for i := range pos {
		pos[i] = float32(rng.NormFloat64() + 5*float64(i/2%3)*float64(1-i%2))
	}
	l, err := Contours(t.Context(), pos, [2]float64{-4, -4}, [2]float64{14, 4}, Tenths)
	if err != nil {
		t.Fatal(err)
	}
	type side struct {
		a, b  int32
		level int
	}
	left := map[side]int{}
	for _, p := range l.Pieces {
		left[side{min(p.A, p.B), max(p.A, p.B), p.Level}]++
	}
	loops := l.Loops()
	if len(loops) < len(Tenths) {
		t.Fatalf("%d loops of %d levels", len(loops), len(Tenths))
	}
	for _, loop := range loops {
		for i, a := range loop.Rows {
			b := loop.Rows[(i+1)%len(loop.Rows)]
			s := side{min(a, b), max(a, b), loop.Level}
			if left[s]--; left[s] < 0 {
				t.Fatalf("rows %d and %d are no piece of their own", a, b)
			}
		}
	}
	for s, n := range left {
		if n != 0 {
			t.Fatalf("the piece %v is in no loop", s)
		}
	}
}
