package orders

import (
	"slices"

	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/space/transform"
	"blossom/ui/desk"
)

// flick colours the active view by the column that is so many on, round and round: the columns of the map, then those
// that only colour. From a colour that is no column it goes to the first, or back to the last. Flicks that follow each
// other are one entry of the history.
func flick(d *desk.Desk, on int) {
	var names, others []string
	for i, c := range d.Spec().Columns {
		switch name := d.Doc.Data.Columns[i].Name; c.Use {
		case transform.Off:
		case transform.InMap:
			names = append(names, name)
		default:
			others = append(others, name)
		}
	}
	names = append(names, others...)
	n := len(names)
	if n == 0 {
		return
	}
	at := slices.Index(names, d.Look().Column)
	if at < 0 && on < 0 {
		at = 0
	}
	name := names[((at+on)%n+n)%n]
	d.Doc.Extend("Flick through columns", func(s *state.State) {
		d.EditLook(s, func(l *parts.Look) { l.Column = name })
	})
}
