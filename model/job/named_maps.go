package job

import (
	"context"

	"blossom/model/base/problem"
	"blossom/model/clusters/population"
	"blossom/model/document/parts"
	"blossom/model/job/run"
	"blossom/model/space/transform"
	"blossom/model/work/embedding"
)

// places finds where the points are on the maps that rules look at, as the window has them: EmbedSOM is projected,
// what is computed at once is computed on the points in the order of a window, and maps that ran are those that the
// session keeps. A map that there is not is the trouble of the populations that are of it.
func (n *Named) places(ctx context.Context, w *Work, maps []population.Map) (func(population.Map) (population.Places,
	error), error) {
	found, wrong := map[string]population.Places{}, map[string]error{}
	for _, of := range maps {
		at, err := w.places(ctx, embedding.Recipe(of))
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		found[of.Key()], wrong[of.Key()] = at, err
	}
	return func(of population.Map) (population.Places, error) { return found[of.Key()], wrong[of.Key()] }, nil
}

// places finds where the points are on one flat map.
func (w *Work) places(ctx context.Context, r embedding.Recipe) (at population.Places, err error) {
	const anew = "define it by columns or landmarks"
	k := embedding.ByID(r.Kind)
	switch {
	case k == nil || r.Dims != 2:
		return at, problem.New("", "use a newer program", "there is no flat map of the kind %.40q here", r.Kind)
	case k.Way != embedding.ByRange && !k.Columns && w.Job.had.other:
		return at, problem.New("", anew, "it is a region of a map by %s of the session's own points", k.Title)
	case k.Way != embedding.Stepwise && w.Job.plain():
		return at, problem.New("", "write labels with blossom label, and colour by those",
			"it is a region of a map, which is not made here")
	case k.Way == embedding.ByRange:
		e, said := Embedding{}, w.Notes
		err := e.Make(ctx, w)
		if w.Notes = said; err != nil {
			return at, err
		}
		if e.Map.Embedding.M != 2 {
			return at, problem.New("", anew, "the map that it is a region of has 3 dimensions now")
		}
		return population.Places{Pos: e.Map.InRows()}, nil
	case k.Way == embedding.Stepwise:
		s := w.Job.had.maps.Get(r)
		switch {
		case s == nil && w.Job.had.session:
			return at, problem.New("", anew, "it is a region of a map by %s, which the session has not", k.Title)
		case s == nil:
			return at, problem.New("", "label with the session itself: --session", "it is a region of a map by %s, "+
				"which is in the session alone", k.Title)
		case len(s.Pos) != 2*w.table.Points:
			return at, problem.New("", anew, "it is a region of a map by %s of the session's own points", k.Title)
		}
		return population.Places{Pos: s.Pos}, nil
	}
	made, order, err := w.atOnce(ctx, k, r)
	if err != nil {
		return at, err
	}
	return population.Places{Pos: made.Pos, Order: order}, nil
}

// atOnce computes a map on the points in the order of a window, which its bits depend on.
func (w *Work) atOnce(ctx context.Context, k *embedding.Kind, r embedding.Recipe) (made *embedding.Result,
	order []int32, err error) {
	order = transform.Shuffle(w.table.Points, w.Seed)
	spec := parts.Transform.Of(w.Parts)
	points, err := run.PointsOf(ctx, w.table, spec.MapColumns(), spec, order, w.Options.Report)
	if err != nil {
		return nil, nil, err
	}
	in := embedding.Inputs{Data: w.table, Table: points.Table, Engine: w.Engines.Another, Memory: available()}
	made, err = k.Compute(ctx, in, r, w.Options.Report.Stage(k.Title))
	return made, order, err
}
