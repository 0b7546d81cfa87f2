package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"time"

	"blossom/model/work/engine"
)

// Graphics drivers are tried in a process of its own: a broken one may crash or hang, and doctor is there to say so. It
// also leaves the window's own OpenGL alone when the window asks.

// apart has one thing tried in another process and reads its answer; why says that there was none. In a root without
// /proc or /dev no process can be started, and there is no driver that could crash: it is tried in this one.
func apart(ctx context.Context, which string, answer any) (why string) {
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	text, said, err := elsewhere(ctx, which)
	if errors.Is(err, fs.ErrNotExist) {
		text, err = json.Marshal(probeHere(which))
	}
	switch {
	case err == nil && json.Unmarshal(text, answer) == nil:
		return ""
	case ctx.Err() != nil:
		return "does not answer"
	}
	first, _, _ := strings.Cut(said, "\n")
	return fmt.Sprintf("crashes (%v; %s)", err, first)
}

// elsewhere runs `doctor --probe which` and returns what it wrote.
func elsewhere(ctx context.Context, which string) (text []byte, said string, err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, "", err
	}
	return answerOf(exec.CommandContext(ctx, self, "doctor", "--probe", which))
}

// answerOf runs a process and returns what it wrote. Drivers start processes of their own, which outlive it and hold
// what it writes to (under wine the first window starts its Explorer): they are not waited for.
func answerOf(c *exec.Cmd) (text []byte, said string, err error) {
	var out, complaints bytes.Buffer
	c.Stdout, c.Stderr = &out, &complaints
	c.WaitDelay = time.Second
	if err = c.Run(); errors.Is(err, exec.ErrWaitDelay) { // it has ended well
		err = nil
	}
	return out.Bytes(), complaints.String(), err
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
