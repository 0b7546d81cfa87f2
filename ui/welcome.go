package ui

import (
	"context"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/assets"
	"blossom/model/data/demo"
	"blossom/model/landmarks/landmark"
	"blossom/model/space/transform"
	"blossom/render/palette"
	"blossom/ui/dialog"
	"blossom/ui/view"
	"blossom/ui/widget"
)

func demos() []demo.Demo { return demo.All() }

// thumbnail is a small picture of a demo data set: some of its points along its two main directions.
type thumbnail struct {
	pos    []float32 // pairs, -0.5 to 0.5
	colour []widget.Color
}

// thumbnailPoints is enough to know the shape.
const thumbnailPoints = 900

// makeThumbnails draws the demo data sets off the main thread.
func (a *App) makeThumbnails() {
	if a.thumbnails != nil {
		return
	}
	a.thumbnails = map[string]*thumbnail{}
	for _, d := range demos() {
		a.compute.jobs.Quiet(func(ctx context.Context) (func(), error) {
			t, err := makeThumbnail(ctx, d.Name)
			return func() { a.thumbnails[d.Name] = t }, err
		})
	}
}

func makeThumbnail(ctx context.Context, name string) (*thumbnail, error) {
	data, err := demo.Generate(ctx, name, 4*thumbnailPoints, 1)
	if err != nil {
		return nil, err
	}
	table, err := transform.Build(ctx, data, transform.Default(data), nil, nil)
	if err != nil {
		return nil, err
	}
	// Random points laid out along the main directions: what the start of a map does.
	l, err := landmark.StartRandom(ctx, table.X, thumbnailPoints, 2, 1)
	if err != nil {
		return nil, err
	}
	t := &thumbnail{}
	lo, hi := float32(1e9), float32(-1e9)
	for i := range l.Len() {
		lo, hi = min(lo, l.Codebook.Row(i)[0]), max(hi, l.Codebook.Row(i)[0])
	}
	side := float32(29)
	for i := range l.Len() {
		p := l.Pos.Row(i)
		t.pos = append(t.pos, p[0]/side, p[1]/side)
		t.colour = append(t.colour, view.Ink(palette.Default().At(float64((l.Codebook.Row(i)[0]-lo)/max(hi-lo, 1e-9)))))
	}
	return t, nil
}

func (t *thumbnail) draw(u *widget.UI, dl *imgui.DrawList, r widget.Rect) {
	c, s := r.Center(), min(r.W(), r.H())*0.92
	d := max(u.Pt(1.3), 1)
	for i := range t.colour {
		x, y := c.X+t.pos[2*i]*s, c.Y-t.pos[2*i+1]*s
		dl.AddRectFilledV(imgui.Vec2{X: x, Y: y}, imgui.Vec2{X: x + d, Y: y + d}, uint32(t.colour[i].Alpha(0.75)), 0, 0)
	}
}

// welcome is the empty window: drop a file, open one, or try a demo.
func (a *App) welcome() {
	r := a.rooms.regions.canvas
	a.ui.Area("welcome", r, widget.AreaOpts{Clear: true, Scroll: true}, func() {
		if a.docs.Opening() != nil && len(a.compute.jobs.List()) > 0 {
			a.openingCard(r)
			return
		}
		a.makeThumbnails()
		a.ui.Empty(r, widget.EmptyOpts{Icon: assets.IconUpload, Title: "Drop a file here",
			Text: "FCS, CSV, TSV, NPY and NPZ tables of points, or a session. A map appears within a second.",
			Drop: true, Width: 640}, func() {
			if a.ui.Button("Open…##open", widget.ButtonOpts{Kind: widget.Primary, Icon: assets.IconFolderOpen,
				Tip: commandByID("open").Tip()}) {
				a.docs.AskOpen()
			}
			if last := a.docs.Recovery.Left.Last(); last != nil {
				a.ui.Same()
				if a.ui.Button("Continue the last session##last", widget.ButtonOpts{Icon: assets.IconHistory,
					Tip: "Go on with " + last.Name + ", from " + dialog.When(last.At, a.ctx.Now())}) {
					a.docs.Open(last.Path)
				}
			}
			a.docs.Recovery.DrawRow()
			a.docs.Shelf.DrawRows()
			a.docs.Recent.DrawRows()
			a.ui.Space(12)
			a.ui.Heading("Or try a demo")
			a.ui.Space(4)
			a.demoCards()
			a.ui.Space(10)
			a.ui.Note("Wheel zooms, drag pans, Ctrl+P finds every command, ? shows all keys.")
		})
	})
}

// demoCards shows the demo data sets as pictures, as many in a row as fit.
func (a *App) demoCards() {
	const w, h = 108, 118
	for i, d := range demos() {
		if i > 0 {
			imgui.SameLineV(0, a.ui.Pt(8))
			if imgui.ContentRegionAvail().X < a.ui.Pt(w) {
				imgui.NewLine()
			}
		}
		t := a.thumbnails[d.Name]
		if a.ui.Card(d.Title+"##demo-"+d.Name, "", w, h, d.Help, func(dl *imgui.DrawList, r widget.Rect) {
			if t != nil {
				t.draw(a.ui, dl, r)
			}
		}) {
			a.docs.Open("demo:" + d.Name)
		}
	}
}

// openingCard shows the progress of the first file.
func (a *App) openingCard(r widget.Rect) {
	j := a.docs.Opening()
	a.ui.Empty(r, widget.EmptyOpts{Title: j.Title, Text: timeLeft(j.Fraction(), a.ctx.Now().Sub(j.Started)),
		Width: 420}, func() {
		f := float32(-1)
		if j.Fraction() > 0 {
			f = float32(j.Fraction())
		}
		a.ui.Progress(f, 0)
		if a.ui.Button("Cancel##cancel-opening", widget.ButtonOpts{}) {
			j.Cancel()
		}
	})
}
