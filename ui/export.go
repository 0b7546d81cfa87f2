package ui

import (
	"context"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"blossom/model/dataset"
	"blossom/model/format"
	"blossom/model/landmark"
	"blossom/model/matrix"
	"blossom/model/session"
	"blossom/model/transform"
	"blossom/ui/live"
)

// whenFresh runs do as soon as nothing in the picture is stale. Training rests meanwhile: what is
// exported is one state of the map, not a mixture of several.
func (a *App) whenFresh(do func()) {
	running, _, _ := a.m.Training()
	a.m.Pause()
	a.waiting = append(a.waiting, func() {
		do()
		if running {
			if err := a.m.Run(false); err != nil {
				a.fail(err)
			}
		}
	})
}

// runWaiting runs what waited for a fresh picture.
func (a *App) runWaiting() {
	if a.m == nil {
		a.waiting = nil
		return
	}
	if len(a.waiting) == 0 || a.m.Busy() {
		return
	}
	todo := a.waiting
	a.waiting = nil
	for _, f := range todo {
		f()
	}
}

// stem is the name of what is open, without its ending, for suggested file names.
func (a *App) stem() string {
	return strings.TrimSuffix(a.m.Doc.Title, filepath.Ext(a.m.Doc.Title))
}

// exportCoordinates writes the position of every point, in the order of the data file, with the
// columns of the data before them if asked for.
func (a *App) exportCoordinates(path string, columns, recipe bool) {
	a.whenFresh(func() {
		m := a.m
		data, order, dims := m.Doc.Data, m.Table().Order, a.canvas.points.Dims()
		pos := slices.Clone(a.canvas.points.Host())
		if recipe {
			a.writeRecipe(path)
		}
		a.jobs.Start("Exporting "+filepath.Base(path), func(ctx context.Context, j *live.Job) (func(), error) {
			out := matrix.New(data.Points, dims)
			for i := range data.Points {
				at := i
				if order != nil {
					at = int(order[i])
				}
				copy(out.Row(at), pos[i*dims:(i+1)*dims])
			}
			names := []string{"embedsom1", "embedsom2", "embedsom3"}[:dims]
			table, err := dataset.FromMatrix(names, out)
			if err == nil && columns {
				table, err = dataset.FromColumns(ctx, data.Name, slices.Concat(data.Columns, table.Columns))
			}
			if err == nil {
				err = format.Save(ctx, path, table, j.Report)
			}
			return func() { a.exported(path) }, err
		})
	})
}

// exportLandmarks writes the landmarks as the command line reads them (--landmarks).
func (a *App) exportLandmarks(path string) {
	a.whenFresh(func() {
		data, s, t := a.m.Doc.Data, a.m.Doc.State(), a.m.Table()
		f := landmark.File{Set: s.Landmarks, Scaled: s.Transform.Scale, Method: s.Train.Algorithm, Values: s.Train.Values,
			Seed: a.m.Doc.Seed, Source: data.Name, Points: data.Points, Program: "blossom " + a.options.Version}
		for j, c := range t.Cols {
			col := s.Transform.Columns[c]
			fc := landmark.FileColumn{Name: data.Columns[c].Name, Label: data.Columns[c].Label, Transform: col.String(), Weight: col.Weight}
			if s.Transform.Scale {
				fc.SD = scaleOf(col, t.SD[j])
			}
			f.Columns = append(f.Columns, fc)
		}
		if err := format.AtomicWrite(path, func(w io.Writer) error { return f.Write(w) }); err != nil {
			a.fail(err)
			return
		}
		a.exported(path)
	})
}

// scaleOf is what a column was divided by when scaling is on.
func scaleOf(c transform.Column, sd float64) float64 {
	if c.SD > 0 {
		return c.SD
	}
	return sd
}

// writeRecipe puts the session beside an exported file, so that it can be made again: data, transform,
// landmarks, parameters, seed, and whether the layout was arranged by hand.
func (a *App) writeRecipe(path string) {
	p := strings.TrimSuffix(path, filepath.Ext(path)) + session.Extension
	if err := writeSession(a.m.Doc, a.view.saved(), p, a.options.Version, a.ctx.Now()); err != nil {
		a.fail(err)
	}
}

func (a *App) exported(path string) {
	a.settings.Folder = filepath.Dir(path)
	a.say("written: " + path)
	a.note(note{text: "Written: " + filepath.Base(path)})
}
