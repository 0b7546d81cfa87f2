package linkage

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"blossom/model/base/matrix"
)

// A grove that was written is read again as it was; one that is cut, longer, or something else is refused.
func TestAGroveIsReadAsItWasWritten(t *testing.T) {
	ctx := context.Background()
	r := rand.New(rand.NewPCG(1, 2))
	x := matrix.New(500, 3)
	for i := range x.Data {
		x.Data[i] = float32(r.IntN(40)) // rows that are equal
	}
	x.Data[30] = float32(math.NaN())
	g, err := OfShards(ctx, Shard{0, x}, Shard{0, x}, Options{MinSamples: 1})
	if err != nil || len(g.Again) == 0 || len(g.Rows) != 499 {
		t.Fatalf("%d rows, %d equal ones: %v", len(g.Rows), len(g.Again), err)
	}
	var b bytes.Buffer
	if err := g.Write(ctx, &b); err != nil {
		t.Fatal(err)
	}
	again, err := ReadGrove(ctx, bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil || !reflect.DeepEqual(g, again) {
		t.Errorf("it is another one: %v", err)
	}
	text := b.Bytes()
	for _, bad := range [][]byte{nil, text[:20], text[:len(text)-1], append(bytes.Clone(text), 0), []byte("blossom")} {
		if _, err := ReadGrove(ctx, bytes.NewReader(bad), int64(len(bad))); err == nil {
			t.Errorf("%d bytes are read", len(bad))
		}
	}
	large := bytes.Clone(text)
	large[len(groveMark)+7] = 0x70
	if _, err := ReadGrove(ctx, bytes.NewReader(large), int64(len(large))); err == nil {
		t.Error("more rows than bytes are read")
	}
}
