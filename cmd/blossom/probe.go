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

	"blossom/gpu"
	"blossom/model/problem"
	"blossom/render"
	"blossom/render/egl"
)

// What touches a graphics driver is tried in a process of its own: a broken driver may crash or hang, and
// to say so is what doctor is for. It also leaves the window's own OpenGL alone when the window asks.

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
	case "cuda":
		return probeCUDA()
	case "engines":
		return probeEngines()
	}
	return probeOffscreen()
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
	if why := apart(ctx, "cuda", &h); why != "" {
		return cudaHealth{Devices: []string{}, Cards: []cardHealth{}, Needs: cudaNeeds, Why: "the NVIDIA driver " + why + ": install it again, and see what nvidia-smi says"}
	}
	return h
}

// enginesApart probes the engines. If that does not end well, it says so of those that need a driver.
func enginesApart(ctx context.Context) []engineHealth {
	var list []engineHealth
	if why := apart(ctx, "engines", &list); why != "" {
		list = nil
		for _, r := range gpu.Registered() {
			e := engineHealth{Name: r.Name, Why: "a driver that it may need " + why + ": see the lines about OpenGL and CUDA"}
			if r.Name == "cpu" || r.Name == "reference" {
				e.Available, e.Why, e.Device = r.Probe(gpu.Options{})
			}
			list = append(list, e)
		}
	}
	return list
}

// probeEngines asks each engine, on a thread where it may have OpenGL.
func probeEngines() []engineHealth {
	var list []engineHealth
	for _, r := range gpu.Registered() {
		e := engineHealth{Name: r.Name}
		e.Available, e.Why, e.Device = r.Probe(gpu.Options{GL: offscreen})
		list = append(list, e)
	}
	return list
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
