// Package shaders holds the GLSL sources of the drawing programs. A program NAME is made of
// NAME.vert and NAME.frag; version 410 core, the floor of this project.
package shaders

import "embed"

//go:embed *.vert *.frag
var Files embed.FS

// Programs are the names of all programs.
var Programs = []string{"points", "resolve", "landmarks", "edges"}
