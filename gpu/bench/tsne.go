package bench

import (
	"context"

	"blossom/model/work/engine"
)

func init() {
	Register(Measure{Name: "tsne", Title: "units of each method of t-SNE",
		Help: `Times a unit of each method, in a map of 750 units, in 2D and 3D: points in the shape of
scikit-learn's digits, 20,000 and 70,000 x 30 in clusters. It tells the time of each kernel, how far repulsion
and Z are off float64, and how many times as fast it is, on one core, as a plain walk of a quadtree and as
scikit-learn's gradient, where there is a Python with it. With the engine of a card, --engine cuda, maps of
70,000 points in clusters, one million and ten (2D only) form. Affinities of more than 200,000 points are those
of groups: there is no time to look for neighbours. Ratios are to the best published system, and repulsion
is compared with float64 at 1,000 points.`,
		Flags: []Flag{deviceFlag, engineFlag(" (default: all that work here)"),
			pointsFlag(10, most, "one size of 30 columns"), quickFlag("without the largest; on a card the first"),
			{Name: "repeats", Default: 0, Help: "units that maps on a card form for (default: 750)"}},
		Columns: append(unitColumns, mapColumns...),
		Note: func(rows []any) string {
			why := ""
			for _, u := range rowsOf[Unit](rows) {
				if u.alone != "" {
					why = "not compared with scikit-learn: " + u.alone
				}
			}
			return why
		},
		Run: func(ctx context.Context, r *Run) error {
			reg, known := engine.Named(r.Text("engine"))
			if known && reg.Kind == engine.Card {
				return formed(ctx, r)
			}
			shapes := []unitsShape{{1797, 64}, {20_000, 30}, {70_000, 30}}
			if r.Bool("quick") {
				shapes = shapes[:2]
			}
			if n := r.Int("points"); n > 0 {
				shapes = []unitsShape{{n, 30}}
			}
			return unitsOf(ctx, r, shapes, true)
		}})
}
