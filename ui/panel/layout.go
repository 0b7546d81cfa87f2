package panel

import (
	"fmt"

	"blossom/model/base/step"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/live/member"
	"blossom/model/maps/layout"
	"blossom/ui/desk"
	"blossom/ui/widget"
)

func init() {
	Register(Kind{ID: "layout", Title: "Layout", Key: "Alt+O", Order: 60, Closed: true,
		Help: "Let an algorithm arrange the landmarks, and blend it with what was before",
		Params: func() (all []step.Param) {
			for _, a := range layout.All() {
				all = append(all, a.Params...)
			}
			return all
		},
		New: func(d *desk.Desk) Panel { return newLaying(d) }})
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
	switch now := l.Stands(); {
	case now.Active:
		if word := l.Progress().Stage.Word; word != "" {
			return word
		}
		return "running"
	case now.Rest:
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
	p.head(a)

	if a.Graph {
		GraphRows(p.desk)
		u.Separator()
	}
	choice = parts.Layout.Of(p.desk.Doc.State())
	paramRows(p.desk, p.desk.Layout(), p.desk.Layout().Params(), paramRow(u))
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
	p.desk.Doc.Do("Layout: "+a.Title, func(s *state.State) { parts.ChooseLayout(s, a) })
}

// head draws the buttons, how fast a layout goes and how near it is to rest.
func (p *laying) head(a layout.Algorithm) {
	h := headOf("layout", p.desk.Layout())
	if a.Once {
		h.label, h.once = "Lay out", "This layout is done at once, without steps"
	}
	h.left, h.right = p.stand(a, h.now)
	h.draw(p.desk)
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

// stand says how fast a layout goes and how near it is to rest.
func (p *laying) stand(a layout.Algorithm, r member.Running) (left, right string) {
	at := p.desk.Layout().Progress()
	now := standing{steps: at.Steps, once: a.Once, active: r.Active, rested: r.Rest, done: -1, stage: at.Stage}
	if at.Timed {
		now.done = int(100 * at.Near)
	}
	if r.Active && r.Rate > 0 {
		now.rate = Rate(r.Rate, "steps")
		now.steps = 0
	}
	if at.Moving > 0 {
		now.moving, now.near = percent(at.Moving), at.Moving < layout.Rest
	}
	if now != p.of || p.goes == "" {
		p.of = now
		p.stands, p.goes = words(now, at.Steps)
	}
	return p.stands, p.goes
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
	case now.active:
		left = "begins"
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
