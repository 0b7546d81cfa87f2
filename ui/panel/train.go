package panel

import (
	"fmt"
	"maps"
	"math"
	"strings"

	"blossom/assets"
	"blossom/model/parts"
	"blossom/model/state"
	"blossom/model/step"
	"blossom/model/train"
	"blossom/ui/desk"
	"blossom/ui/widget"
)

func init() {
	Register(Kind{ID: "train", Title: "Train", Key: "Alt+R", Order: 50,
		Help: "Run training, change it, begin with new landmarks",
		New:  func(d *desk.Desk) Panel { return &training{Desk: d} }})
}

type training struct {
	*desk.Desk
	quality quality
}

// Note says what trains, and how far it is.
func (p *training) Note() string {
	t, ok := train.ByID(parts.Training.Of(p.Doc.State()).Algorithm)
	if !ok {
		return ""
	}
	if running, at, _ := p.Training(); running && at.Total > 0 {
		return fmt.Sprintf("%s %.0f %%", t.Title, 100*at.Fraction())
	}
	return t.Title
}

func (p *training) Draw() {
	u, s := p.UI, p.Doc.State()
	running, progress, now := p.Training()

	label, icon := "Run", assets.IconPlay
	if progress.Rest {
		label = "Run again"
	}
	if running {
		label, icon = "Pause", assets.IconPause
	}
	run, one, again := p.Window.Command("run"), p.Window.Command("step"), p.Window.Command("again")
	if u.Button(label+"##run", widget.ButtonOpts{Kind: widget.Primary, Icon: icon, Tip: run.Tip, Width: 104}) {
		run.Run()
	}
	u.Same()
	if u.Button("Step", widget.ButtonOpts{Tip: one.Tip, Disabled: running}) {
		one.Run()
	}
	u.Same()
	if u.Button("Start over##again", widget.ButtonOpts{Tip: again.Tip}) {
		again.Run()
	}
	u.Space(6)
	// Always there, so that nothing below jumps when a run starts or ends.
	u.Progress(float32(progress.Fraction()), 0)
	u.Space(2)

	all := train.All()
	var names []string
	chosen := 0
	for i, t := range all {
		names = append(names, t.Title)
		if t.ID == parts.Training.Of(s).Algorithm {
			chosen = i
		}
	}
	if u.Combo("##training", widget.Items(names...), &chosen, widget.ComboOpts{Tip: all[chosen].Help}) {
		id := all[chosen].ID
		p.Doc.Do("Training by "+all[chosen].Title, func(s *state.State) {
			parts.Training.Put(s, parts.TrainingChoice{Algorithm: id, Speed: parts.Training.Of(*s).Speed,
				Values: train.Values(id, p.Table().X.Rows, parts.Landmarks.Of(*s).Pos)})
		})
		s = p.Doc.State()
	}
	algorithm := all[chosen]
	suggested := train.Suggest(algorithm.ID, p.Table().X.Rows, parts.Landmarks.Of(s).Pos)
	for _, x := range algorithm.Params {
		if v, ok := suggested[x.ID]; ok {
			x.Default = v
		}
		p.param(x, parts.Training.Of(s).Values)
	}
	p.curve(algorithm, parts.Training.Of(s).Values, progress, now)

	speed := parts.Training.Of(s).Speed
	e := u.Slider("Speed", &speed, widget.Param{Min: 1, Max: 1e7, Default: 0, Log: true, Integer: true, Unit: "/s",
		Zero: "max"},
		"Points per second at most. Lowering it shows the map unfold slowly; max is as fast as the machine can "+
			"while the window stays smooth.")
	p.Change("Training speed", e, func(s *state.State) {
		parts.Training.Edit(s, func(t *parts.TrainingChoice) { t.Speed = speed })
	})
	p.quality.draw(p.Desk)

	u.Separator()
	u.Heading("New landmarks")
	u.Space(2)
	f := &p.Start
	var ways []string
	for _, w := range desk.Ways {
		ways = append(ways, w.Title)
	}
	u.Combo("##start", widget.Items(ways...), &f.Way, widget.ComboOpts{
		Tip: "Where new landmarks begin: a grid spread over the main directions of the data, or chosen points"})
	dims := 0
	if f.Solid {
		dims = 1
	}
	if u.Segmented("Map##dims", []string{"2D", "3D"}, &dims,
		"A flat map, or one in three dimensions: drag turns it, landmarks move in the plane of the screen") {
		f.SetSolid(dims == 1)
	}
	if desk.Ways[f.Way].Grid {
		cols, rows := float64(f.Cols), float64(f.Rows)
		side := widget.Param{Min: 1, Max: 64, Default: 20, Integer: true}
		u.Slider("Columns", &cols, side, "Landmarks from left to right. More show finer detail and cost more time.")
		u.Slider("Rows", &rows, side, "Landmarks from top to bottom.")
		f.Cols, f.Rows = int(cols), int(rows)
		if f.Solid {
			layers := float64(f.Layers)
			u.Slider("Layers", &layers, widget.Param{Min: 2, Max: 32, Default: 7, Integer: true},
				"Landmarks from front to back.")
			f.Layers = int(layers)
		}
	} else {
		count := float64(f.Count)
		u.Slider("Landmarks", &count, widget.Param{Min: 2, Max: 4096, Default: 400, Integer: true, Log: true},
			"How many landmarks. More show finer detail and cost more time.")
		f.Count = int(count)
	}
	u.Space(4)
	fresh := p.Window.Command("new-map")
	if u.Button("Make and train##new", widget.ButtonOpts{Tip: fresh.Help, Width: -1}) {
		fresh.Run()
	}
}

// param is the row of a parameter of a trainer, made from its description.
func (p *training) param(x step.Param, values step.Values) {
	v := values.Get(x)
	set := func(e widget.Edit) {
		p.Change(x.Title, e, func(s *state.State) {
			next := step.Values{}
			maps.Copy(next, parts.Training.Of(*s).Values)
			next[x.ID] = v
			parts.Training.Edit(s, func(t *parts.TrainingChoice) { t.Values = next })
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
	w := widget.Param{Min: x.Min, Max: x.Max, Default: x.Default, Log: x.Log, Integer: x.Integer}
	if x.ID == "epochs" {
		// Without an end, sigma and alpha stay as they are at the start.
		w.Zero, w.Log, w.Min = "endless", true, max(w.Min, 0.01) // a part of one will do for millions of points
	}
	set(p.UI.Slider(x.Title, &v, w, x.Help))
}

// curve draws how sigma and alpha fall over the run, and where the run is.
func (p *training) curve(t train.Algorithm, values step.Values, progress step.Progress, now map[string]float64) {
	sigma := falling(t, values, "sigma")
	alpha := falling(t, values, "alpha")
	if sigma == nil && alpha == nil {
		return
	}
	p.UI.Space(2)
	at := -1.0
	if progress.Total > 0 {
		at = progress.Fraction()
	}
	p.UI.Curve("schedule", []widget.CurveLine{{Y: sigma}, {Y: alpha, Dashed: true, Color: p.UI.Theme().Muted}},
		widget.CurveOpts{Cursor: float32(at), Lo: 0, Hi: 1,
			Tip: "Sigma (line) and alpha (dashes) over the run; the bar is where it is now"})
	p.UI.Note(stands(now, p.Trained()))
	p.UI.Space(4)
}

// stands says where the falling parameters of a run are now, or why there is no run that they are of.
func stands(now map[string]float64, trained bool) string {
	var out []string
	for _, id := range []string{"sigma", "alpha"} {
		if x, ok := now[id]; ok {
			out = append(out, id+" "+widget.Figure(x))
		}
	}
	switch {
	case len(out) > 0:
		return strings.Join(out, "   ")
	case trained:
		return "changed since the last run"
	}
	return "no run in this window yet"
}

// falling samples the fall of a parameter from start to end, scaled to 0..1, or nil if it has none.
func falling(t train.Algorithm, values step.Values, id string) []float32 {
	from, ok1 := t.Param(id + "_from")
	to, ok2 := t.Param(id + "_to")
	if !ok1 || !ok2 {
		return nil
	}
	x, y := values.Get(from), values.Get(to)
	linear := false
	if p, ok := t.Param("fall"); ok {
		linear = values.Get(p) >= 0.5
	}
	out := make([]float32, 33)
	for i := range out {
		f := float64(i) / 32
		v := x * math.Pow(y/x, f)
		if linear {
			v = x + (y-x)*f
		}
		out[i] = float32(v / math.Max(x, y))
	}
	return out
}
