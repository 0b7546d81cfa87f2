package panel

import (
	"cmp"
	"fmt"
	"slices"

	"blossom/assets"
	"blossom/model/base/step"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/live"
	"blossom/model/live/member"
	"blossom/model/space/transform"
	"blossom/model/work/embedding"
	"blossom/ui/desk"
	"blossom/ui/view"
	"blossom/ui/widget"
)

func init() {
	embedding.Each(func(k *embedding.Kind) {
		if k.Way != embedding.Stepwise {
			return
		}
		p := Kind{ID: k.ID, Title: k.Title, Order: 100, Closed: true,
			Help:   "Let a map of all points form, steer it, and make landmarks of it",
			Params: func() []step.Param { return k.Run.Params },
			New:    func(d *desk.Desk) Panel { return &running{desk: d, kind: k} }}
		if k.Run.Letter != "" {
			p.Key = "Alt+" + k.Run.Letter
		}
		Register(p)
	})
}

// running is the panel of embeddings of a kind that run: of the one in the active view, else of one in sight.
type running struct {
	desk         *desk.Desk
	kind         *embedding.Kind
	curve, units []float32
	of           int // values of the run's curve that they have
	last         parts.CurvePoint
	more         bool // rare settings too

	froms         []*embedding.Recipe // where it can begin, of what that depends on
	fromOwn       embedding.Recipe
	fromChosen    *embedding.Recipe
	fromTable     *transform.Table
	fromViews     []embedding.Recipe
	items         []widget.ComboItem
	measured      *live.Measured // the measure that the texts were made of
	kept, trusted string
	former        bool // they are of a unit before, and say which

	part   [2]int // points of the map, and all
	parted string // its text

	said string // the text of now
	now  member.Running
}

// Note says how it stands.
func (p *running) Note() string {
	_, e := p.desk.RunningView(p.kind.ID)
	if e == nil {
		return ""
	}
	return Brief(e.Stands())
}

// Brief says in a word or two how a run stands.
func Brief(r member.Running) string {
	switch {
	case r.Job != nil && !r.Forming:
		return "preparing"
	case r.Active && r.Total > 0:
		return fmt.Sprintf("%d %%", int(100*fraction(r)))
	case r.Active:
		return "unit " + widget.Grouped(int(r.Units))
	case r.Foreign:
		return "of other data"
	case r.Rest:
		return "at rest"
	case r.Total > 0 && r.Units >= r.Total:
		return "done"
	case r.Units > 0:
		return "paused"
	}
	return "not run yet"
}

// stands says in words how a run stands; made anew only when it says something else.
func (p *running) stands(r member.Running) string {
	key := r
	key.Curve, key.Rate, key.Figure = nil, 0, 0
	if r.Job != nil {
		return Stands(r)
	}
	if p.said == "" || !same(key, p.now) {
		p.now, p.said = key, Stands(r)
	}
	return p.said
}

func same(a, b member.Running) bool {
	return a.Active == b.Active && a.Job == b.Job && a.Rest == b.Rest && a.Foreign == b.Foreign && a.Units == b.Units &&
		a.Total == b.Total && a.Phase == b.Phase
}

// Stands says in words how a run stands.
func Stands(r member.Running) string {
	of := ""
	if r.Total > 0 {
		of = " of " + widget.Grouped(int(r.Total))
	}
	units := widget.Grouped(int(r.Units))
	switch {
	case r.Job != nil && !r.Forming:
		text := r.Job.Title
		if f := r.Job.Fraction(); f > 0 {
			text += fmt.Sprintf(" %.0f %%", 100*f)
		}
		return text
	case r.Active && r.Phase != "":
		return fmt.Sprintf("%s, %s of %s", r.Phase, units, widget.Grouped(int(r.Early)))
	case r.Active:
		return "unit " + units + of
	case r.Foreign:
		return "of other data"
	case r.Rest:
		return "at rest, unit " + units
	case r.Total > 0 && r.Units >= r.Total: // the hand was at it since
		return "done, unit " + units
	case r.Units > 0:
		return "paused, unit " + units + of
	}
	return "not run yet"
}

func (p *running) Draw() {
	u := p.desk.UI
	_, e := p.desk.RunningView(p.kind.ID)
	if e == nil {
		u.Wrapped(widget.Body, u.Theme().Muted, "No view shows a "+p.kind.Title+" of the points.")
		u.Space(4)
		beside := p.desk.Window.Command(p.kind.ID + "-view")
		o := widget.ButtonOpts{Kind: widget.Primary, Tip: beside.Tip, Width: -1}
		if u.Button("Show "+p.kind.Title+"##show", o) {
			beside.Run()
		}
		return
	}
	h := headOf(p.kind.ID, e)
	r := h.now
	h.left, h.right = p.stands(r), cmp.Or(Rate(r.Rate, h.kind.Unit), " ")
	on := "Run"
	if r.More > 0 {
		h.label, h.icon, h.width, h.calm = widget.Grouped(int(r.More))+" units", assets.IconPlus, 0, true
		on = "+ " + h.label
	}
	h.draw(p.desk)
	switch {
	case r.Foreign:
		u.Wrapped(widget.Small, u.Theme().Warning, "It is of other data than there is now. Run lets it go on "+
			"with this from where it is.")
		u.Space(2)
	case r.Warning != "":
		u.Wrapped(widget.Small, u.Theme().Warning, r.Warning)
		u.Space(2)
	}
	p.begin(e)
	stages := e.Kind().Run
	shown := slices.DeleteFunc(e.Params(), func(x step.Param) bool { return x.Rare && !p.more })
	paramRows(p.desk, e, shown, paramRow(u))
	p.sample(r.Points)
	label := "More settings"
	if p.more {
		label = "Fewer settings"
	}
	if u.Link(label, "What seldom needs to be changed") {
		p.more = !p.more
	}
	if r.Changed { // below what changes it, which stays under the mouse
		u.Wrapped(widget.Small, u.Theme().Muted, "Settings are changed since the run: "+on+
			" goes on with them, Start over begins with them.")
		u.Space(2)
	}
	u.Space(4)
	p.figure(stages, r)
	p.quality(e)
	u.Separator()
	p.morph(e)
	u.Separator()
	p.landmarks()
}

// sample says of what share of the points the map is made, where that is a sample of n; 0: of all.
func (p *running) sample(n int) {
	if of := [2]int{n, p.desk.Table().X.Rows}; p.part != of {
		p.part, p.parted = of, sampled(n, of[1])
	}
	if p.parted != "" {
		p.desk.UI.Note(p.parted)
	}
}

// sampled says what share n are of all points; "" where that is all, or unknown: 0.
func sampled(n, all int) string {
	if n <= 0 || n >= all {
		return ""
	}
	return fmt.Sprintf("Made of %s of %s points, %s", widget.Grouped(n), widget.Grouped(all),
		percent(float64(n)/float64(all)))
}

// begin says where the next run begins.
func (p *running) begin(e *live.Embedding) {
	choice := parts.Runs.Of(p.desk.Doc.State()).Get(e.Recipe())
	p.beginnings(e.Recipe(), choice.From)
	chosen := max(0, slices.IndexFunc(p.froms, func(r *embedding.Recipe) bool {
		return r != nil && choice.From != nil && r.Equal(*choice.From)
	}))
	u := p.desk.UI
	set := func(change func(*parts.RunChoice)) {
		p.desk.Doc.Do("Where "+p.kind.Title+" begins", func(s *state.State) {
			parts.Runs.Put(s, parts.Runs.Of(*s).Edit(e.Recipe(), change))
		})
	}
	if u.Combo("Start from##from", p.items, &chosen, widget.ComboOpts{
		Tip: "Where points begin when it is started over: another view's places give a map easier to compare"}) {
		from := p.froms[chosen]
		set(func(c *parts.RunChoice) { c.From = from })
	}
	if choice.From == nil {
		return
	}
	keep := choice.Keep
	if u.Check("Only refine it", &keep, widget.CheckOpts{
		Tip: refineTip(p.kind)}).Toggled {
		set(func(c *parts.RunChoice) { c.Keep = keep })
	}
}

// beginnings lists where a run can begin, made anew only when that is something else.
func (p *running) beginnings(own embedding.Recipe, chosen *embedding.Recipe) {
	views, table := p.desk.Stage.Scatters(), p.desk.Table()
	if p.froms != nil && p.fromOwn.Equal(own) && p.fromChosen == chosen && p.fromTable == table &&
		slices.EqualFunc(p.fromViews, views, func(r embedding.Recipe, v *view.Scatter) bool {
			return r.Equal(v.View.State().Recipe)
		}) {
		return
	}
	p.fromOwn, p.fromChosen, p.fromTable, p.fromViews = own, chosen, table, p.fromViews[:0]
	in := embedding.Inputs{Data: p.desk.Doc.Data, Table: table}
	p.froms, p.items = p.froms[:0], p.items[:0]
	add := func(r *embedding.Recipe, name string) {
		p.froms, p.items = append(p.froms, r), append(p.items, widget.ComboItem{Name: name})
	}
	add(nil, "Start from "+cmp.Or(p.kind.Run.Origin, "its own beginning"))
	list := []embedding.Recipe{embedding.EmbedSOM()}
	for _, v := range views {
		list = append(list, v.View.State().Recipe)
		p.fromViews = append(p.fromViews, v.View.State().Recipe)
	}
	if chosen != nil {
		list = append(list, *chosen)
	}
	for i, r := range list {
		if r.Equal(own) || slices.ContainsFunc(list[:i], r.Equal) {
			continue
		}
		title, _ := embedding.Label(in, r)
		add(&r, "Start from "+title)
	}
}

// morph fades between where another view has the points and where they are here.
func (p *running) morph(e *live.Embedding) {
	other := p.desk.EmbedSOM()
	for _, v := range p.desk.Stage.Scatters() {
		if f := v.Field(); f != nil && f != e && f.Shown() > 0 {
			other = f
			break
		}
	}
	name, _ := other.Label()
	title, _ := e.Label()
	share := e.Blended()
	_, still := other.Positions()
	still = still && !e.Stands().Active && e.Stands().Job == nil
	tip := "Between where " + name + " has the points and where they are here, for the eye to follow. " +
		"It changes nothing."
	if !still {
		tip = "Both must be at rest to be blended"
	}
	if edit := p.desk.UI.Fade(name+"##morph", title, &share, tip, !still); edit.Changed {
		if err := e.Blend(other, share); err != nil {
			p.desk.Window.Say(err.Error())
		}
	}
}

// landmarks makes landmarks of the map.
func (p *running) landmarks() {
	u := p.desk.UI
	if p.desk.Placed == 0 {
		p.desk.Placed = parts.Landmarks.Of(p.desk.Doc.State()).Len()
	}
	count := float64(p.desk.Placed)
	u.Slider("Landmarks", &count, widget.Param{Min: 10, Max: 4096, Default: 400, Integer: true, Log: true},
		"How many landmarks are made of it: more follow it more closely.")
	p.desk.Placed = int(count)
	c := p.desk.Window.Command(p.kind.ID + "-landmarks")
	if u.Button("Make landmarks of it##landmarks", widget.ButtonOpts{Tip: c.Tip, Width: -1, Disabled: !c.Can}) {
		c.Run()
	}
}

// quality is how well it keeps neighbours, measured on a sample beside the window.
func (p *running) quality(e *live.Embedding) {
	q := p.desk.QualityOf(e)
	kept, trusted := "…", "…"
	if q.Blended {
		kept, trusted = "–", "–"
	}
	if q.Now != nil {
		if q.Now != p.measured || q.Older != p.former {
			p.measured, p.former = q.Now, q.Older
			p.kept, p.trusted = fmt.Sprintf("%.3f", q.Now.Value()), fmt.Sprintf("%.3f", q.Now.Trustworthiness)
			switch {
			case q.Older:
				at := " at unit " + widget.Grouped(int(q.Now.Unit))
				p.kept, p.trusted = p.kept+at, p.trusted+at
			case q.Now.Sampled() && q.Now.Error == q.Now.Error:
				p.kept += fmt.Sprintf(" ± %.3f", q.Now.Error)
			}
		}
		kept, trusted = p.kept, p.trusted
	}
	p.desk.UI.LabelValue("Trustworthiness", trusted, "1 where those nearest on the map also are near in the space. "+
		"Low: strangers were put side by side.")
	p.desk.UI.LabelValue("Neighbours kept", kept, "R_NX: of the 32 nearest in the space, the share that is also "+
		"nearest on the map, above what chance would keep.")
}

// refineTip says what it means to begin at the size of a map that there is.
func refineTip(k *embedding.Kind) string {
	tip := "Points begin where they are there, at that size"
	if k.Run.Early != "" {
		tip += ", without the first units, which pull groups together"
	}
	return tip
}

// figure is how well the run fits, now and over its units.
func (p *running) figure(stages embedding.Stages, r member.Running) {
	if stages.Measure == "" {
		return
	}
	value := "–"
	if f := r.Figure; f == f && len(r.Curve) > 0 {
		value = fmt.Sprintf("%.3f", f)
	}
	p.desk.UI.LabelValue(stages.Measure, value, stages.MeasureHelp)
	if p.of != len(r.Curve) || p.of > 0 && p.last != r.Curve[p.of-1] {
		p.of, p.curve, p.units = len(r.Curve), p.curve[:0], p.units[:0]
		for _, c := range r.Curve {
			p.curve, p.units = append(p.curve, float32(c.Value)), append(p.units, float32(c.Unit))
			p.last = c
		}
	}
	p.desk.UI.Course("figure", widget.CourseOpts{X: p.units, Y: p.curve, To: float32(r.Total), Shade: float32(r.Early),
		Word: stages.Early, Caption: "over the units of a run", Tip: courseTip(stages)})
}

func courseTip(s embedding.Stages) string {
	tip := s.Measure + " over the units of the run"
	if s.EarlyHelp != "" {
		tip += "; " + s.EarlyHelp
	}
	return tip
}
