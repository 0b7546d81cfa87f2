package run

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/document/opening"
	"blossom/model/space/transform"

	"gonum.org/v1/gonum/mat"
)

// stained writes an FCS file of three detectors with their spillover, share of which goes to the next one.
func stained(t *testing.T, name string, share float64) string {
	t.Helper()
	rng := rand.New(rand.NewPCG(3, 4))
	var columns []dataset.Column
	for _, c := range []string{"FSC-A", "FITC-A", "PE-A", "APC-A"} {
		columns = append(columns, dataset.Column{Name: c})
	}
	for j := range columns {
		for range 300 {
			columns[j].Values = append(columns[j].Values, float32(3000*rng.ExpFloat64()))
		}
	}
	ds, err := dataset.FromColumns(t.Context(), name, columns)
	if err != nil {
		t.Fatal(err)
	}
	ds.Spillover = &dataset.Spillover{Names: []string{"FITC-A", "PE-A", "APC-A"},
		M: [][]float64{{1, share, 0}, {0, 1, share}, {share, 0, 1}}}
	path := filepath.Join(t.TempDir(), name)
	if err := format.Save(t.Context(), path, ds, nil); err != nil {
		t.Fatal(err)
	}
	return path
}

// The command line compensates as the window does, says so, and takes another matrix, or none.
func TestCompensationOnTheCommandLine(t *testing.T) {
	path := stained(t, "a.fcs", 0.2)
	start, err := opening.Begin(t.Context(), open(t, path), 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(start.Said, "compensated with the file's matrix of 3 detectors") {
		t.Errorf("the window says %q", start.Said)
	}
	mixed := func(flag string) (*Map, []transform.Mix) {
		s := quick()
		s.Space.Compensation = flag
		m := embed(t, s, path)
		return m, m.Points.Spec.Mixes
	}
	m, mixes := mixed("")
	if len(mixes) != 1 || !mixes[0].Equal(start.Spec.Mixes[0]) ||
		!said(m.Notes, "compensated with the file's matrix of 3") {
		t.Errorf("%v, %q", mixes, m.Notes)
	}
	if m, mixes = mixed("none"); len(mixes) != 0 || said(m.Notes, "compensat") {
		t.Errorf("none: %v, %q", mixes, m.Notes)
	}
	matrix := filepath.Join(t.TempDir(), "m.csv")
	text := ",PE-A,FITC-A\nFITC-A,0.25,1\nPE-A,1,0.5\n"
	if err := os.WriteFile(matrix, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	m, mixes = mixed(matrix)
	if len(mixes) != 1 || !slices.Equal(mixes[0].Cols, []int{2, 1}) ||
		!slices.Equal(mixes[0].Values, []float64{1, 0.5, 0.25, 1}) || !said(m.Notes, "m.csv, a matrix of 2") {
		t.Errorf("%v, %q", mixes, m.Notes)
	}
	for flag, text := range map[string]string{"wide.csv": "FITC-A,PE-A\n1,0\n", "twice.csv": ",a,b\na,1,0\na,0,1\n",
		"strange.csv": "x,y\n1,0\n0,1\n"} {
		s := quick()
		s.Space.Compensation = filepath.Join(t.TempDir(), flag)
		if err := os.WriteFile(s.Space.Compensation, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Embed(t.Context(), path, nil); err == nil {
			t.Errorf("%s was taken", flag)
		}
	}
	s := quick()
	s.Space.Compensation = CompensationFile
	if _, err := s.Embed(t.Context(), "demo:tesseract:300", nil); err == nil ||
		!strings.Contains(err.Error(), "no matrix") {
		t.Errorf("a table without a matrix: %v", err)
	}
}

// Landmarks keep the compensation of their space, and none if they were made before there was one; matrices as
// landmarks take the input as it is.
func TestLandmarksKeepTheirSpace(t *testing.T) {
	path, other := stained(t, "a.fcs", 0.2), stained(t, "b.fcs", 0.3)
	trained := func(compensation string) string {
		s := quick()
		s.Space.Compensation = compensation
		m, err := s.Train(t.Context(), path, nil)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := m.File.Write(&b); err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(t.TempDir(), "l.json")
		if err := os.WriteFile(to, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		return to
	}
	with, without := trained(""), trained("none")
	for i, c := range []struct {
		landmarks, input, flag string
		matrix                 float64 // a number in it, 0: none
		note                   string
	}{
		{with, path, "", 0.2, "compensated with the file's matrix"},
		{with, other, "", 0.2, "--compensation file"},
		{with, other, "file", 0.3, "compensated with the file's matrix"},
		{without, path, "", 0, "not compensated, as the landmarks"},
		{without, path, "none", 0, ""},
	} {
		s := quick()
		s.Origin.SOM, s.Origin.Epochs, s.Origin.Landmarks, s.Space.Compensation = "", 0, c.landmarks, c.flag
		m := embed(t, s, c.input)
		mixes := m.Points.Spec.Mixes
		if (c.matrix == 0) != (len(mixes) == 0) || c.matrix > 0 && mixes[0].Values[1] != c.matrix ||
			!said(m.Notes, c.note) {
			t.Errorf("case %d: %v, %q", i, mixes, m.Notes)
		}
	}
	s := quick()
	hd := open(t, path)
	if _, spec, err := s.Space.givenColumns(t.Context(), hd, Given{hd: hd}); err != nil || len(spec.Mixes) != 0 {
		t.Errorf("--landmarks-hd: %v, %v", spec.Mixes, err)
	}
}

// `convert` writes raw values with their matrix, or compensated ones without it.
func TestConvertCompensates(t *testing.T) {
	path := stained(t, "a.fcs", 0.2)
	for _, flag := range []string{"", CompensationFile} {
		s := quick()
		s.Space.Compensation = flag
		ds := open(t, path)
		out, err := s.Space.Table(t.Context(), ds)
		if err != nil {
			t.Fatal(err)
		}
		same := slices.Equal(out.Columns[2].Values, ds.Columns[2].Values)
		if same != (flag == "") || (out.Spillover != nil) != (flag == "") {
			t.Errorf("%q: raw is %v, matrix %v", flag, same, out.Spillover)
		}
	}
}

// Matrices of files, also of those of instruments where BLOSSOM_TESTDATA names their folder, against the solution of
// the equations row by row.
func TestMatricesOfFiles(t *testing.T) {
	files := map[string]int{stained(t, "a.fcs", 0.2): 3, stained(t, "b.fcs", 0.45): 3}
	if dir := os.Getenv("BLOSSOM_TESTDATA"); dir != "" {
		for name, detectors := range map[string]int{"68983": 11, "100715": 13,
			"FCS_3.0_Fortessa_PBS_Specimen_001_A1_A01": 4, "test_comp_example": 0} {
			files[filepath.Join(dir, "fcs", name+".fcs")] = detectors
		}
	}
	for name, detectors := range files {
		ds, err := format.Open(t.Context(), name, format.Options{MaxPoints: 2000})
		if err != nil {
			t.Fatal(err)
		}
		spec := transform.Default(ds)
		if detectors == 0 { // the identity changes nothing, and nothing is said of it
			if len(ds.Spillover.Names) != 14 || len(spec.Mixes) != 0 {
				t.Errorf("%s: %v", name, spec.Mixes)
			}
			continue
		}
		if len(spec.Mixes) != 1 || len(spec.Mixes[0].Cols) != detectors {
			t.Fatalf("%s: %v", name, spec.Mixes)
		}
		cols := spec.Mixes[0].Cols
		s := mat.NewDense(detectors, detectors, slices.Clone(spec.Mixes[0].Values))
		got := make([]*dataset.Column, detectors)
		for k, c := range cols {
			got[k] = transform.Mixed(ds, spec, c)
		}
		for r := range ds.Points {
			y, x := mat.NewVecDense(detectors, nil), mat.NewVecDense(detectors, nil)
			for k, c := range cols {
				y.SetVec(k, float64(ds.Columns[c].Values[r]))
			}
			if err := x.SolveVec(s.T(), y); err != nil {
				t.Fatal(err)
			}
			for k := range cols {
				if want, v := x.AtVec(k), float64(got[k].Values[r]); math.Abs(v-want) > 1e-7*math.Abs(want)+
					1e-9*mat.Norm(y, 2) {
					t.Fatalf("%s, row %d, %s: %g, want %g", name, r, got[k].Name, v, want)
				}
			}
		}
	}
}

func open(t *testing.T, path string) *dataset.Dataset {
	t.Helper()
	ds, err := format.Open(context.Background(), path, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return ds
}

// said says whether one of the notes has text in it.
func said(notes []string, text string) bool {
	return strings.Contains(fmt.Sprint(notes), text)
}
