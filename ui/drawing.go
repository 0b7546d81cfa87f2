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
	"blossom/ui/view"
)

func init() {
	draws := func(a *App) bool { return a.desk != nil && a.tool.ID == "draw" }
	registerCommand(command{id: "place-shape", menu: "Edit", below: "rename", title: "Place the shape", rule: true,
		help: "Make the drawn shape landmarks of the map", keys: []string{"Enter"},
		enabled: func(a *App) bool { return draws(a) && a.desk.Stage.Hand().Draw.Sketching() },
		run:     func(a *App) { a.desk.Stage.Hand().Confirm() }})
	registerCommand(command{id: "open-shape", menu: "Edit", below: "place-shape", title: "Open a shape…",
		help: "Show a shape that was saved as a file, to place it", icon: assets.IconFolderOpen, enabled: hasMap,
		run: func(a *App) { a.askShape() }})
	registerCommand(command{id: "save-shape", menu: "Edit", below: "open-shape", title: "Save the shape…",
		help: "Save the drawn shape as a file", icon: assets.IconSave,
		enabled: func(a *App) bool { return a.desk != nil && a.desk.Stage.Hand().Draw.Count() > 0 },
		run:     func(a *App) { a.askToSaveShape() }})
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
	kind, _ := shape.ByID(hand.Draw.Shape.Kind)
	title := strings.ToLower(kind.Title)
	if strings.ContainsAny(title[:1], "aeiou") {
		title = "an " + title
	} else {
		title = "a " + title
	}
	replace := hand.Draw.Replace
	now := parts.Landmarks.Of(a.desk.Doc.State())
	dims := now.Dims()
	if replace || now.Len() == 0 {
		dims = net.Dims()
	}
	pos, edges := net.Matrix(dims), net.Edges
	switch {
	case replace && hand.Draw.Train:
		a.trainOn(title, pos, net)
	default:
		p := placing{now: now, n: len(net.At), replace: replace, thin: net.Thin()}
		p.name = fmt.Sprintf("Add %s of %s", title, landmarks(p.n))
		if replace {
			p.name = "Replace the map by " + title
		}
		mean := a.meanCode()
		own, has := hand.Draw.Codebook(now.Space)
		p.make = func(ctx context.Context) (l *landmark.Set, first int, err error) {
			code := own // of a copy
			if !has {
				if code, err = now.FitAll(ctx, pos, mean); err != nil {
					return nil, 0, err
				}
			}
			if !replace {
				return now.Append(code, pos, edges)
			}
			if l, err = landmark.New(code, pos); err != nil {
				return nil, 0, err
			}
			l, err = l.WithEdges(edges)
			return l, 0, err
		}
		a.fitted(p)
	}
}

// placing is a shape on its way into the document.
type placing struct {
	name    string
	now     *landmark.Set // the map that it was drawn on
	n       int           // landmarks
	replace bool
	thin    bool // it is a line or a ring
	make    func(context.Context) (l *landmark.Set, first int, err error)
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

// fitted puts landmarks into the document whose codebook comes from those that are there: at once, or after a job
// where there are many.
func (a *App) fitted(p placing) {
	if p.now.Len()*p.n <= inFrame {
		l, first, err := p.make(context.Background())
		if err != nil {
			a.fail(err)
			return
		}
		a.placed(p, l, first)
		return
	}
	m := a.desk.Map
	a.jobs.Start(p.name, func(ctx context.Context, _ *work.Job) (func(), error) {
		l, first, err := p.make(ctx)
		return func() {
			if a.current() != m || parts.Landmarks.Of(m.Doc.State()) != p.now {
				a.say("the map changed while the shape was placed; place it again")
				return
			}
			a.placed(p, l, first)
		}, err
	})
}

// placed makes l the landmarks of the map; those from first on are new.
func (a *App) placed(p placing, l *landmark.Set, first int) {
	hand := a.desk.Stage.Hand()
	hand.Cancel()
	if p.replace {
		a.desk.Training().Pause() // what trains is gone
	}
	a.desk.Doc.Do(p.name, func(s *state.State) {
		if p.replace {
			parts.Replace(s, l.Arranged())
			widen(s, p.thin)
			return
		}
		parts.Landmarks.Put(s, l.Arranged())
	})
	hand.Draw.Cancel()
	hand.Hover, hand.Selected = -1, nil
	if p.replace {
		a.showLandmarks()
	} else {
		for i := first; i < l.Len(); i++ {
			hand.Selected = append(hand.Selected, i)
		}
	}
	a.say(p.name)
}

// showLandmarks fits the landmarks into all views of the map.
func (a *App) showLandmarks() {
	for _, v := range a.desk.Stage.Scatters() {
		if v.IsMap() {
			v.Moved = false
			v.FitLandmarks()
		}
	}
}

// trainOn replaces the map by landmarks at these places, as a job, and trains them along their edges.
func (a *App) trainOn(title string, pos matrix.Matrix32, net *shape.Net) {
	x, seed, m := a.desk.Table().X, a.desk.Doc.Seed, a.desk.Map
	asked := m.Doc.History().Now()
	space := parts.Landmarks.Of(m.Doc.State()).Space
	name := "Train on " + title + " of " + landmarks(pos.Rows)
	a.jobs.Start(name, func(ctx context.Context, _ *work.Job) (func(), error) {
		l, err := landmark.StartOn(ctx, x, pos, net.Edges, seed)
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
				widen(s, net.Thin())
				parts.Training.Edit(s, func(t *parts.TrainingChoice) {
					t.Values = onShape(suggest(*t, x.Rows, l), t.Algorithm)
				})
			})
			hand.Draw.Cancel()
			hand.Selected, hand.Hover = nil, -1
			a.showLandmarks()
			if err := m.Training().Run(true); err != nil {
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
			a.jobs.Start("Reading a picture", func(context.Context, *work.Job) (func(), error) {
				mask, err := shape.OpenImage(path)
				return func() {
					if a.current() == m {
						a.desk.Stage.Hand().SetMask(mask)
					}
				}, err
			})
		}})
}
