//go:build cgo && !static

package main

import (
	"blossom/model/base/problem"
	"blossom/model/job/run"
	"blossom/render"
	"blossom/render/egl"

	_ "blossom/gpu/glcompute" // an engine that announces itself
)

func init() { run.SoftwareGL = egl.OnlySoftware }

// offscreen makes an OpenGL context without a display current on the calling thread: gpu.Options.GL of
// everything that has no window.
func offscreen() (release func(), err error) {
	c, err := egl.New(egl.Options{})
	if err != nil {
		return nil, err
	}
	return c.Close, nil
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
