package output

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/job/export"
	"blossom/model/maps/derived"
	"blossom/model/space/transform"
	"blossom/model/work"
	"blossom/render/palette"
	"blossom/ui/desk"
)

// Populations writes what points are called, or a table of the populations, as blossom label does of a session.
func (o *Output) Populations(path string, want desk.Names) {
	o.WhenFresh(func() {
		d := o.w.Desk()
		now, fresh := d.Populations().Now()
		if now == nil || !fresh {
			o.w.Fail(problem.New("", "export again in a moment", "the points of populations are being looked for"))
			return
		}
		names := &export.Names{Data: d.Doc.Data, Tree: now.Tree, Labels: now.Labels, Colour: palette.Ink,
			All: want.All, Samples: d.Populations().Samples().Sheet()}
		if err := names.Whole(); err != nil && want.What != desk.NamedGates { // gates that are none are left out
			o.w.Fail(err)
			return
		}
		h := handing{space: d.Table(), want: want, path: path, paths: []string{path},
			rows: &export.Rows{Data: d.Doc.Data, Each: want.Each, Names: names, Paint: o.paint()}}
		if want.What == desk.NamedLabels {
			h.paths, _ = h.rows.Paths(path)
		}
		if !o.free(h.paths, path) {
			return
		}
		if v := d.Stage.Scatter(); want.Coordinates {
			if err := v.Field().Err(); err != nil {
				o.w.Fail(err)
				return
			}
			h.places = o.places(v, nil)
		}
		o.jobs.Start("Exporting "+filepath.Base(path), func(ctx context.Context, j *work.Job) (func(), error) {
			said, err := h.write(ctx, j.Report)
			return func() {
				o.Documents.Wrote(said, h.paths...)
			}, err
		})
	})
}

// free says whether files can be written: none of them is of the data, and none is there but the one that the user has
// been asked about.
func (o *Output) free(paths []string, asked string) bool {
	for _, path := range paths {
		if o.Documents.IsInput(path) {
			return false
		}
		if _, err := os.Lstat(path); err == nil && path != asked {
			o.w.Fail(problem.New(path, "choose another name or folder, or take it away", "is there already"))
			return false
		}
	}
	return true
}

// handing is what is written of populations, on its way into files.
type handing struct {
	space  *transform.Table
	want   desk.Names
	path   string   // as the user has named it
	paths  []string // the files
	rows   *export.Rows
	places func(context.Context) (*dataset.Dataset, error) // nil: no coordinates
}

// write writes the files, which take their places together. It returns what there is to say.
func (h *handing) write(ctx context.Context, progress func(done, total int64)) (said string, err error) {
	var files format.Files
	defer files.Discard()
	switch h.want.What {
	case desk.NamedLabels:
		var says []string
		says, err = h.labels(ctx, &files, progress)
		said = strings.Join(says, "; ")
	case desk.NamedCounts, desk.NamedKey:
		make := h.rows.Names.Counts
		if h.want.What == desk.NamedKey {
			make = h.rows.Names.Key
		}
		var table *dataset.Dataset
		if table, err = make(ctx); err == nil {
			err = files.Save(ctx, h.path, table, progress)
		}
	case desk.NamedGates:
		err = files.Write(h.path, func(to io.Writer) error {
			left, err := export.Gates(to, h.rows.Data, h.space.Spec, h.rows.Names.Tree)
			if len(left) > 0 {
				said = "not in " + filepath.Base(h.path) + ", as they are no gates: " + strings.Join(left, ", ")
			}
			return err
		})
	}
	if err != nil {
		return "", err
	}
	return said, files.Commit()
}

// labels writes those of all points. It returns what there is to say.
func (h *handing) labels(ctx context.Context, files *format.Files,
	progress func(done, total int64)) (said []string, err error) {
	if h.places != nil {
		if h.rows.Made, err = h.places(ctx); err != nil {
			return nil, err
		}
	}
	if h.want.Columns || h.want.Each == export.EachPopulation {
		h.rows.Before, err = export.As(ctx, h.rows.Data, h.space.Spec, h.space.Factors(), h.want.Values)
		if err != nil {
			return nil, err
		}
		if h.rows.Before, err = derived.Sampled(ctx, h.rows.Names.Samples, h.rows.Before); err != nil {
			return nil, err
		}
	}
	return h.rows.Save(ctx, files, h.path, progress)
}
