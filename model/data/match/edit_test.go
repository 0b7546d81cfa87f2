package match

import (
	"slices"
	"strings"
	"testing"
)

// row finds a row by its name.
func row(t *testing.T, p *Plan, name string) int {
	t.Helper()
	i := slices.IndexFunc(p.Rows, func(r Row) bool { return r.Name == name })
	if i < 0 {
		t.Fatalf("no row %s in\n%s", name, told(p))
	}
	return i
}

func TestDecisions(t *testing.T) {
	p := New(panels(t), How{})
	one := New(p.Files, p.Decide(row(t, p, "PE-A"), true))
	if r := one.Rows[row(t, one, "PE-A")]; !r.Hand || r.Apart || r.Doubt != "" || r.By != "hand" || !r.InMap {
		t.Errorf("one column: %+v", r)
	}
	// A cell: the file's column goes there, and what stood there stands alone.
	moved := New(p.Files, one.Choose(row(t, one, "PE-A"), 2, 2))
	if got := told(moved); !strings.Contains(got, "NK1/1: PE-A PE-A PacBlu-A by hand") ||
		!strings.Contains(got, "CD4: PE-Texas_Red-A APC-A - by antigen") || !strings.Contains(got, "PE-A: - - PE-A") {
		t.Error(got)
	}
	none := New(p.Files, moved.Choose(row(t, moved, "NK1/1"), 2, -1))
	if got := told(none); !strings.Contains(got, "PE-A PE-A - by antigen") || len(none.Doubtful()) != 0 {
		t.Error(got)
	}
	// Ticks stay with what they were set on, and take what is no marker into the map.
	ticked := New(p.Files, p.Tick(row(t, p, "FSC-A"), true))
	ticked = New(p.Files, ticked.Tick(row(t, ticked, "CD4"), false))
	ds, err := ticked.Join(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	cols, err := ds.MapColumns("", "")
	if err != nil || len(cols) != 2 || ds.Columns[cols[0]].Name != "FSC-A" || ds.Columns[cols[1]].Label != "CD3" {
		t.Errorf("the map has %v of\n%s, %v", cols, told(ticked), err)
	}
	if r := ticked.Rows[row(t, ticked, "CD4")]; r.By != Antigen || r.InMap {
		t.Errorf("%+v", r)
	}
	// A settled question is not asked again, and a file less leaves the rest as it was.
	settled := New(p.Files, p.Settled())
	if len(settled.Doubtful()) != 0 || settled.Rows[row(t, settled, "CD33")].Files() != 1 {
		t.Error(told(settled))
	}
	if fewer := New(p.Files[1:], p.Settled().Without(0)); len(fewer.Doubtful()) != 0 || fewer.Common() != 5-1 {
		t.Error(told(fewer))
	}
}
