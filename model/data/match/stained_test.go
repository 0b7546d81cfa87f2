package match

import (
	"context"
	"testing"

	"blossom/model/data/dataset"
)

// None of several stainings of an antigen is the name of the column; where all files spell it alike, it stays.
func TestAColumnOfSeveralStainings(t *testing.T) {
	of := func(name, label string) *dataset.Dataset {
		ds, err := dataset.FromColumns(context.Background(), name, []dataset.Column{
			{Name: name, Label: label, Role: dataset.Marker, Values: []float32{1, 2, 3}}})
		if err != nil {
			t.Fatal(err)
		}
		return ds
	}
	for _, x := range []struct{ a, b, want string }{
		{"CD3 FITC", "CD3 PE", "CD3"}, {"CD3 FITC", "CD3", "CD3"}, {"CD3", "CD3 PE", "CD3"},
		{"CD3 FITC", "CD3 FITC", "CD3 FITC"}, {"NK1.1 APC-Cy7", "NK1.1", "NK1.1"}, {"TCRβ PE", "TCRb", "TCRβ"},
	} {
		p := New([]*dataset.Dataset{of("FITC-A", x.a), of("PE-A", x.b)}, How{})
		if len(p.Rows) != 1 || p.Rows[0].Label != x.want || p.Rows[0].Title() != x.want {
			t.Errorf("%q and %q: %+v, want %q", x.a, x.b, p.Rows, x.want)
		}
	}
	a, b, c := of("FITC-A", "CD3 FITC"), of("CD3 FITC", "CD3"), of("PE-A", "CD33")
	if !SameAntigen(&a.Columns[0], &b.Columns[0]) || SameAntigen(&a.Columns[0], &c.Columns[0]) {
		t.Error("an antigen is not known again")
	}
}
