package view

import (
	"fmt"

	"blossom/model/work"
)

// runNote is the note of the header of an embedding that runs: of how many points it is, and how it stands.
func (v *Scatter) runNote() string {
	r := v.field.Run()
	key := noteOf{r.Units, r.Active, r.Rest, r.Foreign, r.Points, r.Phase != ""}
	if key == v.ran.of && v.ran.text != "" {
		return v.ran.text
	}
	v.ran = runText{of: key}
	if n := v.View.scene.Map.Table().X.Rows - v.View.scene.Map.Table().Invalid; r.Points > 0 && r.Points < n {
		v.ran.text = "a sample of " + grouped(r.Points) + ", "
	}
	switch {
	case r.Foreign:
		v.ran.text += "of other data"
	case r.Rest:
		v.ran.text += "at rest"
	case r.Active && r.Phase != "":
		v.ran.text += "forming, unit " + grouped(int(r.Units))
	case r.Units > 0:
		v.ran.text += "unit " + grouped(int(r.Units))
	default:
		v.ran.text += "begins"
	}
	return v.ran.text
}

// runText is the note of a run, kept until it says something else.
type runText struct {
	of   noteOf
	text string
}

// noteOf is what the note of a run says.
type noteOf struct {
	units                 int64
	active, rest, foreign bool
	points                int
	early                 bool
}

// jobText says how far a job is.
func jobText(j *work.Job) string {
	if f := j.Fraction(); f > 0 {
		return fmt.Sprintf("%s %.0f %%", j.Title, 100*f)
	}
	return j.Title + "…"
}
