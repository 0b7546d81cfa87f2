package run

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"blossom/model/data/format"
	"blossom/model/data/match"
	"blossom/model/document/opening"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/space/transform"
)

// Files that bring different matrices are compensated each with its own, as if it were alone, whichever columns a
// matrix has; a file that brings none keeps its values. It is said, and --compensation none leaves all as measured.
func TestEachFileIsCompensatedWithItsOwnMatrix(t *testing.T) {
	paths := []string{stained(t, "a.fcs", 0.2), stained(t, "b.fcs", 0.3), stained(t, "c.fcs", 0)}
	s := quick()
	s.Space.Transforms, s.Input.More = []string{"none"}, paths[1:]
	m := embed(t, s, paths[0])
	if !said(m.Notes, "compensated with each file's own matrix") {
		t.Errorf("it says %q", m.Notes)
	}
	got := transform.AllMixed(m.Points.Data, m.Points.Spec, m.Points.Cols)
	for f, path := range paths {
		alone := quick()
		alone.Space.Transforms = s.Space.Transforms
		one := embed(t, alone, path)
		want := transform.AllMixed(one.Points.Data, one.Points.Spec, one.Points.Cols)
		for i, c := range m.Points.Cols {
			own := want[one.Points.Cols[i]].Values
			if !slices.Equal(got[c].Values[300*f:300*(f+1)], own) {
				t.Errorf("column %d of %s has other values than alone", i, path)
			}
		}
	}
	s.Space.Compensation = CompensationNone
	if m = embed(t, s, paths[0]); len(m.Points.Spec.Mixes) != 0 || said(m.Notes, "compensat") {
		t.Errorf("none: %v, %q", m.Points.Spec.Mixes, m.Notes)
	}
	s.Space.Compensation = CompensationFile
	if m = embed(t, s, paths[0]); len(m.Points.Spec.Mixes) != 1 {
		t.Errorf("file: %v, %q", m.Points.Spec.Mixes, m.Notes)
	}
}

// Landmarks of files with own matrices take further files, each compensated with its own; one without a matrix is
// refused unless something is said of it.
func TestLandmarksOfOwnMatricesTakeOthers(t *testing.T) {
	s := quick()
	s.Input.More = []string{stained(t, "b.fcs", 0.3)}
	m, err := s.Train(t.Context(), stained(t, "a.fcs", 0.2), nil)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := m.File.Write(&b); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "l.json")
	if err := os.WriteFile(file, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	s = quick()
	s.Origin.SOM, s.Origin.Epochs, s.Origin.Landmarks = "", 0, file
	later := embed(t, s, stained(t, "c.fcs", 0.4))
	if mixes := later.Points.Spec.Mixes; len(mixes) != 1 || mixes[0].Values[1] != 0.4 {
		t.Errorf("%v, %q", mixes, later.Notes)
	}
	bare := stained(t, "d.fcs", 0)
	if _, err := s.Embed(t.Context(), bare, nil); err == nil || !strings.Contains(err.Error(), "--compensation none") {
		t.Errorf("without a matrix: %v", err)
	}
	s.Space.Compensation = CompensationNone
	if m := embed(t, s, bare); len(m.Points.Spec.Mixes) != 0 {
		t.Errorf("none: %v", m.Points.Spec.Mixes)
	}
}

// A file that comes to a map, or leaves it, is compensated with its own matrix; where compensation was off it stays so.
func TestFilesThatComeAndGoAreCompensatedEach(t *testing.T) {
	paths := []string{stained(t, "a.fcs", 0.2), stained(t, "b.fcs", 0.3), stained(t, "c.fcs", 0.4)}
	for _, off := range []bool{false, true} {
		o, err := opening.Load(t.Context(), paths[:1], format.Options{Seed: 3}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if off {
			spec := parts.Transform.Of(o.Doc.State()).Clone()
			spec.Mixes = nil
			l := *parts.Landmarks.Of(o.Doc.State())
			o.Doc.Always(func(s *state.State) {
				parts.Transform.Put(s, spec)
				l.Space = parts.Transform.Rev(*s)
				parts.Landmarks.Put(s, &l)
			})
		}
		for _, n := range []int{2, 3, 2, 1} {
			u, err := opening.Compare(t.Context(), paths[:n], match.How{}, o.Doc, format.Options{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if o, err = u.Open(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
			mixes := parts.Transform.Of(o.Doc.State()).Mixes
			if off != (len(mixes) == 0) {
				t.Fatalf("%d files, off %v: %v", n, off, mixes)
			}
			if !off && !mixes[0].Equal(transform.OwnCompensation(o.Doc.Data).Mix) {
				t.Errorf("%d files: %v", n, mixes)
			}
			for _, x := range parts.Landmarks.Of(o.Doc.State()).Codebook.Data {
				if x-x != 0 {
					t.Fatalf("%d files: a landmark is at %g", n, x)
				}
			}
		}
	}
}

// A row that no file is known of has no values rather than those of another file; detectors that nothing spills over to
// or from keep theirs, missing ones too.
func TestRowsOfNoFileAreNotCompensatedWithAnothers(t *testing.T) {
	o := transform.MatrixByID(transform.CompensateEach)
	forward, back := o.New(4, []float64{1, 0.5, 0, 0, 1, 0, 0, 0, 1 /* the other: */, 1, 0, 0, 0, 1, 0, 0, 0, 1})
	nan := math.NaN()
	b := transform.Block{{2, 2, 2}, {3, 3, 3}, {nan, nan, nan}, {0, 1, nan}}
	forward(b)
	if b[0][0] != 2 || b[1][0] != 2 || b[1][1] != 3 || b[1][2] == b[1][2] {
		t.Error(b)
	}
	if back(b); b[1][0] != 3 || b[0][1] != 2 {
		t.Error(b)
	}
}
