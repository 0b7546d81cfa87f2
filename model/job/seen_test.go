package job_test

import (
	"context"
	"io"
	"slices"
	"strings"
	"testing"

	"blossom/model/data/format"
	"blossom/model/document/opening"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/job"
	"blossom/model/work/embedding"
)

// looking is a job of a document whose views are changed.
func looking(t *testing.T, change func(s *state.State)) *job.Job {
	t.Helper()
	o, err := opening.Load(t.Context(), []string{"demo:cytometry:400"}, format.Options{Seed: 5}, nil)
	if err != nil {
		t.Fatal(err)
	}
	o.Doc.Do("Look", change)
	j, err := job.OfDocument(t.Context(), o.Doc)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// Edges between the landmarks of a picture of a session are those that the session shows: the net is that of a map
// without one.
func TestAPictureOfASessionHasItsEdges(t *testing.T) {
	if job.NewPicture().Graph != nil {
		t.Error("a picture without a session has a graph")
	}
	for _, edges := range []string{parts.EdgesWithTools, parts.EdgesAlways, parts.EdgesNever} {
		j := looking(t, func(s *state.State) {
			parts.Graph.Edit(s, func(g *parts.GraphChoice) { g.Edges, g.Shade = edges, true })
		})
		for _, view := range []bool{false, true} {
			p, none := job.NewPicture(), func(string) bool { return false }
			if view {
				if err := (job.Sights{Job: j}).View(p, "1", none); err != nil {
					t.Fatal(err)
				}
			} else {
				j.Seen(p, none)
			}
			if p.Graph == nil || p.Graph.Edges != edges || !p.Graph.Shade {
				t.Errorf("edges %q, of a view %v: the picture has %+v", edges, view, p.Graph)
			}
		}
	}
}

// noted says whether a job tells something when its picture has been drawn, with two points outside of it.
func noted(t *testing.T, j *job.Job, what string) bool {
	t.Helper()
	was := job.Painter
	defer func() { job.Painter = was }()
	job.Painter = func(_ context.Context, _ *job.Picture, d *job.Drawn, _ int, _ func(done, total int64)) (
		func(io.Writer) error, error) {
		d.Outside = 2
		return func(io.Writer) error { return nil }, nil
	}
	w, err := job.Execute(t.Context(), j, job.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Contains(strings.Join(w.Notes, "\n"), what)
}

// Views that were chosen need no word on what the window shows else.
func TestAChosenViewIsNotExcused(t *testing.T) {
	for word, want := range map[string]bool{"": true, "1": false} {
		j := looking(t, func(s *state.State) {
			parts.Views.Edit(s, func(v *parts.ViewList) {
				other := v.Views[0]
				other.ID, other.Recipe = "other", embedding.PCA(2)
				v.Views, v.Active = append(slices.Clone(v.Views), other), "other"
			})
		})
		p, sights := job.NewPicture(), job.Sights{Job: j}
		if word != "" {
			if err := sights.View(p, word, func(string) bool { return false }); err != nil {
				t.Fatal(err)
			}
		}
		sights.Needed(p)
		j.Want(p)
		j.Engine.Kind = "cpu"
		if told := noted(t, j, "another embedding"); told != want {
			t.Errorf("view %q: it is told: %v", word, told)
		}
	}
}

// A box that cannot be is said as it was written.
func TestABoxIsRefusedAsItWasWritten(t *testing.T) {
	p := job.NewPicture()
	p.Box = [][2]float64{{0, 100}, {5, -1.5}}
	if err := p.Check(); err == nil || !strings.Contains(err.Error(), "--box 0:100,5:-1.5 is not possible") {
		t.Error(err)
	}
}

// Points that lie outside of a picture are told of where it could show them, whatever its axes are.
func TestPointsOutsideOfAPictureAreTold(t *testing.T) {
	for _, boxed := range []bool{false, true} {
		j := looking(t, func(*state.State) {})
		p := job.NewPicture()
		p.At = "1,2"
		if boxed {
			p.Box = [][2]float64{{0, 1}, {0, 1}}
		}
		j.Want(p)
		if told := noted(t, j, "2 points far from all others: outside of the picture"); told == boxed {
			t.Errorf("with a box %v: it is told: %v", boxed, told)
		}
	}
}
