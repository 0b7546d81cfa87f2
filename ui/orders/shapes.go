package orders

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
	"blossom/ui/widget"
)

// shapeCommands are those of the shape that is drawn.
var shapeCommands = []*order{
	{ID: "place-shape", Menu: "Edit", Below: "rename", Title: "Place the shape", Rule: true,
		Help: "Make the drawn shape landmarks of the map, or close the polygon around points", Keys: []string{"Enter"},
		Enabled: func(d *desk.Desk) bool {
			hand := d.Stage.Hand()
			return hand.Tool.ID == drawTool && hand.Draw.Sketching() || hand.Cornering()
		},
		Run: func(d *desk.Desk) { d.Stage.Hand().Confirm() }},
	{ID: "open-shape", Menu: "Edit", Below: "place-shape", Title: "Open a shape…",
		Help: "Show a shape that was saved as a file, to place it", Icon: assets.IconFolderOpen, Run: askShape},
	{ID: "save-shape", Menu: "Edit", Below: "open-shape", Title: "Save the shape…",
		Help: "Save the drawn shape as a file", Icon: assets.IconSave,
		Enabled: func(d *desk.Desk) bool { return d.Stage.Hand().Draw.Count() > 0 }, Run: askToSaveShape},
}

// drawTool is the ID of the tool that draws shapes, and of the command that takes it into the hand.
const drawTool = "draw"

// Equip gives the hand on the views what it needs to make landmarks of the document.
func Equip(d *desk.Desk) {
	h := d.Stage.Hand()
	h.Landmarks.Mean = func() []float32 { return d.Table().Middle() }
	h.Draw.Place, h.Draw.Open = func() { placeShape(d) }, func() { askShape(d) }
	h.Draw.Save, h.Draw.Load = func() { askToSaveShape(d) }, func() { askImage(d) }
}

// inFrame is how many distances between landmarks are computed within a frame; more is a job.
const inFrame = 1 << 18

// placeShape makes the ghost landmarks of the map: one entry of the history.
func placeShape(d *desk.Desk) {
	hand := d.Stage.Hand()
	if hand.Locked {
		d.Window.Say("what is shown is not the map as it is; end the comparison first")
		return
	}
	net, ok, err := hand.Draw.Net()
	if err == nil {
		err = hand.Fits()
	}
	if err != nil {
		d.Window.Say(err.Error()) // the ghost says so too; the Enter that asked for it would close a dialog
		return
	}
	if !ok {
		return
	}
	now := parts.Landmarks.Of(d.Doc.State())
	p := placing{d: d, shape: shapeInWords(hand.Draw.Shape), now: now, net: net, replace: hand.Draw.Replace}
	dims := now.Dims()
	if p.replace || now.Len() == 0 {
		dims = net.Dims()
	}
	p.pos = net.Matrix(dims)
	if p.replace && hand.Draw.Train {
		p.train()
		return
	}
	p.fit(d.Table().Middle())
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
	d       *desk.Desk
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
	return widget.Grouped(n) + " landmarks"
}

// fit puts landmarks into the document whose codebook comes from those that are there, or from mean where there are
// none: at once, or after a job where there are many.
func (p *placing) fit(mean []float32) {
	d, name := p.d, fmt.Sprintf("Add %s of %s", p.shape, landmarks(p.pos.Rows))
	if p.replace {
		name = "Replace the map by " + p.shape
	}
	own, has := d.Stage.Hand().Draw.Codebook(p.now.Space)
	if !has {
		own = matrix.Matrix32{}
	}
	if p.now.Len()*p.pos.Rows <= inFrame {
		l, first, err := p.landmarks(context.Background(), own, mean)
		if err != nil {
			d.Window.Fail(err)
			return
		}
		p.placed(name, l, first)
		return
	}
	m := d.Map
	d.Map.Values.Jobs.Start(name, func(ctx context.Context, _ *work.Job) (func(), error) {
		l, first, err := p.landmarks(ctx, own, mean)
		return func() {
			if m.Values.Closed() || parts.Landmarks.Of(m.Doc.State()) != p.now {
				d.Window.Say("the map changed while the shape was placed; place it again")
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
	d := p.d
	hand := d.Stage.Hand()
	hand.Cancel()
	if p.replace {
		d.Training().Pause() // the landmarks that train are gone
	}
	d.Doc.Do(name, func(s *state.State) {
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
		fitLandmarks(d)
	} else {
		for i := first; i < l.Len(); i++ {
			hand.Landmarks.Selected = append(hand.Landmarks.Selected, i)
		}
	}
	d.Window.Say(name)
}

// train replaces the map by the landmarks of the shape, as a job, and trains them along their edges.
func (p *placing) train() {
	d := p.d
	x, seed, m := d.Table().X, d.Doc.Seed, d.Map
	asked := m.Doc.History().Now()
	space := parts.Landmarks.Of(m.Doc.State()).Space
	name := "Train on " + p.shape + " of " + landmarks(p.pos.Rows)
	d.Map.Values.Jobs.Start(name, func(ctx context.Context, _ *work.Job) (func(), error) {
		l, err := landmark.StartOn(ctx, x, p.pos, p.net.Edges, seed)
		return func() {
			if !m.Values.Closed() && !m.Doc.History().Since(asked) {
				d.Window.Say("you went back while the shape was placed; place it again")
				return
			}
			if m.Values.Closed() || parts.Landmarks.Of(m.Doc.State()).Space != space {
				d.Window.Fail(problem.New("", "place it again",
					"the data or its transform changed while the shape was placed"))
				return
			}
			d.Training().Pause()
			hand := d.Stage.Hand()
			hand.Cancel()
			m.Doc.Do(name, func(s *state.State) {
				parts.Replace(s, l)
				widen(s, p.net.Thin())
				parts.Training.Edit(s, func(t *parts.TrainingChoice) {
					t.Values, t.Then = onShape(Suggest(*t, x.Rows, l), t.Algorithm), "" // the shape is the map
				})
			})
			hand.Draw.Cancel()
			hand.Landmarks.Selected, hand.Hover = nil, -1
			fitLandmarks(d)
			if err := m.Training().Again(); err != nil {
				d.Window.Fail(err)
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
func askShape(d *desk.Desk) {
	m := d.Map
	d.Window.Ask(desk.FileQuestion{Title: "Open a shape", Kinds: []string{".json"}, Kind: "Shapes",
		Answer: func(path string) {
			s, err := shape.Open(path)
			if err != nil {
				d.Window.Fail(err)
				return
			}
			if m.Values.Closed() {
				return
			}
			d.Window.Command(drawTool).Run()
			d.Stage.Hand().SetShape(s)
		}})
}

// askToSaveShape asks where the drawn shape is to be saved.
func askToSaveShape(d *desk.Desk) {
	s := d.Stage.Hand().Draw.Shape
	d.Window.Ask(desk.FileQuestion{Title: "Save the shape", Save: true, Name: s.Kind, Kinds: []string{".json"},
		Kind: "Shapes", Answer: func(path string) {
			err := format.AtomicWrite(path, func(w io.Writer) error { return s.Write(w) })
			if err != nil {
				d.Window.Fail(err)
				return
			}
			d.Window.Say("the shape is saved as " + path)
		}})
}

// askImage asks for a picture and shows its silhouette.
func askImage(d *desk.Desk) {
	m := d.Map
	d.Window.Ask(desk.FileQuestion{Title: "Open a picture", Kinds: []string{".png", ".jpg", ".jpeg"}, Kind: "Pictures",
		Answer: func(path string) {
			d.Map.Values.Jobs.Start("Reading a picture", func(context.Context, *work.Job) (func(), error) {
				mask, err := shape.OpenImage(path)
				return func() {
					if !m.Values.Closed() {
						d.Stage.Hand().SetMask(mask)
					}
				}, err
			})
		}})
}
