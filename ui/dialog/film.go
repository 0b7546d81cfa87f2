package dialog

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"blossom/model/document/state"
	"blossom/model/job"
	"blossom/model/work/embedding"
	"blossom/render/scene/film"
	"blossom/ui/desk"
	"blossom/ui/widget"
)

// Filmed is what a film is asked about.
type Filmed struct {
	Film     desk.Film
	Subjects []job.Subject // the choice; one at least
	Save     func(desk.Film)
}

// Film asks what a film is to be of, how long and how large it is.
var Film = Register(Kind[Filmed]{ID: "film", Title: "Export film", Width: 440,
	New: func(w Window, f Filmed) Dialog {
		x := &Filming{Filmed: f, w: w, d: w.Desk(), Of: -1}
		x.Of = max(0, slices.IndexFunc(f.Subjects, func(s job.Subject) bool { return s.ID == f.Film.Of }))
		if f.Film.Of == "" {
			x.Of = max(0, slices.IndexFunc(f.Subjects, func(s job.Subject) bool {
				return s.Fits != nil && s.Fits(true, false)
			}))
		}
		for _, s := range filmSizes {
			if s.w == f.Film.Width && s.h == f.Film.Height {
				break
			}
			x.Size++
		}
		x.Size = min(x.Size, len(filmSizes)-1)
		for i, e := range film.Formats() {
			if e.Extension == f.Film.Ending {
				x.Kind = i
			}
		}
		if f.Film.Ending == "" {
			x.Kind = bestKind()
		}
		return x
	}})

// Filming is the dialog of a film.
type Filming struct {
	Filmed
	w        Window
	d        *desk.Desk
	Of       int // an index into Subjects
	From, To int // moments, as offered; To is seen where a subject has two
	Size     int // an index into filmSizes
	Kind     int // an index into film.Formats
	rev      uint64
}

// filmSizes are what films are shown on; pixels, and pixels per point of length.
var filmSizes = []struct {
	name  string
	w, h  int
	scale float64
}{{"Small, 640 × 480", 640, 480, 0.75}, {"Slides 4:3, 1280 × 960", 1280, 960, 1.25},
	{"Slides 16:9, 1280 × 720", 1280, 720, 1}, {"Full HD, 1920 × 1080", 1920, 1080, 1.5},
	{"Square, 1080 × 1080", 1080, 1080, 1.5}, {"4K, 3840 × 2160", 3840, 2160, 3}}

// bestKind is MP4, which plays everywhere, where it can be made, else what needs no other program.
func bestKind() int {
	all := film.Formats()
	for _, ending := range []string{".mp4", ".avi"} {
		i := slices.IndexFunc(all, func(f film.Format) bool { return f.Extension == ending })
		if i >= 0 && (all[i].Missing == nil || all[i].Missing() == nil) {
			return i
		}
	}
	return 0
}

func (f *Filming) Face() (Face, bool) {
	missing := f.missing()
	return Face{Buttons: []Button{{Label: "Cancel"},
			{Label: "Save…##film-file", Kind: widget.Primary, Disabled: missing != "", Tip: missing, Do: f.save}}},
		f.w.Desk() == f.d
}

// missing says what the machine lacks for the kind of file that is chosen; "": nothing.
func (f *Filming) missing() string {
	if k := film.Formats()[f.Kind]; k.Missing != nil && k.Missing() != nil {
		return "This needs the program ffmpeg, which is not installed"
	}
	return ""
}

func (f *Filming) Draw() func() {
	u := f.w.UI()
	t := u.Theme()
	var of []string
	for _, s := range f.Subjects {
		of = append(of, s.Title)
	}
	f.Of = min(f.Of, len(of)-1)
	s := f.Subjects[f.Of]
	u.Combo("What", widget.Items(of...), &f.Of, widget.ComboOpts{Tip: "What the film is of"})
	f.moments(s)
	u.Space(2)
	u.Wrapped(widget.Small, t.Muted, widget.Sentence(s.Help)+" Every frame is a true projection of the points.")
	u.Space(8)
	rate := float64(f.Film.Rate)
	u.Slider("Length", &f.Film.Seconds, widget.Param{Min: 1, Max: 120, Default: 8, Log: true,
		Format: "%.1f", Unit: " s"},
		"How long the film plays")
	u.Slider("Frame rate", &rate, widget.Param{Min: 5, Max: 60, Default: 25, Integer: true, Unit: " /s"},
		"Frames a second: more are smoother, and take longer to make")
	f.Film.Rate = int(rate)
	var sizes, kinds []string
	for _, s := range filmSizes {
		sizes = append(sizes, s.name)
	}
	for _, k := range film.Formats() {
		kinds = append(kinds, k.Title)
	}
	u.Space(4)
	u.Muted("Size")
	u.Combo("Size", widget.Items(sizes...), &f.Size, widget.ComboOpts{Tip: "Size of the film in pixels"})
	u.Space(4)
	u.Muted("File")
	u.Combo("File", widget.Items(kinds...), &f.Kind, widget.ComboOpts{Tip: "What the film is written as: MP4 plays " +
		"everywhere, animated PNG is exact and plays in web pages, AVI needs no other program"})
	u.Space(4)
	caption := !f.Film.NoCaption
	if f.asView(s) {
		u.Switch("As the view is zoomed", &f.Film.View, "Film the map of the active view and the part of it that is "+
			"seen; else the whole map of the landmarks")
	}
	u.Switch("Say which moment it is", &caption, "Write above the map what is being done")
	f.Film.NoCaption = !caption
	u.Space(2)
	u.Wrapped(widget.Small, t.Muted, f.summary())
	return nil
}

// asView says whether a film of a subject can show what the active view does.
func (f *Filming) asView(s job.Subject) bool {
	v := f.d.Stage.Active().Scatter()
	if v == nil || s.Runs != "" {
		return false
	}
	k := embedding.ByID(f.d.Active().Recipe.Kind)
	return k != nil && (k.Way == embedding.ByRange || k.Way == embedding.Stepwise && s.Kept != nil)
}

// summary says how much there is to make, or what is missing.
func (f *Filming) summary() string {
	if missing := f.missing(); missing != "" {
		return missing + "."
	}
	return fmt.Sprintf("%s frames. They are drawn beside the window, which goes on meanwhile.",
		widget.Grouped(max(2, int(math.Round(f.Film.Seconds*float64(f.Film.Rate))))))
}

// moments chooses those of the history that a subject is of.
func (f *Filming) moments(s job.Subject) {
	if !s.One && !s.Two {
		return
	}
	all := f.d.Doc.History().Entries()
	var names []string
	for i, e := range all {
		names = append(names, strconv.Itoa(i+1)+"  "+momentName(e))
	}
	if f.rev != uint64(f.d.Doc.History().Rev()) {
		f.rev, f.From, f.To = uint64(f.d.Doc.History().Rev()), 0, 0
		for i, e := range all {
			if e.ID == f.d.Doc.History().Now() {
				f.To = i
			}
		}
		if s.One {
			f.From = f.To
		}
	}
	u := f.w.UI()
	label := "Entry"
	if s.Two {
		label = "From"
	}
	u.Space(4)
	u.Muted(label)
	u.Combo(label, widget.Items(names...), &f.From, widget.ComboOpts{Tip: "A moment of the history"})
	if s.Two {
		u.Space(4)
		u.Muted("To")
		u.Combo("To", widget.Items(names...), &f.To, widget.ComboOpts{Tip: "A moment of the history"})
	}
}

// momentName is what a moment is called.
func momentName(e state.Entry) string {
	if e.Bookmark != "" {
		return e.Bookmark
	}
	return e.Name
}

func (f *Filming) save() {
	out, s, size := f.Film, f.Subjects[f.Of], filmSizes[f.Size]
	out.Of, out.Ending = s.ID, film.Formats()[f.Kind].Extension
	out.Width, out.Height, out.Scale = size.w, size.h, size.scale
	if out.From, out.To = "", ""; s.One || s.Two {
		out.From = strconv.Itoa(f.From + 1)
	}
	out.View = out.View && f.asView(s)
	if s.Two {
		out.To = strconv.Itoa(f.To + 1)
	}
	f.Save(out)
}
