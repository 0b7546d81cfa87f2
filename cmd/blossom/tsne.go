package main

import (
	"cmp"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"blossom/model/base/problem"
	"blossom/model/job"
	"blossom/model/job/run"
	"blossom/model/work/embedding"
)

func tsneCommand(a *app) *cobra.Command {
	t, theta := job.DefaultTSNE(), 0.0
	o := &layingOut{computing: computing{app: a, s: settings()}, kind: embedding.ByID("tsne"), own: t}
	c := &cobra.Command{
		Use:   "tsne INPUT... -o OUT",
		Short: "Lay all points out by t-SNE, or place new ones in such a map",
		Long: `Lays all points of INPUT out by t-SNE and writes their coordinates, a row for each row of INPUT, as
the extension of OUT says: .npy (n x dims float32), .csv, .tsv (header tsne1,tsne2; .csv.gz and .tsv.gz
compressed), .fcs, .npz, .h5ad or .parquet; "-" is CSV on standard output.
Points with a missing or infinite value in a column of the map have no coordinates (NaN).

Neighbours are exact while comparing all pairs is affordable; else groups of near points are looked through, and the
share of neighbours that is found is measured at 1,000 points and told. The same input, seed, engine and variant give
the same bytes, whatever the number of threads.

With --into REF --map Y new points are placed in a map that stays as it is: INPUT has the new points, REF those of the
map, Y their positions. Each is placed for itself: some of them come to the same places as among all.

With OUT/, a folder, INPUT may be more rows than memory holds: a sample of them (--shown) is laid out, and each input is
a part of its own, whose rows are placed in that map. --runner says what makes the parts; see docs/scale.md.

With --at Y nothing moves: OUT has for each point the forces at the positions in Y, 2 x dims columns, first attraction
A_i = sum_j p_ij w_ij r, then repulsion R_i = sum_j w_ij^2 r, which is not divided by Z (--json tells Z), where
r = y_i - y_j and w = 1/(1 + |r|^2).`,
		Example: `  blossom tsne sample.fcs -o map.csv
  blossom tsne points.npy --scale=none --perplexity 50 --units 750 --seed 1 --json -o map.npy
  blossom tsne points.npy --dims 3 --accuracy fine -o map3.npy
  blossom tsne points.npy --start map.npy --start-as keep --units 500 -o refined.npy
  blossom tsne new.npy --into points.npy --map map.npy -o placed.npy
  blossom tsne 'data/*.npy' --shown 200000 -o out/ --runner slurm
  blossom tsne points.npy --at map.npy --json -o forces.npy`,
		RunE: func(c *cobra.Command, paths []string) error {
			f := c.Flags()
			if f.Changed("theta") {
				t.Theta = &theta
			}
			if err := idle(f, t, o.into); err != nil {
				return err
			}
			return o.run(c, paths)
		},
	}
	tsneFlags(c.Flags(), t, &theta)
	o.flags(c)
	return c
}

// idle refuses flags that would say nothing where new points are placed, forces evaluated or a map refined.
func idle(f *pflag.FlagSet, t *job.TSNE, into string) error {
	switch {
	case into != "" && t.At != "":
		return run.Usage{Err: problem.New("", "give one of them", "--into places new points, --at looks at given ones")}
	case into != "":
		return idleFlags(f, "new points are placed as the map has it: --into", "start-as", "units", "exaggeration",
			"eta", "perplexity", "repulsion", "theta", "accuracy")
	case t.At != "":
		return idleFlags(f, "nothing moves with --at", "start", "start-as", "units", "exaggeration", "eta", "keep")
	case t.StartAs == "keep":
		return idleFlags(f, "a map that keeps its size is not exaggerated: --start-as keep", "exaggeration")
	}
	return nil
}

// startVar is --start: a word, or a file.
type startVar struct{ t *job.TSNE }

func (v startVar) Type() string { return "pca" }
func (v startVar) String() string {
	if v.t == nil {
		return ""
	}
	return cmp.Or(v.t.StartFile, v.t.Start)
}
func (v startVar) Set(text string) error {
	v.t.Begin(text)
	return nil
}

// tsneFlags say how the map is made.
func tsneFlags(f *pflag.FlagSet, t *job.TSNE, theta *float64) {
	f.Float64Var(&t.Perplexity, "perplexity", t.Perplexity, "how many neighbours a point stays near to: `U`, 1 or more")
	f.IntVar(&t.Units, "units", t.Units, "`N` steps in all; 0: until the map rests")
	f.Float64Var(&t.Exaggeration, "exaggeration", t.Exaggeration,
		"how many times as strong attraction is in the first 250 units")
	f.Float64Var(&t.Eta, "eta", t.Eta, "learning rate; 0: points over exaggeration (scikit-learn's is a quarter of it)")
	f.Float64Var(theta, "theta", 0, "how coarse the tree is, 0 or more (default 0.5, in 3D 0.8)")
	f.StringVar(&t.Accuracy, "accuracy", t.Accuracy, "how fine the lattice of the field is: `fast, normal or fine`")
	f.StringVar(&t.Repulsion, "repulsion", t.Repulsion,
		"`auto, exact, tree, field`, or a published system's, to compare with, where an engine has one")
	f.Var(startVar{t}, "start", "where points begin: `pca`, random, embedsom, or a file of positions")
	f.StringVar(&t.StartAs, "start-as", t.StartAs, "`fresh`: small; keep: at its own size, without exaggeration")
	f.StringVar(&t.Neighbours, "neighbours", t.Neighbours, "`auto`, or exact whatever it takes")
	f.StringVar(&t.At, "at", "", "write the forces at the positions in the file `Y`")
}
