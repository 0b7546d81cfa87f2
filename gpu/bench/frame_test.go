//go:build cgo && !static

package bench

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	_ "blossom/gpu/cpu"
	"blossom/model/document/parts"
)

// Every case gives a row with numbers that can be, drawn where there is OpenGL.
func TestFrames(t *testing.T) {
	o := frameOptions{sizes: []int{9000}, engines: []string{"cpu"}, time: time.Millisecond, least: 25, warm: 2,
		free: 1 << 30} // so many frames that a unit is done beside them on a machine that is busy
	rows := told[Framed](t, Values{"threads": 1}, func(ctx context.Context, r *Run) error { return frames(ctx, r, o) })
	var stages []string
	for _, r := range rows {
		stages = append(stages, r.Stage)
		if r.Bench != "frame" || r.Engine != "cpu" || r.N != 9000 || r.D != 16 || r.G != 256 || r.K != 16 ||
			r.Frames < 25 ||
			!(r.P50 > 0 && r.P50 <= r.P99 && r.P99 <= r.Max) || r.Drawing == "" || r.Shown < 1 || r.Fresh < 0 ||
			r.Fresh > 1 {
			t.Errorf("%+v", r)
		}
		// ns_per_point is the same number as the median.
		if d := r.Median*float64(r.N)/1e6 - r.P50; d > 1e-9 || d < -1e-9 {
			t.Errorf("%g ms is not %g ns a point", r.P50, r.Median)
		}
	}
	if !slices.Equal(stages, append(slices.Clone(frameCases), besideTSNE)) {
		t.Errorf("rows for %q", stages)
	}
	if beside := rows[len(rows)-1]; !(beside.Units > 0) {
		t.Errorf("no unit was done: %+v", beside)
	}
	if idle := rows[len(rows)-2]; idle.Shown != 9000 || idle.Fresh != 1 || idle.P50 > rows[0].P50 {
		t.Errorf("idle: %+v", idle)
	}
}

func TestFramesThatDoNotFit(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	var notes []string
	r := silent(nil)
	r.Say, r.Note = func(string) { cancel() }, func(s string) { notes = append(notes, s) }
	if err := frames(ctx, r, frameOptions{engines: []string{"cpu"}, free: 2 << 30}); !errors.Is(err, context.Canceled) {
		t.Fatalf("not cancelled: %v", err)
	}
	left := slices.DeleteFunc(notes, func(s string) bool { return !strings.Contains(s, "left out") })
	if len(left) != 2 || !strings.HasPrefix(left[1], "100000000 points") || !strings.Contains(left[1], "GB") {
		t.Fatalf("%q", left)
	}
	r = silent(nil)
	none := frameOptions{sizes: []int{100}, engines: []string{"none"}, free: 1 << 30}
	if err := frames(context.Background(), r, none); err == nil {
		t.Fatal("there is no such engine")
	}
	if freeMemory() <= 0 {
		t.Fatal("no memory at all")
	}
}

// The points are the same each time, and spread as asked for.
func TestFrameData(t *testing.T) {
	a, err := frameData(context.Background(), framePart+10)
	if err != nil {
		t.Fatal(err)
	}
	b, err := frameData(context.Background(), framePart+10)
	if err != nil || !slices.Equal(a.Table.X.Data, b.Table.X.Data) {
		t.Fatalf("not the same again (%v)", err)
	}
	for i, v := range a.Table.X.Data {
		if !(v >= -0.1 && v <= 1.1) {
			t.Fatalf("value %d is %g", i, v)
		}
	}
	if l := parts.Landmarks.Of(a.Doc.State()); l.Len() != 256 || l.Codebook.Cols != 16 {
		t.Fatalf("%d landmarks of %d columns", l.Len(), l.Codebook.Cols)
	}
}
