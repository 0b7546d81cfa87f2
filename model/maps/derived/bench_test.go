package derived

import (
	"math/rand/v2"
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/data/dataset"
	"blossom/model/landmarks/landmark"
	"blossom/model/space/transform"
)

// Columns of a million points of 30 dimensions on a map of 400 landmarks.
func BenchmarkColumns(b *testing.B) {
	const n, d, g = 1_000_000, 30, 400
	r := rand.New(rand.NewPCG(1, 1))
	random := func(rows, cols int) matrix.Matrix32 {
		m := matrix.New(rows, cols)
		for i := range m.Data {
			m.Data[i] = float32(r.NormFloat64())
		}
		return m
	}
	ds, err := dataset.FromMatrix(nil, random(n, 1))
	if err != nil {
		b.Fatal(err)
	}
	set, err := landmark.New(random(g, d), random(g, 2))
	if err != nil {
		b.Fatal(err)
	}
	in := Inputs{Data: ds, Table: &transform.Table{X: random(n, d), Order: transform.Shuffle(n, 1)}, Landmarks: set,
		Positions: Positions{Dims: 2, Pos: random(n, 2).Data}}
	for _, k := range Available(in) {
		b.Run(k.ID, func(b *testing.B) {
			for b.Loop() {
				if _, err := k.Column(b.Context(), in, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
