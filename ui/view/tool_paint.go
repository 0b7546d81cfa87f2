package view

import (
	"slices"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/assets"
	"blossom/model/clusters/population"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/landmarks/landmark"
	"blossom/ui/shell"
	"blossom/ui/widget"
)

func init() {
	Register(&Tool{ID: "paint", Title: "Paint populations",
		Also: "brush annotate label landmarks cluster cell type", Key: "5", Icon: assets.IconTag, Large: true,
		Help:    "Drag paints landmarks into a population, Alt+drag out of it",
		Options: func(s *Stage, r widget.Rect, _ string) { s.Scene.paintOptions(r) },
		Press: func(g *Hand) gesture {
			if g.press.mods&^shell.Alt != 0 || !g.At.IsMap() {
				return nil
			}
			return &paint{}
		},
		Click: func(g *Hand) { // it paints where it stands
			if g.At.IsMap() && g.press.mods&^shell.Alt == 0 {
				p := &paint{}
				p.start(g)
				p.end(g, released)
			}
		}})
}

// paint is a stroke that gives landmarks to a population, or takes them out of it. Points go with their nearest
// landmark in the space of the map, so that nothing of the map's shape is in what they are called.
type paint struct {
	path  []point
	id    population.ID
	erase bool
	tree  population.Tree // with the population that is painted into, put into the document with the first landmark
}

// painted returns the tree with a population that landmarks can be painted into, and its ID: the one that is chosen,
// where it is one of landmarks, else a new one. A gate stays what it is.
func painted(tree population.Tree, chosen population.ID) (population.Tree, population.ID, error) {
	if p, ok := tree.Find(chosen); ok && carried(p.Rule, chosen) {
		return tree, chosen, nil
	}
	t, id, err := tree.Add(population.Population{Name: "population", Rule: &population.Landmarks{}})
	return t.Redefine(id, &population.Landmarks{Groups: []population.ID{id}}), id, err
}

// carried says whether a rule has the points of landmarks that carry a population.
func carried(r population.Rule, id population.ID) bool {
	switch r := r.(type) {
	case *population.Landmarks:
		return slices.Contains(r.Groups, id)
	case *population.Any:
		return slices.ContainsFunc(r.Of, func(of population.Rule) bool { return carried(of, id) })
	}
	return false
}

func (p *paint) start(g *Hand) {
	v, ok := g.At.(*Scatter)
	if !ok {
		return
	}
	s := v.View.scene
	tree := parts.Populations.Of(s.Map.Doc.State())
	p.erase = g.press.mods.Has(shell.Alt)
	if p.erase {
		if p.id = s.Gating.Chosen; tree.Place(p.id) < 0 {
			p.id = 0
			g.Host.Said("choose the population that landmarks are taken out of")
			return
		}
		p.tree = tree
	} else {
		var err error
		if p.tree, p.id, err = painted(tree, s.Gating.Chosen); err != nil {
			s.Fail(err)
			return
		}
	}
	name, _ := p.tree.Find(p.id)
	s.Map.Doc.Begin("Paint " + population.Brief(name.Name))
	p.path = []point{g.press.at}
	p.dab(g, g.press.at, g.press.at)
}

func (p *paint) move(g *Hand, from point) {
	if p.id == 0 || from == g.Cursor {
		return
	}
	p.path = append(p.path, g.Cursor)
	p.dab(g, from, g.Cursor)
}

// dab gives the landmarks along a way to the population.
func (p *paint) dab(g *Hand, from, to point) {
	doc := g.Landmarks.Doc
	if !doc.Open() {
		return // it was taken back meanwhile
	}
	group := int32(p.id)
	var ids []int
	set := parts.Landmarks.Of(doc.State())
	for i := range set.Len() {
		x, y, ok := g.At.Lens().Screen(place(set.Pos.Row(i)))
		a, b := vec(from), vec(to)
		if !ok || apartFrom(point{x, y}, a, b) > g.brushReach() {
			continue
		}
		if !p.erase || carries(set, i, group) {
			ids = append(ids, i)
		}
	}
	if p.erase {
		group = 0
	}
	if changed := set.Carry(ids, group); changed != set {
		p.take(g)
		doc.Change(func(now *state.State) { parts.Landmarks.Put(now, changed) })
		g.Landmarks.Selected = changed.Carrying(int32(p.id))
	}
}

// take puts the population into the document that has its first landmark now. A stroke that reaches none changes
// nothing.
func (p *paint) take(g *Hand) {
	v, ok := g.At.(*Scatter)
	if !ok {
		return
	}
	s := v.View.scene
	was := parts.Populations.Of(s.Map.Doc.State())
	s.Gating.Chosen = p.id
	if population.Equal(was, p.tree) {
		return
	}
	s.Map.Doc.Change(func(now *state.State) {
		parts.Populations.Put(now, p.tree)
		if was.Len() == 0 {
			parts.EditLook(now, parts.Views.Of(*now).LookOf(v.View.ID.Key()), func(l *parts.Look) {
				l.Column = s.Map.Populations().Column()
			})
		}
	})
}

// carries says whether a landmark carries a population.
func carries(set *landmark.Set, i int, group int32) bool {
	return i < len(set.Groups) && set.Groups[i] == group
}

func (p *paint) draw(g *Hand, dl *imgui.DrawList, u *widget.UI) { g.drawBrush(p.path, dl, u) }

func (p *paint) end(g *Hand, how ending) {
	if p.id == 0 {
		return
	}
	if doc := g.Landmarks.Doc; how == takenBack {
		doc.Cancel()
	} else {
		doc.Commit()
	}
	g.Landmarks.Selected = parts.Landmarks.Of(g.Landmarks.Doc.State()).Carrying(int32(p.id))
}

// paintOptions draws the options of the tool over the views.
func (s *Scene) paintOptions(r widget.Rect) {
	u, tree := s.UI, s.Map.Populations().Tree()
	chosen, ok := tree.Find(s.Gating.Chosen)
	name := "a new population"
	if ok = ok && carried(chosen.Rule, chosen.ID); ok {
		name = chosen.Name
	}
	var has []int
	if ok {
		has = s.Map.Landmarks().Carrying(int32(chosen.ID))
	}
	if !s.Hand.Active() { // the landmarks that it has are seen before and after a stroke, whatever was undone
		s.Hand.Landmarks.Selected = has
	}
	u.OptionsBar("options", r, func(o *widget.Options) {
		if clicked, under := o.Menu("into", "Into", u.Fit(widget.Body, name, u.Pt(180)),
			"The population that landmarks are painted into"); clicked {
			u.OpenList("paint into", under)
			s.populations.list(tree, "A new population")
			s.populations.keep(func(id population.ID) bool {
				p, _ := tree.Find(id)
				return id == 0 || carried(p.Rule, id)
			})
		}
		size := widget.Param{Min: 2, Max: 200, Default: usualBrush, Log: true, Integer: true}
		o.Slider("Size", &s.Hand.Brush, size, "How far from its middle the brush paints, in points")
		o.Count(grouped(len(has)), "landmarks; Alt+drag takes them out")
		list := &s.populations
		at := max(slices.Index(list.ids, s.Gating.Chosen), 0)
		if list.of == 0 && u.List("paint into", list.items, &at) {
			s.Gating.Chosen = list.ids[at]
		}
	})
}
