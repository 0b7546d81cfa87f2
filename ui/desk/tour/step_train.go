package tour

import (
	"blossom/ui/desk"
)

func init() {
	Register(&Step{ID: "train", Order: 70, Title: "Train the map", Panel: "train",
		Words: "Training makes the landmarks stand for the cells that there are: they stay where they lie, and cells " +
			"move to those that are like them. Run it and watch; pause it, or let it come to rest by itself.",
		Keys: "Space runs and pauses, Ctrl+R starts over",
		At:   func(*desk.Desk) []string { return []string{"side bar/train/run", "side bar/train", "menu bar/Model"} },
		Begin: func(d *desk.Desk) func() bool {
			rested, ran := !d.Training().Active(), false
			return func() bool {
				now := d.Training().Active()
				rested = rested || !now
				ran = ran || rested && now
				return ran && !now
			}
		}})
}
