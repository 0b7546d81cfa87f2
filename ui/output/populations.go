package output

import (
	"context"
	"io"
	"path/filepath"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/job/export"
	"blossom/model/work"
	"blossom/ui/desk"
)

// Populations writes what points are called, how many each population has, or the gates among them, as blossom label
// does of a session.
func (o *Output) Populations(path string, what desk.NamesFile) {
	o.WhenFresh(func() {
		d := o.w.Desk()
		now, fresh := d.Populations().Now()
		data, spec := d.Doc.Data, d.Table().Spec
		switch {
		case now == nil || !fresh:
			o.w.Fail(problem.New("", "export again in a moment", "the points of populations are being looked for"))
			return
		case o.Documents.IsInput(path):
			return
		}
		o.jobs.Start("Exporting "+filepath.Base(path), func(ctx context.Context, j *work.Job) (func(), error) {
			var left []string
			var err error
			if what == desk.NamedGates {
				err = format.AtomicWrite(path, func(to io.Writer) (err error) {
					left, err = export.Gates(to, data, spec, now.Tree)
					return err
				})
			} else {
				var table *dataset.Dataset
				if what == desk.NamedCounts {
					table, err = export.PopulationCounts(ctx, data, now.Tree, now.Labels)
				} else {
					var columns []dataset.Column
					columns, err = export.Populations(ctx, now.Tree, now.Labels, what == desk.NamedEach)
					if err == nil {
						table, err = dataset.FromColumns(ctx, "populations", columns)
					}
				}
				if err == nil {
					err = format.Save(ctx, path, table, j.Report)
				}
			}
			return func() {
				o.Documents.Wrote(path)
				if len(left) > 0 {
					o.w.Say("no gates, and left out of " + filepath.Base(path) + ": " + strings.Join(left, ", "))
				}
			}, err
		})
	})
}
