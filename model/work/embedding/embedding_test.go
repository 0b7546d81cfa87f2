package embedding

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/base/step"
	"blossom/model/data/dataset"
	"blossom/model/space/transform"
)

// points makes n random points of d columns in the map, in a shuffled order.
func points(t testing.TB, n, d int) Inputs {
	t.Helper()
	random := rand.New(rand.NewPCG(uint64(n), uint64(d)))
	m := matrix.New(n, d)
	for i := range m.Data {
		m.Data[i] = float32(random.NormFloat64()) * float32(i%d+1)
	}
	data, err := dataset.FromMatrix(nil, m)
	if err != nil {
		t.Fatal(err)
	}
	spec := transform.Spec{Columns: make([]transform.Column, d)}
	for i := range spec.Columns {
		spec.Columns[i] = transform.Column{Op: transform.Asinh, Params: transform.Params{5}, Weight: 1}
	}
	table, err := transform.Build(t.Context(), data, spec, transform.Shuffle(n, 3), nil)
	if err != nil {
		t.Fatal(err)
	}
	return Inputs{Data: data, Table: table}
}

// Axes are the columns with their own transforms, without scale and weight, whatever is in the map.
func TestColumnsAreCoordinates(t *testing.T) {
	for _, n := range []int{1, 31, 32, 33, 1000} {
		in := points(t, n, 4)
		in.Data.Columns[3].Values[0] = float32(math.Inf(1))
		r := Columns("c2", "c4", "c1")
		out, err := ByID("columns").Compute(t.Context(), in, r, nil)
		if err != nil {
			t.Fatal(err)
		}
		for p, row := range in.Table.Order {
			for a, c := range []int{1, 3, 0} {
				raw := float64(in.Data.Columns[c].Values[row])
				want, got := math.Asinh(raw/5), float64(out.Pos[3*p+a])
				if math.IsInf(raw, 0) {
					if got == got {
						t.Fatalf("an infinite value is at %g", got)
					}
				} else if math.Abs(got-want) > 1e-5*max(1, math.Abs(want)) {
					t.Fatalf("point %d, axis %d: %g, should be %g", p, a, got, want)
				}
			}
		}
		if x := out.Axes[1].Scale.Forward(10); math.Abs(x-math.Asinh(2)) > 1e-6 || out.Axes[1].Title != "c4" {
			t.Fatalf("axis %+v puts 10 at %g", out.Axes[1], x)
		}
	}
}

// The key changes with what the positions depend on and with nothing else.
func TestKeysOfEmbeddings(t *testing.T) {
	in := points(t, 50, 4)
	key := func(r Recipe, change func(s *transform.Spec)) string {
		spec := in.Table.Spec.Clone()
		change(&spec)
		table, err := transform.Update(t.Context(), in.Table, in.Data, spec, nil)
		if err != nil {
			t.Fatal(err)
		}
		return ByID(r.Kind).Key(Inputs{Data: in.Data, Table: table}, r)
	}
	nothing := func(*transform.Spec) {}
	first := func(s *transform.Spec) { s.Columns[0].Params[0] = 7 }
	last := func(s *transform.Spec) { s.Columns[3].Params[0] = 7 }
	colour := func(s *transform.Spec) { s.Columns[3].Use = transform.ColourOnly }
	for _, c := range []struct {
		r      Recipe
		change func(*transform.Spec)
		other  bool
	}{
		{Columns("c1", "c2"), nothing, false}, {Columns("c1", "c2"), first, true}, {Columns("c1", "c2"), last, false},
		{Columns("c1", "c4"), colour, false}, {PCA(2), nothing, false}, {PCA(2), first, true}, {PCA(2), last, true},
		{PCA(3), colour, true},
	} {
		if other := key(c.r, c.change) != key(c.r, nothing); other != c.other {
			t.Errorf("%v: another key %v, should be %v", c.r, other, c.other)
		}
	}
}

// The coordinates have the shares of variance that the axes say, and are not correlated.
func TestPrincipalComponents(t *testing.T) {
	in := points(t, 2000, 5)
	out, err := ByID("pca").Compute(t.Context(), in, PCA(3), nil)
	if err != nil {
		t.Fatal(err)
	}
	total := 0.0
	for _, sd := range in.Table.SD {
		total += sd * sd
	}
	for a := range 3 {
		for b := range a + 1 {
			sum := 0.0
			for p := range 2000 {
				sum += float64(out.Pos[3*p+a]) * float64(out.Pos[3*p+b])
			}
			sum /= 1999
			if a != b && math.Abs(sum) > 1e-3 {
				t.Errorf("axes %d and %d have covariance %g", a, b, sum)
			}
			if want := strings.TrimSuffix(out.Axes[a].Note, " %"); a == b && want != percent(sum/total) {
				t.Errorf("axis %d has %s %% of the variance, not %s", a, percent(sum/total), want)
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, r := range []Recipe{PCA(2), Columns("c1", "c2")} {
		if _, err := ByID(r.Kind).Compute(ctx, in, r, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("%v, cancelled: %v", r, err)
		}
	}
}

func percent(x float64) string { return fmt.Sprintf("%.1f", 100*x) }

func TestCheck(t *testing.T) {
	in := points(t, 3, 2)
	for _, r := range []Recipe{{Kind: "none", Dims: 2}, PCA(1), PCA(4), Columns("c1"), Columns("c1", "gone"),
		{Kind: "columns", Dims: 3, Columns: []string{"c1", "c2"}}} {
		if err := Check(r, in.Data); err == nil || problem.As(err).Remedy == "" {
			t.Errorf("%v: %v", r, err)
		}
	}
	known := func(name string) bool { return name == "made" }
	if Check(Columns("c1", "made"), in.Data, known) != nil || Check(Columns("c1", "made"), in.Data) == nil {
		t.Error("a column beside the table's")
	}
	if title, note := Label(in, Columns("c2", "made")); title != "c2 × made" || note != "columns" {
		t.Errorf("%q, %q", title, note)
	}
}

// A map that does not fit into memory is refused before work starts, with a size that would fit.
func TestTSNEThatDoesNotFit(t *testing.T) {
	in := points(t, 5000, 4)
	check := ByID("tsne").Run.Check
	in.Memory = 1 << 30
	if err := check(in, TSNE(2), nil); err != nil {
		t.Fatal(err)
	}
	in.Memory = 10 << 20
	err := check(in, TSNE(2), nil)
	if err == nil || !strings.Contains(err.Error(), "GB") ||
		!strings.Contains(problem.As(err).Remedy, "a sample of 2000 points") {
		t.Fatalf("%v: %s", err, problem.As(err).Remedy)
	}
	if err := check(in, TSNE(2), step.Values{"points": 2000}); err != nil {
		t.Fatalf("what it says would fit does not: %v", err)
	}
}
