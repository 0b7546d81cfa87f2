package dialog

import (
	"fmt"
	"path/filepath"

	"blossom/assets"
	"blossom/model/data/dataset"
	"blossom/ui/widget"
)

// Matrices are those of a file that holds several.
type Matrices struct {
	File   string
	List   []dataset.Matrix
	Choose func(name string)
}

// Matrix asks which matrix of a file the map is made of.
var Matrix = Register(Kind[Matrices]{ID: "matrix", Title: "Which matrix", Width: 520,
	New: func(w Window, m Matrices) Dialog { return &matrices{w, m} }})

type matrices struct {
	w Window
	Matrices
}

func (m *matrices) Face() (Face, bool) {
	return Face{Buttons: []Button{{Label: "Cancel"}}}, m.w.Desk() != nil
}

func (m *matrices) Draw() (chosen func()) {
	u := m.w.UI()
	u.Wrapped(widget.Strong, u.Theme().Text, filepath.Base(m.File))
	u.Space(2)
	u.Wrapped(widget.Small, u.Theme().Muted, "The map is made of the columns of one matrix. Columns of X that are not "+
		"in the table can still colour it: the Colour panel lists them.")
	u.Space(6)
	for _, x := range m.List {
		icon, kind := " ", "dense"
		if x.Taken {
			icon = assets.IconCheck
		}
		if x.Sparse {
			kind = "sparse"
		}
		if u.Row(x.Name+"##matrix "+x.Name, widget.RowOpts{Icon: icon, Selected: x.Taken, Secondary: kind,
			Note: fmt.Sprintf("%s columns", widget.Grouped(x.Columns))}).Clicked {
			if x.Taken {
				return func() {}
			}
			return func() { m.Choose(x.Name) }
		}
	}
	return nil
}
