package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"blossom/model/base/problem"
	"blossom/model/work/engine"
	"blossom/render"
	"blossom/render/egl"
)

// Graphics drivers are tried in a process of its own: a broken one may crash or hang, and doctor is there to say so. It
// also leaves the window's own OpenGL alone when the window asks.

// apart runs `doctor --probe which` and reads its answer; why says that there was none.
func apart(ctx context.Context, which string, answer any) (why string) {
	self, err := os.Executable()
	if err != nil {
		return fmt.Sprintf("cannot start a process to try it: %v", err)
	}
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	var out, said bytes.Buffer
	c := exec.CommandContext(ctx, self, "doctor", "--probe", which)
	c.Stdout, c.Stderr = &out, &said
	c.WaitDelay = time.Second
	err = c.Run()
	switch {
	case err == nil && json.Unmarshal(out.Bytes(), answer) == nil:
		return ""
	case ctx.Err() != nil:
		return "does not answer"
	}
	first, _, _ := strings.Cut(said.String(), "\n")
	return fmt.Sprintf("crashes (%v; %s)", err, first)
}

// probeHere is what the other process does.
func probeHere(which string) any {
	switch which {
	case "window":
		return probeWindow()
	case "driver":
		return probeCUDA()
	case "offscreen":
		return probeOffscreen()
	}
	return probeEngine(which)
}

func glApart(ctx context.Context, which string) glHealth {
	var h glHealth
	if why := apart(ctx, which, &h); why != "" {
		return glHealth{Why: "the graphics driver " + why + ": update it, or start with LIBGL_ALWAYS_SOFTWARE=1"}
	}
	return h
}

func cudaApart(ctx context.Context) cudaHealth {
	var h cudaHealth
	if why := apart(ctx, "driver", &h); why != "" {
		return cudaHealth{Devices: []string{}, Cards: []cardHealth{}, Needs: cudaNeeds, Why: "the NVIDIA driver " +
			why + ": install it again, and see what nvidia-smi says"}
	}
	return h
}

// engineApart probes one engine.
func engineApart(ctx context.Context, name string) engineHealth {
	var e engineHealth
	if why := apart(ctx, name, &e); why != "" {
		return engineHealth{Name: name, Why: "a driver that it needs " + why + ": see what is said of OpenGL and CUDA"}
	}
	return e
}

// probeEngine asks the engine of that name, on a thread where it may have OpenGL.
func probeEngine(name string) engineHealth {
	r, ok := engine.Named(name)
	if !ok {
		return engineHealth{Name: name, Why: "there is no such engine"}
	}
	o := engine.Options{GL: offscreen}
	e := engineHealth{Name: name, Note: r.Note}
	e.Available, e.Why, e.Device = r.Probe(o)
	e.Preferred = e.Available && (r.Prefer == nil || r.Prefer(o))
	if e.Available && r.Variants != nil {
		e.Variants = r.Variants()
	}
	return e
}

// probeOffscreen makes an OpenGL context without a display.
func probeOffscreen() glHealth {
	c, err := egl.New(egl.Options{})
	if err != nil {
		return glHealth{Why: problem.As(err).Error()}
	}
	defer c.Close()
	r, err := render.New(render.Options{Path: render.OpenGL})
	if err != nil {
		return glHealth{Why: problem.As(err).Error()}
	}
	defer r.Close()
	i := r.Info()
	return glHealth{Available: true, Vendor: i.Vendor, Renderer: i.Renderer, Version: i.Version, Software: i.Software}
}
