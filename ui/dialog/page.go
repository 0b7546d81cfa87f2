package dialog

import (
	"strings"

	"blossom/ui/widget"
)

// Text is a page of text: what works here, about.
type Text struct {
	Title string
	Text  string
	Long  string // scrolls below the text
}

// Page shows a page of text.
var Page = Register(Kind[Text]{ID: "page", Title: "Information", Width: 560,
	New: func(w Window, t Text) Dialog { return &page{w: w, Text: t} }})

type page struct {
	w Window
	Text
	reader widget.Reader
}

func (p *page) Face() (Face, bool) {
	return Face{Title: p.Title, Buttons: []Button{{Label: "Copy", Do: p.copy},
		{Label: "OK", Kind: widget.Primary}}}, true
}

func (p *page) Draw() func() {
	u := p.w.UI()
	for _, line := range strings.Split(strings.TrimRight(p.Text.Text, "\n"), "\n") {
		if line == "" {
			u.Space(8)
			continue
		}
		u.Wrapped(widget.Body, u.Theme().Text, line)
	}
	if p.Long != "" {
		u.Space(10)
		h := min(u.Pt(300), u.Window().H()*0.92-u.Pt(340))
		p.reader.Draw(u, "long", widget.Small, p.Long, max(h, u.Pt(56)))
	}
	return nil
}

func (p *page) copy() { p.w.Copy(strings.Trim(p.Text.Text+"\n\n"+p.Long, "\n")) }
