package job

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"blossom/model/document/parts"
	"blossom/model/job/run"
)

// A sheet that lies in a folder and does not fit to its files is left out, and said; one that is named is refused.
func TestSheetsOfAFolderThatDoNotFitAreLeftOut(t *testing.T) {
	for what, x := range map[string]struct{ samples, panel, says string }{
		"of other columns": {"", "fcs_colname,antigen\nY9,CD3\n", "panel.csv is not used: none of its rows"},
		"of no class": {"", "fcs_colname,antigen,marker_class\nX,CD3,blue\n",
			"panel.csv is not used: line 2"},
		"twice":    {"", "fcs_colname,antigen\nX,CD3\nX,CD4\n", "panel.csv is not used: X is named twice"},
		"one fits": {"file_name,group\na.csv,x\n", "fcs_colname,antigen\nY9,CD3\n", "panel.csv is not used"},
	} {
		dir := t.TempDir()
		files := map[string]string{"a.csv": "X,Y\n1,2\n3,5\n4,1\n", "b.csv": "X,Y\n6,2\n3,7\n1,1\n"}
		if files["panel.csv"] = x.panel; x.samples != "" {
			files["samples.csv"] = x.samples
		}
		for name, text := range files {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		j, err := Describe(t.Context(), run.Input{}, []string{dir}, false, nil)
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		said := strings.Join(j.table.Warnings, "\n")
		if !strings.Contains(said, x.says) || strings.Contains(said, "panel.csv is used") {
			t.Errorf("%s: said is %q", what, said)
		}
		if c := j.table.Columns[0]; c.Label != "" || !parts.PanelIn(j.State).Empty() {
			t.Errorf("%s: the panel is taken: %+v", what, c)
		}
		if got := len(parts.SamplesIn(j.State).Columns()); got > 0 != (x.samples != "") {
			t.Errorf("%s: the sheet has %d columns", what, got)
		}
		named := run.Input{Panel: filepath.Join(dir, "panel.csv")}
		if _, err := Describe(t.Context(), named, []string{dir}, false, nil); err == nil ||
			!strings.Contains(err.Error(), "panel.csv") {
			t.Errorf("%s: named it is taken: %v", what, err)
		}
	}
}
