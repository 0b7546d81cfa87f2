package panel

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"blossom/model/base/step"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/landmarks/train"
	"blossom/ui/desk"
	"blossom/ui/widget"
)

func init() {
	Register(Kind{ID: "train", Title: "Train", Key: "Alt+R", Order: 50,
		Help: "Run training, change it, begin with new landmarks",
		Params: func() (all []step.Param) {
			for _, a := range train.All() {
				all = append(all, a.Params...)
			}
			return all
		},
		New: func(d *desk.Desk) Panel { return &training{desk: d} }})
}

type training struct {
	desk    *desk.Desk
	quality quality

	of           string      // the training, and
	values       step.Values // its parameters, that
	sigma, alpha []float32   // are the fall of
	grows        string      // which of them rise, in words; "" for none
}

// Note says what trains, and how far it is.
func (p *training) Note() string {
	t, ok := train.ByID(parts.Training.Of(p.desk.Doc.State()).Algorithm)
	if !ok {
		return ""
	}
	if running, at, _ := p.desk.Training().Progress(); running && at.Total > 0 {
		kind, _, _ := strings.Cut(t.Title, ",") // there is no room for all of it
		return fmt.Sprintf("%s %.0f %%", kind, 100*at.Fraction())
	}
	return t.Title
}

func (p *training) Draw() {
	u, t := p.desk.UI, p.desk.Training()
	_, _, now := t.Progress()
	h := headOf("run", t)
	if h.width = 104; h.now.Rest {
		h.label = "Run again"
	}
	h.draw(p.desk)
	p.parameters(p.algorithm(), now)
	p.speed()
	p.only()
	p.even()
	u.Space(4)
	p.quality.draw(p.desk)
	p.then()
	u.Separator()
	p.start()
}

// algorithm draws what the training goes by and returns it.
func (p *training) algorithm() train.Algorithm {
	u, s := p.desk.UI, p.desk.Doc.State()
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
		p.desk.Doc.Do("Training by "+all[chosen].Title, func(s *state.State) {
			parts.Training.Put(s, parts.TrainingChoice{Algorithm: id, Speed: parts.Training.Of(*s).Speed,
				Then: parts.Training.Of(*s).Then, Even: parts.Training.Of(*s).Even,
				Values: train.Values(id, p.desk.Table().X.Rows, parts.Landmarks.Of(*s).Pos)})
		})
	}
	return all[chosen]
}

// parameters draws what the algorithm takes, as it stands now. The falling ones stand under their plot.
func (p *training) parameters(algorithm train.Algorithm, now map[string]float64) {
	var steady, falling []step.Param
	for _, x := range p.desk.Training().Params() {
		if x.Zero == "" {
			steady = append(steady, x)
		} else {
			falling = append(falling, x)
		}
	}
	row := func(x step.Param, v *float64) widget.Edit { return p.param(x, v, now) }
	paramRows(p.desk, p.desk.Training(), steady, row)
	if algorithm.Plan != nil {
		p.curve(algorithm, parts.Training.Of(p.desk.Doc.State()).Values, now)
		paramRows(p.desk, p.desk.Training(), falling, row)
		p.desk.UI.Space(4)
	}
}

// speed draws how fast the training goes.
func (p *training) speed() {
	u, s := p.desk.UI, p.desk.Doc.State()
	speed := parts.Training.Of(s).Speed
	e := u.Slider("Speed", &speed, widget.Param{Min: 1, Max: 1e7, Default: 0, Log: true, Integer: true, Unit: "/s",
		Zero: "max"},
		"Points per second at most. Lowering it shows the map unfold slowly; max is as fast as the machine can "+
			"while the window stays smooth.")
	p.desk.Change("Training speed", e, func(s *state.State) {
		parts.Training.Edit(s, func(t *parts.TrainingChoice) { t.Speed = speed })
	})
}

// then is what becomes of landmarks that are trained.
func (p *training) then() {
	grid, islands := p.desk.Window.Command("grid"), p.desk.Window.Command("islands")
	now := 0
	if parts.Training.Of(p.desk.Doc.State()).Then != "" {
		now = 1
	}
	was := now
	p.desk.UI.Muted("Trained landmarks lie as")
	if p.desk.UI.Segmented("Trained landmarks##then", []string{"Grid", "Islands"}, &now,
		"Grid: they stay where they began. Islands: they are then laid out by t-SNE, so that points that are alike "+
			"come together apart from others") && now != was {
		[]func(){grid.Run, islands.Run}[now]()
	}
}

// start draws where new landmarks begin, and makes them.
func (p *training) start() {
	u := p.desk.UI
	u.Heading("New landmarks")
	u.Space(2)
	f := &p.desk.Start
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
	p.size()
	u.Space(4)
	fresh := p.desk.Window.Command("new-map")
	if u.Button("Make and train##new", widget.ButtonOpts{Tip: fresh.Help, Width: -1}) {
		fresh.Run()
	}
}

// size draws how many landmarks there will be.
func (p *training) size() {
	u, f := p.desk.UI, &p.desk.Start
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
}

// only is whether the selected landmarks alone are trained.
func (p *training) only() {
	only, n := parts.Training.Of(p.desk.Doc.State()).Only, len(p.desk.Stage.Hand().Landmarks.Selected)
	note := fmt.Sprint(n)
	if n == 0 {
		note = "none"
	}
	if p.desk.UI.Check("Only the selected landmarks", &only, widget.CheckOpts{Note: note,
		Tip: "Training leaves all other landmarks where they are. Pinned ones stay in any case."}).Toggled {
		name := "Train all landmarks"
		if only {
			name = "Train only the selected landmarks"
		}
		p.desk.Doc.Do(name, func(s *state.State) {
			parts.Training.Edit(s, func(t *parts.TrainingChoice) { t.Only = only })
		})
	}
}

// even is whether the training sees equally many points of each sample, where there are several.
func (p *training) even() {
	names, _ := p.desk.Populations().Samples().Sheet().Of(p.desk.Doc.Data)
	if len(names) < 2 {
		return
	}
	even := parts.Training.Of(p.desk.Doc.State()).Even
	if p.desk.UI.Check("As many points of each sample", &even, widget.CheckOpts{Note: fmt.Sprint(len(names)),
		Tip: "A sample with more points than others has no more to say in the training: points of small ones are " +
			"seen several times, of large ones some are left out. Begins when training is started."}).Toggled {
		name := "Train on all points"
		if even {
			name = "Train on as many points of each sample"
		}
		p.desk.Doc.Do(name, func(s *state.State) {
			parts.Training.Edit(s, func(t *parts.TrainingChoice) { t.Even = even })
		})
	}
}

// param draws the row of a parameter of a trainer, made from its description. now are the falling ones as they are.
func (p *training) param(x step.Param, v *float64, now map[string]float64) (e widget.Edit) {
	if len(x.Choices) > 0 {
		e = choiceRow(p.desk.UI, x, v)
		if x.ID == "along" && *v == 1 && len(parts.Landmarks.Of(p.desk.Doc.State()).Edges) == 0 {
			p.desk.UI.Note("no edges here: distances are on the map")
		}
		return e
	}
	w := widget.Param{Min: x.Min, Max: x.Max, Default: x.Default, Log: x.Log, Integer: x.Integer, Zero: x.Zero,
		Now: now[x.ID]}
	if x.Zero != "" {
		w.Format = "%.3g"
	}
	if x.ID == "epochs" {
		// Without an end, sigma and alpha stay as they are at the start.
		w.Zero, w.Log, w.Min = "endless", true, max(w.Min, 0.01) // a part of one will do for millions of points
	}
	return p.desk.UI.Slider(x.Title, v, w, x.Help)
}

// curve draws how sigma and alpha fall over the run, with a line where the run is, which sweeps them by hand.
func (p *training) curve(t train.Algorithm, values step.Values, now map[string]float64) {
	p.desk.UI.Space(2)
	if p.of != t.ID || !maps.Equal(p.values, values) {
		p.of, p.values = t.ID, values
		p.sigma, p.alpha = falling(t, values, "sigma"), falling(t, values, "alpha")
		p.grows = growing(p.sigma, p.alpha)
	}
	at := p.desk.Training().At()
	e := p.desk.UI.Sweep("schedule",
		[]widget.CurveLine{{Y: p.sigma}, {Y: p.alpha, Dashed: true, Color: p.desk.UI.Theme().Muted}},
		widget.CurveOpts{Lo: 0, Hi: 1, Tip: "Sigma (line) and alpha (dashes) over the run, and where it is now. Drag " +
			"the line: landmarks train with the values of that place while you hold it, and a run goes on from there"},
		&at)
	p.sweep(e, at)
	if p.grows != "" {
		p.desk.UI.Wrapped(widget.Small, p.desk.UI.Theme().Warning, p.grows)
	}
	p.desk.UI.Note(p.stands(now))
}

// growing says which of the parameters that are to fall end above where they begin, by their samples; "" for none.
func growing(sigma, alpha []float32) string {
	rises := func(y []float32) bool {
		y = slices.DeleteFunc(slices.Clone(y), func(v float32) bool { return v != v })
		return len(y) > 0 && y[len(y)-1] > y[0]
	}
	const grows = "larger at the end than at the start."
	switch s, a := rises(sigma), rises(alpha); {
	case s && a:
		return "Sigma and alpha are " + grows
	case s:
		return "Sigma is " + grows
	case a:
		return "Alpha is " + grows
	}
	return ""
}

// sweep passes on what a hand does with the line in the plot.
func (p *training) sweep(e widget.Edit, at float64) {
	if (e.Active || e.Changed) && at >= 0 {
		if err := p.desk.Training().Sweep(at); err != nil {
			p.desk.Window.Fail(err)
		}
	}
	if p.desk.Training().Swept() && !e.Active {
		p.desk.Training().Release()
	}
}

// stands says where the run is in its schedule, or why there is no run that the landmarks are of.
func (p *training) stands(now map[string]float64) string {
	return stands(now, p.desk.Training().Begun(), p.desk.Training().Swept())
}

func stands(now map[string]float64, trained, swept bool) string {
	switch {
	case swept:
		return "held here while you hold it"
	case len(now) > 0:
		return "drag the line to train with the values there"
	case trained:
		return "changed since the last run"
	}
	return "no run in this window yet"
}

// falling samples the fall of a parameter over the schedule, scaled to 0..1, with gaps where it plays no part, or nil
// if it has none.
func falling(t train.Algorithm, values step.Values, id string) []float32 {
	out := make([]float32, 65)
	top := 0.0
	for i := range out {
		v, ok := t.Plan(values, float64(i)/float64(len(out)-1))[id]
		if !ok {
			v = math.NaN()
		}
		if out[i] = float32(v); ok {
			top = max(top, v)
		}
	}
	if !(top > 0) {
		return nil
	}
	for i := range out {
		out[i] /= float32(top)
	}
	return out
}
