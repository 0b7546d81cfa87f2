package dialog

import "blossom/ui/widget"

// Existing is a file that is about to be replaced.
type Existing struct {
	Path string
	Do   func() // replaces it
}

// Replace asks before an existing file is replaced.
var Replace = Register(Kind[Existing]{ID: "replace", Title: "Replace the file?",
	New: func(w Window, e Existing) Dialog { return &replacing{w, e} }})

type replacing struct {
	w Window
	Existing
}

func (r *replacing) Face() (Face, bool) {
	return Face{Buttons: []Button{{Label: "Cancel"}, {Label: "Replace it", Kind: widget.Danger, Do: r.Do}}}, true
}

func (r *replacing) Draw() func() {
	u := r.w.UI()
	u.Wrapped(widget.Strong, u.Theme().Text, r.Path)
	u.Space(4)
	u.Wrapped(widget.Body, u.Theme().Text, "There is a file of this name already.")
	return nil
}
