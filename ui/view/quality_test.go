package view_test

import (
	"math"
	"testing"
	"time"

	"blossom/model/live"
	"blossom/model/maps/quality"
	"blossom/model/work/embedding"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
)

// told is what the active view tells of its quality.
func told(s *stand.Window) (q live.Quality, open bool) {
	uitest.Do(func() {
		var place = s.Desk.Stage.Scatter()
		now, at := place.Quality()
		q, open = now, !at.Empty()
	})
	return q, open
}

// The header of a view says how well it keeps neighbours, its card says more, and both follow what the hand does.
func TestQualityOfAView(t *testing.T) {
	s, d := begin(t, stand.Options{Data: "demo:cytometry:4000", W: 1280, H: 800, Measured: quality.SampleSize})
	d.Wait("the map is measured", 60*time.Second, func() bool { q, _ := told2(s); return q.Now != nil && !q.Older })
	q, open := told(s)
	if open || q.Now.Points != quality.SampleSize || q.Now.Of != 4000 || !(q.Now.Value() > 0.1) ||
		!(q.Now.Trustworthiness > 0.8) || q.Now.Far.Share != q.Now.Far.Share {
		t.Fatalf("%v, %+v", open, q.Now)
	}
	// It is what the positions that are drawn have.
	uitest.Do(func() {
		pos, ok := s.Desk.EmbedSOM().Positions()
		if !ok {
			t.Error("no positions")
			return
		}
		s, err := quality.NewSpace(t.Context(), s.Desk.Table().X, quality.SampleSize, quality.Work{})
		if err != nil {
			t.Error(err)
			return
		}
		r, err := s.Measure(t.Context(), s.Gather(pos, 2, nil), 2, quality.Work{})
		if err != nil || math.Abs(r.Value()-q.Now.Value()) > 1e-3 ||
			math.Abs(r.Trustworthiness-q.Now.Trustworthiness) > 1e-4 {
			t.Errorf("%g and %g, the picture has %g and %g, %v", q.Now.Value(), q.Now.Trustworthiness, r.Value(),
				r.Trustworthiness, err)
		}
	})
	d.ClickOn("view1/quality")
	d.Frames(3)
	if _, open = told(s); !open {
		t.Fatal("a click opens no card")
	}
	d.Shoot("quality")
	d.Keys("2")
	x, y := stand.MarkAt(s.Desk, 210)
	d.Drag(x, y, x+260, y-150, 12)
	if now, _ := told(s); !now.Older && now.Now == q.Now {
		t.Error("after a drag the old measure is told as the present one")
	}
	d.Shoot("quality-older")
	d.Wait("it is measured anew", 60*time.Second, func() bool { now, _ := told2(s); return !now.Older })
	s.Rest(d)
	now, _ := told(s)
	if now.Now == q.Now || now.Before != q.Now {
		t.Errorf("before is not what it was before the drag: %p, %p, %p", q.Now, now.Before, now.Now)
	}
	d.Shoot("quality-after")
	uitest.Do(func() { s.Theme(!s.Options.Dark) })
	d.Frames(3)
	d.Shoot("quality-dark")
	if n := s.Marks().Len(); n == 0 {
		t.Error("no landmarks")
	}
	d.Resize(500, 400)
	d.Frames(4)
	s.Rest(d)
	d.Shoot("quality-small")
	d.SetScale(2)
	d.Resize(2000, 1400)
	s.Rest(d)
	d.Shoot("quality-200")
	d.SetScale(1)
	d.Resize(1280, 800)
	uitest.Do(func() {
		s.Desk.Stage.Split(s.Desk.Stage.Scatter().View)
		s.Desk.Stage.SetEmbedding(s.Desk.Stage.Scatter().View, embedding.PCA(2))
	})
	d.Frames(3)
	s.Rest(d)
	d.ClickOn("view2/quality")
	d.Frames(3)
	s.Rest(d)
	if pca, open := told(s); !open || pca.Now == nil || pca.Now.Far.Share == pca.Now.Far.Share {
		t.Error("the other view has no quality of its own")
	}
	d.Shoot("quality-two")
	d.Keys("Escape")
	d.Frames(2)
	if _, open := told(s); open {
		t.Error("Esc does not close the card")
	}
	d.Keys("Escape")
	d.Frames(2)
	if v := s.Desk.Stage.Scatters()[0]; v != nil {
		if _, place := v.Quality(); !place.Empty() {
			t.Error("Esc does not close the card of the other view")
		}
	}
}

// told2 is told for conditions that are looked at on the thread of the window.
func told2(s *stand.Window) (live.Quality, bool) {
	q, at := s.Desk.Stage.Scatter().Quality()
	return q, !at.Empty()
}
