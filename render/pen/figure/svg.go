package figure

import "blossom/render/pen"

func init() {
	Register(Format{Ending: ".svg", Title: "SVG", Order: 20, Lines: true,
		Help: "Lines and letters that Inkscape, Illustrator and browsers can edit and show at any size",
		New:  func(p pen.Paper) File { return pen.NewSVG(p) }})
}
