package source

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"blossom/model/data/dataset"
	"blossom/model/data/demo"
	"blossom/model/data/format"
	"blossom/model/data/match"
)

func table(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// A demo data set is the same under all of its names and whatever the seed, and a sample of it has the
// points of the whole.
func TestDemos(t *testing.T) {
	read := func(path string, o format.Options) *dataset.Dataset {
		t.Helper()
		ds, err := Read(t.Context(), path, o)
		if err != nil {
			t.Fatal(err)
		}
		return ds
	}
	whole := read("demo:tesseract:500", format.Options{Seed: 9})
	if whole.Points != 500 || whole.Path != "demo:tesseract:500" {
		t.Errorf("%d points of %s", whole.Points, whole.Path)
	}
	if n := read("tesseract", format.Options{}); n.Points != demo.DefaultPoints || n.Path != "demo:tesseract" {
		t.Errorf("%d points of %s", n.Points, n.Path)
	}
	for _, how := range []string{dataset.SampleFirst, dataset.SampleRandom} {
		o := format.Options{MaxPoints: 60, Sample: how, Seed: 3}
		part := read("demo:tesseract:500", o)
		want, err := dataset.Sample(t.Context(), whole, o.MaxPoints, o.Sample, o.Seed)
		if err != nil {
			t.Fatal(err)
		}
		if part.Points != 60 || part.Total != 500 {
			t.Errorf("%s: %d points of %d", how, part.Points, part.Total)
		}
		for i := range want.Columns {
			if a, b := &part.Columns[i], &want.Columns[i]; !slices.Equal(a.Values, b.Values) || a.Role != b.Role ||
				a.Stats != b.Stats {
				t.Errorf("%s: column %s is not that of the whole", how, a.Name)
			}
		}
	}
}

// A file that is called like a demo data set is the file.
func TestFileBeforeDemo(t *testing.T) {
	t.Chdir(filepath.Dir(table(t, "mammoth", "a,b\n1,2\n3,5\n")))
	ds, err := Read(t.Context(), "mammoth", format.Options{})
	if err != nil || ds.Points != 2 || Resolve("mammoth") != "mammoth" {
		t.Errorf("%v, %v", ds, err)
	}
	if got := Resolve("tesseract"); got != "demo:tesseract" {
		t.Error(got)
	}
	if got := Resolve("other"); got != "other" {
		t.Error(got)
	}
}

func TestAll(t *testing.T) {
	a, b := table(t, "a.csv", "x,y\n1,2\n3,4\n5,6\n"), table(t, "b.csv", "y,x,z\n20,10,1\n40,30,1\n60,50,0\n")
	var last int64
	count := func(done, total int64) {
		if total != 2000 || done < last || done > total {
			t.Errorf("progress %d of %d after %d", done, total, last)
		}
		last = done
	}
	ds, err := All(t.Context(), []string{a, b}, match.How{}, format.Options{MaxPoints: 4, Progress: count})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(ds.Columns[0].Values, []float32{1, 3, 10, 30}) || last != 2000 || len(ds.Parts) != 2 {
		t.Errorf("%v, progress to %d", ds.Columns[0].Values, last)
	}
	if one, err := All(t.Context(), []string{a}, match.How{}, format.Options{}); err != nil || one.Points != 3 ||
		one.Parts != nil {
		t.Errorf("one file: %v, %v", one, err)
	}
}

func TestWrongSources(t *testing.T) {
	for path, want := range map[string]string{
		"demo:nothing": "no such demo data set", "demo:mammoth:0": "not a number of points",
		"missing.csv": "does not exist",
	} {
		_, err := Read(t.Context(), path, format.Options{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
		both := []string{"demo:mammoth:10", path}
		if _, again := All(t.Context(), both, match.How{}, format.Options{}); again == nil {
			t.Errorf("%s among others: no error", path)
		}
	}
	if _, err := Read(t.Context(), "demo:mammoth:10", format.Options{MaxPoints: 5, Sample: "last"}); err == nil {
		t.Error("an unknown way of sampling is accepted")
	}
}

// Two files with antigens on other detectors are matched by the antigens; so are those of three laboratories, where
// BLOSSOM_TESTDATA names their folder.
func TestFilesOfSeveralLaboratories(t *testing.T) {
	file := func(name string, detectors ...string) string {
		var columns []dataset.Column
		for i, d := range detectors {
			column, label, _ := strings.Cut(d, "|")
			values := []float32{float32(i), 1, 2, 3}
			columns = append(columns, dataset.Column{Name: column, Label: label, Values: values})
		}
		ds, err := dataset.FromColumns(t.Context(), name, columns)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), name)
		if err := format.Save(t.Context(), path, ds, nil); err != nil {
			t.Fatal(err)
		}
		return path
	}
	p, err := Compare(t.Context(), []string{file("a.fcs", "FITC-A|CD4", "PE-A|CD8"),
		file("b.fcs", "PE-A|CD8", "APC-A|CD4")}, match.How{}, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if ds, err := p.Join(t.Context()); err != nil || ds.Points != 8 || len(p.Rows) != 2 || p.Rows[0].By != "antigen" {
		t.Errorf("%+v, %v", p.Rows, err)
	}
	if dir := os.Getenv("BLOSSOM_TESTDATA"); dir != "" {
		t.Run("three", func(t *testing.T) { threeLaboratories(t, dir) })
	}
}

func threeLaboratories(t *testing.T, dir string) {
	var paths []string
	for _, name := range []string{"68983.fcs", "100715.fcs", "test_comp_example.fcs"} {
		paths = append(paths, filepath.Join(dir, "fcs", name))
	}
	p, err := Compare(t.Context(), paths, match.How{}, format.Options{MaxPoints: 900, Sample: dataset.SampleFirst})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"Qdot 605-A": "similar detector", "PE-A": "detector", "CD4": "antigen", "CD8": "antigen"}
	for _, r := range p.Rows {
		if by, ok := want[r.Name]; ok && (by != r.By || r.Apart != (r.Name == "PE-A" || r.Name == "Qdot 605-A")) {
			t.Errorf("%+v", r)
		}
		delete(want, r.Name)
	}
	if len(want) > 0 || len(p.Doubtful()) != 2 {
		t.Errorf("without %v, %d doubtful", want, len(p.Doubtful()))
	}
	ds, err := p.Join(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if cols, err := ds.MapColumns("", ""); err != nil || len(cols) != 2 {
		t.Errorf("%v, %v", cols, err)
	}
}
