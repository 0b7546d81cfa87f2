package panel

import (
	"fmt"

	"blossom/assets"
	"blossom/model/embedding"
	"blossom/model/live"
	"blossom/model/parts"
	"blossom/model/state"
	"blossom/model/step"
	"blossom/ui/desk"
	"blossom/ui/widget"
)

func init() {
	Register(Kind{ID: "tsne", Title: "t-SNE", Key: "Alt+Y", Order: 100, Closed: true,
		Help: "Let a map of all points form, steer it, and make landmarks of it",
		New:  func(d *desk.Desk) Panel { return &running{Desk: d} }})
}

// running is the panel of an embedding that runs: that of the active view, else of one in sight.
type running struct {
	*desk.Desk
	curve []float32
	of    int // values of the run's curve that curve has

	said  string // of now
	now   live.Running
	known bool
}

// Note says how it stands.
func (p *running) Note() string {
	_, e := p.RunningView()
	if e == nil {
		return ""
	}
	return p.stands(e)
}

// stands says in words how a run stands; made anew only when it says something else.
func (p *running) stands(e *live.Embedding) string {
	r := e.Run()
	key := r
	key.Curve, key.Rate, key.Figure = nil, 0, 0
	if r.Job != nil {
		return Stands(r)
	}
	if !p.known || !same(key, p.now) {
		p.now, p.known, p.said = key, true, Stands(r)
	}
	return p.said
}

func same(a, b live.Running) bool {
	return a.Active == b.Active && a.Job == b.Job && a.Rest == b.Rest && a.Foreign == b.Foreign && a.Units == b.Units &&
		a.Total == b.Total && a.Phase == b.Phase
}

// Stands says in words how a run stands.
func Stands(r live.Running) string {
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
		return fmt.Sprintf("%s, unit %s of %s", r.Phase, units, widget.Grouped(int(r.Early)))
	case r.Active:
		return "unit " + units + of
	case r.Foreign:
		return "of other data"
	case r.Rest:
		return "at rest, unit " + units
	case r.Units > 0:
		return "paused, unit " + units + of
	}
	return "not run yet"
}

func (p *running) Draw() {
	u := p.UI
	_, e := p.RunningView()
	if e == nil {
		u.Wrapped(widget.Body, u.Theme().Muted, "No view shows a t-SNE of the points.")
		u.Space(4)
		beside := p.Window.Command("tsne-view")
		if u.Button("Show t-SNE##show", widget.ButtonOpts{Kind: widget.Primary, Tip: beside.Tip, Width: -1}) {
			beside.Run()
		}
		return
	}
	r := e.Run()
	p.buttons(r)
	u.Space(6)
	u.SplitNote(p.stands(e), rateOf(r))
	u.Progress(fraction(r), 0)
	u.Space(2)
	stages := e.Kind().Run
	chosen := parts.Runs.Of(p.Doc.State()).Get(e.Recipe()).Values
	suggested := step.Values(nil)
	if stages.Suggest != nil {
		suggested = stages.Suggest(embedding.Inputs{Data: p.Doc.Data, Table: p.Table()}, e.Recipe())
	}
	for _, x := range stages.Params {
		if v, ok := suggested[x.ID]; ok {
			x.Default = v
		}
		p.param(e, x, chosen)
	}
	p.figure(stages, r)
}

// rateOf says how fast a run goes.
func rateOf(r live.Running) string {
	if r.Rate <= 0 {
		return " "
	}
	if r.Rate < 10 {
		return fmt.Sprintf("%.1f units/s", r.Rate)
	}
	return widget.Grouped(int(r.Rate+0.5)) + " units/s"
}

// fraction is how far a run is.
func fraction(r live.Running) float32 {
	switch {
	case r.Job != nil && !r.Forming:
		return float32(r.Job.Fraction())
	case r.Rest:
		return 1
	case r.Total > 0:
		return min(1, float32(r.Units)/float32(r.Total))
	}
	return 0
}

func (p *running) buttons(r live.Running) {
	u := p.UI
	run, one, again := p.Window.Command("tsne"), p.Window.Command("tsne-step"), p.Window.Command("tsne-again")
	label, icon := "Run", assets.IconPlay
	if r.Active {
		label, icon = "Pause", assets.IconPause
	}
	if u.Button(label+"##run", widget.ButtonOpts{Kind: widget.Primary, Icon: icon, Tip: run.Tip, Width: 96}) {
		run.Run()
	}
	u.Same()
	tip := one.Tip
	if r.Active {
		tip = "Pause it to go on in single units"
	}
	if u.Button("Step", widget.ButtonOpts{Tip: tip, Disabled: r.Active}) {
		one.Run()
	}
	u.Same()
	if u.Button("Start over##again", widget.ButtonOpts{Tip: again.Tip}) {
		again.Run()
	}
}

// param is the row of a parameter of a run, made from its description.
func (p *running) param(e *live.Embedding, x step.Param, values step.Values) {
	v, ok := values[x.ID]
	if !ok {
		v = x.Default
	}
	set := func(edit widget.Edit) {
		p.Change(x.Title, edit, func(s *state.State) {
			parts.Runs.Put(s, parts.Runs.Of(*s).Edit(e.Recipe(), func(c *parts.RunChoice) { c.Values[x.ID] = v }))
		})
	}
	if len(x.Choices) > 0 {
		i := int(v)
		if p.UI.Segmented(x.Title, x.Choices, &i, x.Help) {
			v = float64(i)
			set(widget.Edit{Changed: true, Committed: true})
		}
		return
	}
	set(p.UI.Slider(x.Title, &v, widget.Param{Min: x.Min, Max: x.Max, Default: x.Default, Log: x.Log,
		Integer: x.Integer, Zero: x.Zero}, x.Help))
}

// figure is how well the run fits, now and over its units.
func (p *running) figure(stages embedding.Stages, r live.Running) {
	if stages.Measure == "" {
		return
	}
	value := "–"
	if f := r.Figure; f == f && len(r.Curve) > 0 {
		value = fmt.Sprintf("%.3f", f)
	}
	p.UI.LabelValue(stages.Measure, value, "How much of what is near in the data is not near on the map. Lower is "+
		"better; it is told without exaggeration, and only compares maps of the same points and perplexity.")
	if p.of != len(r.Curve) {
		p.of, p.curve = len(r.Curve), p.curve[:0]
		for _, c := range r.Curve {
			p.curve = append(p.curve, float32(c.Value))
		}
	}
	p.UI.Curve("figure", []widget.CurveLine{{Y: p.curve}}, widget.CurveOpts{Cursor: -1})
}
