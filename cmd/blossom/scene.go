package main

import (
	"context"

	"blossom/model/dataset"
	"blossom/model/embedsom"
	"blossom/model/export"
	"blossom/model/format"
	"blossom/model/problem"
	"blossom/model/run"
	"blossom/render/scene"
)

// makeScene gets what a picture shows: the map of input made as `embed` makes it, or the coordinates
// that `embed` wrote, from the file coordinates or from input itself. It also says what was done.
func makeScene(ctx context.Context, s *run.Settings, input, coordinates string,
	report run.Report) (scene.Scene, summary, error) {
	none := scene.Scene{}
	k, err := s.Open(ctx)
	if err != nil {
		return none, summary{}, err
	}
	defer k.Close()
	ds, err := s.Read(ctx, input, report)
	if err != nil {
		return none, summary{}, err
	}
	places, at := ds, coordinateColumns(ds)
	if coordinates != "" {
		if places, err = format.Open(ctx, coordinates, format.Options{}); err != nil {
			return none, summary{}, err
		}
		if places.Points != ds.Points {
			return none, summary{}, problem.New(coordinates,
				"give the coordinates of the same points, in the same order",
				"it has %d rows, and %s has %d", places.Points, input, ds.Points)
		}
		at = coordinateColumns(places)
		if n := len(places.Columns); at == nil && (n == 2 || n == 3) {
			at = []int{0, 1, 2}[:n]
		}
		if at == nil {
			return none, summary{}, problem.New(coordinates,
				"give a file that blossom embed has written, or a table of 2 or 3 columns",
				"it has %d columns and none is called %s", len(places.Columns),
				export.CoordinateName(export.EmbedSOM, 0))
		}
	}
	if at == nil {
		m, err := k.Embed(ctx, ds, report)
		if err != nil {
			return none, summary{}, err
		}
		return scene.Scene{Data: ds, Cols: m.Points.Cols, Spec: m.Points.Spec, Positions: m.Embedding,
			Landmarks: m.File.Set}, ofMap(input, "", s, m), nil
	}
	spec, err := s.ColourSpec(ds)
	if err != nil {
		return none, summary{}, err
	}
	var markers []int
	for _, c := range spec.MapColumns() {
		if places != ds || c != at[0] && c != at[1] && c != at[len(at)-1] {
			markers = append(markers, c)
		}
	}
	x := places.Matrix(at)
	done := summary{Input: input, Points: ds.Points, Total: ds.Total, Dims: x.Cols, Seed: s.Seed, Notes: ds.Warnings}
	for _, c := range at {
		done.Columns = append(done.Columns, places.Columns[c].Name)
	}
	return scene.Scene{Data: ds, Cols: markers, Spec: spec,
		Positions: &embedsom.HostTarget{Data: x.Data, N: x.Rows, M: x.Cols}}, done, nil
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
