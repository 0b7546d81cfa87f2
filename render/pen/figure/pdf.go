package figure

import "blossom/render/pen"

func init() {
	Register(Format{Ending: ".pdf", Title: "PDF", Order: 30, Lines: true,
		Help: "Lines and letters for print, with their fonts inside",
		New:  func(p pen.Paper) File { return pen.NewPDF(p) }})
}
