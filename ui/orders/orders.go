// Package orders is what the open document can be told: the commands of a desk, by what they are about, a file each.
// They know the desk and what it may ask of its window, not the program around it.
package orders

import (
	"slices"

	"blossom/ui/command"
	"blossom/ui/desk"
)

// order is a command of the open document. It can be given only where there is one.
type order = command.Command[*desk.Desk]

// Edit are those of the menu Edit, View those of the menu View, Model those of the menu Model, each in its order there.
// Landmarks are those of the menu Edit that stand below the name of landmarks.
var (
	Edit = slices.Concat(historyCommands, momentCommands, selectCommands, pointCommands, copyCommands,
		populationCommands, landmarkCommands)
	Landmarks = slices.Concat(shapeCommands, arrangeCommands())
	View      = viewCommands
	Model     = slices.Concat(gridCommands, broughtCommands)
)
