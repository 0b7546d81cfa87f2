package documents

import (
	"context"
	"strings"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/assets"
	"blossom/docs"
	"blossom/model/data/demo"
	"blossom/model/data/format"
	"blossom/model/landmarks/landmark"
	"blossom/model/space/transform"
	"blossom/render/palette"
	"blossom/ui/dialog"
	"blossom/ui/view"
	"blossom/ui/widget"
)

// Welcome is the empty window: drop a file, open one, or try a demo.
type Welcome struct {
	part
	thumbnails map[string]*thumbnail // small pictures of the demo data, by name; nil until they are drawn
}

// thumbnail is a small picture of a demo data set: some of its points along its two main directions.
type thumbnail struct {
	pos    []float32 // pairs, -0.5 to 0.5
	colour []widget.Color
}

// thumbnailPoints is enough to know the shape.
const thumbnailPoints = 900

// makeThumbnails draws the demo data sets off the main thread.
func (w *Welcome) makeThumbnails() {
	if w.thumbnails != nil {
		return
	}
	w.thumbnails = map[string]*thumbnail{}
	for _, d := range demo.All() {
		w.docs.jobs.Quiet(func(ctx context.Context) (func(), error) {
			t, err := makeThumbnail(ctx, d.Name)
			return func() { w.thumbnails[d.Name] = t }, err
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

// Lengths of the welcome page, in points.
const (
	welcomeWide  = 960 // at most
	welcomeEdge  = 20  // beside it
	welcomeLeast = 320 // a column; narrower ones stand below each other
)

// Draw draws it in a place of the window. Of a folder that is being opened it shows all rows, in the place that its map
// will have.
func (w *Welcome) Draw(r, views widget.Rect) {
	u := w.w.UI()
	if w.docs.Ahead.Here() {
		w.docs.Ahead.draw(views)
		return
	}
	u.Area("welcome", r, widget.AreaOpts{Clear: true, Scroll: true}, func() {
		if w.docs.opening != nil {
			w.openingCard(r)
			return
		}
		w.makeThumbnails()
		edge := u.Pt(welcomeEdge)
		wide := min(u.Pt(welcomeWide), r.W()-2*edge)
		at := imgui.CursorScreenPos() // scrolled
		page := widget.R(r.X0+(r.W()-wide)/2, at.Y+u.Pt(4), wide, 0)
		card := u.Empty(widget.R(page.X0-u.Pt(16), page.Y0, wide+u.Pt(32), 0), widget.EmptyOpts{Icon: assets.IconUpload,
			Title: "Drop a file here",
			Text: "A table of points (" + strings.Join(format.Readable(), " ") + ") or a session. " +
				"A map appears within a second.",
			Drop: true, Width: welcomeWide}, w.first)
		page.Y0 = card.Y1 + u.Pt(18)
		u.Columns(page, welcomeLeast, 28, w.mine, w.offers)
		u.Space(16)
	})
}

// first draws what most people want, below the place for files.
func (w *Welcome) first() {
	u := w.w.UI()
	buttons := []string{"Open…"}
	if w.docs.Recovery.Left.Last() != nil {
		buttons = append(buttons, continueLast)
	}
	u.Middle(buttons...)
	if u.Button("Open…##open", widget.ButtonOpts{Kind: widget.Primary, Icon: assets.IconFolderOpen,
		Tip: w.w.Command("open").Tip}) {
		w.docs.AskOpen()
	}
	w.docs.Recovery.drawLast()
	w.docs.Recovery.drawRow()
}

// mine draws what the user has worked with, and what new maps become.
func (w *Welcome) mine() {
	u := w.w.UI()
	w.docs.Shelf.drawRows()
	w.docs.Recent.drawRows()
	if len(w.docs.Shelf.List())+len(w.docs.Recent.Recent) == 0 {
		u.Heading("Recent")
		u.Space(4)
		u.Wrapped(widget.Body, u.Theme().Muted, "Files and sessions that you open are found here the next time.")
		u.Space(14)
	}
	w.beginnings()
	u.Space(14)
	w.tutorials()
	u.Space(10)
}

// offers draws what there is to begin with that needs no file.
func (w *Welcome) offers() {
	u := w.w.UI()
	if tour := w.w.Command("tour"); tour.Can {
		title := "Take the tour##tour"
		if w.docs.Options.First {
			title = "New here? Take the tour##tour"
		}
		if u.Offer(title, widget.OfferOpts{Icon: assets.IconMap, Loud: w.docs.Options.First, Note: "3 minutes",
			Text: "By your own hand, on demo data. Nothing of it is kept.", Tip: tour.Tip}) {
			tour.Run()
		}
		u.Space(14)
	}
	u.Heading("Try a demo")
	u.Space(4)
	for _, d := range demo.All() {
		t := w.thumbnails[d.Name]
		if u.Offer(d.Title+"##demo-"+d.Name, widget.OfferOpts{Text: widget.Sentence(d.Help),
			Note: widget.Grouped(demo.DefaultPoints) + " points",
			Picture: func(dl *imgui.DrawList, r widget.Rect) {
				if t != nil {
					t.draw(u, dl, r)
				}
			}}) {
			w.docs.openDemo(d.Name)
		}
		u.Space(6)
	}
	u.Space(4)
	u.Note("Ctrl+P finds every command, ? shows all keys.")
}

// tutorials lists the tutorials of the manual.
func (w *Welcome) tutorials() {
	u := w.w.UI()
	u.Heading("Tutorials")
	u.Space(2)
	for _, p := range docs.Pages() {
		if !strings.HasPrefix(p.Name, "tutorial-") {
			continue
		}
		if u.Row(p.Title+"##"+p.Name, widget.RowOpts{Icon: assets.IconBookOpen, Tip: "Read it in the manual"}).Clicked {
			dialog.Manual.Show(w.docs.dialogs, p.Name)
		}
	}
	if u.Row("The whole manual##manual", widget.RowOpts{Icon: assets.IconBookOpen,
		Tip: w.w.Command("manual").Tip}).Clicked {
		dialog.Manual.Show(w.docs.dialogs, "")
	}
}

// beginnings is what maps of new tables become.
func (w *Welcome) beginnings() {
	u, grid := w.w.UI(), 0
	if w.docs.Recent.Grid {
		grid = 1
	}
	u.Heading("Maps of new tables")
	u.Space(4)
	if u.Segmented("Maps of new tables##grid", []string{"Islands, of 4 and more columns", "Always a grid"}, &grid,
		"Once they are trained, landmarks of a table of many columns are laid out by t-SNE, so that points that are "+
			"alike come together apart from others. The Train panel goes from one to the other at any time.") {
		w.docs.Recent.Grid = grid == 1
		w.w.Remember()
	}
}

// openingCard shows the progress of the first file.
func (w *Welcome) openingCard(r widget.Rect) {
	u, j := w.w.UI(), w.docs.opening
	u.Empty(r, widget.EmptyOpts{Title: j.Title,
		Text: widget.TimeLeft(j.Fraction(), w.docs.context.Now().Sub(j.Started)), Width: 420}, func() {
		f := float32(-1)
		if j.Fraction() > 0 {
			f = float32(j.Fraction())
		}
		u.Progress(f, 0)
		if u.Button("Cancel##cancel-opening", widget.ButtonOpts{}) {
			w.docs.Ahead.giveUp()
		}
	})
}
