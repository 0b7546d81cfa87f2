package orders

import (
	"context"
	"maps"

	"blossom/assets"
	"blossom/model/base/problem"
	"blossom/model/base/step"
	"blossom/model/document/opening"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/landmarks/landmark"
	"blossom/model/landmarks/train"
	"blossom/model/maps/layout"
	"blossom/model/work"
	"blossom/ui/desk"
)

// selectCommands select landmarks.
var selectCommands = []*order{
	{ID: "select-all", Menu: "Edit", Title: "Select all", Also: "landmarks points everything",
		Help: "Select every landmark; with the Select tool, every point", Keys: []string{"Ctrl+A"}, Rule: true,
		Run: func(d *desk.Desk) { d.Stage.SelectAll() }},
	{ID: "select-none", Menu: "Edit", Title: "Select none", Help: "Let go of all landmarks and points",
		Keys: []string{"Ctrl+Shift+A"},
		Enabled: func(d *desk.Desk) bool {
			return hasSelection(d) || !d.Stage.Selected().Empty()
		},
		Run: func(d *desk.Desk) {
			d.Stage.Hand().Landmarks.Selected = nil
			d.Stage.SelectNone()
		}},
}

// landmarkCommands edit the landmarks that are selected, and points of maps that run.
var landmarkCommands = []*order{
	{ID: "remove", Menu: "Edit", Title: "Remove landmarks",
		Help: "Remove the selected landmarks, or the last corner of a polygon around points",
		Keys: []string{"Delete", "Backspace"}, Icon: assets.IconTrash2,
		Enabled: func(d *desk.Desk) bool { return hasSelection(d) || cornering(d) }, Run: removeSelected},
	{ID: "pin", Menu: "Edit", Title: "Pin or unpin landmarks",
		Help: "Pinned landmarks stay where they are in training and layout", Keys: []string{"P"}, Icon: assets.IconPin,
		Enabled: hasSelection, Run: func(d *desk.Desk) { d.Stage.Hand().Landmarks.TogglePins() }},
	{ID: "pin-points", Menu: "Edit", Below: "pin", Title: "Pin or unpin selected points",
		Help: "Selected points stay where they are in the map of the active view, if that runs",
		Keys: []string{"Shift+P"}, Icon: assets.IconPin, Enabled: func(d *desk.Desk) bool {
			v := d.Stage.Scatter()
			return v.Field() != nil && v.Field().Runs() && !d.Stage.Selected().Empty()
		}, Run: pinPoints},
}

// gridCommands make landmarks anew.
var gridCommands = []*order{
	{ID: "new-map", Menu: "Model", Title: "New grid of landmarks", Also: "som self-organizing map start",
		Help: "Begin the map anew with the grid of the Train panel", Rule: true, Run: NewLandmarks},
	{ID: "islands", Menu: "Model", Title: "Islands", Also: "t-sne populations clusters lay out landmarks apart",
		Help: "Lay the landmarks out by t-SNE: points that are alike come together in islands", Run: Islands},
	{ID: "grid", Menu: "Model", Title: "Grid", Also: "som blocks square stay before layout",
		Help: "Put the landmarks back where they were before they were laid out", Run: Grid},
}

// removeSelected removes the last corner of the polygon that is being clicked together, else the selected landmarks.
func removeSelected(d *desk.Desk) {
	if cornering(d) {
		d.Stage.Hand().DropCorner()
		return
	}
	d.Stage.Hand().Landmarks.RemoveSelected()
}

func hasSelection(d *desk.Desk) bool { return len(d.Stage.Hand().Landmarks.Selected) > 0 }

// NewLandmarks replaces the landmarks as the Train panel says, as a job, and trains them.
func NewLandmarks(d *desk.Desk) {
	start := d.Start
	x, seed, doc := d.Table().X, d.Doc.Seed, d.Doc
	rev := parts.Landmarks.Of(doc.State()).Space
	m, asked := d.Map, doc.History().Now()
	m.Values.Jobs.Start("New landmarks", func(ctx context.Context, _ *work.Job) (func(), error) {
		l, err := start.Landmarks(ctx, x, seed)
		return func() {
			if m.Values.Closed() { // nobody waits for them any more
				d.Window.Say("new landmarks were dropped: another document was opened")
				return
			}
			if !doc.History().Since(asked) {
				d.Window.Say("new landmarks were dropped: you went back meanwhile")
				return
			}
			if parts.Landmarks.Of(m.Doc.State()).Space != rev {
				d.Window.Fail(problem.New("", "try it again",
					"the data or its transform changed while new landmarks were made"))
				return
			}
			d.Training().Pause()
			d.Layout().Pause()
			d.Stage.Hand().Cancel()
			d.Stage.Hand().Landmarks.Selected, d.Stage.Hand().Hover = nil, -1
			doc.Do("New landmarks", func(s *state.State) {
				parts.Replace(s, l)
				parts.Training.Edit(s, func(t *parts.TrainingChoice) {
					t.Values, t.Only = Suggest(*t, x.Rows, l), false
					if desk.Ways[start.Way].Stay {
						t.Then = ""
					}
					maps.Copy(t.Values, desk.Ways[start.Way].Values)
				})
			})
			fitLandmarks(d)
			if err := m.Training().Again(); err != nil {
				d.Window.Fail(err)
			}
			m.Training().LayOut()
		}, err
	})
}

// Suggest adapts the parameters that depend on the size of the map and of the data.
func Suggest(t parts.TrainingChoice, n int, l *landmark.Set) step.Values {
	v := step.Values{}
	for k, x := range t.Values {
		v[k] = x
	}
	for k, x := range train.Suggest(t.Algorithm, n, l.Pos) {
		v[k] = x
	}
	return v
}

// fitLandmarks fits the landmarks into all views of the map.
func fitLandmarks(d *desk.Desk) {
	for _, v := range d.Stage.Scatters() {
		if v.IsMap() {
			v.Eye.Moved = false
			v.FitLandmarks()
		}
	}
}

// Islands lays the landmarks out by t-SNE: where they are alike they gather, and the map falls into islands. While they
// are trained that waits for the end.
func Islands(d *desk.Desk) {
	a, ok := layout.ByID(opening.Islands)
	if !ok {
		return
	}
	d.Doc.Do("Islands", func(s *state.State) {
		parts.ChooseLayout(s, a)
		parts.Training.Edit(s, func(t *parts.TrainingChoice) { t.Then = a.ID })
	})
	if d.Training().Stands().Active {
		d.Training().LayOut()
		return
	}
	if err := d.Layout().Start(); err != nil {
		d.Window.Fail(err)
	}
}

// Grid puts the landmarks back where they were before a layout, and has them stay there.
func Grid(d *desk.Desk) {
	d.Layout().Pause()
	d.Doc.Do("Grid", func(s *state.State) {
		parts.Training.Edit(s, func(t *parts.TrainingChoice) { t.Then = "" })
		parts.SetBlend(s, 0)
	})
}
