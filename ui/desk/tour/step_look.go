package tour

import "blossom/ui/desk"

func init() {
	Register(&Step{ID: "look", Order: 10, Title: "Look around",
		Words: "Each dot is a cell of a made-up blood sample; cells that are alike lie together. Turn the wheel over " +
			"the map to zoom, and drag to move it.",
		Keys: "W A S D move, + and - zoom, 0 shows all again",
		At:   func(*desk.Desk) []string { return []string{SpotMap} },
		Begin: func(d *desk.Desk) func() bool {
			eye := func() any { return d.Stage.Scatter().Eye.Saved() }
			from := eye()
			return func() bool {
				// A map that forms is followed until the user takes the view.
				moved := d.Stage.Scatter().Eye.Moved
				if !moved {
					from = eye()
				}
				return moved && eye() != from && !d.Stage.Hand().Active()
			}
		}})
}
