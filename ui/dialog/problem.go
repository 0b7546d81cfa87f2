package dialog

import (
	"path/filepath"

	"blossom/model/base/problem"
	"blossom/ui/widget"
)

// Problem shows an error with its remedy.
var Problem = Register(Kind[*problem.Problem]{ID: "problem", Title: "Problem", Width: 460,
	New: func(w Window, p *problem.Problem) Dialog { return &Trouble{w, p} }})

// Trouble is the dialog of a problem.
type Trouble struct {
	w Window
	*problem.Problem
}

func (p *Trouble) Face() (Face, bool) {
	return Face{Buttons: []Button{
		{Label: "Copy log", Tip: "Copy all messages of this run, for a report", Do: p.w.Command("log").Run},
		{Label: "OK", Kind: widget.Primary}}}, true
}

func (p *Trouble) Draw() func() {
	u := p.w.UI()
	t := u.Theme()
	if p.File != "" {
		u.Wrapped(widget.Strong, t.Text, p.File)
		u.Space(4)
	}
	u.Wrapped(widget.Body, t.Text, widget.Sentence(p.What, filepath.Base(p.File)))
	if p.Remedy != "" {
		u.Space(6)
		u.Wrapped(widget.Body, t.Muted, widget.Sentence(p.Remedy))
	}
	return nil
}
