package dialog

import (
	"fmt"
	"testing"
	"time"

	"blossom/model/document/recovery"
	"blossom/ui/uitest"
	"blossom/ui/widget"
)

// alikes are sessions of which some have one name.
func alikes() []recovery.Item {
	now := time.Unix(1_700_000_000, 0)
	item := func(id, name, data string, ago time.Duration, about recovery.About) recovery.Item {
		about.Name, about.Things, about.Landmarks, about.Changed = name, "cells", 256, true
		return recovery.Item{ID: id, Path: "/state/" + id, At: now.Add(-ago), About: about, Data: []string{data},
			Points: 20000, Size: 120_000}
	}
	long := recovery.About{Changes: 14, Last: "Select cells by a lasso and name them as a population", Populations: 5}
	short := recovery.About{Changes: 1, Last: "Pin", Closed: true}
	out := []recovery.Item{
		item("a", "patient", "/data/clinic/2024/run-1/patient.fcs", 3*time.Minute, long),
		item("b", "patient", "/data/clinic/2024/run-2/patient.fcs", 3*time.Minute, short),
		item("c", "mine", "/data/mine.csv", 26*time.Hour, short),
		item("d", "mine", "/data/mine.csv", 26*time.Hour+time.Second, long),
		item("e", "alone", "/data/alone.csv", 50*time.Hour, long),
	}
	out[1].Missing = out[1].Data
	out[4].Damage = "the newest save is damaged; this is the one before"
	return out
}

// The list of what was left stands in the window in both themes, at 100 % and 200 %, its rows below each other with
// what can be done inside; BLOSSOM_PICTURES shows the rest.
func TestRecoverFitsTheWindow(t *testing.T) {
	for _, c := range []struct {
		theme widget.Theme
		name  string
		scale float32
	}{{widget.Light(), "light", 1}, {widget.Dark(), "dark", 2}} {
		s, d := beginSized(t, c.theme, int(1000*c.scale), int(700*c.scale), c.scale)
		items := alikes()
		uitest.Do(func() { Recover.Show(s.dialogs, LeftWork{List: func() []recovery.Item { return items }}) })
		d.Frames(4)
		box := d.Rect("recover")
		if box.X0 < 0 || box.Y0 < 0 || box.X1 > 1000*c.scale || box.Y1 > 700*c.scale {
			t.Errorf("%s: the dialog is at %v", c.name, box)
		}
		below := box.Y0
		for _, i := range items {
			b := d.Rect("recover/" + i.ID + "/open")
			if b.Y0 < below || b.X0 < box.X0 || b.X1 > box.X1 || b.Y1 > box.Y1 {
				t.Errorf("%s: the button of %s is at %v, in %v", c.name, i.ID, b, box)
			}
			below = b.Y1
		}
		d.Shoot(fmt.Sprintf("recover-%s-%.0f", c.name, 100*c.scale))
		d.End()
	}
}
