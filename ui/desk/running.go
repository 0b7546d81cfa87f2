package desk

import (
	"slices"
	"strings"

	"blossom/assets"
	"blossom/model/live"
	"blossom/model/live/member"
	"blossom/model/work/embedding"
	"blossom/ui/command"
	"blossom/ui/view"
)

// RunKind is a kind of run that the user starts, pauses and steers. Its commands, the buttons at the top of its panel
// and its item in the status bar are made of this, and are alike for all kinds.
type RunKind struct {
	Name string // in a sentence: "the layout"
	Unit string // a word for what is done in a step: "steps"
	// Run, Step and Again are its commands, in words: what they do is the same for all. One without an ID there is not.
	Run, Step, Again command.Command[*Desk]
	// InSight returns the runs of this kind that are in sight, the one that is steered first.
	InSight func(d *Desk) []member.Steered
	// Stepped returns the one that is steered, where runs of this kind have steps; or nil.
	Stepped func(d *Desk) member.Stepped
	// Start starts it as the command does, where more belongs to that than its own Start; or nil.
	Start func(d *Desk)
}

var (
	runKinds []*RunKind
	watchers []func(*RunKind)
)

// EachRun calls see with every kind of run, also with those that are registered later.
func EachRun(see func(*RunKind)) {
	for _, k := range runKinds {
		see(k)
	}
	watchers = append(watchers, see)
}

// RegisterRun adds a kind of run. It panics if the ID of its command is taken.
func RegisterRun(k RunKind) {
	if RunByID(k.Run.ID) != nil {
		panic("desk: registered twice: " + k.Run.ID)
	}
	k.Run.Run = k.toggle
	k.Step.Run, k.Step.Repeat = k.stepped(member.Stepped.Step), true
	k.Again.Run = k.stepped(member.Stepped.Again)
	runKinds = append(runKinds, &k)
	for _, see := range watchers {
		see(&k)
	}
}

// RunKinds returns all kinds of runs. They are not to be changed.
func RunKinds() []*RunKind { return runKinds }

// RunByID returns the kind of run that a command starts, or nil.
func RunByID(id string) *RunKind {
	for _, k := range runKinds {
		if k.Run.ID == id {
			return k
		}
	}
	return nil
}

// Commands are those that there are of a kind, one below the other in the menu Model.
func (k *RunKind) Commands() (out []*command.Command[*Desk]) {
	below := k.Run.Below
	for _, c := range []*command.Command[*Desk]{&k.Run, &k.Step, &k.Again} {
		if c.ID == "" {
			continue
		}
		c.Menu, c.Below, c.Enabled = "Model", below, func(d *Desk) bool { return len(k.InSight(d)) > 0 }
		out, below = append(out, c), c.ID
	}
	return out
}

// toggle pauses the run that is steered, or starts it.
func (k RunKind) toggle(d *Desk) {
	r := k.InSight(d)[0]
	switch now := r.Stands(); {
	case now.Active:
		r.Pause()
		d.Window.Say(strings.TrimPrefix(k.Name, "the ") + " paused")
	case now.Just:
		d.Window.Say(k.Name + " has just come to rest by itself; press again to run it on")
	case k.Start != nil:
		k.Start(d)
	default:
		told(d.Window, r.Start())
	}
}

// stepped does something with the run that is steered.
func (k RunKind) stepped(do func(member.Stepped) error) func(*Desk) {
	return func(d *Desk) { told(d.Window, do(k.Stepped(d))) }
}

// told tells the user what went wrong, if anything did.
func told(w Window, err error) {
	if err != nil {
		w.Fail(err)
	}
}

func init() {
	RegisterRun(RunKind{Name: "the training", Unit: "steps",
		InSight: func(d *Desk) []member.Steered { return []member.Steered{d.Training()} },
		Stepped: func(d *Desk) member.Stepped { return d.Training() },
		Run: command.Command[*Desk]{ID: "run", Below: "normal-size", Title: "Run or pause training",
			Help: "Train the landmarks on the points, or pause", Keys: []string{"Space"},
			Icon: assets.IconPlay},
		Step: command.Command[*Desk]{ID: "step", Title: "One step",
			Help: "Train a little: a hundredth of an epoch, or a whole one in batches. It never starts over",
			Keys: []string{"."}, Icon: assets.IconStepForward},
		Again: command.Command[*Desk]{ID: "again", Title: "Train from the start",
			Help: "Run the schedule of sigma and alpha again from its beginning", Keys: []string{"Ctrl+R"},
			Icon: assets.IconRotateCcw}})
	RegisterRun(RunKind{Name: "the layout", Unit: "steps",
		InSight: func(d *Desk) []member.Steered { return []member.Steered{d.Layout()} },
		Stepped: func(d *Desk) member.Stepped { return d.Layout() },
		Run: command.Command[*Desk]{ID: "layout", Below: "again", Title: "Run or pause layout", Rule: true,
			Also: "arrange force-directed t-sne umap trimap mds pca",
			Help: "Let the chosen layout arrange the landmarks from where they are, or pause it", Keys: []string{"O"},
			Icon: assets.IconNetwork},
		Step: command.Command[*Desk]{ID: "layout-step", Title: "One step of the layout",
			Help: "Move the landmarks by one step of the chosen layout", Keys: []string{","}},
		Again: command.Command[*Desk]{ID: "layout-again", Title: "Start the layout over",
			Help: "Put the landmarks where they were before the layout, and run it again",
			Keys: []string{"Ctrl+Shift+O"}}})
	below := "layout-again"
	embedding.Each(func(k *embedding.Kind) {
		if k.Way == embedding.Stepwise {
			RegisterRun(formingRun(k, below))
			below = k.ID + "-landmarks"
		}
	})
}

// formingRun is the kind of run that embeddings of a kind are, whose commands stand below another.
func formingRun(k *embedding.Kind, below string) RunKind {
	id, title := k.ID, k.Title
	r := RunKind{Name: title, Unit: "units",
		InSight: func(d *Desk) []member.Steered { return forming(d.Stage, id) },
		Stepped: func(d *Desk) member.Stepped {
			_, e := d.RunningView(id)
			return e
		},
		Start: func(d *Desk) {
			_, e := d.RunningView(id)
			told(d.Window, e.More())
		},
		Run: command.Command[*Desk]{ID: id, Below: below, Title: "Run or pause " + title, Rule: true,
			Help: "Let the " + title + " in sight form from where it is, or pause it", Icon: assets.IconPlay},
		Step: command.Command[*Desk]{ID: id + "-step", Title: "One unit of " + title,
			Help: "Move the points of the " + title + " in sight by one unit"},
		Again: command.Command[*Desk]{ID: id + "-again", Title: "Start " + title + " over",
			Help: "Let the " + title + " in sight form anew from its beginning"}}
	if k.Run.Letter != "" {
		r.Run.Keys, r.Step.Keys = []string{k.Run.Letter}, []string{"Shift+" + k.Run.Letter}
	}
	return r
}

// forming are the embeddings of a kind that are in sight, that of the active view first.
func forming(s *view.Stage, kind string) (out []member.Steered) {
	add := func(v *view.Scatter) {
		if v == nil || v.Field() == nil || !v.Field().Runs() || v.Field().Kind().ID != kind {
			return
		}
		if e := member.Steered(v.Field()); !slices.Contains(out, e) {
			out = append(out, e)
		}
	}
	add(s.Scatter())
	for _, v := range s.Scatters() {
		add(v)
	}
	return out
}

// RunningView is the view whose embedding runs: the active one, else the first in sight; nil: there is none. kinds,
// where given, are those of embeddings that are meant.
func (d *Desk) RunningView(kinds ...string) (v *view.Scatter, e *live.Embedding) {
	runs := func(v *view.Scatter) bool {
		return v != nil && v.Field() != nil && v.Field().Runs() &&
			(len(kinds) == 0 || slices.Contains(kinds, v.Field().Kind().ID))
	}
	if v = d.Stage.Scatter(); runs(v) {
		return v, v.Field()
	}
	for _, v = range d.Stage.Scatters() {
		if runs(v) {
			return v, v.Field()
		}
	}
	return nil, nil
}

// ShowBeside shows an embedding in a view of its own beside the active one, or in that where there is no room.
func (d *Desk) ShowBeside(r embedding.Recipe) {
	v := d.Stage.Active()
	if d.Stage.Count() < view.Most {
		d.Stage.Split(v)
		v = d.Stage.Active()
	}
	d.Stage.SetEmbedding(v, r)
}
