package job

import (
	"context"

	"blossom/model/base/problem"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/work/embedding"
)

// keptPast are the moments of a history at which the points lay otherwise on a map that the session keeps: those of its
// runs, and of what was done to it by hand.
func (f *Film) keptPast(subject Subject, d *state.Document, from, to string) error {
	k := embedding.ByID(f.Embedding.Kind)
	if k == nil || k.Way != embedding.Stepwise || subject.Kept == nil {
		return problem.New(d.Data.Path, "film the map itself, or a map that ran: --of history --embedding tsne",
			"a film of %s of this map is not possible", subject.ID)
	}
	past, err := subject.Past(d, from, to)
	if err != nil {
		return err
	}
	var last *parts.Snapshot
	for _, m := range past {
		s := parts.Snapshots.Of(m.State).Get(f.Embedding)
		if s == nil || last != nil && (s == last || &s.Pos[0] == &last.Pos[0]) {
			continue
		}
		last = s
		f.past = append(f.past, m)
	}
	if len(f.past) < 2 {
		return problem.New(d.Data.Path, "run it in the window and save the session with its history, or film a run of "+
			"it: --of "+k.ID, "nothing of the map by %s moves in the history", k.Title)
	}
	total, gone := 0.0, 0.0
	for _, m := range f.past[1:] {
		total += m.Weight
	}
	for i, m := range f.past {
		if i > 0 {
			gone += m.Weight
		}
		at := gone / total
		if i == len(f.past)-1 {
			at = 1
		}
		f.Moments = append(f.Moments, Moment{Name: m.Name, At: at})
	}
	return nil
}

// keptWay is a film of a map that the session keeps, as it was at its moments: there is nothing between them.
type keptWay struct {
	f    *Film
	w    *Work
	now  int // the moment of last
	last *Shot
	box  [][2]float64
}

// beginKept begins a film of the moments at which the session has kept a map.
func beginKept(ctx context.Context, f *Film, w *Work) (Shots, error) {
	if len(f.past) < 2 {
		return nil, problem.New(w.table.Path, "film the session itself", "the moments of this map are in the session "+
			"alone")
	}
	x := &keptWay{f: f, w: w, now: -1, box: f.Box}
	f.Colour, f.And = plainName(w.table, f.Colour), plainName(w.table, f.And)
	for i := range f.past {
		if len(f.Box) > 0 {
			break
		}
		places, err := x.places(i)
		if err != nil {
			return nil, err
		}
		x.box = union(x.box, f.box(places, &Drawn{}))
	}
	return x, nil
}

// places is where the points were at a moment.
func (x *keptWay) places(i int) (embedding.Result, error) {
	s := parts.Snapshots.Of(x.f.past[i].State).Get(x.f.Embedding)
	if len(s.Pos) != s.Recipe.Dims*x.w.table.Points {
		return embedding.Result{}, problem.New(x.w.table.Path, "film the session with its own data",
			"the map at %q is of other points", x.f.past[i].Name)
	}
	return embedding.Result{Dims: s.Recipe.Dims, Pos: s.Pos}, nil
}

// Shot is the last moment that there was by then.
func (x *keptWay) Shot(ctx context.Context, k int) (*Shot, error) {
	t, i := x.f.share(k), 0
	for i+1 < len(x.f.Moments) && x.f.Moments[i+1].At <= t {
		i++
	}
	if i == x.now {
		return x.last, nil
	}
	places, err := x.places(i)
	if err != nil {
		return nil, err
	}
	p := x.f.titled(x.f.past[i].Name)
	p.Box = x.box
	spec := parts.Transform.Of(x.w.Parts)
	d := &Drawn{Data: x.w.table, Spec: spec, Columns: spec.MapColumns(), Places: places}
	if err := p.known(ctx, d, x.w); err != nil {
		return nil, err
	}
	x.f.Sight.populations = p.Sight.populations
	x.now, x.last = i, &Shot{p, d}
	return x.last, nil
}

func (x *keptWay) Close() {}
