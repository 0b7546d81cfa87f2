package opening

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"blossom/model/data/format"
	"blossom/model/data/match"
	"blossom/model/document/parts"
)

// folder is one of two tables, with more files.
func folder(t *testing.T, more map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	files := map[string]string{"a.csv": "X,Y\n1,2\n3,5\n4,1\n", "b.csv": "X,Y\n6,2\n3,7\n1,1\n"}
	for _, of := range []map[string]string{files, more} {
		for name, text := range of {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir
}

// A panel that lies in a folder and does not fit leaves the folder open without it; named it is refused.
func TestAFolderOpensWithoutAPanelThatDoesNotFit(t *testing.T) {
	for what, rows := range map[string]string{"of other columns": "fcs_colname,antigen\nY9,CD3\n",
		"of no class": "fcs_colname,antigen,marker_class\nX,CD3,blue\n"} {
		dir := folder(t, map[string]string{"panel.csv": rows})
		out, err := Load(t.Context(), []string{dir}, format.Options{Seed: 1}, nil)
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		said := strings.Join(out.Notes, "\n")
		if !strings.Contains(said, "panel.csv is not used: ") || strings.Contains(said, "panel.csv is used") {
			t.Errorf("%s: said is %q", what, said)
		}
		if !parts.Panel.Of(out.Doc.State()).Empty() || out.Doc.Data.Columns[0].Label != "" {
			t.Errorf("%s: it is taken", what)
		}
		named := Sheets{Panel: filepath.Join(dir, "panel.csv")}
		if _, err := named.Load(t.Context(), []string{dir}, format.Options{Seed: 1}, nil); err == nil {
			t.Errorf("%s: named it is taken", what)
		}
	}
}

// A folder that is added to a document has no say in its sheets: none is used, nor refused, nor said to be.
func TestSheetsOfAFolderThatIsAddedAreNotUsed(t *testing.T) {
	first := filepath.Join(folder(t, nil), "a.csv")
	for what, rows := range map[string]string{"fits": "fcs_colname,antigen\nX,CD3\n",
		"of no class": "fcs_colname,antigen,marker_class\nX,CD3,blue\n"} {
		old, err := Load(t.Context(), []string{first}, format.Options{Seed: 1}, nil)
		if err != nil {
			t.Fatal(err)
		}
		dir := folder(t, map[string]string{"panel.csv": rows, "samples.csv": "file_name,group\na.csv,x\n"})
		u, err := Compare(t.Context(), []string{first, dir}, match.How{}, old.Doc, format.Options{Seed: 1}, nil)
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		now, err := u.Open(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		s := now.Doc.State()
		if !parts.Panel.Of(s).Empty() || !parts.Samples.Of(s).Empty() || now.Doc.Data.Points != 9 {
			t.Errorf("%s: sheets are taken, of %d points", what, now.Doc.Data.Points)
		}
		if said := strings.Join(now.Notes, "\n"); strings.Contains(said, "used") {
			t.Errorf("%s: said is %q", what, said)
		}
	}
}
