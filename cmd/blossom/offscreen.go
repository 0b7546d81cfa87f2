package main

import "blossom/render/egl"

// offscreen makes an OpenGL context without a display current on the calling thread: gpu.Options.GL of
// everything that has no window.
func offscreen() (release func(), err error) {
	c, err := egl.New(egl.Options{})
	if err != nil {
		return nil, err
	}
	return c.Close, nil
}
