package format

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// Texts have the numbers that a map of Go gives them, whatever room there was to begin with, up to the most.
func TestTextsAreNumberedAsTheyCome(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for _, room := range []int{0, 1, 5000} {
		x, want := newTextIndex(room), map[string]int{}
		const most = 4000
		for range 40_000 {
			text := fmt.Sprintf("cell%d", r.IntN(1+r.IntN(6000)))
			if r.IntN(9) == 0 {
				text = ""
			}
			n, ok := want[text]
			if !ok {
				if n = -1; len(want) < most {
					n = len(want)
					want[text] = n
				}
			}
			if got := x.number(text, most); got != n {
				t.Fatalf("%q is %d, want %d of %d", text, got, n, len(want))
			}
		}
		for text, n := range want {
			if x.names[n] != text {
				t.Fatalf("name %d is %q, want %q", n, x.names[n], text)
			}
		}
	}
}
