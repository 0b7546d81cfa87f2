// Package scene says what a picture of an embedding shows: which colours points have, what lies over them, and what
// part of it is seen. The window and the commands share it, so that the same settings give the same picture; Draw makes
// one without a window.
package scene

import (
	"image/color"
	"sync"

	"blossom/assets"
	"blossom/model/data/dataset"
	"blossom/model/landmarks/graph"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/density"
	"blossom/model/work/embedding"
	"blossom/render"
	"blossom/render/axes"
	"blossom/render/camera"
	"blossom/render/colour"
	"blossom/render/palette"
	"blossom/render/splat/tally"
	"blossom/render/text"
)

// Scene is what there is to be seen: points that lie in buffers, and what belongs to them.
type Scene struct {
	Points    *render.PointBuffer
	Values    *render.ValueBuffer // nil: none
	States    *render.StateBuffer // nil: none
	Colours   *colour.Values      // meaning of Values; nil: one colour
	Look      Look
	Landmarks *landmark.Set    // nil: none
	Arranged  bool             // points lie where somebody has moved landmarks to
	Graph     *graph.Graph     // over them; nil: edges are those of their net
	Contours  *density.Lines   // lines of equal density; nil: none
	Axes      []embedding.Axis // one for each coordinate; none where they mean nothing
	Factors   []float64        // factors that coordinates were multiplied with, see Stretch; nil: none were
	View      camera.Camera    // camera of a window that shows it; nil: Box
	Box       *camera.Bounds   // nil: all
	Filled    *camera.Bounds   // nil: points have the size that suits what they fill, else what this does
}

// Arranged is what pictures say of a map whose landmarks were moved by hand: its distances are partly a choice.
const Arranged = "arranged by hand"

// Look is how points are coloured and drawn.
type Look struct {
	Palette   string // "" for the default of what is coloured
	Reverse   bool
	Low, High float64 // percentiles that the ends of the palette stand for, 0 to 100
	From, To  float64 // values there in place of percentiles, where From is below To
	Raw       bool    // From and To are raw values, not transformed as in the map
	Centred   bool    // the middle of a diverging palette lies at the raw value Centre
	Centre    float64
	Inks      dataset.LabelInks // colours that were chosen for labels
	Size      float64           // diameter in points of length; 0 adapts to density
	Opacity   float64           // 0 adapts to density
	// Tally counts points in cells, where it says so. Its size is in points of length, 0 adapts; what cells show
	// follows from what points are coloured by.
	Tally tally.Settings
}

// Aim is where a picture without a View looks.
type Aim struct {
	Box  *camera.Bounds // nil: all is shown but what is far outside
	Turn float64        // radians about the upright axis of a map in 3D
}

// Options say how a scene becomes a picture.
type Options struct {
	Width, Height int     // pixels
	Scale         float64 // pixels per point of length
	Dark          bool    // the ground is
	White         bool    // the ground is, as paper, where it is not dark
	Transparent   bool    // no ground
	Bare          bool    // no landmarks, nor what is drawn with them, whatever is shown elsewhere
	Flat          color.NRGBA
	Legend        LegendOptions
	Landmarks     bool // shown
	Edges         bool // between landmarks, shown with them
	Shade         bool // patches behind the points show how far landmarks are from those they are joined to
	Names         bool // names of landmarks, shown with them
	Axes          bool
	Lines         LineOptions
	Title         string
	Aim           Aim
}

// LegendOptions say how the legend is shown.
type LegendOptions struct {
	Shown bool
	Apart bool // beside a view, as on paper, where nobody has put it elsewhere
}

// LineOptions say how contours are shown.
type LineOptions struct {
	Alone  bool // without the points
	Shares bool // they say which share of the points they enclose
}

// Picture returns what to draw.
func (s Scene) Picture(o Options) (render.PictureOptions, error) {
	fonts, err := Fonts()
	if err != nil {
		return render.PictureOptions{}, err
	}
	c := Colouring(s.Colours, s.Look, o.Dark, o.Flat)
	cells := s.Look.Cells(s.Colours, o.Scale)
	p := render.PictureOptions{
		Width: o.Width, Height: o.Height, Scale: o.Scale, Points: s.Points, Values: s.Values, States: s.States,
		Style: render.Style{Size: float32(s.Look.Size * o.Scale), Opacity: float32(s.Look.Opacity), Colouring: c,
			Tally: cells},
		View: s.View, Box: s.Box, Filled: s.Filled, Turn: o.Aim.Turn, Theme: o.Theme(),
		Transparent: o.Transparent, Title: o.Title, Fonts: fonts,
	}
	if s.Contours != nil {
		p.Lines = Contours(s.Contours, p.Theme)
		p.Bare = o.Lines.Alone && len(p.Lines.Edges) > 0
		if o.Lines.Shares {
			p.Levels = Levels(s.Contours)
		}
	}
	if s.Arranged {
		p.Note = Arranged
	}
	if o.Legend.Shown && !p.Bare { // lines alone have no colours to be told of
		p.Legend = Legend(s.Colours, c, cells)
	}
	if o.Axes {
		for i, a := range s.Axes {
			axis := axes.Axis{Title: a.Title, Note: a.Note, Scale: a.Scale}
			if s.Factors != nil {
				axis.Factor = s.Factors[i]
			}
			p.Axes = append(p.Axes, axis)
		}
	}
	if o.Landmarks && !o.Bare && s.Landmarks.Len() > 0 {
		p.Landmarks = s.Landmarks.Pos
		if o.Edges {
			s.edges(&p, o)
		}
		if o.Names {
			p.Names = s.Landmarks.Names
		}
	}
	if o.Shade && s.Graph != nil && s.Landmarks.Len() > 0 {
		c := CellsOf(*s.Graph, s.Landmarks.Pos, p.Theme)
		p.Cells = c.Patches
		if key, ok := c.Key(); ok && o.Legend.Shown {
			p.Keys = append(p.Keys, key)
		}
	}
	if key, ok := cells.Key(p.Style.Opacity, p.Theme.Text, p.Theme.Background); ok && o.Legend.Shown {
		p.Keys = append(p.Keys, key)
	}
	return p, nil
}

// edges puts the edges between landmarks into a picture, and what they mean.
func (s Scene) edges(p *render.PictureOptions, o Options) {
	if s.Graph == nil {
		p.Edges = render.PlainEdges(s.Landmarks.Edges, p.Theme)
		return
	}
	e := EdgesOf(*s.Graph, p.Theme)
	p.Edges = e.Append(nil, *s.Graph)
	if key, ok := e.Key(); ok && o.Legend.Shown {
		p.Keys = append(p.Keys, key)
	}
}

// Theme is the colours of what is not data.
func (o Options) Theme() render.Theme {
	t := Theme(o.Dark)
	if o.White && !o.Dark {
		t.Background = color.NRGBA{255, 255, 255, 255}
	}
	return t
}

// Theme returns the colours of what is not data.
func Theme(dark bool) render.Theme {
	if dark {
		return render.Dark()
	}
	return render.Light()
}

// Colouring returns how a look paints values; nil ones are painted flat, the zero colour being that of landmarks.
func Colouring(v *colour.Values, look Look, dark bool, flat color.NRGBA) palette.Colouring {
	t := Theme(dark)
	if flat == (color.NRGBA{}) {
		flat = t.Landmark
	}
	s := look.Settings()
	s.Dark, s.Flat, s.Missing = dark, flat, t.Missing
	if look.Tally.Cells() && (v == nil || look.Cells(v, 1).Shown == tally.Shares) {
		return colour.Counts(s)
	}
	return v.Colouring(s)
}

// Settings are what a look says of colours, whatever the ground.
func (look Look) Settings() colour.Settings {
	return colour.Settings{Palette: look.Palette, Reversed: look.Reverse, Low: look.Low, High: look.High,
		From: look.From, To: look.To, Raw: look.Raw, Centred: look.Centred, Centre: look.Centre,
		Inks: look.Inks}
}

// Fonts returns the fonts of pictures, which are those of the window. They are for one goroutine at a time.
func Fonts() (*text.Fonts, error) { return fonts() }

var fonts = sync.OnceValues(func() (*text.Fonts, error) {
	return text.Parse(assets.InterRegular, assets.InterSemiBold)
})
