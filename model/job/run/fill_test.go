package run

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"blossom/model/document/opening"
	"blossom/model/space/transform"
)

// gappy writes a table in which every third point has a gap in one of its columns, or an infinite value at row 7.
func gappy(t *testing.T) string {
	t.Helper()
	var text strings.Builder
	text.WriteString("a,b,c\n")
	for i := range 60 {
		cells := []string{"1", "20", "300"}
		cells[i%3] = strings.Repeat("1", 1+i%2) // varies
		if i%9 == 4 {
			cells[(i+1)%3] = ""
		}
		if i == 7 {
			cells[0] = "inf"
		}
		text.WriteString(strings.Join(cells, ",") + "\n")
	}
	path := filepath.Join(t.TempDir(), "gaps.csv")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Points with gaps have a place where that is asked for, which is said; an infinite value is no gap. Without it they
// are left out, as in a newly opened window.
func TestGapsAreFilledWhereAsked(t *testing.T) {
	path := gappy(t)
	s := quick()
	if m := embed(t, s, path); m.Points.Table.Invalid < 7 || said(m.Notes, "median") {
		t.Errorf("%d left out, %q", m.Points.Table.Invalid, m.Notes)
	}
	window, err := opening.Begin(t.Context(), open(t, path), 1, nil)
	if err != nil || len(window.Spec.Mixes) > 0 {
		t.Errorf("a window begins with %v, %v", window.Spec.Mixes, err)
	}
	s.Space.Fill = "median"
	m := embed(t, s, path)
	if m.Points.Table.Invalid != 1 || !said(m.Notes, "7 of 60 points have a missing value in one of") {
		t.Errorf("%d left out, %q", m.Points.Table.Invalid, m.Notes)
	}
	for _, c := range m.Points.Spec.Mixes[0].Cols {
		_, median, _ := m.Points.Data.Columns[c].Quartiles()
		filled := transform.Mixed(m.Points.Data, m.Points.Spec, c)
		for i, x := range m.Points.Data.Columns[c].Values {
			if x != x && filled.Values[i] != float32(median) || x == x && filled.Values[i] != x {
				t.Fatalf("row %d: %g became %g, the median is %g", i, x, filled.Values[i], median)
			}
		}
	}
}

// Landmarks know what gaps were filled with: a part of the data goes where it went with all of it.
func TestFilledMapsAreFrozen(t *testing.T) {
	path := gappy(t)
	s := quick()
	s.Space.Fill = "median"
	direct := embed(t, s, path)
	var text bytes.Buffer
	if err := direct.File.Write(&text); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "map.json")
	if err := os.WriteFile(file, text.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	frozen := quick()
	frozen.Origin.SOM, frozen.Origin.Epochs, frozen.Origin.Landmarks, frozen.Input.MaxPoints = "", 0, file, 30
	part := embed(t, frozen, path).InRows()
	for i, x := range direct.InRows()[:len(part)] {
		if x == x && x != part[i] {
			t.Fatalf("coordinate %d is %g, and %g of all points", i, part[i], x)
		}
	}
}

// Gaps that are filled in the map are filled in its values where they are written, with nothing else asked for, and the
// names of their columns say so. Raw values have their gaps, and who asks to fill them is told.
func TestFilledValuesAreWrittenFilled(t *testing.T) {
	s := quick()
	s.Space.Fill = "median"
	ds := open(t, gappy(t))
	for _, v := range []transform.Values{transform.Compensated, transform.Mapped} {
		made, err := s.Space.TableOf(t.Context(), ds, v, nil)
		if err != nil {
			t.Fatal(err)
		}
		for j, c := range made.Columns {
			was := ds.Columns[j]
			if strings.Contains(c.Name, "filled") != (was.Stats.Invalid > 0) {
				t.Errorf("%s: %q of a column with %d gaps", v, c.Name, was.Stats.Invalid)
			}
			for i, x := range c.Values {
				if x != x {
					t.Fatalf("%s: row %d of %s has no value", v, i, c.Name)
				}
			}
		}
	}
	if _, err := s.Space.TableOf(t.Context(), ds, transform.Raw, nil); err == nil {
		t.Error("raw values were asked to be filled, and nobody says that they are not")
	}
}
