// Package shaders holds the GLSL sources. A drawing program is made of a .vert and a .frag, version 410 core, the floor
// of this project; those of crowds, 430 core, are made where the machine has it. A compute program of engine gl is
// NAME.comp, to which gpu/glcompute puts the version, 430 core, and what it defines. Any file may include others.
package shaders

import (
	"embed"
	"io/fs"
	"strings"
)

//go:embed *.vert *.frag *.comp *.glsl
var Files embed.FS

// Program names the files of a drawing program, which their endings say the stages of.
type Program struct {
	Name  string
	Files []string
}

// Programs are all drawing programs.
var Programs = []Program{
	{"points", []string{"points.vert", "points.frag"}},
	{"cloud", []string{"points.vert", "cloud.frag"}},
	{"resolve", []string{"resolve.vert", "resolve.frag"}},
	{"average", []string{"resolve.vert", "average.frag"}},
	{"landmarks", []string{"landmarks.vert", "landmarks.frag"}},
	{"edges", []string{"edges.vert", "edges.frag"}},
	{"cells", []string{"cells.vert", "cells.frag"}},
}

// Count counts a crowd of points; Lay lays it on the picture.
var (
	Count = Program{"count", []string{"crowd.comp"}}
	Lay   = Program{"lay", []string{"resolve.vert", "crowd.frag"}}
)

// Compute are the names of all compute programs.
var Compute = []string{"arrange", "neighbours", "far", "rescale", "pairs", "project", "scatter"}

// Read returns the source of a file, with the files put in that it includes.
func Read(files fs.FS, name string) (string, error) {
	text, err := fs.ReadFile(files, name)
	if err != nil {
		return "", err
	}
	before, after, found := strings.Cut(string(text), "\n#include ")
	if !found {
		return string(text), nil
	}
	name, rest, _ := strings.Cut(after, "\n")
	more, err := fs.ReadFile(files, name)
	return before + "\n" + string(more) + rest, err
}
