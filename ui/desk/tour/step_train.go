package tour

import (
	"blossom/ui/desk"
)

func init() {
	Register(&Step{ID: "train", Order: 70, Title: "Train the map", Panel: "train",
		Words: "Training moves the landmarks to where the cells are. Run it and watch; pause it, or let it come to " +
			"rest by itself.",
		Keys: "Space runs and pauses, Ctrl+R starts over",
		At:   func(*desk.Desk) []string { return []string{"side bar/train/run", "menu bar/Model"} },
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
