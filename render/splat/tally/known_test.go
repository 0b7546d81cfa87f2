package tally

import (
	"math/rand/v2"
	"testing"

	"blossom/model/maps/density"
	"blossom/render/camera"
	"blossom/render/palette"
)

// A pixel has the colour of the square that its middle lies in, where that has points, and nothing where it has none.
func TestKnownCountsLieWherePointsWould(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	k := &Known{X: -2, Y: -1, Cell: 0.25, Cols: 20, Rows: 24}
	k.Counts = make([]int32, k.Cols*k.Rows)
	for i := range k.Counts {
		if rng.IntN(3) > 0 {
			k.Counts[i] = rng.Int32N(9000)
		}
	}
	table := new(palette.Table)
	for i := range table {
		table[i].R, table[i].G, table[i].A = uint8(i), uint8(i>>8), 255
	}
	for _, scale := range density.Scales {
		p := eye(rng, 2, 210, 160)
		levels := scale.Levels(k.Counts)
		img := k.Paint(p, levels, table, 1)
		seen, bare := 0, 0
		for row := range k.Rows {
			for col := range k.Cols {
				at := [2]float64{k.X + (float64(col)+0.5)*k.Cell, k.Y + (float64(row)+0.5)*k.Cell}
				var place [2]float64
				pixels(place[:], []float32{float32(at[0]), float32(at[1])}, 2, &p)
				x, y := int(place[0]), int(place[1])
				if place[0] < 0 || place[1] < 0 || x >= p.W || y >= p.H {
					continue
				}
				n, got := k.Counts[row*k.Cols+col], img.RGBAAt(x, y)
				if n == 0 {
					if bare++; got.A != 0 {
						t.Fatalf("%s: an empty square is %v", scale.Word(), got)
					}
					continue
				}
				want := table[uint16(levels.At(n)*(palette.Entries-1)+0.5)]
				if seen++; got.R != want.R || got.G != want.G || got.A != 255 {
					t.Fatalf("%s: a square of %d points is %v, not %v", scale.Word(), n, got, want)
				}
			}
		}
		if seen < 50 || bare < 20 {
			t.Errorf("%d squares with points were seen and %d without", seen, bare)
		}
		if a := k.Paint(p, levels, table, 0.5); a.RGBAAt(105, 80).A > 128 {
			t.Error("half the opacity is more than half")
		}
	}
	deep := camera.NewOrbit(40, 30).Projection()
	for _, x := range k.Paint(deep, density.Log.Levels(k.Counts), table, 1).Pix {
		if x != 0 {
			t.Fatal("squares of a plane are drawn in 3D")
		}
	}
}

func BenchmarkKnown(b *testing.B) {
	k := &Known{X: 0, Y: 0, Cell: 1, Cols: 1024, Rows: 1024, Counts: make([]int32, 1<<20)}
	for i := range k.Counts {
		k.Counts[i] = int32(i % 50)
	}
	cam := camera.NewFlat(1600, 900)
	cam.Fit(camera.Bounds{Max: camera.Vec{X: 1024, Y: 1024}}, camera.Margins{})
	table := new(palette.Table)
	for b.Loop() {
		k.Paint(cam.Projection(), density.Log.Levels(k.Counts), table, 1)
	}
}
