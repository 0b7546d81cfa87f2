package desk

import (
	"slices"

	"blossom/model/job/export"
	"blossom/model/space/transform"
	"blossom/ui/view"
)

// Output writes what the window shows to files. What is written is one state: it waits until nothing is stale.
type Output interface {
	// Coordinates writes the position of every point in the active view, in the order of the data.
	Coordinates(path string, t Table)
	// Landmarks writes the landmarks as the command line reads them.
	Landmarks(path string)
	// Populations writes what points are called, or a table of the populations.
	Populations(path string, n Names)
	// Picture writes the active view, or all of them, as they are looked at.
	Picture(path string, p Picture)
	// PictureSize returns how large the picture will be, in pixels.
	PictureSize(p Picture) (w, h int)
	// Preview is how a picture will look, at most so many pixels wide and high, as a texture; 0: it is being drawn.
	Preview(p Picture, w, h int) (texture uint32)
	// Drawing says whether a picture is being drawn.
	Drawing() bool
	// CopyPicture puts the active view into the clipboard, as it is looked at, and CopyRows the selected points as text
	// with tabs.
	CopyPicture()
	CopyRows()
	// AskFilm asks what a film is to be of, and makes it.
	AskFilm()
	// Moments writes a page of so many moments of the history, each the map as it was, looked at as the active view is.
	Moments(path string, p Picture, n int)
	// AskReport asks where a page goes that says what there is and how it was made, and makes it.
	AskReport()
}

// Table says what a table of coordinates holds beside them.
type Table struct {
	Columns bool             // the columns of the data stand before the coordinates
	Values  transform.Values // which values they hold, under names that say so; "": raw
	Recipe  bool             // a session file is written beside it
	// Append: the columns of the data as they are, then coordinates, the nearest landmark and the populations, in the
	// files of the data themselves but for their names; Each is what each file is of, EachFile in a folder.
	Append bool
	Each   export.Each
	// Derived are columns made from the map, by their names, after the coordinates.
	Derived []string
}

// Names says what is written of populations.
type Names struct {
	What NamesFile
	// Labels may have a column of 0 and 1 of each population, and the columns of the data, with these values, and
	// coordinates before them; Each is what each file is of.
	All, Columns, Coordinates bool
	Values                    transform.Values
	Each                      export.Each
}

// NamesFile is a kind of file of populations.
type NamesFile int

// The kinds.
const (
	NamedLabels NamesFile = iota // the name of the population of every point
	NamedCounts                  // how many points each has in each file
	NamedKey                     // number, path, name, colour and number of points of each
	NamedGates                   // the gates among them, as Gating-ML
)

// Size is how the size of a picture is chosen.
type Size int

const (
	AsOnScreen Size = iota
	TwiceAsFine
	OwnSize // Width x Height pixels, Scale pixels per point
	OnPaper // as Print says
)

// Film says what a film shows, and how large and how long it is.
type Film struct {
	Of            string // the ID of a job.Subject
	From, To      string // numbers of moments of the history, from 1 on; "": as suits the subject
	Seconds       float64
	Rate          int // frames per second
	Width, Height int // pixels
	Scale         float64
	Ending        string // ".mp4"
	NoCaption     bool
	View          bool // it shows the map of the active view, and the part that is seen
}

// Picture says what a picture of a view shows, and how large it is.
type Picture struct {
	Size          Size
	Width, Height int
	Scale         float64
	Print         export.Print

	// Shapes: in files of lines points are shapes, not one picture of pixels.
	Shapes bool
	// Legend, landmarks, names and axes are as in the view; Bare: without the landmarks.
	Title, Bare bool
	// The ground is that of the window, White as paper, or there is none.
	White, Transparent bool
	// All views in one picture: as they stand, or in so many Columns; with Letters a, b, c in their corners.
	All     bool
	Columns int
	Letters bool
	// Without are the IDs of views that are left out of the page.
	Without [view.Most]view.ID
}

// Left says whether a view is left out of the page.
func (p Picture) Left(id view.ID) bool { return slices.Contains(p.Without[:], id) }

// Leave leaves a view out of the page, or takes it back in.
func (p *Picture) Leave(id view.ID, out bool) {
	for i, x := range p.Without {
		if x == id && !out || x == 0 && out && !p.Left(id) {
			if p.Without[i] = 0; out {
				p.Without[i] = id
			}
			return
		}
	}
}
