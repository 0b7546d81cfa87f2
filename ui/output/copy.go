package output

import (
	"bytes"
	"context"
	"io"
	"slices"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/job/export"
	"blossom/model/maps/derived"
	"blossom/model/work"
	"blossom/ui/desk"
	"blossom/ui/widget"
)

// CopyPicture puts the active view into the clipboard as it is looked at: a PNG that says how it was made, as one that
// is written does.
func (o *Output) CopyPicture() {
	o.draw("picture.png", desk.Picture{}, func(d *Drawing) {
		size := d.paper.Pixels
		o.jobs.Start("Copying the picture", func(ctx context.Context, at *work.Job) (func(), error) {
			recipe, notes, err := o.carried(ctx, d.made, at)
			if err != nil {
				return nil, err
			}
			var file bytes.Buffer
			err = d.encode(&file, recipe)
			return func() {
				if err := o.context.CopyPicture(file.Bytes()); err != nil {
					o.w.Fail(err)
					return
				}
				for _, note := range notes {
					o.w.Log("the copied picture: %s", note)
				}
				o.w.Say("copied " + d.of + ", " + widget.Grouped(size[0]) + " × " + widget.Grouped(size[1]) + " pixels")
			}, err
		})
	})
}

// Rows that are copied are this many at most, and take so many bytes as text: spreadsheets take no more.
const (
	mostCopied      = 100_000
	mostCopiedBytes = 64 << 20
)

// CopyRows puts the selected points into the clipboard as text with tabs, a line each below the names of the columns:
// the data, where the points are in the active view, the columns that the Export panel has chosen, and populations.
func (o *Output) CopyRows() {
	d := o.w.Desk()
	set := d.Stage.Selected()
	switch n := set.Count(); {
	case n == 0:
		o.w.Fail(problem.New("", "select some with Shift+drag", "no points are selected"))
		return
	case n > mostCopied:
		o.w.Fail(problem.New("", "select fewer, or save a file (Export > Coordinates)",
			"%s rows are too many to copy: %s are possible", widget.Grouped(n), widget.Grouped(mostCopied)))
		return
	}
	chosen := d.Rows
	o.columns = append(o.columns, chosen.Derived...)
	o.WhenFresh(func() {
		o.columns = nil
		space, v, data := d.Table(), d.Stage.Scatter(), d.Doc.Data
		if err := v.Field().Err(); err != nil {
			o.w.Fail(err)
			return
		}
		more, err := o.derivedColumns(chosen.Derived)
		rows := &export.Rows{Data: data, Paint: o.paint(), Append: true}
		if err == nil {
			err = o.appended(rows)
		}
		if err != nil {
			o.w.Fail(err)
			return
		}
		more = slices.DeleteFunc(more, derived.OfSamples) // the sheet stands before them
		places, known := o.places(v, more), d.Populations().Samples().Sheet()
		o.jobs.Start("Copying rows", func(ctx context.Context, at *work.Job) (func(), error) {
			made, err := places(ctx)
			var before *dataset.Dataset
			if err == nil {
				before, err = export.As(ctx, data, space.Spec, space.Factors(), chosen.Values)
			}
			if err == nil {
				before, err = derived.Sampled(ctx, known, before)
			}
			if err != nil {
				return nil, err
			}
			rows.Made, rows.Before = made, before
			var of []int32
			set.Each(0, data.Points, func(row int) { of = append(of, int32(row)) })
			text, err := tabbed(ctx, rows, of, at.Report)
			said := "copied 1 row"
			if n := len(of); n > 1 {
				said = "copied " + widget.Grouped(n) + " rows"
			}
			return func() {
				o.w.Copy(text)
				o.w.Say(said)
			}, err
		})
	})
}

// tabbed is rows as text. The error is a Problem where that is too long for a clipboard, or ctx's.
func tabbed(ctx context.Context, rows *export.Rows, of []int32, progress func(done, total int64)) (string, error) {
	const name = "rows.tsv"
	table, err := rows.Of(ctx, name, of)
	if err != nil {
		return "", err
	}
	tsv, _ := format.ForPath(name)
	text := short{}
	if err := tsv.Write(ctx, &text, table, progress); err != nil {
		return "", err
	}
	return text.String(), nil
}

// short is a text that is no longer than a clipboard should hold.
type short struct{ bytes.Buffer }

var _ io.Writer = &short{}

func (s *short) Write(b []byte) (int, error) {
	if s.Len()+len(b) > mostCopiedBytes {
		return 0, problem.New("", "select fewer, or save a file (Export > Coordinates)",
			"these rows are more than %d MB of text, which is too much to copy", mostCopiedBytes>>20)
	}
	return s.Buffer.Write(b)
}
