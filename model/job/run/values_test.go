package run

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/space/transform"
)

// Values that leave the program say by the names of their columns which they are: raw ones as the file has them, with
// its matrix; compensated ones and those of the map as the points have them. None is compensated twice when it is read.
func TestValuesSayWhichTheyAre(t *testing.T) {
	path := stained(t, "a.fcs", 0.2)
	ds := open(t, path)
	flags := quick()
	c, err := flags.Space.Choose(t.Context(), ds, Given{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := PointsOf(t.Context(), ds, c.Cols, c.Spec, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for v, want := range map[transform.Values][]string{
		transform.Raw:         {"FSC-A", "FITC-A", "PE-A", "APC-A"},
		transform.Compensated: {"FSC-A", "Comp-FITC-A", "Comp-PE-A", "Comp-APC-A"},
		transform.Mapped:      {"FSC-A", "Comp-FITC-A [asinh:150]", "Comp-PE-A [asinh:150]", "Comp-APC-A [asinh:150]"},
	} {
		out, err := flags.Space.TableOf(t.Context(), ds, v, nil)
		if err != nil {
			t.Fatal(err)
		}
		again := saved(t, out)
		if names := columnNames(again); !slices.Equal(names, want) || (again.Spillover != nil) != (v == transform.Raw) {
			t.Errorf("%s: %q, with a matrix %v", v, names, again.Spillover != nil)
		}
		if v != transform.Raw && len(transform.Default(again).Mixes) > 0 {
			t.Errorf("%s: they are compensated twice", v)
		}
		for j, col := range p.Cols {
			got := again.Columns[col].Values
			own := transform.AllMixed(ds, p.Spec, p.Cols)[col].Values
			for i := range 300 {
				want := map[transform.Values]float32{transform.Raw: ds.Columns[col].Values[i],
					transform.Compensated: own[i], transform.Mapped: p.Table.X.Row(i)[j]}[v]
				if got[i] != want {
					t.Fatalf("%s: row %d of %s is %g, not %g", v, i, again.Columns[col].Name, got[i], want)
				}
			}
		}
	}
	if _, err := flags.Space.TableOf(t.Context(), ds, "cooked", nil); transform.Values("cooked").Check() == nil {
		t.Error(err)
	}
	flags.Space.Transforms = []string{"log"}
	if _, err := flags.Space.TableOf(t.Context(), ds, transform.Raw, nil); err == nil ||
		!strings.Contains(err.Error(), "raw") {
		t.Errorf("raw and transformed: %v", err)
	}
}

// Values of columns that a table is scaled by say so.
func TestScaledValuesSaySo(t *testing.T) {
	path := mixedScales(t)
	flags := quick()
	out, err := flags.Space.TableOf(t.Context(), open(t, path), transform.Mapped, nil)
	if err != nil {
		t.Fatal(err)
	}
	if names := columnNames(out); !slices.ContainsFunc(names, func(n string) bool {
		return strings.HasSuffix(n, "scaled]")
	}) {
		t.Errorf("%q", names)
	}
}

// saved is a table as an FCS file has it.
func saved(t *testing.T, ds *dataset.Dataset) *dataset.Dataset {
	t.Helper()
	path := filepath.Join(t.TempDir(), "out.fcs")
	if err := format.Save(t.Context(), path, ds, nil); err != nil {
		t.Fatal(err)
	}
	return open(t, path)
}

func columnNames(ds *dataset.Dataset) (names []string) {
	for i := range ds.Columns {
		names = append(names, ds.Columns[i].Name)
	}
	return names
}
