package output

import (
	"fmt"
	"slices"
	"strconv"

	"blossom/model/base/problem"
	"blossom/model/document/parts"
	"blossom/model/job"
	"blossom/ui/desk"
	"blossom/ui/dialog"
)

// AskFilm asks what a film is to be of, and where it goes.
func (o *Output) AskFilm() {
	subjects := job.FilmsOf(o.w.Desk().Doc)
	if len(subjects) == 0 {
		o.w.Fail(problem.New("", "wait for the first map, or train landmarks", "there is nothing to film yet"))
		return
	}
	dialog.Film.Show(o.dialogs, dialog.Filmed{Film: o.film, Subjects: subjects, Save: func(f desk.Film) {
		o.film = f
		o.w.Ask(desk.FileQuestion{Title: "Save film", Save: true, Name: o.Documents.Stem() + "_" + f.Of + f.Ending,
			Kind: "Films", Kinds: []string{f.Ending}, Answer: func(path string) { o.Film(path, f) }})
	}})
}

// Film makes a film of what is open, as blossom film does of its session.
func (o *Output) Film(path string, f desk.Film) {
	o.send(path, errand{what: "Filming", command: []string{"film"}, stage: "filming",
		failed: "the film could not be made: %s", args: func(d *desk.Desk) []string { return o.filmArgs(d, f) }})
}

// filmArgs are the flags of blossom film that say what the window shows.
func (o *Output) filmArgs(d *desk.Desk, f desk.Film) []string {
	args := append([]string{"--of", f.Of, "--seconds", fmt.Sprint(f.Seconds), "--fps", strconv.Itoa(f.Rate), "--size",
		fmt.Sprintf("%dx%d", f.Width, f.Height), "--zoom", fmt.Sprint(f.Scale), "--background",
		o.background(desk.Picture{})}, shownArgs(d, false)...)
	if f.NoCaption {
		args = append(args, "--no-caption")
	}
	if f.View {
		args = append(args, "--view", strconv.Itoa(viewNumber(d)))
	}
	for flag, moment := range map[string]string{"--from": f.From, "--to": f.To} {
		if moment != "" {
			args = append(args, flag, moment)
		}
	}
	return args
}

// shownArgs are the flags that say what lies over the points of the active view.
func shownArgs(d *desk.Desk, bare bool) (args []string) {
	views := parts.Views.Of(d.Doc.State())
	shown := views.Get(views.Active)
	for _, flag := range []struct {
		on   bool
		name string
	}{{!shown.Legend, "--no-legend"}, {shown.Landmarks && !bare, "--show-landmarks"},
		{shown.Landmarks && shown.Names && !bare, "--show-names"}} {
		if flag.on {
			args = append(args, flag.name)
		}
	}
	return args
}

// viewNumber is that of the active view, from 1 on, in the order of the document.
func viewNumber(d *desk.Desk) int {
	views := parts.Views.Of(d.Doc.State())
	return 1 + max(0, slices.IndexFunc(views.Views, func(v parts.View) bool { return v.ID == views.Active }))
}
