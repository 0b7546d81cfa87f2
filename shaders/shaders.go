// Package shaders holds the GLSL sources. A drawing program is made of a NAME.vert and a NAME.frag,
// version 410 core, the floor of this project; a compute program is NAME.comp, to which gpu/glcompute
// puts the version, 430 core, what it defines, and the files that are included.
package shaders

import "embed"

//go:embed *.vert *.frag *.comp *.glsl
var Files embed.FS

// Program names the two files of a drawing program, without their endings.
type Program struct{ Name, Vert, Frag string }

// Programs are all drawing programs.
var Programs = []Program{
	{"points", "points", "points"},
	{"cloud", "points", "cloud"},
	{"resolve", "resolve", "resolve"},
	{"average", "resolve", "average"},
	{"landmarks", "landmarks", "landmarks"},
	{"edges", "edges", "edges"},
	{"cells", "cells", "cells"},
}

// Compute are the names of all compute programs.
var Compute = []string{"arrange", "neighbours", "far", "rescale", "pairs", "project", "scatter"}
