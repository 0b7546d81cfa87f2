package enginetest

import (
	"context"
	"math/rand/v2"
	"testing"

	"blossom/model/maps/embedsom"
)

// The point of a table that is least sure of its place may be off by as far as its last bits move it; the surest one
// may not, nor may many.
func TestOnlyLuckIsForgiven(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	c := Uniform(rng, 300, 3, 64, 16, 3)
	a, b, x := c.Codebook.Row(0), c.Codebook.Row(1), c.X.Row(0)
	a[0] = 0.75 // where a bit is 6e-8
	b[0], b[1], b[2] = a[0]+1e-6, a[1], a[2]
	x[0], x[1], x[2] = a[0]+5e-7, a[1]+0.01, a[2]-0.01
	want, err := embedsom.Embed(context.Background(), c.X, c.Codebook, c.Pos, c.P)
	if err != nil {
		t.Fatal(err)
	}
	direct := embedsom.Direct32(c.X, c.Codebook, c.Pos, c.P)
	least, most, far := 0, 0, make([]float64, c.X.Rows)
	for i := range far {
		far[i] = luck(t, c, i)
		if far[i] < far[least] {
			least = i
		}
		if far[i] > far[most] {
			most = i
		}
	}
	if far[most] < 1e-3*Extent(c.Pos) || far[least] > 1e-5*Extent(c.Pos) {
		t.Fatalf("the last bits move points by %g to %g: this table shows nothing", far[least], far[most])
	}
	judged := func(rows ...int) string {
		got := direct.Clone()
		for _, i := range rows {
			got.Row(i)[0] += float32(far[most])
		}
		e, d := surely(t, c, got, want, direct)
		return e.Fails(&d)
	}
	if why := judged(most); why != "" {
		t.Errorf("a point off by its last bits: %s", why)
	}
	if judged(least) == "" {
		t.Error("a point that is sure of its place may be anywhere")
	}
	if judged(most, least) == "" {
		t.Error("one that is not sure excuses one that is")
	}
	if judged(1, 2, 3, 4, 5, 6, 7, 8) == "" {
		t.Error("many points may be anywhere")
	}
}
