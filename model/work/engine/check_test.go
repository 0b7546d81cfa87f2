package engine

import (
	"math"
	"strings"
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/embedsom"
)

func TestChecker(t *testing.T) {
	good := embedsom.Params{K: 3, Boost: 1, Adjust: 1}
	bad := good
	bad.Boost = float32(math.NaN())
	set := func(g, d int) *landmark.Set {
		l := &landmark.Set{Codebook: matrix.New(g, d), Pos: matrix.New(g, 2)}
		for i := range g {
			l.Pos.Row(i)[0] = float32(i)
		}
		return l
	}
	x, all := matrix.New(10, 2), Range{From: 0, To: 10}
	five := set(5, 2)
	broken := set(5, 2)
	broken.Pos.Data[3] = float32(math.Inf(1))
	c := Checker{Limits: Limits{Landmarks: 6, Columns: 3}}
	for _, s := range []struct {
		name string
		x    matrix.Matrix32
		l    *landmark.Set
		p    embedsom.Params
		r    Range
		want string // "" for no error
	}{
		{"good", x, five, good, all, ""},
		{"the same again", x, five, good, Range{From: 3, To: 4}, ""},
		{"a wrong range", x, five, good, Range{From: 0, To: 11}, "11 of 10"},
		{"a reversed range", x, five, good, Range{From: 4, To: 3}, "4 to 3"},
		{"wrong parameters of known landmarks", x, five, bad, all, "boost"},
		{"as many as there may be", x, set(6, 2), good, all, ""},
		{"too many landmarks", x, set(7, 2), good, all, "7 landmarks are more than the 6"},
		{"other columns", x, set(5, 3), good, all, "2 columns and landmarks 3"},
		{"as many columns as there may be", matrix.New(1, 3), set(5, 3), good, Range{From: 0, To: 1}, ""},
		{"too many columns", matrix.New(1, 4), set(5, 4), good, Range{From: 0, To: 1}, "4 columns are more than the 3"},
		{"no landmarks", x, nil, good, all, "landmarks"},
		{"infinite positions", x, broken, good, all, "finite"},
		{"what was refused once is refused again", x, broken, good, all, "finite"},
		{"no points, of no columns", matrix.Matrix32{}, set(5, 2), good, Range{}, ""},
	} {
		err := c.Check(s.x, s.l, s.p, s.r)
		if s.want == "" && err != nil || s.want != "" && (err == nil ||
			!strings.Contains(strings.ToLower(err.Error()), s.want)) {
			t.Errorf("%s: %v", s.name, err)
		}
	}
	if err := new(Checker).Check(x, set(5000, 2), good, all); err != nil {
		t.Errorf("any number of landmarks: %v", err)
	}
}
