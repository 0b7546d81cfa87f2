package ui

import (
	"context"
	"fmt"
	"io"
	"strings"

	"blossom/assets"
	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/base/step"
	"blossom/model/data/format"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/landmarks/landmark"
	"blossom/model/landmarks/shape"
	"blossom/model/landmarks/train"
	"blossom/model/maps/embedsom"
	"blossom/model/work"
	"blossom/ui/desk"
	"blossom/ui/orders"
	"blossom/ui/view"
)

func init() {
	draws := func(a *App) bool { return a.desk != nil && a.tools.now.ID == "draw" }
	commands.Add(&entry{ID: "place-shape", Menu: "Edit", Below: "rename", Title: "Place the shape", Rule: true,
		Help: "Make the drawn shape landmarks of the map", Keys: []string{"Enter"},
		Enabled: func(a *App) bool { return draws(a) && a.desk.Stage.Hand().Draw.Sketching() },
		Run:     func(a *App) { a.desk.Stage.Hand().Confirm() }})
	commands.Add(&entry{ID: "open-shape", Menu: "Edit", Below: "place-shape", Title: "Open a shape…",
		Help: "Show a shape that was saved as a file, to place it", Icon: assets.IconFolderOpen, Enabled: hasMap,
		Run: func(a *App) { a.askShape() }})
	commands.Add(&entry{ID: "save-shape", Menu: "Edit", Below: "open-shape", Title: "Save the shape…",
		Help: "Save the drawn shape as a file", Icon: assets.IconSave,
		Enabled: func(a *App) bool { return a.desk != nil && a.desk.Stage.Hand().Draw.Count() > 0 },
		Run:     func(a *App) { a.askToSaveShape() }})
}

// useDrawing gives the Draw map tool what it needs of the window.
func (a *App) useDrawing(h *view.Hand) {
	h.Draw.Place, h.Draw.Open, h.Draw.Save, h.Draw.Load = a.placeShape, a.askShape, a.askToSaveShape, a.askImage
}

// inFrame is how many distances between landmarks are computed within a frame; more is a job.
const inFrame = 1 << 18

// placeShape makes the ghost landmarks of the map: one entry of the history.
func (a *App) placeShape() {
	hand := a.desk.Stage.Hand()
	if hand.Locked {
		a.say("what is shown is not the map as it is; end the comparison first")
		return
	}
	net, ok, err := hand.Draw.Net()
	if err == nil {
		err = hand.Fits()
	}
	if err != nil {
		a.say(err.Error()) // the ghost says so too; the Enter that asked for it would close a dialog
		return
	}
	if !ok {
		return
	}
	now := parts.Landmarks.Of(a.desk.Doc.State())
	p := placing{a: a, shape: shapeInWords(hand.Draw.Shape), now: now, net: net, replace: hand.Draw.Replace}
	dims := now.Dims()
	if p.replace || now.Len() == 0 {
		dims = net.Dims()
	}
	p.pos = net.Matrix(dims)
	if p.replace && hand.Draw.Train {
		p.train()
		return
	}
	p.fit(a.meanCode())
}

// shapeInWords is "a ring", "an ellipse".
func shapeInWords(s shape.Shape) string {
	kind, _ := shape.ByID(s.Kind)
	title := strings.ToLower(kind.Title)
	if strings.ContainsAny(title[:1], "aeiou") {
		return "an " + title
	}
	return "a " + title
}

// placing is a shape on its way into the document.
type placing struct {
	a       *App
	shape   string        // in words
	now     *landmark.Set // the map that it was drawn on
	net     *shape.Net
	pos     matrix.Matrix32 // places of its landmarks
	replace bool
}

// thinK is from how many neighbours points are projected at the least where the map is a line. A few neighbours on it
// lie as good as straight, and say nothing about where across the line a point lies: it would be thrown far out.
const thinK = 30

// widen raises the neighbours of the projection for a map that is a line.
func widen(s *state.State, thin bool) {
	if thin {
		parts.Projection.Edit(s, func(p *embedsom.Params) { p.K = max(p.K, thinK) })
	}
}

// landmarks counts them in words.
func landmarks(n int) string {
	if n == 1 {
		return "1 landmark"
	}
	return grouped(n) + " landmarks"
}

// fit puts landmarks into the document whose codebook comes from those that are there, or from mean where there are
// none: at once, or after a job where there are many.
func (p *placing) fit(mean []float32) {
	a, name := p.a, fmt.Sprintf("Add %s of %s", p.shape, landmarks(p.pos.Rows))
	if p.replace {
		name = "Replace the map by " + p.shape
	}
	own, has := a.desk.Stage.Hand().Draw.Codebook(p.now.Space)
	if !has {
		own = matrix.Matrix32{}
	}
	if p.now.Len()*p.pos.Rows <= inFrame {
		l, first, err := p.landmarks(context.Background(), own, mean)
		if err != nil {
			a.fail(err)
			return
		}
		p.placed(name, l, first)
		return
	}
	m := a.desk.Map
	a.compute.jobs.Start(name, func(ctx context.Context, _ *work.Job) (func(), error) {
		l, first, err := p.landmarks(ctx, own, mean)
		return func() {
			if a.current() != m || parts.Landmarks.Of(m.Doc.State()) != p.now {
				a.say("the map changed while the shape was placed; place it again")
				return
			}
			p.placed(name, l, first)
		}, err
	})
}

// landmarks are those of the map with the shape's, which have a codebook of their own, or one that is fitted where that
// is empty; those from first on are new.
func (p *placing) landmarks(ctx context.Context, code matrix.Matrix32, mean []float32) (l *landmark.Set, first int,
	err error) {
	if code.Rows == 0 {
		if code, err = p.now.FitAll(ctx, p.pos, mean); err != nil {
			return nil, 0, err
		}
	}
	if !p.replace {
		return p.now.Append(code, p.pos, p.net.Edges)
	}
	if l, err = landmark.New(code, p.pos); err != nil {
		return nil, 0, err
	}
	l, err = l.WithEdges(p.net.Edges)
	return l, 0, err
}

// placed makes l the landmarks of the map; those from first on are new.
func (p *placing) placed(name string, l *landmark.Set, first int) {
	a := p.a
	hand := a.desk.Stage.Hand()
	hand.Cancel()
	if p.replace {
		a.desk.Training().Pause() // the landmarks that train are gone
	}
	a.desk.Doc.Do(name, func(s *state.State) {
		if p.replace {
			parts.Replace(s, l.Arranged())
			widen(s, p.net.Thin())
			return
		}
		parts.Landmarks.Put(s, l.Arranged())
	})
	hand.Draw.Cancel()
	hand.Hover, hand.Landmarks.Selected = -1, nil
	if p.replace {
		a.showLandmarks()
	} else {
		for i := first; i < l.Len(); i++ {
			hand.Landmarks.Selected = append(hand.Landmarks.Selected, i)
		}
	}
	a.say(name)
}

// showLandmarks fits the landmarks into all views of the map.
func (a *App) showLandmarks() {
	for _, v := range a.desk.Stage.Scatters() {
		if v.IsMap() {
			v.Eye.Moved = false
			v.FitLandmarks()
		}
	}
}

// train replaces the map by the landmarks of the shape, as a job, and trains them along their edges.
func (p *placing) train() {
	a := p.a
	x, seed, m := a.desk.Table().X, a.desk.Doc.Seed, a.desk.Map
	asked := m.Doc.History().Now()
	space := parts.Landmarks.Of(m.Doc.State()).Space
	name := "Train on " + p.shape + " of " + landmarks(p.pos.Rows)
	a.compute.jobs.Start(name, func(ctx context.Context, _ *work.Job) (func(), error) {
		l, err := landmark.StartOn(ctx, x, p.pos, p.net.Edges, seed)
		return func() {
			if a.current() == m && !m.Doc.History().Since(asked) {
				a.say("you went back while the shape was placed; place it again")
				return
			}
			if a.current() != m || parts.Landmarks.Of(m.Doc.State()).Space != space {
				a.fail(problem.New("", "place it again",
					"the data or its transform changed while the shape was placed"))
				return
			}
			a.desk.Training().Pause()
			hand := a.desk.Stage.Hand()
			hand.Cancel()
			m.Doc.Do(name, func(s *state.State) {
				parts.Replace(s, l)
				widen(s, p.net.Thin())
				parts.Training.Edit(s, func(t *parts.TrainingChoice) {
					t.Values = onShape(orders.Suggest(*t, x.Rows, l), t.Algorithm)
				})
			})
			hand.Draw.Cancel()
			hand.Landmarks.Selected, hand.Hover = nil, -1
			a.showLandmarks()
			if err := m.Training().Again(); err != nil {
				a.fail(err)
			}
		}, err
	})
}

// onShape is parameters of a training that follow the edges of a shape, where it can do so.
func onShape(v step.Values, algorithm string) step.Values {
	if a, ok := train.ByID(algorithm); ok {
		if _, can := a.Param("along"); can {
			v["along"] = 1
		}
	}
	return v
}

// askShape asks for the file of a shape and shows it.
func (a *App) askShape() {
	m := a.desk.Map
	a.chooser.Ask(desk.FileQuestion{Title: "Open a shape", Kinds: []string{".json"}, Kind: "Shapes",
		Answer: func(path string) {
			s, err := shape.Open(path)
			if err != nil {
				a.fail(err)
				return
			}
			if a.current() != m {
				return
			}
			a.setTool(view.ToolByID("draw"))
			a.desk.Stage.Hand().SetShape(s)
		}})
}

// askToSaveShape asks where the drawn shape is to be saved.
func (a *App) askToSaveShape() {
	s := a.desk.Stage.Hand().Draw.Shape
	a.chooser.Ask(desk.FileQuestion{Title: "Save the shape", Save: true, Name: s.Kind, Kinds: []string{".json"},
		Kind: "Shapes", Answer: func(path string) {
			err := format.AtomicWrite(path, func(w io.Writer) error { return s.Write(w) })
			if err != nil {
				a.fail(err)
				return
			}
			a.say("the shape is saved as " + path)
		}})
}

// askImage asks for a picture and shows its silhouette.
func (a *App) askImage() {
	m := a.desk.Map
	a.chooser.Ask(desk.FileQuestion{Title: "Open a picture", Kinds: []string{".png", ".jpg", ".jpeg"}, Kind: "Pictures",
		Answer: func(path string) {
			a.compute.jobs.Start("Reading a picture", func(context.Context, *work.Job) (func(), error) {
				mask, err := shape.OpenImage(path)
				return func() {
					if a.current() == m {
						a.desk.Stage.Hand().SetMask(mask)
					}
				}, err
			})
		}})
}
