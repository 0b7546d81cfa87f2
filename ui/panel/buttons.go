package panel

import (
	"blossom/assets"
	"blossom/ui/desk"
	"blossom/ui/widget"
)

// runButtons are the buttons of a run, which stand at the top of its panel: run or pause, a step, start over. Each does
// what the command of its ID does.
type runButtons struct {
	run, step, again string // IDs of commands
	label            string // command IDs
	name             string // a word for starting a run that is not active; "": Run
	unit             string // the run, in what the buttons say: "the layout"; "": it
	active           bool
	once             string // why there are no steps, "" where there are
	width            float32
}

func (b runButtons) draw(d *desk.Desk) {
	u := d.UI
	run, one, again := d.Window.Command(b.run), d.Window.Command(b.step), d.Window.Command(b.again)
	label, icon := b.label, assets.IconPlay
	if label == "" {
		label = "Run"
	}
	if b.active {
		label, icon = "Pause", assets.IconPause
	}
	if u.Button(label+"##run", widget.ButtonOpts{Kind: widget.Primary, Icon: icon, Tip: run.Tip, Width: b.width}) {
		run.Run()
	}
	u.Same()
	step, over := one.Tip, again.Tip
	switch {
	case b.once != "":
		step, over = b.once, b.once
	case b.active:
		step = "Pause " + b.name + " to go on in single " + b.unit
	}
	if u.Button("Step", widget.ButtonOpts{Tip: step, Disabled: b.active || b.once != ""}) {
		one.Run()
	}
	u.Same()
	if u.Button("Start over##again", widget.ButtonOpts{Tip: over, Disabled: b.once != ""}) {
		again.Run()
	}
}
