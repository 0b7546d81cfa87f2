//go:build !cgo || static

package main

import (
	"blossom/model/base/problem"
	"blossom/model/work/engine"
)

// Built without cgo, or with -tags static, the program is one file that opens no library of the system, and starts
// where there is nothing else. Drivers are such libraries, so it has no OpenGL, and on Linux no CUDA. job.Painter stays
// nil: pictures are refused before anything is computed for them.

// noOpenGL is what all that would draw or compute with OpenGL says.
func noOpenGL() error {
	return problem.New("", "the blossom with a window has it", "this blossom is a single file without OpenGL")
}

// Who asks for the engine that others have is told why it is not here.
func init() {
	engine.Register(engine.Registration{Name: "gl", Title: "OpenGL", Needs: "a blossom with OpenGL", Kind: engine.Card,
		Priority: 20,
		Probe:    func(engine.Options) (bool, string, string) { return false, noOpenGL().Error(), "" },
		Prefer:   func(engine.Options) bool { return false },
		New:      func(engine.Options) (engine.Engine, error) { return nil, noOpenGL() }})
}

// offscreen would make an OpenGL context.
func offscreen() (release func(), err error) { return nil, noOpenGL() }

func probeOffscreen() glHealth { return glHealth{Why: noOpenGL().Error()} }
