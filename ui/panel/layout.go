package panel

import (
	"fmt"
	"maps"

	"blossom/model/base/step"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/maps/layout"
	"blossom/ui/desk"
	"blossom/ui/widget"
)

func init() {
	Register(Kind{ID: "layout", Title: "Layout", Key: "Alt+O", Order: 60, Closed: true,
		Help: "Let an algorithm arrange the landmarks, and blend it with what was before",
		New:  func(d *desk.Desk) Panel { return newLaying(d) }})
}

// laying is the panel of layouts.
type laying struct {
	desk  *desk.Desk
	all   []layout.Algorithm
	items []widget.ComboItem
	// Words about a run are made anew only when they would change: they stand in every frame.
	stands, goes string
	of           standing
}

func newLaying(d *desk.Desk) *laying {
	p := &laying{desk: d, all: layout.All()}
	for _, a := range p.all {
		p.items = append(p.items, widget.ComboItem{Name: a.Title})
	}
	return p
}

// Note says whether a layout runs.
func (p *laying) Note() string {
	l := p.desk.Layout()
	switch {
	case l.Active():
		if word := l.Progress().Stage.Word; word != "" {
			return word
		}
		return "running"
	case !l.Rested().IsZero():
		return "at rest"
	case parts.Blends.Of(p.desk.Doc.State()).Fits(parts.Landmarks.Of(p.desk.Doc.State())):
		return "paused"
	}
	return ""
}

func (p *laying) Draw() {
	u := p.desk.UI
	choice := parts.Layout.Of(p.desk.Doc.State())
	chosen := -1
	for i := range p.all {
		if p.all[i].ID == choice.Algorithm {
			chosen = i
		}
	}
	o := widget.ComboOpts{Empty: "Choose a layout"}
	if chosen >= 0 {
		o.Tip = p.all[chosen].Help
	}
	if u.Combo("##algorithm", p.items, &chosen, o) {
		p.choose(p.all[chosen])
	}
	if chosen < 0 {
		return
	}
	a := p.all[chosen]
	u.Space(6)
	p.buttons(a)
	u.Space(6)
	p.stand(a)

	if a.Graph {
		GraphRows(p.desk)
		u.Separator()
	}
	g := parts.Landmarks.Of(p.desk.Doc.State()).Len()
	choice = parts.Layout.Of(p.desk.Doc.State())
	suggested := step.Values(nil)
	if a.Suggest != nil {
		suggested = a.Suggest(g)
	}
	for _, x := range a.Params {
		if v, ok := suggested[x.ID]; ok {
			x.Default = v
		}
		p.param(x, choice.Values)
	}
	u.Space(2)
	p.limits(choice)
	u.Separator()
	p.blend()
	if !a.Graph { // edges are drawn all the same
		u.Separator()
		u.Heading("Graph")
		u.Space(2)
		GraphRows(p.desk)
	}
}

// choose takes another algorithm, with the values that suit the landmarks there are.
func (p *laying) choose(a layout.Algorithm) {
	g := parts.Landmarks.Of(p.desk.Doc.State()).Len()
	p.desk.Doc.Do("Layout: "+a.Title, func(s *state.State) {
		parts.Layout.Edit(s, func(l *parts.LayoutChoice) {
			l.Algorithm, l.Values = a.ID, nil
			if a.Suggest != nil {
				l.Values = a.Suggest(g)
			}
		})
	})
}

func (p *laying) buttons(a layout.Algorithm) {
	b := runButtons{run: "layout", step: "layout-step", again: "layout-again", name: "the layout", unit: "steps",
		active: p.desk.Layout().Active(), width: 96}
	if a.Once {
		b.label, b.once = "Lay out", "This layout is done at once, without steps"
	}
	b.draw(p.desk)
}

// standing is how a run stands, as far as it is said.
type standing struct {
	steps        int64
	rate, moving string
	once, active bool
	near         bool // to rest
	rested       bool // by itself, also where its steps are done
	stage        layout.Stage
	done         int // percent of the steps of one that ends after a number of them, or -1
}

// stand says how fast a layout goes and how near it is to rest. It is always there, so that nothing below jumps.
func (p *laying) stand(a layout.Algorithm) {
	at, l := p.desk.Layout().Progress(), p.desk.Layout()
	now := standing{steps: at.Steps, once: a.Once, active: l.Active(), rested: !l.Rested().IsZero(), done: -1,
		stage: at.Stage}
	if at.Timed {
		now.done = int(100 * at.Near)
	}
	if l.Active() && at.Rate > 0 {
		now.rate = Rate(at.Rate)
		now.steps = 0
	}
	if at.Moving > 0 {
		now.moving, now.near = percent(at.Moving), at.Moving < layout.Rest
	}
	if now != p.of || p.goes == "" {
		p.of = now
		p.stands, p.goes = words(now, at.Steps)
	}
	p.desk.UI.SplitNote(p.stands, p.goes)
	p.desk.UI.Progress(float32(at.Near), 0)
	p.desk.UI.Space(2)
}

// words are what is said at the left and at the right.
func words(now standing, steps int64) (left, right string) {
	switch {
	case now.rate != "":
		left = now.rate
	case now.once:
		left = "done at once"
	case steps > 0:
		left = widget.Grouped(int(steps)) + " steps"
	default:
		left = "not run yet"
	}
	rests := "rests at " + percent(layout.Rest)
	switch {
	case now.once:
		right = " "
	case now.moving == "":
		right = rests
	case now.rested && !now.active:
		right = "at rest"
	case now.active && now.stage.Word != "":
		right = now.stage.Word + ": " + now.stage.Help
	case now.done >= 0:
		right = fmt.Sprintf("moving %s, %d %% done", now.moving, now.done)
	case now.near:
		right = "moving " + now.moving + ", nearly at rest"
	default:
		right = "moving " + now.moving + ", " + rests
	}
	return left, right
}

// Rate writes steps a second.
func Rate(r float64) string {
	if r < 10 {
		return fmt.Sprintf("%.1f steps/s", r)
	}
	return widget.Grouped(int(r+0.5)) + " steps/s"
}

// percent writes a small part.
func percent(x float64) string {
	switch x *= 100; {
	case x >= 10:
		return fmt.Sprintf("%.0f %%", x)
	case x >= 0.095:
		return fmt.Sprintf("%.1f %%", x)
	}
	return fmt.Sprintf("%.2f %%", x)
}

// param is the row of a parameter of a layout, made from its description.
func (p *laying) param(x step.Param, values step.Values) {
	v := values.Get(x)
	set := func(e widget.Edit) {
		p.desk.Change(x.Title, e, func(s *state.State) {
			next := step.Values{}
			maps.Copy(next, parts.Layout.Of(*s).Values)
			next[x.ID] = v
			parts.Layout.Edit(s, func(l *parts.LayoutChoice) { l.Values = next })
		})
	}
	set(paramRow(p.desk.UI, x, &v))
}

// limits are the check boxes that say which landmarks move.
func (p *laying) limits(choice parts.LayoutChoice) {
	u, pinned, selected := p.desk.UI, 0, len(p.desk.Stage.Hand().Landmarks.Selected)
	for _, on := range parts.Landmarks.Of(p.desk.Doc.State()).Pinned {
		if on {
			pinned++
		}
	}
	stay := "Pinned landmarks stay"
	switch {
	case pinned == 1:
		stay = "1 pinned landmark stays"
	case pinned > 1:
		stay = widget.Grouped(pinned) + " pinned landmarks stay"
	}
	if u.Check(stay+"##pinned", &choice.KeepPinned, widget.CheckOpts{
		Tip: "Pinned landmarks stay where they are, and the others arrange themselves around them (P pins)"}).Toggled {
		p.desk.Doc.Do("Pinned landmarks in layouts", func(s *state.State) {
			parts.Layout.Edit(s, func(l *parts.LayoutChoice) { l.KeepPinned = choice.KeepPinned })
		})
	}
	note := ""
	if selected > 0 {
		note = widget.Grouped(selected)
	}
	if u.Check("Only the selected landmarks##only", &choice.OnlySelected, widget.CheckOpts{Note: note,
		Tip: "Those that are selected when a run begins move, and all others stay"}).Toggled {
		p.desk.Doc.Do("Only selected landmarks in layouts", func(s *state.State) {
			parts.Layout.Edit(s, func(l *parts.LayoutChoice) { l.OnlySelected = choice.OnlySelected })
		})
	}
}

// blend is the slider between where the landmarks were and where a layout brought them.
func (p *laying) blend() {
	b := parts.Blends.Of(p.desk.Doc.State())
	holds := b.Fits(parts.Landmarks.Of(p.desk.Doc.State())) || b != nil && p.desk.Layout().Active()
	share, tip := 1.0, "Between where the landmarks were before the layout and where it brought them. 100 % is as the "+
		"layout has them"
	switch {
	case holds:
		share = b.Share
	case b == nil:
		tip = "Run a layout first: this then goes back and forth between before and after"
	default:
		tip = "The landmarks have been moved since the layout; undo that, or run the layout again"
	}
	e := p.desk.UI.Fade("Before##blend", "After", &share, tip, !holds)
	p.desk.Change("Blend before and after", e, func(s *state.State) { parts.SetBlend(s, share) })
}
