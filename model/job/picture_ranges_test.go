package job

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"blossom/model/data/dataset"
	"blossom/model/job/run"
)

// shown is what a picture is drawn of: where points are, and what may colour them.
type shown struct {
	text   string
	ranges bool
}

// show draws a picture of a file, by ranges of its rows or not, as words.
func show(t *testing.T, path string, ranges bool, set func(*run.Flags, *Picture)) shown {
	t.Helper()
	was, painter := ByRangesFrom, Painter
	defer func() { ByRangesFrom, Painter = was, painter }()
	if ByRangesFrom = 1; !ranges {
		ByRangesFrom = math.MaxInt64
	}
	Painter = func(_ context.Context, p *Picture, d *Drawn, _ int, _ func(done, total int64)) (func(io.Writer) error,
		error) {
		return func(to io.Writer) error {
			fmt.Fprintln(to, d.Places, d.Names, d.Invalid, d.Axes, d.Text)
			for _, name := range []string{p.Colour, p.And} {
				if i, err := d.Data.Find(name); err == nil {
					fmt.Fprintln(to, name, d.Data.Columns[i].Values, d.Data.Columns[i].Exact, d.Data.Columns[i].Stats)
				}
			}
			for _, i := range d.Axes {
				fmt.Fprintln(to, d.Data.Columns[i].Values)
			}
			if p.Colour == "" && len(d.Columns) > 0 {
				fmt.Fprintln(to, d.Data.Points)
			}
			return nil
		}, nil
	}
	s, p := run.Defaults(), NewPicture()
	p.Output, p.NoRecipe = filepath.Join(t.TempDir(), "a.png"), true
	s.Machine.Engine, s.Params.K = "reference", 4
	set(&s, p)
	s.Input.ByRanges = ByRanges(p)
	j, err := Open(t.Context(), &s, []string{path}, false, nil)
	if err == nil {
		err = j.ForPicture(t.Context(), &s, p)
	}
	if err != nil {
		t.Fatal(err)
	}
	j.Want(p)
	w, err := Execute(t.Context(), j, Options{})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(p.Output)
	if err != nil {
		t.Fatal(err)
	}
	held := slices.ContainsFunc(w.table.Columns[:len(w.table.Columns)-1], func(c dataset.Column) bool {
		return c.Values == nil
	})
	return shown{fmt.Sprint(string(text), w.Notes), held}
}

// A large file is drawn by ranges as all of it is, with the columns in memory that are looked at.
func TestPicturesOfRanges(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "cells.fcs")
	cells(t, path, 30_000)
	trained := landmarksOf(t, path, func(*run.Flags) {})
	for name, c := range map[string]struct {
		whole bool // it cannot be made by ranges
		set   func(*run.Flags, *Picture)
	}{
		"a map": {false, func(s *run.Flags, _ *Picture) { s.Origin.Landmarks = trained }},
		"a map in two colours": {false, func(s *run.Flags, p *Picture) {
			s.Origin.Landmarks, p.Colour, p.And = trained, "PE-A", "APC-A"
		}},
		"a map without colours": {false, func(s *run.Flags, p *Picture) {
			s.Origin.Landmarks, p.Colour = trained, "none"
		}},
		"a map by density": {false, func(s *run.Flags, p *Picture) {
			s.Origin.Landmarks, p.Colour = trained, "density"
		}},
		"columns": {false, func(_ *run.Flags, p *Picture) { p.At = "PE-A,APC-A" }},
		"compensated columns": {false, func(s *run.Flags, p *Picture) {
			s.Space.Compensation, p.At, p.Colour = "file", "PE-A,APC-A", "FITC-A"
		}},
		"landmarks of all rows": {true, func(s *run.Flags, _ *Picture) {
			s.Origin.SOM, s.Origin.Epochs, s.Input.MaxPoints = "3x3", 1, 0
		}},
	} {
		t.Run(name, func(t *testing.T) {
			want, got := show(t, path, false, c.set), show(t, path, true, c.set)
			if want.ranges || got.ranges == c.whole {
				t.Errorf("made by ranges: %v, %v", want.ranges, got.ranges)
			}
			if want.text != got.text {
				t.Errorf("another picture: %.300s\n--\n%.300s", got.text, want.text)
			}
		})
	}
}
