package main

import (
	"cmp"
	"context"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"blossom/model/data/format"
	"blossom/model/job"
	"blossom/model/job/run"
)

// embedLong is what the command says of itself.
const embedLong = `Projects every point of INPUT with EmbedSOM and writes its coordinates, a row for each row of INPUT,
as the extension of OUT says: .npy (n x dims float32), .csv, .tsv (header embedsom1,embedsom2; .csv.gz and .tsv.gz
compressed), .fcs, .npz, .parquet or .h5ad (AnnData: obsm/X_embedsom); "-" is CSV on standard output. Points with a
missing or infinite value in a column of the map have no coordinates (NaN).

--append writes the data as they are, then coordinates, the nearest landmark and, with --session, the populations. In
FCS these are channels, where coordinates begin at 0: BLOSSOM_COORDINATES_OFFSET says what was added to each axis.
--split writes a file of each input into the folder OUT, which is made: BASE_blossom with the extension of the input,
or of its format, with the same rows in the same order, its own columns, keywords and matrix.

Several files are one table, one under the other, with their columns matched by antigen, then by detector, then by
place (--match); what is doubtful is said, and kept apart.

Landmarks come from two matrices, from a file of blossom train, or are trained here (20x20, less for few points), on
all points or, with --train-on, on some: then large files are read by ranges.
With OUT/, a folder, and --landmarks each input is a part of its own: nothing limits how many there are, see
docs/scale.md. --runner says what makes the parts; "slurm" sends them to a cluster. INPUT may be such a folder, too:
then its files are read again, as they were, for landmarks or a session that say another map.

With --session everything comes from a session that the window has saved, and so do the coordinates: they are those
that the window shows, on the same engine and variant to the last bit. Its data is looked for where it was and beside
the session; INPUT says where else it is.`

func embedCommand(a *app) *cobra.Command {
	o, out, e, parts := &computing{app: a, s: settings()}, "", &job.Embedding{}, &parting{}
	s := &o.s
	c := &cobra.Command{
		Use:   "embed INPUT...|--session FILE -o OUT",
		Short: "Write the coordinates of every point on the map",
		Long:  embedLong,
		Example: `  blossom embed sample.fcs -o map.csv
  blossom embed sample.fcs --som 20x20 --epochs 10 --transform asinh:150 --seed 1 -o map.npy
  blossom embed points.npy --landmarks-hd hd.npy --landmarks-ld ld.npy --k 10 -o map.npy
  blossom embed sample.fcs --derived density,nearest,residual,loss -o map.csv
  blossom embed donor1.fcs donor2.fcs --match detector -o map.csv
  blossom embed donor1.fcs donor2.fcs --append --split -o out/
  blossom embed cells.h5ad --matrix obsm:X_pca --append -o mapped.h5ad
  blossom embed next.fcs --landmarks trained.json -o next.csv
  blossom embed 'data/*.npy' --landmarks trained.json -o out/ --runner slurm
  blossom embed out/ --session moved.blossom -o out-2/
  blossom embed --session recipe.blossom -o map.csv`,
		Args: o.from.args(append(partFlags, "derived")...),
		RunE: func(c *cobra.Command, paths []string) error {
			if parts.wanted(c.Flags(), out) {
				return parts.make(c.Context(), o, c.Flags(),
					asking{out: out, paths: paths, want: e, session: o.from.session})
			} else if err := cmp.Or(parts.ignored(c.Flags(), paths), folder(c.Flags(), &out)); err != nil {
				return err
			}
			return o.embed(c.Context(), out, paths, e)
		},
	}
	outputFlag(c, &out, "`OUT` file: "+strings.Join(format.Extensions(), ", ")+", or - for standard output")
	o.flags(c)
	inputFlags(c.Flags(), s)
	landmarkFlags(c.Flags(), &s.Origin)
	trainOnFlag(c.Flags(), &s.Origin)
	projectionFlags(c.Flags(), s)
	c.Flags().StringSliceVar(&e.Derived, "derived", nil, "columns made from the map to write beside the coordinates: `"+
		strings.Join(run.Derivable(), ",")+"`")
	besideFlags(c.Flags(), &e.Beside)
	parts.flags(c.Flags())
	engineFlags(c.Flags(), &s.Machine)
	return c
}

// trainOnFlag says of how many points landmarks are made.
func trainOnFlag(f *pflag.FlagSet, s *run.Origin) {
	f.IntVar(&s.TrainOn, "train-on", 0,
		"train on `N` random points (default: all), so that large files need not fit into memory")
}

// embed writes the embedding e of all inputs to one output.
func (o *computing) embed(ctx context.Context, out string, paths []string, e *job.Embedding) error {
	e.Output, o.ranges = out, !o.s.Origin.OfAll() || o.s.Origin.ByPasses()
	w, err := o.compute(ctx, out, paths, (*job.Job).ForMap, e)
	if w == nil {
		return err
	}
	done := ofMap(w, out, e.Map)
	for _, col := range e.More {
		done.Derived = append(done.Derived, derivedColumn{col.Name, col.From})
	}
	return o.app.finish(o.json, done)
}
