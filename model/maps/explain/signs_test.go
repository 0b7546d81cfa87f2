package explain

import (
	"math/rand/v2"
	"slices"
	"testing"

	"blossom/model/data/dataset"
	"blossom/model/data/demo"
	"blossom/model/maps/selection"
)

func TestSignsOfSets(t *testing.T) {
	for _, c := range []struct {
		name   string
		v      values
		set    string
		parent string
		want   string
		cut    float64
	}{
		{"high", values{{1, 2, 7, 9}}, "--xx", "", "a+", 4.5},
		{"low", values{{1, 2, 7, 9}}, "xx--", "", "a-", 4.5},
		{"high before low", values{{0, 0, 1, 1}, {1, 1, 0, 0}}, "xx--", "", "b+", 0.5},
		{"of equal columns the first", values{{0, 0, 1, 1}, {0, 0, 1, 1}}, "--xx", "", "a+", 0.5},
		{"together", values{{0, 0, 9, 9, 9, 9}, {3, 3, 3, 3, 7, 7}}, "----xx", "", "b+", 5},
		{"each of two", values{{0, 0, 0, 9, 9, 9}, {3, 7, 3, 3, 3, 7}}, "-----x", "", "a+ b+", 4.5},
		{"parent", values{{0, 0, 5, 9, 9}}, "--x--", "xxx--", "a+", 2.5},
		{"all", values{{1, 2}}, "xx", "", "", 0},
		{"all of the parent", values{{1, 2}}, "x-", "x-", "", 0},
		{"none", values{{1, 2}}, "--", "", "", 0},
		{"one row", values{{1}}, "x", "", "", 0},
		{"no columns", nil, "x-", "", "", 0},
		{"constant", values{{4, 4, 4}}, "x--", "", "", 0},
		{"all missing", values{{nan, nan, nan}}, "x--", "", "", 0},
		{"missing in the others", values{{2, nan, 1}, {0, 0, 0}}, "x--", "", "a+", 1.5},
		{"infinite", values{{inf, 3, 1, -inf}}, "xx--", "", "a+", 2},
		{"unclear", values{{1, 2, 3, 4, 5}}, "x--xx", "", "", 0},
		{"unclear for a low one", values{{1, 2, 3, 4}}, "x-x-", "", "", 0},
		{"clear for a high one", values{{1, 2, 3, 4}}, "-x-x", "", "a+", 2.5},
		{"alike", values{{1, 2, 3, 1, 2, 3}}, "xxx---", "", "", 0},
	} {
		var parent *selection.Set
		if c.parent != "" {
			parent = setOf(c.parent)
		}
		signs, err := Signs(t.Context(), c.v.columns(), setOf(c.set), parent)
		if got := Title(c.v.columns(), signs); err != nil || got != c.want || got != "" && signs[0].Cut != c.cut {
			t.Errorf("%s: %q, %v, %v, not %q at %v", c.name, got, signs, err, c.want, c.cut)
		}
	}
}

func TestSignsAreOfDifferentColumnsInOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for range 1000 {
		v, set, parent := random(r, 5)
		signs, err := Signs(t.Context(), v.columns(), set, parent)
		if err != nil {
			t.Fatal(err)
		}
		ascending := slices.IsSortedFunc(signs, func(a, b Sign) int { return a.Column - b.Column })
		if !ascending || len(signs) > 3 || slices.ContainsFunc(signs[min(1, len(signs)):], func(s Sign) bool {
			return s.Column == signs[0].Column
		}) {
			t.Fatalf("%v, %v and %v: %v", v, set, parent, signs)
		}
		for _, s := range signs {
			half := 0
			for row, x := range v[s.Column] {
				if set.Contains(row) && (parent == nil || parent.Contains(row)) && x == x {
					if half--; s.holds(x) {
						half += 2
					}
				}
			}
			if half < 0 {
				t.Fatalf("%v, %v and %v: most of the set is on the other side of %v", v, set, parent, s)
			}
		}
	}
}

// The markers that the populations of the demo data are known by are in their signs.
func TestSignsOfBlood(t *testing.T) {
	const n = 20_000
	ds, err := demo.Generate(t.Context(), "cytometry", n, 1)
	if err != nil {
		t.Fatal(err)
	}
	var columns []Column
	for i := range ds.Columns {
		if c := &ds.Columns[i]; c.Role == dataset.Marker {
			columns = append(columns, Column{c.Short(), c.At})
		}
	}
	label := &ds.Columns[slices.IndexFunc(ds.Columns, func(c dataset.Column) bool { return c.Name == "population" })]
	for name, want := range map[string]string{
		"CD8 effector memory": "CD8+ CD45RA- CCR7-", "NK CD56 dim": "CD56+ CD16+ CD57-",
		"monocyte intermediate": "CD16+ CD14+ HLA-DR+",
	} {
		k := float64(slices.Index(label.Categories, name))
		set, err := selection.Where(t.Context(), n, func(row int) bool { return label.At(row) == k })
		if err != nil {
			t.Fatal(err)
		}
		signs, err := Signs(t.Context(), columns, set, nil)
		if got := Title(columns, signs); err != nil || got != want {
			t.Errorf("%s: %q, %v, not %q", name, got, err, want)
		}
	}
}
