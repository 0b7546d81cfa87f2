package live

import (
	"slices"

	"blossom/model/base/revision"
	"blossom/model/live/member"
	"blossom/model/maps/embedsom"
	"blossom/model/work/embedding"
)

// Buffers are where positions are written to, made and freed by whoever draws them.
type Buffers struct {
	Make func(n, dims int) embedsom.Target
	Drop func(embedsom.Target) // nil: there is nothing to do
	// Fresh asks for positions that an engine wrote on its card to be brought to Host, and says whether they
	// have come. It never waits. nil: they always are there.
	Fresh func(embedsom.Target) bool
	// Sync waits until Host has what an engine wrote on its card. nil: it always has.
	Sync func(embedsom.Target)
}

// Embedding is the positions of all points by one recipe, kept as the document wants them. Like its Map it
// belongs to the main thread.
type Embedding struct {
	m            *Map
	recipe       embedding.Recipe
	kind         *embedding.Kind // nil where there is none
	axes         []embedding.Axis
	at           member.Place
	sight        bool            // a view shows it
	kept         kept            // its places, for rules that look at them
	way          way             // nil where the recipe cannot be followed
	steps        *member.Forming // the same, of an embedding that runs
	member.Reins                 // by which that is steered
}

var (
	_ member.Stepped = (*Embedding)(nil)
	_ member.Tuned   = (*Embedding)(nil)
)

// way is how the positions of an embedding come about.
type way interface {
	Tend() // in each frame: begins what the document asks for, where that has changed
	Busy() bool
	Stale() float64
	Shown() int
	Refill()     // there is nothing in the buffer
	End()        // nothing is asked for any more: jobs are cancelled
	Stays() bool // it goes on though no view shows it
}

// Existing returns the embedding of a recipe, or nil where nothing has asked for it.
func (m *Map) Existing(r embedding.Recipe) *Embedding {
	if k := embedding.ByID(r.Kind); k != nil && k.Way == embedding.ByRange {
		return m.som // its dimensions follow the landmarks
	}
	for _, e := range m.list {
		if e.recipe.Equal(r) {
			return e
		}
	}
	return nil
}

// Embedding returns the embedding of a recipe, which is made if nothing has asked for it before. What is
// wrong with the recipe is in its Err.
func (m *Map) Embedding(r embedding.Recipe) *Embedding {
	if e := m.Existing(r); e != nil {
		return e
	}
	k := embedding.ByID(r.Kind)
	e := &Embedding{m: m, recipe: r, kind: k, sight: true}
	e.recipe.Columns = slices.Clone(r.Columns)
	m.list = append(m.list, e)
	if e.at.Err = embedding.Check(r, m.Doc.Data, m.makes); e.at.Err != nil {
		return e
	}
	switch k.Way {
	case embedding.AtOnce:
		e.way = &once{Embedding: e}
	case embedding.Stepwise:
		e.steps = member.NewForming(m.ground(), e.recipe, k, &e.at)
		e.steps.Anew = func() { m.gauges.anew(e) }
		e.way, e.Reins = e.steps, e.steps.Reins()
		m.runs.Add(e.steps.Run(), e.Start)
	}
	e.renew()
	return e
}

// EmbedSOM returns the embedding that is the map itself.
func (m *Map) EmbedSOM() *Embedding { return m.som }

// Show says which embeddings are in sight. Those that are not are freed, but EmbedSOM, those that run and those that
// rules look at.
func (m *Map) Show(recipes []embedding.Recipe) {
	for _, e := range m.list {
		e.sight = false
	}
	for _, r := range recipes {
		m.Embedding(r).sight = true
	}
	kept := m.list[:0]
	for _, e := range m.list {
		if e.sight || e == m.som || e.way != nil && (e.way.Stays() || e.kept.wanted(m.made.frame)) {
			kept = append(kept, e)
			continue
		}
		e.free()
		if e.steps != nil {
			m.runs.Remove(e.steps.Run())
		}
	}
	clear(m.list[len(kept):])
	m.list = kept
}

// Recipe returns what the embedding was asked for by.
func (e *Embedding) Recipe() embedding.Recipe { return e.recipe }

// Kind returns the kind of embedding, nil where there is none of that name.
func (e *Embedding) Kind() *embedding.Kind { return e.kind }

// Label is how a view's header calls it, and a note beside it.
func (e *Embedding) Label() (title, note string) {
	return embedding.Label(embedding.Inputs{Data: e.m.Doc.Data, Table: e.m.table}, e.recipe)
}

// Dims returns 2 or 3, the coordinates of the positions.
func (e *Embedding) Dims() int {
	if e.at.Target != nil {
		return e.at.Target.Dims()
	}
	return e.recipe.Dims
}

// Target returns the buffer of positions. It may be another one in the next frame, when the dimensions have
// changed. It is nil where the recipe cannot be followed, and of a closed map.
func (e *Embedding) Target() embedsom.Target { return e.at.Target }

// Axes says what the coordinates are; none where they mean nothing. The caller must not change them.
func (e *Embedding) Axes() []embedding.Axis { return e.axes }

// Rev changes when all positions have come to rest at other places: what was computed from them (density,
// coordinates, an index) is then of the past. It is 0 before they first do.
func (e *Embedding) Rev() revision.Revision { return e.at.Rev }

// Shown returns how many points, from the first, should be drawn: all at rest, while things move those that
// keep up, and none before there are positions or where there is an Err.
func (e *Embedding) Shown() int {
	if e.at.Err != nil || e.way == nil || e.at.Target == nil {
		return 0
	}
	return e.way.Shown()
}

// Placed returns how many of the points that are shown have a place: of a sample, those that are in it.
func (e *Embedding) Placed() int {
	n := e.Shown()
	if w := e.steps; w != nil && w.Points() > 0 {
		n = min(n, w.Points())
	}
	return n
}

// Stale returns the share of points whose position is older than what the document wants.
func (e *Embedding) Stale() float64 {
	if e.way == nil {
		return 0
	}
	return e.way.Stale()
}

// Busy says whether positions are still to come.
func (e *Embedding) Busy() bool { return e.way != nil && e.way.Busy() }

// Err says why there are no positions to show: a problem.Problem, or nil.
func (e *Embedding) Err() error { return e.at.Err }

// Positions returns all positions, in the order of the table, once they are at rest and in memory of the
// host; ok is false before. They are not to be written, and not to be kept beyond this frame.
func (e *Embedding) Positions() (pos []float32, ok bool) {
	if e.at.Rev == 0 || e.at.Err != nil || e.at.Target == nil || e.Busy() || e.Stale() > 0 {
		return nil, false
	}
	if e.steps != nil && e.steps.Unblended() != nil {
		return e.steps.Unblended(), true
	}
	if f := e.m.buffers.Fresh; f != nil && !f(e.at.Target) {
		return nil, false
	}
	return e.at.Target.Host(), true
}

// Refill says that the buffer has lost what was in it. Work on it has ended when Refill returns.
func (e *Embedding) Refill() error {
	if e.way == nil {
		return nil
	}
	err := e.m.Wait()
	e.way.Refill()
	return err
}

func (e *Embedding) tend() {
	e.kept.tend(e.m.made.frame)
	if e.way != nil {
		e.way.Tend()
	}
}

// put makes pos the positions of all points.
func (e *Embedding) put(pos []float32) {
	copy(e.at.Target.Host(), pos)
	e.at.Target.Upload(0, e.at.Target.Len())
	e.at.Rev = revision.Next()
}

// renew makes the buffer, and has it filled.
func (e *Embedding) renew() {
	e.kept = kept{asked: e.kept.asked}
	if e.way != nil {
		e.drop()
		e.at.Target = e.m.buffers.Make(e.m.table.X.Rows, e.dims())
		e.way.Refill()
	}
}

// dims is how many coordinates positions should have.
func (e *Embedding) dims() int {
	if e == e.m.som {
		return e.m.proj.mapDims()
	}
	return e.recipe.Dims
}

// drop frees the buffer. Nothing may be at work on it.
func (e *Embedding) drop() {
	if e.at.Target != nil && e.m.buffers.Drop != nil {
		e.m.buffers.Drop(e.at.Target)
	}
	e.at.Target = nil
}

func (e *Embedding) free() {
	if e.way != nil {
		e.way.End()
	}
	e.drop()
}
