package main

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"blossom/model/base/problem"
	"blossom/model/document/parts"
	"blossom/model/document/session"
	"blossom/model/document/state"
	"blossom/model/job"
	"blossom/model/job/run"
	"blossom/render/scene/film"
)

// filming is the command at work.
type filming struct {
	rendering
	f    *job.Film
	when span
}

// span is how long a film is, and from which moment to which it goes.
type span struct {
	seconds   float64
	start, to string
}

func filmCommand(a *app) *cobra.Command {
	f := job.NewFilm()
	o := &filming{rendering: rendering{computing: computing{app: a, s: settings()}, p: &f.Picture}, f: f}
	c := &cobra.Command{
		Use:   "film SESSION|INPUT... -o OUT" + strings.Join(film.Extensions(), "|"),
		Short: "Film a map: its history, a training, a turn in 3D",
		Long: `Makes a film of a session, or of a map of INPUT. A finished folder of parts is the session of its
sample. Every frame is a true projection of the points, drawn as
blossom render draws it. What the film is of is said with --of:

` + subjectHelp() + `
Animated PNG (.png, exact) and motion JPEG (.avi) need no other program, .mp4 and .webm are made by ffmpeg.
The whole film shows one part of the map, so that only what moves moves.`,
		Example: `  blossom film map.blossom -o history.mp4
  blossom film map.blossom --of blend --from 3 --to now -o blend.png
  blossom film demo:cytometry --of training --seconds 6 -o training.avi
  blossom film sample.fcs --at CD3,CD4,CD8 --of turn -o turn.webm`,
		RunE: o.run,
	}
	outputFlag(c, &f.Output, "`OUT` to write: "+problem.OneOf(film.Extensions()...))
	own := append(o.pictureFlags(c.Flags()), o.filmFlags(c.Flags())...)
	c.Flags().Lookup("size").DefValue, o.size = "1280x960", "1280x960"
	o.flags(c)
	c.Args = func(c *cobra.Command, inputs []string) error {
		return o.computing.from.args(own...)(c, o.named(inputs))
	}
	s := &o.s
	inputFlags(c.Flags(), s)
	landmarkFlags(c.Flags(), &s.Origin)
	projectionFlags(c.Flags(), s)
	engineFlags(c.Flags(), &s.Machine)
	return c
}

// subjectHelp lists what films can be of.
func subjectHelp() string {
	var b strings.Builder
	for _, s := range job.Subjects() {
		fmt.Fprintf(&b, "  %-9s %s\n", s.ID, s.Help)
		if s.Flags != "" {
			fmt.Fprintf(&b, "  %-9s %s\n", "", s.Flags)
		}
	}
	return b.String()
}

// filmFlags are those that pictures do not have; they go with a session, too.
func (o *filming) filmFlags(fs *pflag.FlagSet) []string {
	f := o.f
	fs.StringVar(&f.Of, "of", "", "what the film is of: `"+strings.Join(job.SubjectIDs(), ", ")+"` (default: as suits)")
	fs.IntVar(&f.Frames, "frames", f.Frames, "number of frames")
	fs.Float64Var(&o.when.seconds, "seconds", 0, "length of the film, in the place of --frames (default: 8)")
	fs.IntVar(&f.Rate, "fps", f.Rate, "frames per second")
	fs.StringVar(&o.when.start, "from", "", "`MOMENT` of the history that the film begins with: its number or name")
	fs.StringVar(&o.when.to, "to", "", "`MOMENT` that it ends with")
	fs.BoolVar(&f.NoCaption, "no-caption", false, "leave out which moment a frame shows")
	return []string{"of", "frames", "seconds", "fps", "from", "to", "no-caption"}
}

// named are the inputs without a session or a finished folder of parts, which is noted as one.
func (o *filming) named(inputs []string) []string {
	inputs = o.computing.from.named(inputs)
	if len(inputs) == 1 && session.Is(inputs[0]) && o.computing.from.session == "" {
		o.computing.from.session = inputs[0]
	}
	if len(inputs) == 1 && inputs[0] == o.computing.from.session {
		return nil
	}
	return inputs
}

// run films, or prints the job that does.
func (o *filming) run(c *cobra.Command, inputs []string) error {
	inputs = o.named(inputs)
	if err := o.length(c.Flags()); err != nil {
		return err
	}
	if err := o.read(c.Flags()); err != nil {
		return err
	}
	f, from := o.f, &o.computing.from
	for _, name := range []string{"wall", "moments", "views"} {
		if c.Flags().Changed(name) {
			return run.Usage{Err: problem.New("", "leave it out", "--%s is of a page, and a film shows one map", name)}
		}
	}
	from.past = func(j *job.Job, d *state.Document) error {
		if err := o.look(j, c.Flags().Changed); err != nil {
			return err
		}
		o.suit(parts.Landmarks.Of(d.State()).Pos.Cols == 3)
		return f.ForDocument(c.Context(), j, d, o.when.start, o.when.to)
	}
	w, err := o.computed(c.Context(), f.Output, inputs, func(report run.Report) (*job.Job, error) {
		j, err := from.job(c.Context(), &o.s, inputs, report,
			func(j *job.Job, ctx context.Context, s *run.Flags) error {
				o.suit(s.Origin.Dims == 3 || strings.Count(f.At, ",") == 2)
				return f.ForFlags(ctx, j, s)
			})
		if err != nil {
			return nil, err
		}
		j.Want(f)
		return j, nil
	}, f)
	if w == nil {
		return err
	}
	out := summary{Input: w.Data[0].Path, Output: f.Output, Points: f.Points, Seed: w.Seed, Notes: w.Notes}
	if w.Points != nil { // a map was made
		out = ofWork(w, f.Output)
	}
	return o.finish(o.json, out, filmed{f.Of, f.Frames, f.Rate})
}

// filmed is what --json says of a film.
type filmed struct {
	Of     string `json:"of"`
	Frames int    `json:"frames"`
	Rate   int    `json:"fps"`
}

// suit chooses what the film is of, where nobody has said so.
func (o *filming) suit(deep bool) {
	for _, s := range job.Subjects() {
		if o.f.Of == "" && s.Fits != nil && s.Fits(o.computing.from.session != "", deep) {
			o.f.Of = s.ID
		}
	}
}

// length is how many frames there are.
func (o *filming) length(fs *pflag.FlagSet) error {
	if !fs.Changed("seconds") {
		return nil
	}
	if fs.Changed("frames") {
		return run.Usage{Err: problem.New("", "leave one of them out", "--frames and --seconds both say how long the "+
			"film is")}
	}
	n := math.Round(o.when.seconds * float64(o.f.Rate))
	if !(n >= 2 && n <= 90_000) {
		return run.Usage{Err: problem.New("", "use two frames to an hour", "--seconds %g is not possible",
			o.when.seconds)}
	}
	o.f.Frames = int(n)
	return nil
}
