package view

import (
	"context"
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/landmarks/landmark"
	"blossom/ui/shell"
)

// Thousands of landmarks are put in order beside the window, and follow the stroke when that is done: if nobody has
// moved one since.
func TestManyLandmarksAreStraightenedBesideTheWindow(t *testing.T) {
	h := newHands(t)
	pos, _ := landmark.Grid(landmark.Shape{Cols: 50, Rows: 34}, landmark.Rect)
	code := matrix.New(pos.Rows, 3)
	for i := range code.Data {
		code.Data[i] = float32(i % 101)
	}
	l, err := landmark.New(code, pos)
	if err != nil {
		t.Fatal(err)
	}
	h.Landmarks.Doc.Do("Many", func(s *state.State) { parts.Landmarks.Put(s, l) })
	for i := range pos.Rows {
		h.Landmarks.Selected = append(h.Landmarks.Selected, i)
	}
	var apply []func()
	h.Host.Job = func(title string, work func(context.Context) (func(), error)) {
		done, err := work(t.Context())
		if err != nil || title != Straighten.Title {
			t.Errorf("%s: %v", title, err)
		}
		apply = append(apply, done)
	}
	back := 0
	h.Host.Finished = func() { back++ }
	h.Tool = Straighten
	h.dragFrom(60, 60, 500, 60, shell.Left, 0)
	h.dragFrom(60, 560, 500, 560, shell.Left, 0)
	if len(apply) != 2 || parts.Landmarks.Of(h.Landmarks.Doc.State()) != l || back != 0 {
		t.Fatalf("%d jobs, %d times done, or the landmarks are other ones already", len(apply), back)
	}
	apply[0]()
	first := parts.Landmarks.Of(h.Landmarks.Doc.State())
	if back != 1 || first == l || h.Landmarks.Doc.History().CanUndo() != Straighten.Title {
		t.Fatalf("%d times done, the last entry is %q", back, h.Landmarks.Doc.History().CanUndo())
	}
	for i := range first.Len() {
		if y := first.Pos.Row(i)[1]; y != first.Pos.Row(0)[1] {
			t.Fatalf("landmark %d is at %g, not on the line", i, y)
		}
	}
	apply[1]()
	if parts.Landmarks.Of(h.Landmarks.Doc.State()) != first || back != 1 || len(h.said) != 1 {
		t.Errorf("a line that was drawn for other landmarks has moved these; said: %q", h.said)
	}
}
