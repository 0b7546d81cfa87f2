package run

import (
	"os"
	"path/filepath"
	"testing"

	"blossom/model/data/dataset"
	"blossom/model/data/spillover"
	"blossom/model/space/transform"
)

// A compensation that is asked for is one of all files, also of one whose operator wants none; auto leaves that out.
func TestACompensationThatIsAskedForIsOfAllFiles(t *testing.T) {
	var tables []*dataset.Dataset
	for f := range 2 {
		ds, err := dataset.FromColumns(t.Context(), string(rune('a'+f))+".fcs", []dataset.Column{
			{Name: "A", Values: []float32{1, 2, 3}}, {Name: "B", Values: []float32{4, 5, 6}}})
		if err != nil {
			t.Fatal(err)
		}
		ds.Spillover = &dataset.Spillover{Names: []string{"A", "B"}, M: [][]float64{{1, 0.5}, {0, 1}}}
		ds.Metadata = map[string]string{"APPLY COMPENSATION": []string{"TRUE", "FALSE"}[f]}
		tables = append(tables, ds)
	}
	all, err := dataset.Concat(t.Context(), tables)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "m.csv")
	if err := os.WriteFile(file, []byte(spillover.Text(all.Spillover)), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, how := range []string{CompensationAuto, CompensationFile, file} {
		spec := transform.Default(all)
		if err := (&Space{Compensation: how}).compensate(t.Context(), all, &spec); err != nil {
			t.Fatal(err)
		}
		got := transform.Mixed(all, spec, all.Places()["B"]).Values
		if got[0] != 3.5 || (got[3] == 3.5) != (how != CompensationAuto) {
			t.Errorf("%s: %v", how, got)
		}
	}
}
