package export

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"blossom/model/clusters/population"
	"blossom/model/data/dataset"
)

// Files are called after paths of populations, without what systems forbid, each by a name that no other has wherever
// capitals do not count, and with the extension that was named or that of the data.
func TestFilesOfPopulationsHaveNamesOfTheirOwn(t *testing.T) {
	var tree population.Tree
	add := func(name string, parent population.ID) (id population.ID) {
		p, err := population.Population{Name: name, Parent: parent, Rule: &population.Limits{}}, error(nil)
		if tree, id, err = tree.Add(p); err != nil {
			t.Fatal(err)
		}
		return id
	}
	cells := add("T cells", 0)
	add("CD4+/CD8-", cells)
	add("t CELLS", 0)
	add("T cells_CD4+_CD8-", 0)
	add(`a:b*c?"<>|\d`, 0)
	add("\u202egnp.exe", 0)
	add("..", 0)
	add("淋巴細胞 😀", 0)
	long := add(strings.Repeat("é", 10_000), 0)
	add("end", long)
	n := Rows{Data: &dataset.Dataset{Name: "data.fcs", Format: "fcs"}, Names: &Names{Tree: tree}, Each: EachPopulation}
	dir := filepath.Join("some.where", "out")
	got, _ := n.Paths(dir + ".csv.gz")
	want := []string{"T cells", "T cells_CD4+_CD8-", "t CELLS (2)", "T cells_CD4+_CD8- (2)", "a_b_c______d", "_gnp.exe",
		"..", "淋巴細胞 😀"}
	for i, name := range want {
		if full := dir + "_" + name + ".csv.gz"; got[i] != full {
			t.Errorf("%q, want %q", got[i], full)
		}
	}
	seen := map[string]bool{}
	for _, path := range got {
		if name := filepath.Base(path); len(name) > 200 || !utf8.ValidString(name) || seen[strings.ToLower(name)] ||
			filepath.Dir(path) != "some.where" {
			t.Errorf("%q", path)
		}
		seen[strings.ToLower(filepath.Base(path))] = true
	}
	if last := got[len(got)-1]; !strings.HasSuffix(last, "é_end.csv.gz") {
		t.Errorf("%q", last)
	}
	if all, _ := n.Paths(dir); all[0] != dir+"_T cells.fcs" {
		t.Errorf("in the format of the data: %q", all[0])
	}
	n.Data.Format = "demo"
	if all, _ := n.Paths(dir); all[0] != dir+"_T cells.csv" {
		t.Errorf("of no file: %q", all[0])
	}
	n.Each = ""
	if got, _ := n.Paths(dir); !slices.Equal(got, []string{dir}) {
		t.Errorf("all in one: %q", got)
	}
}
