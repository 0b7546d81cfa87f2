package panel

import (
	"blossom/model/base/step"
	"blossom/ui/widget"
)

// paramRow draws the row of a parameter of what runs in steps, made from its description: a slider, or a choice below
// its title.
func paramRow(u *widget.UI, x step.Param, v *float64) widget.Edit {
	if len(x.Choices) > 0 {
		u.Muted(x.Title)
		return choiceRow(u, x, v)
	}
	return u.Slider(x.Title, v, widget.Param{Min: x.Min, Max: x.Max, Default: x.Default, Log: x.Log, Integer: x.Integer,
		Zero: x.Zero}, x.Help)
}

// choiceRow draws a choice alone, where its words say what it is about.
func choiceRow(u *widget.UI, x step.Param, v *float64) widget.Edit {
	i := int(*v)
	changed := u.Segmented(x.Title, x.Choices, &i, x.Help)
	if changed {
		*v = float64(i)
	}
	return widget.Edit{Changed: changed, Committed: changed}
}
