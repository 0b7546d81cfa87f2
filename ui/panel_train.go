package ui

import (
	"fmt"
	"math"

	"blossom/assets"
	"blossom/model/parts"
	"blossom/model/state"
	"blossom/model/step"
	"blossom/model/train"
	"blossom/ui/widget"
)

// gridForm is how new landmarks are made.
type gridForm struct {
	start      start
	cols, rows int
	count      int // of landmarks that are no grid
}

func (a *App) trainNote() string {
	t, ok := train.ByID(parts.Training.Of(a.m.Doc.State()).Algorithm)
	if !ok {
		return ""
	}
	if running, p, _ := a.m.Training(); running && p.Total > 0 {
		return fmt.Sprintf("%s %.0f %%", t.Title, 100*p.Fraction())
	}
	return t.Title
}

func (a *App) trainPanel() {
	s := a.m.Doc.State()
	running, progress, now := a.m.Training()

	label, icon := "Run", assets.IconPlay
	if progress.Rest {
		label = "Run again"
	}
	if running {
		label, icon = "Pause", assets.IconPause
	}
	c := commandByID("run")
	if a.ui.Button(label+"##run", widget.ButtonOpts{Kind: widget.Primary, Icon: icon, Tip: c.tip(), Width: 104}) {
		a.toggleTraining()
	}
	a.ui.Same()
	if a.ui.Button("Step", widget.ButtonOpts{Tip: commandByID("step").tip(), Disabled: running}) {
		a.stepTraining()
	}
	a.ui.Same()
	if a.ui.Button("Start over##again", widget.ButtonOpts{Tip: commandByID("again").tip()}) {
		a.trainAgain()
	}
	a.ui.Space(6)
	// Always there, so that nothing below jumps when a run starts or ends.
	a.ui.Progress(float32(progress.Fraction()), 0)
	a.ui.Space(2)

	all := train.All()
	var names []string
	chosen := 0
	for i, t := range all {
		names = append(names, t.Title)
		if t.ID == parts.Training.Of(s).Algorithm {
			chosen = i
		}
	}
	if a.ui.Combo("##training", widget.Items(names...), &chosen, widget.ComboOpts{Tip: all[chosen].Help}) {
		id := all[chosen].ID
		a.m.Doc.Do("Training by "+all[chosen].Title, func(s *state.State) {
			parts.Training.Put(s, parts.TrainingChoice{Algorithm: id, Speed: parts.Training.Of(*s).Speed,
				Values: train.Values(id, a.m.Table().X.Rows, parts.Landmarks.Of(*s).Pos)})
		})
		s = a.m.Doc.State()
	}
	algorithm := all[chosen]
	suggested := train.Suggest(algorithm.ID, a.m.Table().X.Rows, parts.Landmarks.Of(s).Pos)
	for _, p := range algorithm.Params {
		if v, ok := suggested[p.ID]; ok {
			p.Default = v
		}
		a.paramRow(p, parts.Training.Of(s).Values)
	}
	a.sigmaCurve(algorithm, parts.Training.Of(s).Values, progress, now)

	speed := parts.Training.Of(s).Speed
	e := a.ui.Slider("Speed", &speed, widget.Param{Min: 1, Max: 1e7, Default: 0, Log: true, Integer: true, Unit: "/s",
		Zero: "max"},
		"Points per second at most. Lowering it shows the map unfold slowly; max is as fast as the machine can "+
			"while the window stays smooth.")
	a.change("Training speed", e, func(s *state.State) {
		parts.Training.Edit(s,
			func(t *parts.TrainingChoice) { t.Speed = speed })
	})
	a.qualityRows()

	a.ui.Separator()
	a.ui.Heading("New landmarks")
	a.ui.Space(2)
	f := &a.grid
	at := int(f.start)
	if a.ui.Combo("##start", widget.Items(startNames...), &at,
		widget.ComboOpts{Tip: "Where new landmarks begin: a grid spread over the main directions of the data, or " +
			"chosen points"}) {
		f.start = start(at)
	}
	cols, rows := float64(f.cols), float64(f.rows)
	side := widget.Param{Min: 1, Max: 64, Default: 20, Integer: true}
	if f.start == startRect || f.start == startHex {
		a.ui.Slider("Columns", &cols, side, "Landmarks from left to right. More show finer detail and cost more time.")
		a.ui.Slider("Rows", &rows, side, "Landmarks from top to bottom.")
		f.cols, f.rows = int(cols), int(rows)
	} else {
		g := float64(f.count)
		a.ui.Slider("Landmarks", &g, widget.Param{Min: 2, Max: 4096, Default: 400, Integer: true, Log: true},
			"How many landmarks. More show finer detail and cost more time.")
		f.count = int(g)
	}
	a.ui.Space(4)
	if a.ui.Button("Make and train##new", widget.ButtonOpts{Tip: commandByID("new-map").help, Width: -1}) {
		a.newLandmarks()
	}
}

// paramRow is the row of a parameter of a trainer, made from its description.
func (a *App) paramRow(p step.Param, values step.Values) {
	v := values.Get(p)
	set := func(e widget.Edit) {
		a.change(p.Title, e, func(s *state.State) {
			next := step.Values{}
			for k, x := range parts.Training.Of(*s).Values {
				next[k] = x
			}
			next[p.ID] = v
			parts.Training.Edit(s, func(t *parts.TrainingChoice) { t.Values = next })
		})
	}
	if len(p.Choices) > 0 {
		i := int(v)
		if a.ui.Segmented(p.Title, p.Choices, &i, p.Help) {
			v = float64(i)
			set(widget.Edit{Changed: true, Committed: true})
		}
		return
	}
	w := widget.Param{Min: p.Min, Max: p.Max, Default: p.Default, Log: p.Log, Integer: p.Integer}
	if p.ID == "epochs" {
		// Without an end, sigma and alpha stay as they are at the start.
		w.Zero, w.Log, w.Min = "endless", true, max(w.Min, 1)
	}
	set(a.ui.Slider(p.Title, &v, w, p.Help))
}

// sigmaCurve draws how sigma and alpha fall over the run, and where the run is.
func (a *App) sigmaCurve(t train.Algorithm, values step.Values, progress step.Progress, now map[string]float64) {
	sigma := a.falling(t, values, "sigma")
	alpha := a.falling(t, values, "alpha")
	if sigma == nil && alpha == nil {
		return
	}
	a.ui.Space(2)
	at := -1.0
	if progress.Total > 0 {
		at = progress.Fraction()
	}
	text := ""
	for _, id := range []string{"sigma", "alpha"} {
		if x, ok := now[id]; ok {
			if text != "" {
				text += "   "
			}
			text += id + " " + formatNumber(x)
		}
	}
	a.ui.Curve("schedule", []widget.CurveLine{{Y: sigma}, {Y: alpha, Dashed: true, Color: a.ui.Theme().Muted}},
		widget.CurveOpts{Cursor: float32(at), Lo: 0, Hi: 1,
			Tip: "Sigma (line) and alpha (dashes) over the run; the bar is where it is now"})
	if text == "" {
		text = "no run in this window yet"
	}
	a.ui.Note(text)
	a.ui.Space(4)
}

// falling samples the fall of a parameter from start to end, scaled to 0..1, or nil if it has none.
func (a *App) falling(t train.Algorithm, values step.Values, id string) []float32 {
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
