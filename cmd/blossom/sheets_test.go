package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// stained writes two files of cells of one panel into a folder, and returns their names.
func stained(t *testing.T, dir string) []string {
	t.Helper()
	names := []string{"a.csv", "b.csv"}
	for f, name := range names {
		var b strings.Builder
		b.WriteString("FSC-H,FL1-H,FL2-H,FL3-H\n")
		for i := range 60 {
			fmt.Fprintf(&b, "%d,%.2f,%.2f,%.2f\n", i*7%13, float64(i*(f+3)%17)+0.25, float64(i*5%23)+0.5,
				float64(i%11)+0.1)
		}
		write(t, filepath.Join(dir, name), b.String())
	}
	write(t, filepath.Join(dir, "samples.csv"), "file_name,condition,age\nA,ctrl,41\nb.csv,case,39.5\n")
	write(t, filepath.Join(dir, "panel.csv"), "fcs_colname,antigen,marker_class\nFL1-H,CD3,type\nfl2-h,CD4,type\n"+
		"FL3-H,CD8,state\nFSC-H,,none\n")
	return names
}

// lines are those of a file.
func lines(t *testing.T, path string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}

// A sheet and a panel on the command line make the same of the data wherever they are given: in a map, in a picture, in
// what is converted, and in the job that is printed, which needs the files of neither.
func TestSheetsAreOfTheData(t *testing.T) {
	dir := t.TempDir()
	in := stained(t, dir)
	with := []string{"--samples", "samples.csv", "--panel", "panel.csv"}
	embed := slices.Concat([]string{"embed"}, in, with, []string{"--with-data", "-o"})
	said := ok(t, dir, append(embed, "x.csv", "--json")...)
	var done struct{ Columns []string }
	if err := json.Unmarshal([]byte(said.stdout), &done); err != nil || !slices.Equal(done.Columns,
		[]string{"FL1-H", "FL2-H"}) {
		t.Errorf("the map is of %q, %v", done.Columns, err)
	}
	made := lines(t, filepath.Join(dir, "x.csv"))
	if want := "FSC-H,FL1-H :: CD3,FL2-H :: CD4,FL3-H :: CD8,file,condition,age,embedsom1,embedsom2"; made[0] != want {
		t.Errorf("the columns are %s", made[0])
	}
	if !strings.Contains(made[1], ",a.csv,ctrl,41,") || !strings.Contains(made[120], ",b.csv,case,39.5,") {
		t.Errorf("rows are %q and %q", made[1], made[120])
	}
	job := ok(t, dir, append(embed, "y.csv", "--print-job")...).stdout
	write(t, filepath.Join(dir, "job.json"), job)
	for _, name := range []string{"samples.csv", "panel.csv"} {
		if err := os.Rename(filepath.Join(dir, name), filepath.Join(dir, name+".away")); err != nil {
			t.Fatal(err)
		}
	}
	ok(t, dir, "job", "job.json")
	if got := lines(t, filepath.Join(dir, "y.csv")); !slices.Equal(got, made) {
		t.Error("the job makes another table")
	}
	for _, name := range []string{"samples.csv", "panel.csv"} {
		if err := os.Rename(filepath.Join(dir, name+".away"), filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	ok(t, dir, "convert", "a.csv", "c.csv", "--samples", "samples.csv", "--panel", "panel.csv")
	if got := lines(t, filepath.Join(dir, "c.csv")); !strings.HasSuffix(got[0], ",condition,age") ||
		!strings.HasSuffix(got[1], ",ctrl,41") {
		t.Errorf("converted are %q", got[:2])
	}
	for _, colour := range []string{"condition", "age", "sample: age"} {
		ok(t, dir, slices.Concat([]string{"render"}, in, with, []string{"--colour", colour, "-o", "p.png"})...)
	}
	for _, c := range [][]string{{"train", "-o", "m.json"}, {"tsne", "-o", "m.csv"}, {"umap", "-o", "m.csv"},
		{"cluster", "--n-clusters", "3", "-o", "m.csv"}} {
		var job struct{ State map[string]any }
		out := ok(t, dir, slices.Concat(c, in, with, []string{"--print-job"})...).stdout
		if err := json.Unmarshal([]byte(out), &job); err != nil || job.State["panel"] == nil ||
			job.State["samples"] == nil {
			t.Errorf("%s: the job has no sheets: %v", c, err)
		}
	}
}

func TestInfoTellsOfSheets(t *testing.T) {
	dir := t.TempDir()
	in := stained(t, dir)
	var said struct {
		Files []struct {
			Columns []struct{ Name, Label, Role, Why string }
		}
		Match struct {
			Columns []struct {
				Name, Label string
				Map         bool
			}
		}
	}
	out := ok(t, dir, slices.Concat([]string{"info", "--json"}, in, []string{"--samples", "samples.csv", "--panel",
		"panel.csv"})...)
	if err := json.Unmarshal([]byte(out.stdout), &said); err != nil {
		t.Fatal(err)
	}
	var told []string
	for _, c := range said.Files[1].Columns {
		told = append(told, c.Name+"|"+c.Label+"|"+c.Role)
	}
	if want := []string{"FSC-H||scatter", "FL1-H|CD3|marker", "FL2-H|CD4|marker", "FL3-H|CD8|marker",
		"condition||label",
		"age||measure"}; !slices.Equal(told, want) {
		t.Errorf("columns are %q", told)
	}
	for _, c := range said.Match.Columns {
		if c.Map != (c.Label == "CD3" || c.Label == "CD4") {
			t.Errorf("together %+v", c)
		}
	}
}

// A wrong sheet or panel is told in one line, and nothing is written.
func TestWrongSheetsAreRefusedInALine(t *testing.T) {
	dir := t.TempDir()
	in := stained(t, dir)
	long := strings.Repeat("x", 10_000)
	var rows, wide strings.Builder
	rows.WriteString("file_name,condition\na,ctrl\nb,case\n")
	for i := range 100_000 {
		fmt.Fprintf(&rows, "other%d.fcs,%d\n", i, i)
	}
	wide.WriteString("file_name")
	for i := range 2000 {
		fmt.Fprintf(&wide, ",c%d", i)
	}
	wide.WriteString("\na" + strings.Repeat(",1", 2000) + "\n")
	for name, c := range map[string]struct {
		flag, text string
		words      []string // nil: it is taken
	}{
		"twice":       {"--samples", "file_name,x\na,1\nA.csv,2\n", []string{"lines 2 and 3 are both of a.csv"}},
		"key twice":   {"--samples", "file_name,file_name\na,b\n", []string{`two columns are called "file_name"`}},
		"empty":       {"--samples", "", []string{"is empty"}},
		"header only": {"--samples", "file_name,x\n", []string{"no rows"}},
		"ragged":      {"--samples", "file_name,x\na,1,2\n", []string{"line 2 has 3 cells"}},
		"columns":     {"--samples", wide.String(), []string{"2001 columns"}},
		"spreadsheet": {"--samples", "PK\x03\x04 and so on", []string{"spreadsheet", "CSV"}},
		"others":      {"--samples", "file_name,x\nz.fcs,1\n", []string{"no column names a sample"}},
		"rows":        {"--samples", rows.String(), nil},
		"long cell":   {"--samples", "file_name,x\na," + long + "\nb,😀\n", nil},
		"short":       {"--samples", "file_name,x,y\na,1\nb,2,3\n", nil},
		"panel twice": {"--panel", "fcs_colname,antigen\nFL1-H,a\nfl1-H,b\n",
			[]string{"FL1-H is named twice, in lines 2 and 3"}},
		"panel class":    {"--panel", "fcs_colname,marker_class\nFL1-H,typ\n", []string{`"typ" is no class`}},
		"panel of other": {"--panel", "fcs_colname,antigen\nX,CD3\n", []string{"none of its rows names a column"}},
		"panel heads":    {"--panel", "a,b\n1,2\n", []string{"fcs_colname"}},
		"panel long":     {"--panel", "fcs_colname,antigen\nFL1-H," + long + "\n", nil},
		"panel near":     {"--panel", "fcs_colname,antigen\nFL1-H,CD3\nFL9-H,CD4\n", nil},
	} {
		write(t, filepath.Join(dir, "sheet.csv"), c.text)
		r := blossom(t, dir, slices.Concat([]string{"convert", in[0], "out.csv", c.flag, "sheet.csv"})...)
		if strings.Contains(c.text, "file_name") && name != "twice" && name != "others" {
			r = blossom(t, dir, slices.Concat([]string{"embed"}, in, []string{"-o", "out.csv", c.flag, "sheet.csv"})...)
		}
		_, failed := os.Stat(filepath.Join(dir, "out.csv"))
		os.Remove(filepath.Join(dir, "out.csv"))
		if c.words == nil {
			if r.code != 0 || failed != nil {
				t.Errorf("%s: %.300s", name, r.stderr)
			}
			continue
		}
		r.refused(t, 1, append(c.words, "sheet.csv")...)
		if failed == nil {
			t.Errorf("%s: a table was written", name)
		}
	}
	write(t, filepath.Join(dir, "sheet.csv"), "file_name,x\na,1\nz.fcs,2\n")
	said := ok(t, dir, slices.Concat([]string{"embed"}, in, []string{"-o", "out.csv", "--samples",
		"sheet.csv"})...).stderr
	if !strings.Contains(said, "1 row of no sample: z.fcs; 1 sample without a row: b.csv") {
		t.Errorf("said is %q", said)
	}
}

// A folder is its data files as one table, with the sheets that lie there; a damaged file among them is refused by its
// name, or left out where that is said.
func TestAFolderIsOneTable(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "run"), 0o755); err != nil {
		t.Fatal(err)
	}
	stained(t, filepath.Join(dir, "run"))
	said := ok(t, dir, "embed", "run/", "--with-data", "-o", "x.csv").stderr
	for _, want := range []string{"2 files", "samples.csv is used as the sheet of samples",
		"panel.csv is used as the panel"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not said in %q", want, said)
		}
	}
	whole := lines(t, filepath.Join(dir, "x.csv"))
	if !strings.Contains(whole[0], "FL1-H :: CD3") || !strings.Contains(whole[0],
		",condition,age,") || len(whole) != 121 {
		t.Errorf("%d lines of %s", len(whole), whole[0])
	}
	write(t, filepath.Join(dir, "run", "cut.csv"), "FSC-H,FL1-H,FL2-H,FL3-H\n\x00\x01\x02")
	blossom(t, dir, "embed", "run", "-o", "y.csv").refused(t, 1, "cut.csv", "--skip-damaged")
	said = ok(t, dir, "embed", "run", "--with-data", "--skip-damaged", "-o", "y.csv").stderr
	if got := lines(t, filepath.Join(dir, "y.csv")); !slices.Equal(got, whole) || !strings.Contains(said, "cut.csv") {
		t.Errorf("without the damaged file there are %d lines; said is %q", len(got), said)
	}
	blossom(t, dir, "embed", "run/a.csv", "run/none.csv", "--skip-damaged", "-o", "z.csv").refused(t, 1, "none.csv")
	blossom(t, dir, "embed", t.TempDir(), "-o", "z.csv").refused(t, 1, "no file of a format")
	if r := blossom(t, dir, "info", "run"); r.code != 1 || !strings.Contains(r.stdout, "a.csv: csv") ||
		!strings.Contains(r.stderr, "cut.csv") {
		t.Errorf("info says %q and %q", r.stdout, r.stderr)
	}
}

// The sheets of the shared formats say of the two files of flowCore what they are.
func TestTheSheetsOfTheFormats(t *testing.T) {
	formats := filepath.Join("..", "..", "..", "shared", "formats")
	if _, err := os.Stat(formats); err != nil {
		t.Skip("the formats are not here")
	}
	root, err := filepath.Abs(formats)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	sheets := filepath.Join(root, "sheets")
	in := []string{filepath.Join(root, "fcs", "060909.001"), filepath.Join(root, "fcs", "060909.003")}
	ok(t, dir, slices.Concat([]string{"embed"}, in, []string{"--samples", filepath.Join(sheets, "samples.csv"),
		"--panel",
		filepath.Join(sheets, "panel.csv"), "--with-data", "-o", "x.csv"})...)
	made := lines(t, filepath.Join(dir, "x.csv"))
	if !strings.Contains(made[0], "FL1-H :: CD3,FL2-H :: CD4,FL3-H :: CD8") ||
		!strings.Contains(made[0], "file,sample_id,condition,patient_id,age,embedsom1") || len(made) != 17486 {
		t.Errorf("%d lines of %s", len(made), made[0])
	}
	if !strings.Contains(made[1], "060909.001,S1,unstained,P1,41,") ||
		!strings.Contains(made[17485], "060909.003,S3,stained,P2,39.5,") {
		t.Errorf("rows are %q, %q", made[1], made[17485])
	}
	for name, words := range map[string][]string{"samples-twice.csv": {"lines 2 and 3 are both of 060909.001"}} {
		blossom(t, dir, slices.Concat([]string{"embed"}, in, []string{"--samples", filepath.Join(sheets, name), "-o",
			"y.csv"})...).refused(t, 1, words...)
	}
	said := ok(t, dir, slices.Concat([]string{"embed"}, in, []string{"--samples",
		filepath.Join(sheets, "samples-missing-file.csv"), "-o", "y.csv"})...).stderr
	if !strings.Contains(said, "1 row of no sample: not-here.fcs; 1 sample without a row: 060909.003") {
		t.Errorf("said is %q", said)
	}
}

// A column of the sheet that says nothing of a file is labels or a measure without values, as it is for the other
// files, and never one of the map.
func TestEmptyColumnsOfASheetAreNoneOfTheMap(t *testing.T) {
	dir := t.TempDir()
	in := stained(t, dir)
	write(t, filepath.Join(dir, "s.csv"), "file_name,condition,age,comment\na.csv,x,41.5,\nb.csv,NA,,\n")
	for _, files := range [][]string{in, in[1:]} {
		out := ok(t, dir, slices.Concat([]string{"embed", "--json"}, files, []string{"--samples", "s.csv", "--som",
			"4x4", "--with-data", "-o", "x.csv"})...).stdout
		var done struct{ Columns []string }
		if err := json.Unmarshal([]byte(out), &done); err != nil ||
			!slices.Equal(done.Columns, []string{"FL1-H", "FL2-H", "FL3-H"}) {
			t.Errorf("%q: the map is of %q, %v", files, done.Columns, err)
		}
		made := lines(t, filepath.Join(dir, "x.csv"))
		if !strings.Contains(made[0], ",condition,age,comment,") || !strings.Contains(made[len(made)-1], ",,NaN,,") {
			t.Errorf("%q: rows are %q and %q", files, made[0], made[len(made)-1])
		}
		for _, name := range []string{"x.h5ad", "x.parquet", "x.fcs"} {
			ok(t, dir, slices.Concat([]string{"embed"}, files, []string{"--samples", "s.csv", "--som", "4x4",
				"--with-data", "-o", name})...)
			ok(t, dir, "info", name)
		}
	}
	said := ok(t, dir, "info", "a.csv", "b.csv", "--samples", "s.csv").stdout
	if strings.Contains(said, "(2)") || strings.Contains(said, "different kinds") {
		t.Error(said)
	}
}

// A link to nothing in a folder is refused as a damaged file is, and --skip-damaged leaves it out and says so.
func TestALinkToNothingInAFolderIsRefused(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "run"), 0o777); err != nil {
		t.Fatal(err)
	}
	stained(t, filepath.Join(dir, "run"))
	ok(t, dir, "embed", "run", "-o", "x.csv")
	if err := os.Symlink(filepath.Join(dir, "gone.csv"), filepath.Join(dir, "run", "c.csv")); err != nil {
		t.Skip("no links here:", err)
	}
	blossom(t, dir, "embed", "run", "-o", "y.csv").refused(t, 1, "c.csv", "--skip-damaged")
	said := ok(t, dir, "embed", "run", "--skip-damaged", "-o", "y.csv").stderr
	if got := lines(t, filepath.Join(dir, "y.csv")); !slices.Equal(got, lines(t, filepath.Join(dir, "x.csv"))) ||
		!strings.Contains(said, "c.csv") {
		t.Errorf("without the link there are %d lines; said is %q", len(got), said)
	}
}
