package dock

import (
	"os"
	"path/filepath"
	"testing"

	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/document/parts"
	"blossom/model/space/transform"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
)

// A matrix that is imported, or pasted, is about the detectors of each file, wherever these stand in the table.
func TestAnImportedMatrixIsAboutTheDetectorsOfEachFile(t *testing.T) {
	dir := t.TempDir()
	write := func(name, first, second string) string {
		columns := []dataset.Column{{Name: "FSC-A"}, {Name: "FL1-A", Label: first}, {Name: "FL2-A", Label: second}}
		for j := range columns {
			for i := range 400 {
				columns[j].Values = append(columns[j].Values, float32((i*(7+3*j))%397))
			}
		}
		ds, err := dataset.FromColumns(t.Context(), name, columns)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, name)
		if err := format.Save(t.Context(), path, ds, nil); err != nil {
			t.Fatal(err)
		}
		return path
	}
	first, second := write("a.fcs", "CD3", "CD4"), write("b.fcs", "CD4", "CD3")
	matrix := filepath.Join(dir, "m.csv")
	if err := os.WriteFile(matrix, []byte("FL1-A,FL2-A\n1,0.3\n0.1,1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, d := begin(t, "compensation", stand.Options{W: 1000, H: 700, Data: first, More: []string{second}})
	// cd3 is how much of the light of CD3 is seen in CD4, by file.
	cd3 := func() (out []float64) {
		for _, m := range parts.Transform.Of(s.Desk.Doc.State()).Mixes {
			for _, own := range m.Matrices(s.Desk.Doc.Data) {
				at := map[string]int{own.Names[0]: 0, own.Names[1]: 1}
				out = append(out, own.M[at["CD3"]][at["CD4"]])
			}
			if m.Op != transform.CompensateEach {
				t.Errorf("files are compensated by %s", m.Op)
			}
		}
		return out
	}
	d.ClickOn("dock-compensation/first")
	d.Frames(2)
	uitest.Do(func() { s.Asked.Answer(matrix) })
	s.Rest(d)
	if got := cd3(); len(got) != 2 || got[0] != 0.3 || got[1] != 0.1 {
		t.Errorf("imported for all: %v, %v", got, s.Trouble())
	}
	d.ClickOn("dock-compensation/file")
	d.Frames(2)
	d.ClickOn("compensation file/1")
	d.Frames(2)
	s.Copied = "FL1-A\tFL2-A\n1\t0\n0.2\t1\n"
	d.ClickOn("dock-compensation/paste")
	s.Rest(d)
	if got := cd3(); len(got) != 2 || got[0] != 0.3 || got[1] != 0.2 {
		t.Errorf("pasted for the second: %v, %v", got, s.Trouble())
	}
}
