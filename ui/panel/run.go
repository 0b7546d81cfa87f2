package panel

import (
	"cmp"
	"fmt"

	"blossom/assets"
	"blossom/model/base/step"
	"blossom/model/document/state"
	"blossom/model/live/member"
	"blossom/ui/desk"
	"blossom/ui/widget"
)

// runHead is the top of the panel of a run: its buttons, each of which does what the command of its name does, and how
// far it is.
type runHead struct {
	kind  *desk.RunKind
	now   member.Running
	label string  // a word for starting a run that is not active; "": Run
	icon  string  // the same; "": that of play
	calm  bool    // nothing asks for it to be run
	once  string  // why there are no steps, "" where there are
	width float32 // the room of the button that runs it; 0: as others of its kind
	// How it stands, at the left and at the right; "": that is said elsewhere.
	left, right string
}

// headOf is the top of the panel of a run that a command starts.
func headOf(command string, r member.Steered) runHead {
	return runHead{kind: desk.RunByID(command), now: r.Stands(), width: 96}
}

func (h runHead) draw(d *desk.Desk) {
	h.buttons(d)
	d.UI.Space(6)
	if h.left != "" {
		d.UI.SplitNote(h.left, h.right)
	}
	// Always there, so that nothing below jumps when a run starts or ends.
	d.UI.Progress(fraction(h.now), 0)
	d.UI.Space(2)
}

func (h runHead) buttons(d *desk.Desk) {
	u, k := d.UI, h.kind
	run := d.Window.Command(k.Run.ID)
	label, icon, kind := cmp.Or(h.label, "Run"), cmp.Or(h.icon, assets.IconPlay), widget.Primary
	switch {
	case h.now.Active && h.now.Word != "":
		label, icon = "Stop", assets.IconSquare
	case h.now.Active:
		label, icon = "Pause", assets.IconPause
	case h.calm:
		kind = widget.Secondary
	}
	if u.Button(label+"##run", widget.ButtonOpts{Kind: kind, Icon: icon, Tip: run.Tip, Width: h.width}) {
		run.Run()
	}
	if k.Unit == "" {
		return
	}
	one, again := d.Window.Command(k.Step.ID), d.Window.Command(k.Again.ID)
	step, over := one.Tip, again.Tip
	switch {
	case h.once != "":
		step, over = h.once, h.once
	case h.now.Active:
		step = "Pause " + k.Name + " to go on in single " + k.Unit
	}
	u.Same()
	if u.Button("Step", widget.ButtonOpts{Tip: step, Disabled: h.now.Active || h.once != ""}) {
		one.Run()
	}
	u.Same()
	if u.Button("Start over##again", widget.ButtonOpts{Tip: over, Disabled: h.once != ""}) {
		again.Run()
	}
}

// fraction is how far a run is, or what prepares it; 0 where nobody knows.
func fraction(r member.Running) float32 {
	switch {
	case r.Job != nil && !r.Forming:
		return float32(r.Job.Fraction())
	case r.Rest:
		return 1
	case r.Share > 0:
		return float32(min(1, r.Share))
	}
	return 0
}

// Rate writes how many units of a run are done in a second, "" where that is not known.
func Rate(r float64, unit string) string {
	switch {
	case r <= 0 || unit == "":
		return ""
	case r < 10:
		return fmt.Sprintf("%.1f %s/s", r, unit)
	}
	return widget.Grouped(int(r+0.5)) + " " + unit + "/s"
}

// percent writes a small part.
func percent(x float64) string {
	switch x *= 100; {
	case x >= 10:
		return fmt.Sprintf("%.0f %%", x)
	case x >= 0.095:
		return fmt.Sprintf("%.1f %%", x)
	}
	return fmt.Sprintf("%.2f %%", x)
}

// paramRows draws the rows of parameters of a run, each as row does.
func paramRows(d *desk.Desk, of member.Tuned, params []step.Param, row func(x step.Param, v *float64) widget.Edit) {
	values := of.Values()
	for _, x := range params {
		v := values.Get(x)
		d.Change(x.Title, row(x, &v), func(s *state.State) { of.Choose(s, x.ID, v) })
	}
}

// paramRow returns what draws the row of a parameter, made from its description: a slider, or a choice below its title.
func paramRow(u *widget.UI) func(x step.Param, v *float64) widget.Edit {
	return func(x step.Param, v *float64) widget.Edit {
		if len(x.Choices) > 0 {
			u.Muted(x.Title)
			return choiceRow(u, x, v)
		}
		return u.Slider(x.Title, v, widget.Param{Min: x.Min, Max: x.Max, Default: x.Default, Log: x.Log,
			Integer: x.Integer, Zero: x.Zero}, x.Help)
	}
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
