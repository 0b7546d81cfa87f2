package orders

import (
	"slices"

	"blossom/assets"
	"blossom/model/clusters/population"
	"blossom/model/document/parts"
	"blossom/ui/desk"
	"blossom/ui/naming"
)

// populationCommands make populations, and speak of the one that is chosen in their panel.
var populationCommands = []*order{
	{ID: "new-population", Menu: "Edit", Title: "New population",
		Also: "annotate name cell type group save selection",
		Help: "Name the selected points, or those of the selected landmarks",
		Keys: []string{"Ctrl+G"}, Icon: assets.IconTag, Rule: true,
		Enabled: func(d *desk.Desk) bool { return hasSelection(d) || !d.Stage.Selected().Empty() }, Run: naming.New},
	{ID: "populations-of-labels", Menu: "Edit", Title: "Populations of labels",
		Also: "annotate clusters categories import name",
		Help: "A population of each label that the active view is coloured by: clusters, labels of the file",
		Enabled: func(d *desk.Desk) bool {
			v := d.Stage.Scatter()
			return v != nil && v.Colours.Values != nil && v.Colouring().Labels > 0 &&
				d.Look().Column != d.Naming.Column(d.Doc.Data, "population")
		}, Run: func(d *desk.Desk) { naming.FromLabels(d, d.Look().Column) }},
	{ID: "select-population", Menu: "Edit", Title: "Select the points of the population",
		Help:    "Select the points of the population that is chosen in its panel",
		Enabled: hasPopulation, Run: func(d *desk.Desk) { naming.Select(d, d.Stage.Scene.Gating.Chosen) }},
	{ID: "view-population", Menu: "View", Title: "Only the points of the population", Icon: assets.IconFunnel,
		Also: "gate of parent filter subset hide others focus backgate",
		Help: "The active view shows the points of the population that is chosen in its panel, and no others: what " +
			"is drawn there lies in it. Once more shows all points",
		Enabled: func(d *desk.Desk) bool {
			return d.Stage.Active().Scatter() != nil && (hasPopulation(d) || viewed(d) != 0)
		},
		Checked: func(d *desk.Desk) bool { return viewed(d) != 0 && viewed(d) == d.Stage.Scene.Gating.Chosen },
		Run: func(d *desk.Desk) {
			if id := d.Stage.Scene.Gating.Chosen; hasPopulation(d) && viewed(d) != id {
				d.Stage.Active().ShowOf(id)
				return
			}
			d.Stage.Active().ShowOf(0)
		}},
	{ID: "hide-population", Menu: "View", Title: "Hide the points of the population", Icon: assets.IconEyeOff,
		Also:    "eye show visible debris",
		Help:    "No view shows the points of the population that is chosen in its panel. Once more shows them",
		Enabled: hasPopulation,
		Checked: func(d *desk.Desk) bool {
			return slices.Contains(parts.Views.Of(d.Doc.State()).Hidden, d.Stage.Scene.Gating.Chosen)
		},
		Run: func(d *desk.Desk) {
			id := d.Stage.Scene.Gating.Chosen
			naming.Hide(d, id, !slices.Contains(parts.Views.Of(d.Doc.State()).Hidden, id))
		}},
	{ID: "show-populations", Menu: "View", Title: "Show the points of all populations", Icon: assets.IconEye,
		Also: "eye hidden unhide visible", Help: "Show the points that are hidden by the eyes in the Populations panel",
		Enabled: naming.Hidden, Run: naming.ShowAll},
	{ID: "rename-population", Menu: "Edit", Title: "Rename the population", Also: "annotate name",
		Help:    "Give the population that is chosen in its panel another name",
		Enabled: hasPopulation, Run: func(d *desk.Desk) { naming.Rename(d, d.Stage.Scene.Gating.Chosen) }},
	{ID: "remove-population", Menu: "Edit", Title: "Remove the population", Also: "delete",
		Help:    "Take away the population that is chosen in its panel, and those that lie in it",
		Enabled: hasPopulation, Run: func(d *desk.Desk) { naming.Remove(d, d.Stage.Scene.Gating.Chosen) }},
}

// viewed is the population whose points the active view shows alone, 0: it shows all.
func viewed(d *desk.Desk) population.ID {
	id := d.Stage.Active().State().Of
	if parts.Populations.Of(d.Doc.State()).Place(id) < 0 {
		return 0
	}
	return id
}

// hasPopulation says whether one is chosen.
func hasPopulation(d *desk.Desk) bool {
	return d.Stage.Scene.Gating.Chosen != population.ID(0) && place(d) >= 0
}

func place(d *desk.Desk) int {
	return parts.Populations.Of(d.Doc.State()).Place(d.Stage.Scene.Gating.Chosen)
}
