// Package shaders holds the GLSL sources. A drawing program NAME is made of NAME.vert and NAME.frag,
// version 410 core, the floor of this project; a compute program is NAME.comp, to which gpu/glcompute
// puts the version, 430 core, what it defines, and the files that are included.
package shaders

import "embed"

//go:embed *.vert *.frag *.comp *.glsl
var Files embed.FS

// Programs are the names of all drawing programs.
var Programs = []string{"points", "resolve", "landmarks", "edges"}

// Compute are the names of all compute programs.
var Compute = []string{"arrange", "neighbours", "far", "rescale", "pairs", "project", "scatter"}
