//go:build cgo && !nowindow && !static

package main

import (
	"bytes"
	"runtime"

	"github.com/spf13/cobra"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/job/run"
	"blossom/model/work/engine"
	"blossom/ui"
	"blossom/ui/shell"
)

// The window system of some platforms (macOS) answers on the process's first thread only, which init
// runs on.
func init() { runtime.LockOSThread() }

// windowFlags makes the root command open the window.
func windowFlags(a *app, root *cobra.Command) {
	o := ui.Options{Version: version}
	f := root.Flags()
	f.StringVar(&o.Engine, "engine", "", problem.OneOf(engine.Names()...)+" (default: as in the settings)")
	f.IntVar(&o.Threads, "threads", 0, "processor threads to use (default: all)")
	devicesFlag(f, &o.Device, &o.Beside)
	kernelFlags(f, &o.Knn, &o.Projection)
	f.IntVar(&o.MaxPoints, "max-points", 0, "read at most `N` points (default: all)")
	f.StringVar(&o.Sample, "sample", dataset.SampleRandom, "which points --max-points takes: `first or random`")
	f.Uint64Var(&o.Seed, "seed", 1, "seed of sampling and training")
	readingFlags(f, &o.Reading)
	sheetFlags(f, &o.Sheets.Samples, &o.Sheets.Panel)
	f.StringVar(&o.Theme, "theme", "", "`light or dark` (default: as in the settings)")
	awaitedFlag(f, &o.To)
	f.BoolVar(&o.Tour, "tour", false, "begin with the guided tour, on demo data")
	open := func(c *cobra.Command, paths []string) error {
		if err := checkFiles(c, &paths); err != nil {
			return err
		}
		if o.Theme != "" && o.Theme != "light" && o.Theme != "dark" {
			return run.Usage{Err: problem.New("", "use light or dark", "--theme %q is not known", o.Theme)}
		}
		if o.Sample != dataset.SampleFirst && o.Sample != dataset.SampleRandom {
			return run.Usage{Err: problem.New("", "use first or random", "--sample %q is not known", o.Sample)}
		}
		if err := format.CheckReading(o.Reading); err != nil {
			return run.Usage{Err: err}
		}
		if err := run.CheckDevices(o.Engine, o.Device, o.Beside); err != nil {
			return err
		}
		if err := run.CheckKernels(o.Engine, o.Knn, o.Projection); err != nil {
			return err
		}
		if err := checkSheets([]string{o.Sheets.Samples, o.Sheets.Panel}, paths); err != nil {
			return err
		}
		if err := checkAwaited(o.To, paths); err != nil {
			return err
		}
		if o.Tour && len(paths) > 0 {
			return run.Usage{Err: problem.New("", "leave the files out, and open them after the tour",
				"--tour is on demo data, and takes no FILE")}
		}
		o.Paths = paths
		o.Doctor = func() string {
			var text bytes.Buffer
			printHealth(&text, examine(c.Context()))
			return text.String()
		}
		unhurried.Store(true)
		if err := ui.Run(o); err != nil {
			return err
		}
		return c.Context().Err() // closed by Ctrl-C
	}
	root.RunE = func(c *cobra.Command, paths []string) error {
		return fromDesktop(func() error { return open(c, paths) })
	}
}

// checkSheets says what is wrong with sheets of the files.
func checkSheets(sheets, paths []string) error {
	for _, sheet := range sheets {
		if sheet == "" {
			continue
		}
		if err := format.CheckInput(sheet); err != nil {
			return err
		}
		if len(paths) == 0 {
			return run.Usage{Err: problem.New(sheet, "name the files that it is of", "is a sheet of no data")}
		}
	}
	return nil
}

// probeWindow opens a hidden window.
func probeWindow() glHealth {
	w, err := shell.NewHeadless(64, 64, 1, shell.Nop{})
	if err != nil {
		return glHealth{Why: problem.As(err).Error()}
	}
	defer w.Close()
	g := w.Context().GL()
	return glHealth{Available: true, Vendor: g.Vendor, Renderer: g.Renderer, Version: g.String, Software: g.Software}
}
