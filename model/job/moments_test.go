package job_test

import (
	"context"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"blossom/model/clusters/population"
	"blossom/model/data/format"
	"blossom/model/document/opening"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/job"
	"blossom/model/maps/selection"
	"blossom/model/work/embedding"
)

// regionAfterADrag is a document whose landmarks were dragged far, and then a region of its map was named.
func regionAfterADrag(t *testing.T) *state.Document {
	t.Helper()
	o, err := opening.Load(t.Context(), []string{"demo:cytometry:400"}, format.Options{Seed: 5}, nil)
	if err != nil {
		t.Fatal(err)
	}
	set := parts.Landmarks.Of(o.Doc.State())
	var which []int
	for i := range set.Len() {
		if i%3 == 0 {
			which = append(which, i)
		}
	}
	for range 2 {
		moved, err := parts.Landmarks.Of(o.Doc.State()).Move(which, []float32{30, 10})
		if err != nil {
			t.Fatal(err)
		}
		o.Doc.Do("Drag", func(s *state.State) { parts.Landmarks.Put(s, moved.Arranged()) })
	}
	at := parts.Landmarks.Of(o.Doc.State()).Pos.Row(which[0])
	x, y := float64(at[0]), float64(at[1])
	var tree population.Tree
	tree, _, _ = tree.Add(population.Population{Name: "far", Rule: &population.Region{
		Of: population.Map(embedding.EmbedSOM()), Strokes: []population.Stroke{{Does: population.Adds,
			Shape: population.Rectangle, Path: [][2]float64{{x - 25, y - 25}, {x + 25, y + 25}}}}}})
	o.Doc.Do("Name", func(s *state.State) { parts.Populations.Put(s, tree) })
	return o.Doc
}

// A population in a film or on a wall is that of the session, whose region was drawn on the present map: the map of a
// frame has it elsewhere, with the same points.
func TestPopulationsOfAFilmAreThoseOfThePresentMap(t *testing.T) {
	d := regionAfterADrag(t)
	path := filepath.Join(t.TempDir(), "s.blossom")
	save(t, d, path)
	_, named, err := labelled(t, path, false)
	if err != nil {
		t.Fatal(err)
	}
	want := named.Made.Sets[0]
	if n := want.Count(); n == 0 || n == want.Len() {
		t.Fatalf("the region has %d points", n)
	}
	films, painter := job.Films, job.Painter
	t.Cleanup(func() { job.Films, job.Painter = films, painter })
	var seen []*job.Drawn
	job.Films = &job.Filmer{Check: func(*job.Film) error { return nil },
		Make: func(ctx context.Context, f *job.Film, shots job.Shots, _ [][2]string, _ io.Writer, _ int,
			_ func(done, total int64)) error {
			for k := range f.Frames {
				shot, err := shots.Shot(ctx, k)
				if err != nil {
					return err
				}
				seen = append(seen, shot.Drawn)
			}
			return nil
		}}
	job.Painter = func(_ context.Context, _ *job.Picture, made *job.Drawn, _ int, _ func(done, total int64)) (
		func(io.Writer) error, error) {
		for _, panel := range made.Panels {
			seen = append(seen, panel.Drawn)
		}
		return func(io.Writer) error { return nil }, nil
	}
	for _, boxed := range []bool{false, true} {
		for _, of := range []string{"history", "wall"} {
			seen = nil
			j, err := job.OfDocument(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			j.Engine.Kind = "cpu"
			film := job.NewFilm()
			film.Of, film.Frames = of, 4
			film.Output, film.Sight.Of = filepath.Join(t.TempDir(), "x.png"), "far"
			if boxed {
				film.Box = [][2]float64{{-100, 100}, {-100, 100}}
			}
			if of == "history" {
				if err := film.ForDocument(t.Context(), j, d, "", ""); err != nil {
					t.Fatal(err)
				}
				j.Want(film)
			} else {
				if err := film.OfHistory(t.Context(), j, d, "3"); err != nil {
					t.Fatal(err)
				}
				job.Sights{Job: j}.Needed(&film.Picture)
				j.Want(&film.Picture)
			}
			w, err := job.Execute(t.Context(), j, job.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if n := strings.Count(strings.Join(w.Notes, "\n"), "arranged by hand"); n != 1 {
				t.Errorf("%s: it is noted %d times that the map was arranged by hand", of, n)
			}
			if len(seen) < 3 {
				t.Fatalf("%s: %d frames", of, len(seen))
			}
			for k, made := range seen {
				if made.Among == nil || !selection.Equal(made.Among, want) {
					t.Errorf("%s, boxed %v, frame %d: another population", of, boxed, k)
				}
			}
		}
	}
}
