package live

import (
	"context"

	"blossom/model/base/revision"
	"blossom/model/clusters/population"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/maps/selection"
	"blossom/model/work"
)

// region keeps the selection at what a live region has, wherever the map that it was drawn on has moved its points.
type region struct {
	m     *Map
	value *work.Value[regionKey, *selection.Set]
}

// regionKey is what the points of a live region depend on.
type regionKey struct {
	region *parts.LiveRegion
	places revision.Revision
	labels revision.Revision // populations are, where it was drawn among the points of one
}

// perPlace is what a point costs in a stroke of a region.
const perPlace work.Ops = 32

// begin makes the value.
func (r *region) begin(m *Map) {
	r.m, r.value = m, work.Keep[regionKey, *selection.Set](&m.Values, work.Policy{Title: "Live region", Quiet: true,
		Finish: true, Remedy: "draw it anew"})
}

// tend has the points of the region looked for where something has moved, and selects them.
func (r *region) tend() {
	live := parts.Region.Of(r.m.Doc.State())
	if live == nil {
		if r.value.Rev() != 0 {
			r.value.Forget()
		}
		return
	}
	if live.In != 0 && parts.Populations.Of(r.m.Doc.State()).Place(live.In) < 0 {
		// The population that it was drawn in is gone: its points stay as they are, where all would come in.
		r.m.Doc.Look(func(s *state.State) { parts.Region.Put(s, nil) })
		return
	}
	at, ok := r.m.places(live.Rule.Of)
	if !ok || at.err != nil {
		return // the points stay as they are
	}
	key := regionKey{region: live, places: at.rev}
	among, known := r.among(live.In, &key)
	if !known {
		return
	}
	if r.value.Want(key) {
		n := r.m.Doc.Data.Points
		cost := perPlace * work.Ops(n*len(live.Rule.Strokes))
		end := at.hold()
		r.value.Make(cost, func(ctx context.Context, _ func(done, total int64)) (*selection.Set, error) {
			defer end()
			return regionRows(ctx, live.Rule, n, at.Places, among)
		})
	}
	if set, fresh := r.value.Now(); set != nil && (fresh || r.value.Of().region == live) {
		r.take(set)
	}
}

// among is the rows of the population that the region was drawn in, nil for all; known is false while they are on their
// way, and where there is no such population.
func (r *region) among(id population.ID, key *regionKey) (rows *selection.Set, known bool) {
	if id == 0 {
		return nil, true
	}
	now, _ := r.m.Populations().Now()
	if now == nil || now.Tree.Place(id) < 0 {
		return nil, false
	}
	key.labels = now.Derived.Rev
	return now.Sets[now.Tree.Place(id)], true
}

// take selects the points that the region has now: what follows the map makes no entry of the history.
func (r *region) take(set *selection.Set) {
	if old := parts.Selection.Of(r.m.Doc.State()); !selection.Equal(old, set) {
		r.m.Doc.Look(func(s *state.State) { parts.Selection.Put(s, set) })
	}
}

// regionRows are the rows of so many that a region has, of those among (nil: of all).
func regionRows(ctx context.Context, of *population.Region, rows int, at population.Places,
	among *selection.Set) (*selection.Set, error) {
	set, err := of.Rows(ctx, population.Inputs{Rows: rows,
		Places: func(population.Map) (population.Places, error) { return at, nil }})
	if err != nil || among == nil {
		return set, err
	}
	return selection.Intersect(set, among), nil
}

// Enclosed returns the rows that a live region has as its map is now; nil where there is nothing of that yet.
func (p *Populations) Enclosed(r *parts.LiveRegion) (*selection.Set, error) {
	at, ok := p.m.places(r.Rule.Of)
	if !ok || at.err != nil {
		return nil, at.err
	}
	among, known := p.m.named.region.among(r.In, &regionKey{})
	if !known {
		return nil, nil
	}
	return regionRows(context.Background(), r.Rule, p.m.Doc.Data.Points, at.Places, among)
}
