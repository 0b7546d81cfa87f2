package main

import (
	"path/filepath"
	"testing"

	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/maps/selection"
)

// The points that are selected in a session are a column, beside populations or without any, and none are 0.
func TestLabelWritesTheSelectedPoints(t *testing.T) {
	dir := t.TempDir()
	doc := labelled(t, dir)
	selects := func(rows ...int) {
		words := make([]uint64, 5)
		for _, i := range rows {
			words[i/64] |= 1 << (i % 64)
		}
		doc.Do("Select", func(s *state.State) { parts.Selection.Put(s, selection.FromBits(300, words)) })
		saveRecipe(t, doc, filepath.Join(dir, "s.blossom"))
	}
	selected := func() (rows []int) {
		got := read(t, filepath.Join(dir, "l.csv"))
		at, there := got.Places()["selected"]
		if !there || got.Points != 300 {
			t.Fatalf("%d rows, a column of selected ones: %v", got.Points, there)
		}
		for i := range 300 {
			switch got.Columns[at].At(i) {
			case 1:
				rows = append(rows, i)
			case 0:
			default:
				t.Fatalf("row %d is %v", i, got.Columns[at].At(i))
			}
		}
		return rows
	}
	same := func(want ...int) {
		t.Helper()
		got := selected()
		if len(got) != len(want) {
			t.Fatalf("%d rows are selected, not %d", len(got), len(want))
		}
		for i := range got {
			if got[i] != want[i] {
				t.Fatalf("row %d is selected in the place of %d", got[i], want[i])
			}
		}
	}
	selects(0, 63, 64, 299)
	ok(t, dir, "label", "--session", "s.blossom", "--selected", "-o", "l.csv")
	same(0, 63, 64, 299)
	// A printed job has them as well.
	write(t, filepath.Join(dir, "j.json"),
		ok(t, dir, "label", "--session", "s.blossom", "--selected", "-o", "l.csv", "--print-job").stdout)
	ok(t, dir, "job", "j.json")
	same(0, 63, 64, 299)
	doc.Do("Remove", func(s *state.State) { parts.Populations.Put(s, parts.Populations.Of(state.State{})) })
	selects(7)
	blossom(t, dir, "label", "--session", "s.blossom", "-o", "l.csv").refused(t, exitFailed, "no populations")
	ok(t, dir, "label", "--session", "s.blossom", "--selected", "-o", "l.csv")
	same(7)
	selects()
	ok(t, dir, "label", "--session", "s.blossom", "--selected", "-o", "l.csv")
	same()
}
