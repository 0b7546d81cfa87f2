package derived

import (
	"math"
	"slices"
	"strings"
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/base/revision"
	"blossom/model/data/dataset"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/embedsom"
	"blossom/model/space/transform"
)

// A sheet of points with a grid of landmarks on it, whose upper half the map lays back over the lower one.
func foldedSheet(t *testing.T) (in Inputs, row func(i int) []float32) {
	t.Helper()
	const n, side = 1600, 40
	var x, y []float32
	for i := range n {
		x, y = append(x, float32(i%side)), append(y, float32(i/side))
	}
	columns := []dataset.Column{{Name: "x", Values: x}, {Name: "y", Values: y}}
	ds, err := dataset.FromColumns(t.Context(), "sheet", columns)
	if err != nil {
		t.Fatal(err)
	}
	table, err := transform.Build(t.Context(), ds, transform.Default(ds), transform.Shuffle(n, 5), nil)
	if err != nil {
		t.Fatal(err)
	}
	code, pos := matrix.New(196, 2), matrix.New(196, 2)
	for i := range 196 {
		code.Row(i)[0], code.Row(i)[1] = float32(3*(i%14)), float32(3*(i/14))
		pos.Row(i)[0], pos.Row(i)[1] = code.Row(i)[0], float32(19.5-math.Abs(float64(code.Row(i)[1])-19.5))
	}
	set, err := landmark.New(code, pos)
	if err != nil {
		t.Fatal(err)
	}
	out, err := embedsom.Embed(t.Context(), table.X, code, pos, embedsom.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	return Inputs{Data: ds, Table: table, Landmarks: set, Projection: embedsom.Defaults(),
			Positions: Positions{Dims: 2, Pos: out.Data, Rev: revision.Next()}}, func(i int) []float32 {
			return []float32{x[i], y[i]}
		}
}

// Both columns flag a fold: the residual its crease, the loss all that it lays over something else.
func TestAFoldedMapIsFlagged(t *testing.T) {
	in, row := foldedSheet(t)
	residual, loss := column(t, "residual", in), column(t, "loss", in)
	var crease, flat, folded []float64
	for i := range residual.Values {
		switch d := math.Abs(float64(row(i)[1]) - 19.5); {
		case d < 1:
			crease = append(crease, float64(residual.Values[i]))
		case d > 8:
			flat = append(flat, float64(residual.Values[i]))
			folded = append(folded, float64(loss.Values[i]))
		}
	}
	slices.Sort(crease)
	slices.Sort(flat)
	slices.Sort(folded)
	if a, b := crease[len(crease)/4], flat[len(flat)*9/10]; !(a > 0.05 && a > 10*b) {
		t.Errorf("a quarter of the crease has a residual below %g, a tenth of the rest above %g", a, b)
	}
	if v := folded[len(folded)/10]; !(v > 0.3) {
		t.Errorf("a tenth of what lies on something else has lost less than %g", v)
	}
	if !strings.Contains(loss.From, "32 nearest") || strings.Contains(loss.From, "sample") {
		t.Errorf("%q", loss.From)
	}
}

// The columns are made anew when what they are made of changes, and not else.
func TestKeysOfTheFit(t *testing.T) {
	in, _ := foldedSheet(t)
	was := ByID("residual").Key(in)
	for name, change := range map[string]func(*Inputs){
		"boost":  func(in *Inputs) { in.Projection.Boost = 3 },
		"places": func(in *Inputs) { l := *in.Landmarks; l.PosRev = revision.Next(); in.Landmarks = &l },
	} {
		other := in
		change(&other)
		if ByID("residual").Key(other) == was || ByID("nearest").Key(other) != ByID("nearest").Key(in) {
			t.Errorf("%s: the key is wrong", name)
		}
	}
	in.Projection = embedsom.Params{}
	if slices.Contains(Available(in), ByID("residual")) {
		t.Error("a residual without a projection")
	}
	if _, err := ByID("residual").Column(t.Context(), in, nil); err == nil {
		t.Error("a residual is made without a projection")
	}
}
