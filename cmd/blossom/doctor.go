package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"golang.org/x/sys/cpu"

	"blossom/assets"
	"blossom/model/work/engine"
)

// health is `doctor --json`.
type health struct {
	Program string         `json:"program"`
	System  string         `json:"system"`
	CPU     cpuHealth      `json:"cpu"`
	Engines []engineHealth `json:"engines"`
	GL      struct {
		Offscreen glHealth `json:"offscreen"` // through EGL: pictures without a display
		Window    glHealth `json:"window"`    // through the display
	} `json:"gl"`
	Display     bool       `json:"display"` // a window can open
	DisplayName string     `json:"display_name"`
	CUDA        cudaHealth `json:"cuda"`
	Dialogs     []string   `json:"dialogs"` // programs that show native file dialogs
	Fonts       bool       `json:"fonts"`   // embedded ones are there
}

type cpuHealth struct {
	Name     string   `json:"name"`
	Cores    int      `json:"cores"`
	Features []string `json:"features"`
}

type engineHealth struct {
	Name      string   `json:"name"`
	Available bool     `json:"available"`
	Preferred bool     `json:"preferred"` // "auto" takes the first of these
	Why       string   `json:"why"`       // it is not available
	Device    string   `json:"device"`
	Note      string   `json:"note,omitempty"`
	Variants  []string `json:"variants,omitempty"` // names that --variant takes here, the fastest first
}

type glHealth struct {
	Available bool   `json:"available"`
	Why       string `json:"why"`
	Vendor    string `json:"vendor"`
	Renderer  string `json:"renderer"`
	Version   string `json:"version"`
	Software  bool   `json:"software"` // drawn by the processor
}

func doctorCommand(a *app) *cobra.Command {
	asJSON := false
	probe := ""
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Say what works here and why not: engines, GL, CUDA, dialogs, fonts",
		Args:  args(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			if probe != "" {
				return a.printJSON(probeHere(probe))
			}
			h := examine(c.Context())
			if asJSON {
				return a.printJSON(h)
			}
			printHealth(a.out, h)
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "for programs")
	threadsFlag(c.Flags(), new(int)) // shared by all commands; nothing here is worth a thread
	c.Flags().StringVar(&probe, "probe", "",
		"try one thing in this very process: offscreen, window, driver (of NVIDIA) or the name of an engine")
	if err := c.Flags().MarkHidden("probe"); err != nil {
		panic(err) // the flag was added in the line above
	}
	return c
}

// examine looks at everything. It never fails: what is broken is said.
func examine(ctx context.Context) health {
	h := health{
		Program: "blossom " + version + ", " + runtime.Version(),
		System:  runtime.GOOS + "/" + runtime.GOARCH,
		CPU:     cpuHealth{Name: cpuName(), Cores: runtime.NumCPU(), Features: cpuFeatures()},
		Dialogs: dialogs(),
		Fonts:   len(assets.InterRegular) > 0 && len(assets.InterSemiBold) > 0 && len(assets.LucideIcons) > 0,
	}
	var all sync.WaitGroup
	all.Go(func() { h.GL.Offscreen = glApart(ctx, "offscreen") })
	all.Go(func() { h.GL.Window = glApart(ctx, "window") })
	all.Go(func() { h.CUDA = cudaApart(ctx) })
	engines := engine.Registered()
	h.Engines = make([]engineHealth, len(engines))
	for i, r := range engines {
		all.Go(func() { h.Engines[i] = engineApart(ctx, r.Name) })
	}
	all.Wait()
	h.Display = h.GL.Window.Available
	for _, v := range []string{"DISPLAY", "WAYLAND_DISPLAY"} {
		if h.DisplayName == "" && os.Getenv(v) != "" {
			h.DisplayName = v + "=" + os.Getenv(v)
		}
	}
	return h
}

// dialogs lists the programs here that can show native file dialogs; other systems have their own.
func dialogs() []string {
	found := []string{}
	if runtime.GOOS == "darwin" || runtime.GOOS == "windows" {
		return append(found, "system")
	}
	for _, name := range []string{"zenity", "matedialog", "qarma", "kdialog"} {
		if _, err := exec.LookPath(name); err == nil {
			found = append(found, name)
		}
	}
	return found
}

// cpuFeatures lists the instruction sets that matter to the engines.
func cpuFeatures() []string {
	found := []string{}
	for _, f := range []struct {
		name string
		has  bool
	}{
		{"SSE4.2", cpu.X86.HasSSE42}, {"AVX", cpu.X86.HasAVX}, {"AVX2", cpu.X86.HasAVX2}, {"FMA", cpu.X86.HasFMA},
		{"AVX-512F", cpu.X86.HasAVX512F}, {"AVX-512VL", cpu.X86.HasAVX512VL}, {"AVX-512BW", cpu.X86.HasAVX512BW},
		{"NEON", cpu.ARM64.HasASIMD}, {"SVE", cpu.ARM64.HasSVE},
	} {
		if f.has {
			found = append(found, f.name)
		}
	}
	return found
}

// cpuName is the processor's own name, where the system tells it.
func cpuName() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	for _, line := range strings.Split(string(text), "\n") {
		if k, v, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(k) == "model name" {
			return strings.TrimSpace(v)
		}
	}
	return runtime.GOARCH
}

// printHealth writes the same for people, with a remedy for what does not work.
func printHealth(out io.Writer, h health) {
	line := func(ok bool, what, text string) {
		mark := "ok  "
		if !ok {
			mark = "--  "
		}
		fmt.Fprintf(out, "%s%-18s %s\n", mark, what, oneLine(text))
	}
	fmt.Fprintf(out, "%s on %s\n", h.Program, h.System)
	fmt.Fprintf(out, "%s, %d cores, %s\n\n", h.CPU.Name, h.CPU.Cores, strings.Join(h.CPU.Features, " "))
	for _, e := range h.Engines {
		text := e.Device
		switch {
		case !e.Available && h.CUDA.Why != "" && strings.Contains(e.Why, h.CUDA.Why):
			text = "needs an NVIDIA card and its driver: see CUDA driver"
		case !e.Available:
			text = e.Why
		case e.Note != "":
			text += " (" + e.Note + ")"
		}
		line(e.Available, "engine "+e.Name, text)
	}
	for _, g := range []struct {
		name string
		gl   glHealth
	}{{"window", h.GL.Window}, {"pictures", h.GL.Offscreen}} {
		text := g.gl.Why
		if g.gl.Available {
			text = g.gl.Renderer + ", OpenGL " + g.gl.Version
			if g.gl.Software {
				text += " (drawn by the processor)"
			}
		}
		line(g.gl.Available, g.name, text)
	}
	text := h.CUDA.Why
	if h.CUDA.Available {
		text = "CUDA " + h.CUDA.Version + " (" + cudaNewer + ")"
	}
	line(h.CUDA.Available, "CUDA driver", text)
	for _, c := range h.CUDA.Cards {
		line(c.Available, fmt.Sprintf("card %d", c.Index), c.String())
	}
	if len(h.Dialogs) > 0 {
		line(true, "file dialogs", strings.Join(h.Dialogs, ", "))
	} else {
		line(false, "file dialogs", "the window uses its own; install zenity or kdialog for native ones")
	}
	if h.Fonts {
		line(true, "fonts", "embedded")
	} else {
		line(false, "fonts", "missing in this binary: build it again from a complete checkout")
	}
	fmt.Fprintf(out, "\n%s\n", strings.Join(h.verdict(), "\n"))
}

// verdict says what all of that means for whoever wants to use blossom here.
func (h health) verdict() []string {
	var said []string
	best := ""
	for _, e := range h.Engines {
		if e.Preferred && best == "" {
			best = e.Name
		}
	}
	if best == "" {
		said = append(said, "No engine works here: maps cannot be computed.")
	} else {
		said = append(said, "Maps are computed by engine "+best+", the fastest that works here.")
	}
	if fastest := engine.Registered()[0]; best != "" && best != fastest.Name && fastest.Needs != "" {
		needs := strings.ToUpper(fastest.Needs[:1]) + fastest.Needs[1:]
		said = append(said, needs+" is not needed for anything but speed.")
	}
	switch w, p := h.GL.Window.Available, h.GL.Offscreen.Available; {
	case w && p:
		said = append(said, "The window opens, and all commands work.")
	case w:
		said = append(said, "The window opens, and saves pictures; the command render does not work.")
	case p:
		said = append(said, "The window does not open; all commands work without it, also render, which draws "+
			"pictures.")
	default:
		said = append(said, "The window does not open, and the command render cannot draw; the other commands work.")
	}
	return said
}
