package parts

import (
	"encoding/json"
	"slices"

	"blossom/model/document/state"
)

// FigureChoice is how pictures of the views are written: what was last chosen for them. The zero value is what a
// document begins with; a number that is 0 is as the window has it.
type FigureChoice struct {
	Ending string      `json:"ending,omitempty"` // ending of its format, ".png"; "": the first that there is
	Size   FigureSize  `json:"size,omitempty"`
	Pixels FigureBox   `json:"pixels,omitzero"` // where Size is FigurePixels
	Paper  FigurePaper `json:"paper,omitzero"`  // where it is FigureOnPaper
	Ground Ground      `json:"ground,omitempty"`
	Shapes bool        `json:"shapes,omitempty"` // points are shapes where the format has some
	Title  bool        `json:"title,omitempty"`
	Bare   bool        `json:"bare,omitempty"` // without landmarks
	// Page: several views are one picture, as they stand or in so many Columns, with Letters or not, Without some.
	Page    bool     `json:"page,omitempty"`
	Columns int      `json:"columns,omitempty"`
	Letters bool     `json:"letters,omitempty"`
	Without []string `json:"without,omitempty"` // IDs of views
	Moments int      `json:"moments,omitempty"` // on a page of the history
}

// FigureBox is a size in pixels, of which Scale are a point of length.
type FigureBox struct {
	Width  int     `json:"width"`
	Height int     `json:"height"`
	Scale  float64 `json:"scale"`
}

// FigurePaper is a size on paper, as export.Print has it.
type FigurePaper struct {
	Width  float64 `json:"width_mm"`
	Height float64 `json:"height_mm"`
	DPI    float64 `json:"dpi"`
	Font   float64 `json:"font_pt"`
}

// FigureSize says how the size of a picture is chosen.
type FigureSize string

// The ways.
const (
	FigureOnScreen FigureSize = ""
	FigureTwice    FigureSize = "twice"
	FigurePixels   FigureSize = "pixels"
	FigureOnPaper  FigureSize = "paper"
)

// FigureSizes are those that there can be.
var FigureSizes = []FigureSize{FigureOnScreen, FigureTwice, FigurePixels, FigureOnPaper}

// Ground is what is behind the points of a picture.
type Ground string

// Grounds of pictures.
const (
	GroundOfWindow Ground = ""
	WhiteGround    Ground = "white"
	NoGround       Ground = "transparent"
)

var grounds = []Ground{GroundOfWindow, WhiteGround, NoGround}

// Most of what a form for pictures offers.
const (
	mostFigureSide    = 16_000
	mostFigureColumns = 4
	mostFigureMoments = 36
)

// Equal compares two choices.
func (f FigureChoice) Equal(o FigureChoice) bool {
	return f.Ending == o.Ending && f.Size == o.Size && f.Pixels == o.Pixels && f.Paper == o.Paper &&
		f.Ground == o.Ground && f.Shapes == o.Shapes && f.Title == o.Title && f.Bare == o.Bare && f.Page == o.Page &&
		f.Columns == o.Columns && f.Letters == o.Letters && slices.Equal(f.Without, o.Without) && f.Moments == o.Moments
}

// sane returns the choice without what no form can choose.
func (f FigureChoice) sane() FigureChoice {
	if !slices.Contains(FigureSizes, f.Size) {
		f.Size = FigureOnScreen
	}
	if !slices.Contains(grounds, f.Ground) {
		f.Ground = GroundOfWindow
	}
	in := func(x, low, high float64) bool { return x >= low && x <= high }
	if b := f.Pixels; !in(float64(b.Width), 16, mostFigureSide) || !in(float64(b.Height), 16, mostFigureSide) ||
		!in(b.Scale, 0.5, 8) {
		f.Pixels = FigureBox{}
	}
	if p := f.Paper; !in(p.Width, 5, 2000) || !in(p.Height, 5, 2000) || !in(p.DPI, 20, 2400) || !in(p.Font, 2, 100) {
		f.Paper = FigurePaper{}
	}
	if !in(float64(f.Columns), 0, mostFigureColumns) {
		f.Columns = 0
	}
	if !in(float64(f.Moments), 2, mostFigureMoments) {
		f.Moments = 0
	}
	f.Without = f.Without[:min(len(f.Without), MaxViews)]
	return f
}

// Figure is how pictures of the views are written. Its changes are no entries of the history.
var Figure = state.Register(state.Kind[FigureChoice]{
	ID: "figure", Title: "Form of pictures", Version: 1, View: true,
	Default: func() FigureChoice { return FigureChoice{} },
	Equal:   FigureChoice.Equal,
	Encode: func(f FigureChoice, c state.Context) (json.RawMessage, error) {
		if f.Equal(FigureChoice{}) {
			return nil, nil
		}
		return encode(f, c)
	},
	Decode: func(raw json.RawMessage, _ int, c state.Context) (f FigureChoice, err error) {
		if err = decode(raw, "the form of pictures", &f); err != nil {
			return FigureChoice{}, leftOut(c, "the form of pictures is left out", err)
		}
		return f.sane(), nil
	},
})
