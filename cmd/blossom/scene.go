package main

import (
	"context"
	"fmt"
	"slices"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/job"
	"blossom/model/job/export"
	"blossom/model/job/run"
	"blossom/model/work/embedding"
	"blossom/render/scene"
)

// whatIsDrawn says where the places of points come from: columns of the input, a file, or a map that is made.
type whatIsDrawn struct{ at, coordinates string }

// check refuses flags that say two things.
func (w whatIsDrawn) check(s *run.Flags) error {
	if w.at == "" {
		return nil
	}
	for _, f := range []struct {
		flag  string
		given bool
	}{
		{"--coordinates", w.coordinates != ""}, {"--landmarks-hd", s.Origin.LandmarksHD != ""},
		{"--landmarks", s.Origin.Landmarks != ""}, {"--som", s.Origin.SOM != ""},
		{"--som-shape", s.Origin.SOMShape != ""}, {"--kmeans", s.Origin.KMeans != 0},
		{"--columns", s.Space.Columns != ""}, {"--exclude", s.Space.Exclude != ""}, {"--scale", s.Space.Scale},
		{"--dims", s.Origin.Dims != 0},
	} {
		if f.given {
			return run.Usage{Err: problem.New("", "leave one of them out",
				"--at draws columns as they are, and %s is for a map", f.flag)}
		}
	}
	return nil
}

// makeMap gets what a picture shows: columns of the input, the map of input made as `embed` makes it, or the
// coordinates that `embed` wrote, from a file or from input itself. It also says what was done.
func makeMap(ctx context.Context, s *run.Flags, input string, from whatIsDrawn, o job.Options) (*scene.Map, summary,
	error) {
	report := o.Report
	fail := func(err error) (*scene.Map, summary, error) { return nil, summary{}, err }
	if from.at != "" {
		ds, err := s.Input.Read(ctx, input, report)
		if err != nil {
			return fail(err)
		}
		m, done, err := columnsAt(ctx, s, ds, from.at)
		done.Input = input
		return m, done, err
	}
	j, err := job.Open(ctx, s, append([]string{input}, s.Input.More...), false, report)
	if err != nil {
		return fail(err)
	}
	ds := j.Table()
	places, at := ds, coordinateColumns(ds)
	if from.coordinates != "" {
		if places, err = format.Open(ctx, from.coordinates, format.Options{}); err != nil {
			return fail(err)
		}
		if places.Points != ds.Points {
			return fail(problem.New(from.coordinates, "give the coordinates of the same points, in the same order",
				"it has %d rows, and %s has %d", places.Points, input, ds.Points))
		}
		at = coordinateColumns(places)
		if n := len(places.Columns); at == nil && (n == 2 || n == 3) {
			at = []int{0, 1, 2}[:n]
		}
		if at == nil {
			return fail(problem.New(from.coordinates,
				"give a file that blossom embed has written, or a table of 2 or 3 columns",
				"it has %d columns and none is called %s", len(places.Columns),
				export.CoordinateName(export.EmbedSOM, 0)))
		}
	}
	if at == nil {
		return projected(ctx, s, j, o)
	}
	spec, err := s.Space.ColourSpec(ctx, ds)
	if err != nil {
		return fail(err)
	}
	var markers []int
	for _, c := range spec.MapColumns() {
		if places != ds || c != at[0] && c != at[1] && c != at[len(at)-1] {
			markers = append(markers, c)
		}
	}
	x := places.Matrix(at)
	return &scene.Map{Data: ds, Cols: markers, Spec: spec, Embedding: embedding.Result{Dims: x.Cols, Pos: x.Data}},
		ofColumns(input, s, ds, places, at), nil
}

// projected makes the map of a job that has read its data.
func projected(ctx context.Context, s *run.Flags, j *job.Job, o job.Options) (*scene.Map, summary, error) {
	if err := j.ForMap(ctx, s); err != nil {
		return nil, summary{}, err
	}
	e := &job.Embedding{}
	j.Want(e)
	w, err := job.Execute(ctx, j, o)
	if err != nil {
		return nil, summary{}, err
	}
	m := e.Map
	return &scene.Map{Data: j.Table(), Cols: m.Points.Cols, Spec: m.Points.Spec, Landmarks: m.File.Set,
		Embedding: embedding.Result{Dims: m.Embedding.M, Pos: m.InRows()}}, ofMap(w, "", m), nil
}

// columnsAt makes the map of --at.
func columnsAt(ctx context.Context, s *run.Flags, ds *dataset.Dataset, words string) (*scene.Map, summary, error) {
	cols, err := ds.Select(words)
	if err != nil {
		return nil, summary{}, err
	}
	if n := len(cols); n != 2 && n != 3 {
		what := fmt.Sprintf("%d columns", n)
		if n == 1 {
			what = "one column"
		}
		return nil, summary{}, run.Usage{Err: problem.New("", "name two columns, or three for a picture in 3D",
			"--at %s names %s", words, what)}
	}
	spec, err := s.Space.ColourSpec(ctx, ds)
	if err != nil {
		return nil, summary{}, err
	}
	m, err := scene.At(ctx, ds, spec, cols)
	done := ofColumns("", s, ds, ds, cols)
	done.Notes = append(slices.Clone(done.Notes), s.Space.ColourNotes(ds, spec)...)
	return m, done, err
}

// ofColumns is the summary of a picture whose points have their places from columns.
func ofColumns(input string, s *run.Flags, ds, places *dataset.Dataset, at []int) summary {
	done := summary{Input: input, Points: ds.Points, Total: ds.Total, Invalid: places.Invalid(at), Dims: len(at),
		Seed: s.Input.Seed, Notes: ds.Warnings}
	for _, c := range at {
		done.Columns = append(done.Columns, places.Columns[c].Name)
	}
	return done
}

// coordinateColumns returns the columns embedsom1, embedsom2 and perhaps embedsom3, nil if they are not there.
func coordinateColumns(ds *dataset.Dataset) []int {
	var at []int
	for want := range 3 {
		for i := range ds.Columns {
			if ds.Columns[i].Name == export.CoordinateName(export.EmbedSOM, want) {
				at = append(at, i)
				break
			}
		}
		if len(at) != want+1 {
			break
		}
	}
	if len(at) < 2 {
		return nil
	}
	return at
}
