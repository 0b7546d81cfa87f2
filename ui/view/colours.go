package view

import (
	"context"
	"slices"

	"blossom/model/base/revision"
	"blossom/model/data/dataset"
	"blossom/model/document/parts"
	"blossom/model/live"
	"blossom/model/space/transform"
	"blossom/model/work"
	"blossom/render"
	"blossom/render/colour"
	"blossom/render/legend"
	"blossom/render/palette"
	"blossom/render/scene"
)

// Colours is what a view is coloured by. It follows the document: see update.
type Colours struct {
	*colour.Values        // nil: one colour
	Column         string // name of the column that Values are of, "" for none
	Rev            revision.Revision

	value  *work.Value[colourKey, *colour.Values]
	absent absent
	bins   bins
	picked picked
}

// picked are how many points of each entry of a legend are selected.
type picked struct {
	counts  []int
	shown   []int             // how many a view shows that shows the points of a population alone
	of      revision.Revision // the values
	states  *render.StateBuffer
	changes uint64 // how often the states of the points had changed
}

// bins are a histogram of the values of a revision, and the values at its ends.
type bins struct {
	counts [HistogramBins]float32
	lo, hi float32
	of     revision.Revision
}

type colourKey struct {
	column string
	rev    revision.Revision // revision of the column
	how    string            // the transform, as text
	table  revision.Revision // the points of the map: they decide which are drawn
	onMap  bool              // labels are counted among the points of the map only
	spread transform.Spread
	second secondKey
}

// secondKey is what the second of two columns depends on, with the ends of both, which their steps are between.
type secondKey struct {
	column string // "": there is none
	rev    revision.Revision
	how    string
	ends   colour.Settings
}

// HistogramBins is the number of bars of a histogram.
const HistogramBins = 24

// keepColours makes the values of c, which belong to all: where a column costs much they come later, and until then the
// old colours stay.
func keepColours(all *work.Values, c *Colours) {
	c.value = work.Keep[colourKey, *colour.Values](all, work.Policy{Title: "Colour", Background: true, Finish: true,
		Remedy: "choose another column", Done: func() {
			c.Rev = c.value.Rev()
			c.Values, _ = c.value.Now()
			if c.Column = ""; c.Values != nil {
				c.Column = c.value.Of().column
			}
		}})
}

// update brings the values up to the columns of a look. onMap says that points which the map cannot place
// are not drawn.
func (c *Colours) update(m *live.Map, look parts.Look, onMap bool) {
	table, name := m.Table(), look.Column
	key := colourKey{column: name, table: table.Rev, onMap: onMap, spread: look.Spread}
	var column *dataset.Column
	var setting transform.Column
	if name != "" {
		var err error
		if column, setting, err = m.Column(name); column == nil && err == nil {
			return // it is being made: the old colours stay
		}
		if column != nil {
			key.rev, key.how = column.Rev, setting.String()
		}
	}
	second, its, ok := secondOf(m, look, column, &key.second)
	if !ok {
		return
	}
	if under, busy := c.value.Under(); busy && (under.column != key.column || under.table != key.table) {
		c.value.Stop() // one that changes in every frame is finished, or it would never be there; another column is not
	}
	if !c.value.Want(key) {
		return
	}
	var undrawn []int32
	if onMap {
		undrawn = c.absent.in(table)
	}
	spread, ends := key.spread, key.second.ends // the key itself stays off the heap of every frame
	cost, former := costOf(column)+costOf(second), c.Values
	if look.Spread == transform.SpreadQuantile {
		cost *= perRank
	}
	if !m.Values.AtOnce(cost) {
		former = nil // it is shown meanwhile
	}
	c.value.Make(cost, func(context.Context, func(done, total int64)) (*colour.Values, error) {
		v := valuesOf(former, column, setting, spread, table.Order, undrawn)
		if second != nil {
			v = colour.Pair(v, valuesOf(nil, second, its, spread, table.Order, undrawn), ends)
		}
		return v, nil
	})
}

// secondOf is the second of the columns that points are coloured by, with its setting; nil: there is none. ok is false
// while it is being made.
func secondOf(m *live.Map, look parts.Look, first *dataset.Column, key *secondKey) (second *dataset.Column,
	its transform.Column, ok bool) {
	if look.And == "" || look.And == look.Column || first == nil || len(first.Categories) > 0 {
		return nil, its, true
	}
	second, its, err := m.Column(look.And)
	switch {
	case second == nil && err == nil:
		return nil, its, false
	case second == nil || len(second.Categories) > 0:
		return nil, its, true
	}
	*key = secondKey{look.And, second.Rev, its.String(), sceneLook(look).Settings()}
	key.ends.Palette, key.ends.Centred, key.ends.Centre, key.ends.Inks = "", false, 0, ""
	return second, its, true
}

// legend describes the colours c of a view, with how many points of each label are selected; where the view shows the
// points of a population alone, of these alone. It is nil when there is nothing to tell.
func (q *picked) legend(v *Scatter, c palette.Colouring) *legend.Legend {
	l, on := scene.Legend(v.Colours.Values, c, v.Style().Tally), v.View.scene
	alone := v.among.states != nil
	if l == nil || v.Colours.Values == nil || !on.Dim && !alone { // nothing is selected, and all are shown
		return l
	}
	states := v.among.in(on)
	if now := states.Changes(); q.of != v.Colours.Rev || q.changes != now || q.states != states {
		var undrawn []int32
		if v.IsMap() {
			undrawn = v.Colours.absent.in(on.Map.Table())
		}
		*q = picked{states: states, of: v.Colours.Rev, changes: now}
		q.counts = v.Colours.Among(l, states.Host(), render.Selected, undrawn)
		q.shown = v.Colours.Among(l, states.Host(), inSight, undrawn)
	}
	if on.Dim {
		l.Chosen = slices.Clone(q.counts)
	}
	if !alone || len(q.shown) != len(l.Entries) {
		return l
	}
	kept := 0
	for i, e := range l.Entries {
		if e.Count = q.shown[i]; e.Count == 0 {
			continue
		}
		l.Entries[kept] = e
		if l.Chosen != nil {
			l.Chosen[kept] = l.Chosen[i]
		}
		kept++
	}
	l.Entries = l.Entries[:kept]
	if l.Chosen != nil {
		l.Chosen = l.Chosen[:kept]
	}
	return l
}

// Bins returns the histogram of a quantity and the values at its ends.
func (c *Colours) Bins() (counts []float32, lo, hi float32) {
	b := &c.bins
	if b.of != c.Rev {
		b.of = c.Rev
		b.lo, b.hi = c.Histogram(b.counts[:])
	}
	return b.counts[:], b.lo, b.hi
}
