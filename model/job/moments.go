package job

import (
	"bytes"
	"context"

	"blossom/model/base/problem"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/morph"
)

// ofMoments are the parts that say how a map is at a moment, beside its landmarks.
var ofMoments = []string{"transform", "projection"}

// ForDocument gives the job of a document what the film needs: the moments of its history that the subject picks, or
// the map as it is. The error is a Problem.
func (f *Film) ForDocument(ctx context.Context, j *Job, d *state.Document, from, to string) error {
	subject, known := subjectByID(f.Of)
	if known && subject.Anywhere && f.Mapped() {
		j.Want(&Embedding{})
	}
	if !known || subject.Past == nil {
		return nil
	}
	if f.Embedding.Kind != "" {
		return f.keptPast(subject, d, from, to)
	}
	past, err := subject.Past(d, from, to)
	if err != nil {
		return err
	}
	past = settled(withMaps(past))
	if len(past) < 2 {
		return problem.New(d.Data.Path, "drag or train in the window and save the session with its history, or film "+
			"something else: --of "+problem.OneOf(SubjectIDs()...), "nothing moves in the history that is to be filmed")
	}
	total, gone := 0.0, 0.0
	for _, m := range past[1:] {
		total += m.Weight
	}
	for i, m := range past {
		if i > 0 {
			gone += m.Weight
		}
		out, err := momentOf(m, j)
		if err != nil {
			return err
		}
		if out.At = gone / total; i == len(past)-1 {
			out.At = 1
		}
		f.Moments = append(f.Moments, out)
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// settled leaves out moments at which the map is as at the one before; the way to the next is as long as both.
func settled(past []Past) (out []Past) {
	for _, m := range past {
		if n := len(out); n > 0 && sameMap(out[n-1].State, m.State) {
			continue
		}
		out = append(out, m)
	}
	return out
}

// sameMap says whether two states have one map.
func sameMap(a, b state.State) bool {
	x, y := parts.Landmarks.Of(a), parts.Landmarks.Of(b)
	return x.CodeRev == y.CodeRev && x.PosRev == y.PosRev && x.EdgeRev == y.EdgeRev &&
		parts.Transform.Rev(a) == parts.Transform.Rev(b) && parts.Projection.Rev(a) == parts.Projection.Rev(b)
}

// momentOf is a moment as a film has it: what is as in the job is left out.
func momentOf(m Past, j *Job) (Moment, error) {
	out := Moment{Name: m.Name, State: map[string]state.Encoded{}}
	at := &Job{table: j.table, Seed: j.Seed}
	var now state.State // without what takes long to encode
	parts.Transform.Take(&now, m.State)
	parts.Projection.Take(&now, m.State)
	if err := at.PutState(now, ofMoments...); err != nil {
		return out, err
	}
	spec := parts.Transform.Of(m.State)
	if err := at.PutLandmarks(parts.Landmarks.Of(m.State), spec.MapColumns(), spec); err != nil {
		return out, err
	}
	for id, e := range at.State {
		if own, said := j.State[id]; !said || !bytes.Equal(own.Value, e.Value) {
			out.State[id] = e
		}
	}
	return out, nil
}

// way is a film through moments: what lies between two of them is what lies between their landmarks, projected.
type way struct {
	f     *Film
	w     *Work
	stops []stop
	now   int // the stop whose transform the points have
	last  *Shot
	shown *landmark.Set // the landmarks of last
	name  string
	box   [][2]float64
}

// stop is a moment that the way leads through.
type stop struct {
	name  string
	at    float64
	state state.State
	set   *landmark.Set
	space string // equal ones are one transform
}

// mostSeen is how many stops are looked at to see how far the map goes.
const mostSeen = 16

// beginMoments begins a film of the moments that it names.
func beginMoments(ctx context.Context, f *Film, w *Work) (Shots, error) {
	if len(f.Moments) < 2 {
		return nil, problem.New(w.table.Path, "give the session that has a history, or film something else: --of "+
			problem.OneOf(SubjectIDs()...), "a film of %s needs two moments or more, and there are %d", f.Of,
			len(f.Moments))
	}
	stops, err := stopsOf(w, f.Moments)
	if err != nil {
		return nil, err
	}
	return beginWay(ctx, f, w, stops)
}

// stopsOf are moments with their states in full.
func stopsOf(w *Work, moments []Moment) (stops []stop, err error) {
	for _, m := range moments {
		all := map[string]state.Encoded{}
		for id, e := range w.Job.State {
			all[id] = e
		}
		for id, e := range m.State {
			all[id] = e
		}
		now, _, err := state.Decode(all, state.Context{Data: w.table, Seed: w.Seed, File: w.table.Path, Strict: true,
			Program: w.Options.Program})
		if err != nil {
			return nil, err
		}
		s := stop{name: m.Name, at: m.At, state: now, set: parts.Landmarks.Of(now)}
		s.space = string(all["transform"].Value)
		if s.set.Len() == 0 {
			return nil, problem.New(w.table.Path, "leave it out", "the moment %q has no landmarks", m.Name)
		}
		stops = append(stops, s)
	}
	return stops, nil
}

// beginWay begins a film through stops.
func beginWay(ctx context.Context, f *Film, w *Work, stops []stop) (Shots, error) {
	x := &way{f: f, w: w, stops: stops, now: -1, box: f.Box}
	f.Colour, f.And = plainName(w.table, f.Colour), plainName(w.table, f.And)
	if err := f.evaluated(ctx, w); err != nil {
		return nil, err
	}
	if len(f.Box) > 0 {
		return x, nil
	}
	seen := min(len(stops), mostSeen)
	for i := range seen {
		at := 0
		if seen > 1 {
			at = i * (len(stops) - 1) / (seen - 1)
		}
		d, err := x.at(ctx, at, stops[at].set, &f.Picture)
		if err != nil {
			return nil, err
		}
		x.box = union(x.box, f.box(d.Places, d))
		if report := w.Options.Report; report != nil {
			report("looking ahead", int64(i+1), int64(seen))
		}
	}
	return x, nil
}

// at is what there is to draw of landmarks in the space of a stop.
func (x *way) at(ctx context.Context, i int, set *landmark.Set, p *Picture) (*Drawn, error) {
	s, w := &x.stops[i], x.w
	if x.now < 0 || x.stops[x.now].space != s.space {
		w.free()
		w.Points, w.Landmarks, w.Parts = nil, nil, s.state
		if err := w.Space(ctx); err != nil {
			return nil, err
		}
	}
	x.now, w.Parts = i, s.state
	spec := parts.Transform.Of(s.state)
	w.Landmarks = w.Points.File(reordered(set, spec.MapColumns(), w.Points.Cols))
	return x.f.projected(ctx, w, p)
}

// Shot is what lies between the stops around a frame.
func (x *way) Shot(ctx context.Context, k int) (*Shot, error) {
	t := x.f.share(k)
	i := 0
	for i+2 < len(x.stops) && x.stops[i+1].at <= t {
		i++
	}
	a, b := &x.stops[i], &x.stops[i+1]
	set, from, name := a.set, i, b.name
	if a.space != b.space || t >= b.at { // two spaces have nothing between them
		if t >= b.at {
			set, from = b.set, i+1
		}
	} else if b.at > a.at {
		set = morph.New(a.set, b.set, parts.Projection.Of(a.state), morph.Effort).At((t - a.at) / (b.at - a.at))
	}
	if set == a.set && t <= a.at {
		name = a.name
	}
	if x.last != nil && x.shown == set && x.name == name {
		return x.last, nil
	}
	p := x.f.titled(name)
	p.Box = x.box
	d, err := x.at(ctx, from, set, &p)
	if err != nil {
		return nil, err
	}
	x.last, x.shown, x.name = &Shot{p, d}, set, name
	return x.last, nil
}

func (x *way) Close() {}
