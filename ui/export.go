package ui

import (
	"context"
	"maps"
	"path/filepath"
	"slices"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/job/export"
	"blossom/model/work"
	"blossom/model/work/engine"
	"blossom/ui/desk"
	"blossom/ui/view"
)

// output writes what the window shows, as the desk knows it.
type output struct{ a *App }

var _ desk.Output = output{}

func (o output) Coordinates(path string, t desk.Table) { o.a.exportCoordinates(path, t) }

func (o output) Landmarks(path string) { o.a.docs.Landmarks.WriteFile(path) }

func (o output) Picture(path string, p desk.Picture) { o.a.exportPicture(path, p) }

func (o output) PictureSize(p desk.Picture) (w, h int) {
	w, h, _ = o.a.pictureSize(p)
	return w, h
}

func (o output) Drawing() bool { return o.a.picture != nil }

// whenFresh runs do as soon as nothing in the picture is stale. Training and layouts rest meanwhile: what is
// exported is one state of the map, not a mixture of several.
func (a *App) whenFresh(do func()) {
	running := a.desk.Training().Active()
	laying := a.desk.Layout().Active()
	a.desk.Runs().PauseAll()
	a.later.steps = append(a.later.steps, func() {
		do()
		if running {
			if err := a.desk.Training().Run(false); err != nil {
				a.fail(err)
			}
		}
		if laying {
			if err := a.desk.Layout().Resume(); err != nil {
				a.fail(err)
			}
		}
	})
}

// runWaiting runs what waited for a fresh picture.
func (a *App) runWaiting() {
	if a.desk == nil {
		a.later.steps = nil
		return
	}
	if len(a.later.steps) == 0 || a.moving() {
		return
	}
	todo := a.later.steps
	a.later.steps = nil
	for _, f := range todo {
		f()
	}
}

// dropExports gives up what was waiting for a picture of the map that is about to be replaced.
func (a *App) dropExports() {
	if len(a.later.steps) > 0 || a.picture != nil {
		a.say("an export was given up, because another file was opened")
	}
	a.later.steps, a.later.columns = nil, nil
	if p := a.picture; p != nil {
		p.job.Close()
		a.picture = nil
	}
}

// exportCoordinates writes the position of every point in the active view, in the order of the data file, with the
// columns of the data before them if asked for.
func (a *App) exportCoordinates(path string, o desk.Table) {
	a.later.columns = append(a.later.columns, o.Derived...) // they are computed before the picture is fresh
	a.whenFresh(func() {
		a.later.columns = nil
		data, order, v := a.desk.Doc.Data, a.desk.Table().Order, a.active()
		if err := v.Field().Err(); err != nil {
			a.fail(err)
			return
		}
		if a.docs.IsInput(path) {
			return
		}
		more, err := a.derivedColumns(o.Derived)
		if err != nil {
			a.fail(err)
			return
		}
		points, kind := v.Points(), v.Field().Kind().ID
		points.Sync() // they have come already, unless the engine has just been changed
		pos, dims := slices.Clone(points.Host()), points.Dims()
		if o.Recipe {
			a.docs.Saving.RecipeBeside(path)
		}
		said := a.tableMeta(v, more)
		a.compute.jobs.Start("Exporting "+filepath.Base(path), func(ctx context.Context, j *work.Job) (func(), error) {
			table, err := export.Coordinates(ctx, kind, pos, dims, order)
			if err == nil {
				table = export.Beside(table, more...)
				table.Metadata = said
			}
			if err == nil && o.Columns {
				table = export.Beside(data, table.Columns...)
				table.Metadata = maps.Clone(table.Metadata)
				maps.Copy(table.Metadata, said)
			}
			if err == nil {
				err = format.Save(ctx, path, table, j.Report)
			}
			return func() { a.docs.Wrote(path) }, err
		})
	})
}

// askWanted keeps the columns that an export waits for in the making.
func (a *App) askWanted() {
	for _, name := range a.later.columns {
		if _, _, err := a.desk.Column(name); err != nil {
			continue // said when it is exported
		}
	}
}

// derivedColumns returns the columns of these names, which have been made.
func (a *App) derivedColumns(names []string) (out []dataset.Column, err error) {
	for _, name := range names {
		c, _, err := a.desk.Column(name)
		if err == nil && c == nil {
			err = problem.New("", "wait until the map is at rest and export again", "%s could not be made", name)
		}
		if err != nil {
			return nil, err
		}
		out = append(out, *c)
	}
	return out, nil
}

// tableMeta is what a table of coordinates says of itself, in formats that have keywords.
func (a *App) tableMeta(v *view.Scatter, more []dataset.Column) map[string]string {
	m := map[string]string{}
	if v.IsMap() {
		m[export.EngineKey] = engine.FullName(a.compute.engines.Engine().Name(), a.compute.engines.Engine().Variant())
	}
	if v.Arranged() {
		m[export.ArrangedKey] = "by hand"
	}
	if len(more) > 0 {
		m[export.DerivedKey] = export.Provenance(more)
	}
	return m
}
