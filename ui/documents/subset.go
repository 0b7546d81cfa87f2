package documents

import (
	"context"

	"blossom/model/base/problem"
	"blossom/model/base/revision"
	"blossom/model/clusters/population"
	"blossom/model/data/dataset"
	"blossom/model/document/opening"
	"blossom/model/document/parts"
	"blossom/model/live"
	"blossom/model/maps/selection"
	"blossom/model/work"
	"blossom/ui/desk"
	"blossom/ui/naming"
)

// Subset is the map of the points of a population as a document of its own, and the way back.
type Subset struct{ part }

// whole says whether the open document has all points of its files, which can be read anew then.
func (d *Documents) whole() bool { return d.open() && d.w.Desk().Doc.Data.Subset == nil }

// Is says whether the points of the open document are those of a population of another.
func (p *Subset) Is() bool { return p.docs.open() && !p.docs.whole() }

// populated calls do with the populations of the open document, as soon as their points are known.
func (p *Subset) populated(do func(at *desk.Desk, now *live.Populated)) {
	at := p.w.Desk()
	at.Populations().Now() // they are looked for while it waits
	p.w.WhenFresh(func() {
		if p.w.Desk() != at {
			return
		}
		if now, fresh := at.Populations().Now(); fresh {
			do(at, now)
			return
		}
		p.docs.context.Refresh()
		p.populated(do)
	})
}

// these are the points that a map is made of: those of the chosen population, else (0) those that are selected.
func (p *Subset) these() (id population.ID, ok bool) {
	at := p.w.Desk()
	if id = at.Stage.Scene.Gating.Chosen; parts.Populations.Of(at.Doc.State()).Place(id) >= 0 {
		return id, true
	}
	return 0, !at.Stage.Selected().Empty() || len(at.Stage.Hand().Landmarks.Selected) > 0
}

// Can says whether there are points to make a map of.
func (p *Subset) Can() bool {
	if !p.docs.open() || p.docs.Guest.Here() { // nothing is kept that it could be a part of
		return false
	}
	_, ok := p.these()
	return ok
}

// MapOfThese opens the points of the chosen population as a document. Selected points become a population first, which
// has its name from the user.
func (p *Subset) MapOfThese() {
	id, ok := p.these()
	switch at := p.w.Desk(); {
	case !ok:
	case id != 0:
		p.MapOf(id)
	default:
		naming.Name(at, func() { p.MapOf(at.Stage.Scene.Gating.Chosen) })
	}
}

// MapOf opens the points of a population of the open document as a document of their own, with a map of them alone. One
// that was made before is taken up again, with the points that the population has now.
func (p *Subset) MapOf(id population.ID) {
	p.populated(func(at *desk.Desk, now *live.Populated) {
		if now == nil || now.Tree.Place(id) < 0 {
			return // it is gone
		}
		place := now.Tree.Place(id)
		if err := now.Why[place]; err != nil {
			p.w.Fail(err)
			return
		}
		s, inner := subset(now.Tree.All()[place], now.Sets[place]), opening.Inner{Tree: now.Tree, Sets: now.Sets}
		at.Stage.Keep()
		doc, program, o := at.Doc.Copy(), p.docs.Maker(), p.docs.Options.Reading
		kept := p.docs.Shelf.list.Find(func(k *opening.Kept) bool { return k.Within == doc.ID && k.Subset == id })
		load := func(ctx context.Context, j *work.Job) (*opening.Opened, error) {
			if kept == nil {
				return opening.Among(ctx, doc, s, inner, program, j)
			}
			former, err := kept.Open(ctx, "", "", o, j)
			if err != nil {
				return nil, err
			}
			return opening.Follow(ctx, former, doc, s, inner, program)
		}
		p.docs.opens("The points of "+population.Brief(s.Name), doc.Files()[0], load, func(string, string) {})
	})
}

// subset describes the points of a population.
func subset(x population.Population, set *selection.Set) dataset.Subset {
	s := dataset.Subset{Name: x.Name, Population: int32(x.ID), Points: set.Len()}
	set.Each(0, set.Len(), func(row int) { s.Rows = append(s.Rows, int32(row)) })
	return s
}

// Back goes back to the document that the open one has the points of a population of. The populations that were named
// here are in that population then.
func (p *Subset) Back() {
	p.populated(func(at *desk.Desk, now *live.Populated) {
		if at.Doc.Data.Subset == nil {
			return
		}
		if at.Doc.Within == 0 { // it was opened from a session: what it is part of is made again
			at.Doc.Within = revision.Next()
		}
		doc, o := at.Doc.Copy(), p.docs.Options.Reading
		found := &opening.Found{Subset: doc.Data.Subset, Mixes: parts.Transform.Of(doc.State()).Mixes}
		if now != nil {
			found.Tree, found.Sets, found.Why = now.Tree, now.Sets, now.Why
		}
		kept := p.docs.Shelf.list.Find(func(k *opening.Kept) bool { return k.ID == doc.Within })
		load := func(ctx context.Context, j *work.Job) (back *opening.Opened, err error) {
			if kept != nil {
				back, err = kept.Open(ctx, "", "", o, j)
			} else {
				back, err = opening.Parent(ctx, doc, o, j)
			}
			if err == nil {
				bring(found, back)
			}
			return back, err
		}
		p.docs.opens("Back to "+found.Subset.Of, doc.Files()[0], load, func(string, string) {})
	})
}

// bring takes populations back into the document that they were found in a part of, and says so.
func bring(found *opening.Found, back *opening.Opened) {
	s := found.Subset
	back.Population = population.ID(s.Population)
	if err := found.Into(back.Doc); err != nil {
		back.Notes = append(back.Notes, "the populations of "+population.Brief(s.Name)+" are not in it: "+
			problem.As(err).What)
		return
	}
	for i, p := range found.Tree.All() {
		if i < len(found.Why) && found.Why[i] != nil && p.Whole == 0 {
			back.Notes = append(back.Notes, population.Brief(p.Name)+" is not brought back: "+
				problem.As(found.Why[i]).What)
		}
	}
	if n := found.Tree.Len(); n > 0 {
		back.Said = s.Of + ", with " + problem.Count(n, "population") + " of the map of " + population.Brief(s.Name)
	}
}
