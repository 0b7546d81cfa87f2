package train

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"blossom/model/base/matrix"
)

// Each sample has equally many rows, each of its points as often as any other or once more, and none that is invalid.
func TestEvenSamplesHaveEquallyManyPoints(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{2, 31, 32, 33, 1000} {
		x, sample := matrix.New(n, 2), make([]int, n)
		for i := range n {
			sample[i] = min(i%2+r.IntN(2)*r.IntN(3), 3) - r.IntN(20)/19*9 // some of none
			if i < 2 {
				sample[i] = i
			}
			x.Row(i)[0], x.Row(i)[1] = float32(i), r.Float32()
			if i > 2 && r.IntN(10) == 0 {
				x.Row(i)[1] = float32(math.NaN())
			}
		}
		of := func(i int) int { return sample[i] }
		rows, ok := Even(x, 5, of, 7)
		if !ok {
			t.Fatalf("of %d points there are none", n)
		}
		times, points, total := make([]int, n), map[int]int{}, map[int]int{}
		for _, row := range rows {
			times[row]++
			total[sample[row]]++
		}
		all := 0
		for i := range n {
			valid := sample[i] >= 0 && finite(x.Row(i))
			if valid {
				points[sample[i]]++
				all++
			} else if times[i] > 0 {
				t.Fatalf("point %d of sample %d is there", i, sample[i])
			}
		}
		if len(rows) != all || len(total) != len(points) {
			t.Fatalf("%d rows of %d points, %d samples of %d", len(rows), all, len(total), len(points))
		}
		for s, got := range total {
			if share := all / len(points); got != share && got != share+1 {
				t.Errorf("sample %d has %d of %d rows", s, got, all)
			}
			for i := range n {
				if least := got / points[s]; sample[i] == s && finite(x.Row(i)) && times[i] != least &&
					times[i] != least+1 {
					t.Errorf("point %d is there %d times, others of its sample %d", i, times[i], least)
				}
			}
		}
		if again, _ := Even(x, 5, of, 7); !slices.Equal(again, rows) {
			t.Error("the same seed gives other rows")
		}
		if g := Gather(x, rows); g.Rows != len(rows) || g.Row(0)[0] != float32(rows[0]) {
			t.Error("gathered rows are others")
		}
	}
	for _, n := range []int{0, 1, 5} {
		if _, ok := Even(matrix.New(n, 2), 3, func(int) int { return 1 }, 1); ok {
			t.Errorf("one sample of %d points is evened out", n)
		}
	}
}

// Trained on even samples, k-means puts a centre where a small sample lies by itself that a large one outweighs.
func TestEvenSamplesAreSeenByTraining(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	x, large := matrix.New(2020, 1), 2000
	for i := range x.Rows {
		x.Row(i)[0] = r.Float32()
		if i >= large {
			x.Row(i)[0] += 0.9
		}
	}
	of := func(i int) int {
		if i < large {
			return 0
		}
		return 1
	}
	mean := func(x matrix.Matrix32) float64 {
		sum := 0.0
		for i := range x.Rows {
			sum += float64(x.Row(i)[0]) / float64(x.Rows)
		}
		return sum
	}
	rows, ok := Even(x, 2, of, 1)
	if !ok {
		t.Fatal("there are no rows")
	}
	a, _ := ByID("lloyd")
	in := Input{X: Gather(x, rows), Codebook: matrix.New(1, 1), Pos: matrix.New(1, 2), Seed: 1}
	tr, err := a.New(in, Values(a.ID, x.Rows, in.Pos))
	if err != nil {
		t.Fatal(err)
	}
	for range 10 {
		if _, err := tr.Step(t.Context(), 2020); err != nil {
			t.Fatal(err)
		}
	}
	small, big := mean(Gather(x, seq(large, x.Rows))), mean(Gather(x, seq(0, large)))
	if got := float64(tr.Codebook().Data[0]); math.Abs(got-(small+big)/2) > 0.02 {
		t.Errorf("the only centre is at %.3f, between %.3f and %.3f is wanted", got, big, small)
	}
}

func seq(from, to int) (rows []int32) {
	for i := from; i < to; i++ {
		rows = append(rows, int32(i))
	}
	return rows
}
