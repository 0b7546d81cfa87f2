package main

import (
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"blossom/model/base/problem"
	"blossom/model/data/format"
	"blossom/model/document/session"
	"blossom/model/job"
	"blossom/model/job/run"
	"blossom/model/scale"
)

// reporting is the command at work.
type reporting struct {
	computing
	r job.Report
}

func reportCommand(a *app) *cobra.Command {
	o := &reporting{computing: computing{app: a, s: settings()}}
	c := &cobra.Command{
		Use:   "report SESSION [INPUT] -o REPORT.html",
		Short: "A session as one page: map, populations, frequencies, parameters",
		Long: `Writes a page of HTML that needs nothing else and no network: the map as it is looked at and coloured by
populations, the views of the window where there are others, the tree of populations with their points and rules, a
heat map of their medians, their frequencies in the samples, tests between groups of samples, the columns with their
transforms, all parameters, the data with their hashes, and the command that makes it again.

The page has the job in it: "blossom job --from REPORT.html" prints it, and the window opens the page like a session.
INPUT is the data where that is not where the session says. A finished folder of parts is the session of its sample.`,
		Example: `  blossom report analysis.blossom -o report.html
  blossom report analysis.blossom ~/data/patient7.fcs --title "Patient 7" -o patient7.html`,
		RunE: o.run,
		Args: args(1, 2),
	}
	outputFlag(c, &o.r.Output, "`REPORT.html` to write, or - for standard output")
	f := c.Flags()
	f.StringVar(&o.r.Title, "title", "", "the heading (default: the name of the data)")
	f.BoolVar(&o.from.print, "print-job", false, "print what would be made, as a job for blossom job, and do no more")
	o.tells(f)
	computeFlags(f, &o.s.Machine)
	devicesFlag(f, &o.s.Machine.GPU.Device, &o.s.Machine.GPU.Beside)
	return c
}

// run makes the page, or prints the job that does.
func (o *reporting) run(c *cobra.Command, inputs []string) error {
	o.from.session, inputs = scale.Shown(inputs[0]), inputs[1:]
	if scale.IsFolder(o.from.session) {
		return problem.New(o.from.session, "finish it first: blossom resume "+o.from.session,
			"is a folder of parts without a map that can be reported on")
	}
	if err := format.CheckInput(o.from.session); err != nil {
		return err
	}
	if !session.Is(o.from.session) {
		return problem.New(o.from.session, "save the session in the window, and give that (or a picture of it)",
			"is no session to report on")
	}
	// The page is the same whatever its name.
	o.r.Command = "blossom report " + quoted(filepath.Base(o.from.session)) + " -o report.html"
	if o.r.Title != "" {
		o.r.Command += " --title " + quoted(o.r.Title)
	}
	w, err := o.computed(c.Context(), o.r.Output, inputs, func(report run.Report) (*job.Job, error) {
		j, err := o.from.job(c.Context(), &o.s, inputs, report, nil)
		if err != nil {
			return nil, err
		}
		o.r.Picture = job.NewPicture()
		o.r.Picture.Size, o.r.Picture.Zoom, o.r.Picture.Background = [2]int{1400, 1050}, 1.75, "white"
		none := func(string) bool { return false }
		if err := ofFolder(j, o.r.Picture, none); err != nil {
			return nil, err
		}
		j.Want(&job.Embedding{})
		j.Seen(o.r.Picture, none)
		if err := knownPalette(o.r.Picture.Palette); err != nil {
			o.r.Picture.Palette = ""
		}
		if o.r.Views, err = (job.Sights{Job: j}).All(1800, 1.5); err != nil {
			return nil, err
		}
		j.Want(&o.r)
		return j, nil
	}, &o.r)
	if w == nil {
		return err
	}
	o.notes(w.Notes)
	if note := o.r.SampleNote(w); note != "" {
		o.notes([]string{note})
	}
	return err
}

// quoted is a word of a command line.
func quoted(word string) string {
	if word != "" && !strings.ContainsAny(word, " \t\n\"'\\$`&|;<>()*?[]#~!{}") {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
