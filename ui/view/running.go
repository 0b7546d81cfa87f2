package view

import (
	"fmt"

	"blossom/model/work"
)

// note is what the header of a view says of its embedding, which runs: of how many points it is, and how it stands.
func (t *runText) note(v *Scatter) string {
	r := v.field.Stands()
	key := noteOf{r.Units, r.Active, r.Rest, r.Foreign, r.Points, r.Phase != ""}
	if key == t.of && t.text != "" {
		return t.text
	}
	*t = runText{of: key}
	if n := v.View.scene.Map.Table().X.Rows - v.View.scene.Map.Table().Invalid; r.Points > 0 && r.Points < n {
		t.text = "a sample of " + grouped(r.Points) + ", "
	}
	switch {
	case r.Foreign:
		t.text += "of other data"
	case r.Rest:
		t.text += "at rest"
	case r.Active && r.Phase != "":
		t.text += "forming, unit " + grouped(int(r.Units))
	case r.Units > 0:
		t.text += "unit " + grouped(int(r.Units))
	default:
		t.text += "begins"
	}
	return t.text
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
