package cuda

import (
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"blossom/gpu/cuda/driver"
	"blossom/gpu/enginetest"
	"blossom/model/base/exact"
	"blossom/model/maps/embedsom"
	"blossom/model/space/knn"
	"blossom/model/work/engine"
)

// onCards calls test with the points of a case on one card, and on two that share them by few rows.
func onCards(t *testing.T, c enginetest.Case, test func(cards int, r engine.Resident)) {
	t.Helper()
	needsCard(t)
	if cards, err := driver.Devices(); err != nil || len(cards) < 2 {
		t.Skip("there is one card")
	}
	defer func(stripe, others, sum int, parcel, least int64) {
		stripeLeast, othersLeast, sumLeast, returnsParcel, returnsLeast = stripe, others, sum, parcel, least
	}(stripeLeast, othersLeast, sumLeast, returnsParcel, returnsLeast)
	stripeLeast, othersLeast, sumLeast, returnsParcel, returnsLeast = 64, 64, 8, 48, 16
	for cards, beside := range [][]int{nil, {1}} {
		e, err := New(engine.Options{Beside: beside})
		if err != nil {
			t.Fatal(err)
		}
		r, err := e.Load(t.Context(), c.X)
		if err != nil {
			t.Fatal(err)
		}
		test(cards+1, r)
		if s, is := r.(*spread); is != (cards == 1) {
			t.Errorf("%d cards are %T", cards+1, r)
		} else if is && s.owner(0) == s.owner(c.X.Rows-1) && s.owner(0) == s.owner(s.stripe) {
			t.Errorf("one card has all rows")
		}
		r.Free()
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}
}

func spreadCase() enginetest.Case {
	return enginetest.Blobs(rand.New(rand.NewPCG(3, 9)), 700, 6, 60, 10, 2)
}

// Two cards embed as one does, to the bit, by ranges that begin and end anywhere; what they report is one piece a call.
func TestSpreadEmbedsAsOneCardDoes(t *testing.T) {
	c := spreadCase()
	l := c.Landmarks()
	var one []float32
	onCards(t, c, func(cards int, r engine.Resident) {
		dst := embedsom.NewHostTarget(c.X.Rows, 2)
		cuts, reported := []int{0, 33, 200, 700}, []int(nil)
		for i := range 3 {
			at := engine.Range{From: cuts[i], To: cuts[i+1]}
			if err := errors.Join(r.Neighbours(t.Context(), l, c.P, at), r.Project(t.Context(), l, c.P, dst,
				at)); err != nil {
				t.Fatal(err)
			}
		}
		if err := r.Caps().Async.Wait(); err != nil {
			t.Fatal(err)
		}
		r.Caps().Async.Timings(func(did engine.Timing) { reported = append(reported, did.Points) })
		if want := []int{33, 33, 167, 167, 500, 500}; !slices.Equal(reported, want) {
			t.Errorf("%d cards: %v points are reported, want %v", cards, reported, want)
		}
		if one == nil {
			one = dst.Data
		}
		for i, v := range dst.Data {
			if v != one[i] && (v == v || one[i] == one[i]) {
				t.Fatalf("%d cards: number %d is %g, on one card %g", cards, i, v, one[i])
			}
		}
	})
}

// Two cards find the nearest landmarks and the nearest other points that one finds.
func TestSpreadFindsWhatOneCardFinds(t *testing.T) {
	c := spreadCase()
	var near []int32
	var others *knn.Lists
	onCards(t, c, func(cards int, r engine.Resident) {
		got := make([]int32, 600)
		if err := r.Caps().Searcher.Nearest(t.Context(), c.Codebook, 50, 650, got); err != nil {
			t.Fatal(err)
		}
		told := int64(0)
		q := knn.Query{K: 7, Progress: func(done, total int64) { told = max(told, done) }}
		out := knn.NewLists(c.X, q)
		if err := r.Caps().Neighbours.Others(t.Context(), q, out); err != nil {
			t.Fatal(err)
		}
		if told != int64(c.X.Rows) {
			t.Errorf("%d cards: %d of %d rows are told", cards, told, c.X.Rows)
		}
		if cards == 1 {
			near, others = got, out
		} else if !slices.Equal(near, got) || !slices.Equal(others.Index, out.Index) ||
			!slices.Equal(others.Beyond, out.Beyond) || !slices.Equal(others.Near, out.Near) {
			t.Errorf("%d cards find others", cards)
		}
	})
}

// Two cards sum as one does, to the bit, where the largest value of a column is on one of them and others are far
// smaller; a training leaves one codebook.
func TestSpreadTrainsAsOneCardDoes(t *testing.T) {
	c := spreadCase()
	for i := range c.X.Rows {
		c.X.Row(i)[1] *= float32(math.Exp(-float64(i) / 9)) // the low parts count
	}
	c.X.Row(3)[2], c.X.Row(690)[4] = 1e9, -1e12
	type answer struct {
		sums   []exact.Sum
		counts []int64
		bmu    []int32
		code   [2][]float32
	}
	var one answer
	onCards(t, c, func(cards int, r engine.Resident) {
		g, d := c.Codebook.Rows, c.X.Cols
		got := answer{sums: make([]exact.Sum, g*d), counts: make([]int64, g), bmu: make([]int32, 650)}
		if err := r.Caps().Summer.Sum(t.Context(), c.Codebook, 20, 670, got.bmu, enginetest.Largest(c.X), got.sums,
			got.counts); err != nil {
			t.Fatal(err)
		}
		for k, id := range []string{"som-batch", "lloyd"} {
			got.code[k] = trained(t, id, c, r.Caps())
		}
		if cards == 1 {
			one = got
			for k, id := range []string{"som-batch", "lloyd"} {
				if !slices.Equal(got.code[k], trained(t, id, c, engine.Caps{})) {
					t.Errorf("%s: another codebook than on the processor", id)
				}
			}
		} else if !reflect.DeepEqual(got, one) {
			t.Errorf("%d cards: other sums or codebooks", cards)
		}
	})
}

// Where one of two cards has refused so many landmarks the other does nothing for nothing: the processor does it.
func TestSpreadTrainsNothingThatOneCardRefuses(t *testing.T) {
	c := spreadCase()
	onCards(t, c, func(cards int, r engine.Resident) {
		s, is := r.(*spread)
		if !is {
			return
		}
		refusing, err := s.all[1].training()
		if err != nil {
			t.Fatal(err)
		}
		refusing.refused = c.Codebook.Rows
		g := c.Codebook.Rows
		sums, counts, near := make([]exact.Sum, g*c.X.Cols), make([]int64, g), make([]int32, 700)
		if err := s.Sum(t.Context(), c.Codebook, 0, 700, nil, enginetest.Largest(c.X), sums,
			counts); !errors.Is(err, errors.ErrUnsupported) {
			t.Error("sums:", err)
		}
		if err := s.Nearest(t.Context(), c.Codebook, 0, 700, near); !errors.Is(err, errors.ErrUnsupported) {
			t.Error("nearest landmarks:", err)
		}
		if first := s.all[0].trainer; len(first.code) > 0 || s.all[0].sent.Contains(engine.Range{To: 1}) {
			t.Error("the other card has begun")
		}
	})
}

// Two cards find the nearest of all points also where one of them makes no cells, being older or without the memory.
func TestSpreadFindsThroughTheSameCells(t *testing.T) {
	defer func(was int) { allCellsLeast = was }(allCellsLeast)
	allCellsLeast = 1
	c := spreadCase()
	c.X = blobs(700, 12)
	for _, what := range []string{"alike", "an older card", "no memory"} {
		onCards(t, c, func(cards int, r engine.Resident) {
			if s, is := r.(*spread); is {
				defer func(was int) { s.all[1].e.dev.Major = was }(s.all[1].e.dev.Major)
				switch what {
				case "an older card":
					s.all[1].e.dev.Major = 7
				case "no memory":
					t, err := s.all[1].training()
					if err == nil {
						t.refused = 16 // cells
					}
				}
			}
			q := knn.Query{K: 5}
			got, want := knn.NewLists(c.X, q), knn.NewLists(c.X, q)
			if err := errors.Join(r.Caps().Neighbours.Others(t.Context(), q, got),
				knn.Search(t.Context(), c.X, q, want)); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.Index, want.Index) {
				t.Errorf("%s: %d cards find others", what, cards)
			}
		})
	}
}
