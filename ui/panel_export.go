package ui

import (
	"context"
	"fmt"
	"image"
	"io"
	"path/filepath"

	"blossom/assets"
	"blossom/model/engine"
	"blossom/model/format"
	"blossom/model/live"
	"blossom/model/parts"
	"blossom/render"
	"blossom/render/pngfile"
	"blossom/render/scene"
	"blossom/ui/widget"
)

// exportForm is what the Export panel keeps between frames.
type exportForm struct {
	ready       bool // has its defaults
	format      int
	columns     bool
	recipe      bool
	size        int
	w, h        float64
	scale       float64
	legend      bool
	landmarks   bool
	title       bool
	transparent bool

	picture *pictureExport
}

// pictureExport is a picture for a file under way, drawn in parts so that the window goes on.
type pictureExport struct {
	job  *render.PictureJob
	path string
}

var (
	coordinateFormats = []string{"CSV", "TSV", "NPY"}
	pictureSizes      = []string{"As on screen", "Twice as fine", "Own size"}
)

// pictureStep is the number of points that a picture for a file draws in a frame.
const pictureStep = 200_000

func (a *App) exportPanel() {
	f := &a.exporting
	if !f.ready {
		look := a.shown()
		*f = exportForm{ready: true, recipe: true, w: 2400, h: 1800, scale: 2, legend: look.Legend,
			landmarks: look.Landmarks}
	}
	s := a.m.Doc.State()
	if parts.Landmarks.Of(s).ByHand {
		a.ui.Wrapped(widget.Small, a.ui.Theme().Muted,
			"Landmarks were arranged by hand; sessions, landmarks and pictures say so.")
		a.ui.Space(2)
	}
	a.ui.Heading("Coordinates")
	a.ui.Space(2)
	a.ui.Segmented("Format", coordinateFormats, &f.format,
		"Of the table of coordinates: one row per point, in the order of the data file")
	a.ui.Switch("With the columns of the data", &f.columns, "Write the data's own columns before the coordinates")
	a.ui.Switch("Session beside it", &f.recipe,
		"Also write a small session file, from which the very same coordinates can be made again")
	a.ui.Space(4)
	if a.ui.Button("Save coordinates…##coordinates", widget.ButtonOpts{Icon: assets.IconTable, Width: -1,
		Tip: "Write where every point is on the map"}) {
		ext := []string{".csv", ".tsv", ".npy"}[f.format]
		a.ask(fileQuestion{title: "Save coordinates", save: true, name: a.stem() + "_embedsom" + ext, kind: "Tables",
			kinds:  []string{ext},
			answer: func(path string) { a.exportCoordinates(path, f.columns, f.recipe) }})
	}
	a.ui.Space(4)
	if a.ui.Button("Save landmarks…##landmarks", widget.ButtonOpts{Icon: assets.IconWaypoints, Width: -1,
		Tip: "Write the landmarks as a file for blossom embed --landmarks: new samples drop into this very map"}) {
		a.ask(fileQuestion{title: "Save landmarks", save: true, name: a.stem() + "_landmarks.json", kind: "Landmarks",
			kinds:  []string{".json"},
			answer: func(path string) { a.exportLandmarks(path) }})
	}

	a.ui.Separator()
	a.ui.Heading("Picture")
	a.ui.Space(2)
	a.ui.Combo("Size", widget.Items(pictureSizes...), &f.size, widget.ComboOpts{Tip: "Size of the picture in pixels"})
	if f.size == 2 {
		side := widget.Param{Min: 16, Max: 16000, Default: 2400, Integer: true, Unit: " px"}
		a.ui.NumberField("Width", &f.w, side, "Pixels from left to right")
		side.Default = 1800
		a.ui.NumberField("Height", &f.h, side, "Pixels from top to bottom")
		a.ui.Slider("Scale", &f.scale, widget.Param{Min: 0.5, Max: 8, Default: 2, Format: "%.1f"},
			"Raising it makes text, points and landmarks larger in the picture: 2 suits screens, 4 print.")
	}
	a.ui.Switch("Legend", &f.legend, "Draw what the colours mean")
	a.ui.Switch("Landmarks", &f.landmarks, "Draw the landmarks, with their names")
	a.ui.Switch("Title", &f.title, "Write the name of the data above the map")
	a.ui.Switch("Transparent", &f.transparent, "No background, for slides and posters")
	w, h, _ := a.pictureSize()
	a.ui.Space(4)
	if a.ui.Button("Save picture…##picture", widget.ButtonOpts{Kind: widget.Primary, Icon: assets.IconImage,
		Width: -1, Disabled: f.picture != nil,
		Tip: fmt.Sprintf("Write the map as it is looked at now, %d × %d pixels, as PNG", w, h)}) {
		a.ask(fileQuestion{title: "Save picture", save: true, name: a.stem() + ".png", kind: "PNG pictures",
			kinds:  []string{".png"},
			answer: func(path string) { a.exportPicture(path) }})
	}
	a.ui.Note(fmt.Sprintf("%s × %s pixels", grouped(w), grouped(h)))
	if f.picture != nil {
		a.ui.Progress(-1, 0)
	}
}

// pictureSize returns the size of the picture and its pixels per point.
func (a *App) pictureSize() (w, h int, scale float64) {
	f := &a.exporting
	w, h = a.view.cam.Viewport()
	scale = float64(a.ctx.Scale()) * a.view.ratio
	switch f.size {
	case 1:
		return 2 * w, 2 * h, 2 * scale
	case 2:
		return int(f.w), int(f.h), f.scale
	}
	return w, h, scale
}

// exportPicture draws the map as it is looked at, at its own size, and writes it.
func (a *App) exportPicture(path string) {
	a.whenFresh(func() {
		f := &a.exporting
		w, h, scale := a.pictureSize()
		picture := scene.Options{Width: w, Height: h, Scale: scale, Dark: a.settings.Theme == "dark",
			Transparent: f.transparent, Legend: f.legend, Landmarks: f.landmarks, Names: f.landmarks}
		if f.title {
			picture.Title = a.m.Doc.Title
		}
		o, err := scene.Scene{Points: a.canvas.points, Values: a.canvas.values, Colours: a.colours.Values,
			Look: sceneLook(a.lookNow()), Landmarks: parts.Landmarks.Of(a.m.Doc.State()), View: a.view.cam}.Picture(picture)
		if err != nil {
			a.fail(err)
			return
		}
		a.canvas.asShown(a, &o)
		job, err := a.renderer.NewPicture(o)
		if err != nil {
			a.fail(err)
			return
		}
		f.picture = &pictureExport{job: job, path: path}
	})
}

// drawPicture goes on with the picture under way and writes it when it is done.
func (a *App) drawPicture() {
	p := a.exporting.picture
	if p == nil {
		return
	}
	if a.m.Busy() {
		return // the map moved on: wait until the picture can be of one state again
	}
	if p.job.Step(pictureStep) < 1 {
		return
	}
	img := p.job.Image()
	p.job.Close()
	a.exporting.picture = nil
	a.writePicture(p.path, img)
}

func (a *App) writePicture(path string, img *image.RGBA) {
	if a.m != nil && a.isInput(path) {
		return
	}
	meta := a.pictureMeta()
	a.jobs.Start("Writing "+filepath.Base(path), func(context.Context, *live.Job) (func(), error) {
		err := format.AtomicWrite(path, func(w io.Writer) error { return pngfile.Encode(w, img, meta) })
		return func() { a.exported(path) }, err
	})
}

// pictureMeta is what a picture says about how it was made.
func (a *App) pictureMeta() pngfile.Meta {
	m := pngfile.Meta{Text: []pngfile.Text{{Key: "Software", Value: "blossom " + a.options.Version}}}
	if a.m == nil {
		return m
	}
	s := a.m.Doc.State()
	arranged, e := "by training alone", a.engines.Engine()
	if parts.Landmarks.Of(s).ByHand {
		arranged = "landmarks arranged by hand"
	}
	m.Text = append(m.Text, pngfile.Text{Key: "Source", Value: a.m.Doc.Title},
		pngfile.Text{Key: "Description", Value: fmt.Sprintf(
			"EmbedSOM of %d points, %d landmarks, k %d, boost %g, adjust %g, seed %d, %s, engine %s", a.m.Doc.Data.Points,
			parts.Landmarks.Of(s).Len(),
			parts.Projection.Of(s).K, parts.Projection.Of(s).Boost, parts.Projection.Of(s).Adjust, a.m.Doc.Seed,
			arranged, engine.FullName(e.Name(), e.Variant()))})
	return m
}

// screenshot writes the whole window as it was drawn last.
func (a *App) screenshot() {
	a.ctx.Post(func() {
		img := a.ctx.Screenshot()
		name := "blossom.png"
		if a.m != nil {
			name = a.stem() + "_window.png"
		}
		a.ask(fileQuestion{title: "Save screenshot", save: true, name: name, kind: "PNG pictures",
			kinds:  []string{".png"},
			answer: func(path string) { a.writePicture(path, img) }})
	})
}
