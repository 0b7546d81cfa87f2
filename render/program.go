package render

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
	"time"

	"github.com/go-gl/gl/v4.1-core/gl"

	"blossom/model/base/problem"
	"blossom/shaders"
)

// program is a linked program with the places of its uniforms, looked up once.
type program struct {
	id       uint32
	uniforms map[string]int32
	read     time.Time // newest change of its files when they were read
}

// at returns where a uniform is; what is set at -1, because a program has none of that name, is left out.
func (p *program) at(name string) int32 {
	if at, ok := p.uniforms[name]; ok {
		return at
	}
	return -1
}

type programs struct {
	points, cloud, resolve, average, landmarks, edges, cells program

	dir     string // "": embedded
	files   fs.FS
	checked time.Time
}

const checkEvery = 300 * time.Millisecond

func (p *programs) byName() map[string]*program {
	return map[string]*program{"points": &p.points, "cloud": &p.cloud, "resolve": &p.resolve, "average": &p.average,
		"landmarks": &p.landmarks, "edges": &p.edges, "cells": &p.cells}
}

func (p *programs) load(dir string) error {
	p.dir, p.files = dir, fs.FS(shaders.Files)
	if dir != "" {
		p.files = os.DirFS(dir)
	}
	byName := p.byName()
	for _, prog := range shaders.Programs {
		dst := byName[prog.Name]
		read := p.modified(prog)
		made, err := compile(p.files, p.dir, prog)
		if err != nil {
			p.free()
			return err
		}
		made.read = read
		*dst = made
	}
	return nil
}

func (p *programs) free() {
	for _, x := range p.byName() {
		gl.DeleteProgram(x.id)
		*x = program{}
	}
}

// modified returns the newest change of a program's files.
func (p *programs) modified(prog shaders.Program) (t time.Time) {
	for _, name := range prog.Files {
		if info, err := fs.Stat(p.files, name); err == nil && info.ModTime().After(t) {
			t = info.ModTime()
		}
	}
	return t
}

func (p *programs) reload(now time.Time) (changed bool, err error) {
	if p.dir == "" || now.Sub(p.checked) < checkEvery {
		return false, nil
	}
	p.checked = now
	byName := p.byName()
	for _, prog := range shaders.Programs {
		dst := byName[prog.Name]
		read := p.modified(prog)
		if read.Equal(dst.read) {
			continue
		}
		dst.read = read // also after a failure: the same mistake is reported once
		made, e := compile(p.files, p.dir, prog)
		if e != nil {
			err = e
			continue
		}
		made.read = read
		gl.DeleteProgram(dst.id)
		*dst = made
		changed = true
	}
	return changed, err
}

// compile makes one program; dir is only for messages.
func compile(files fs.FS, dir string, prog shaders.Program) (program, error) {
	id := gl.CreateProgram()
	fail := func(file, log string) (program, error) {
		gl.DeleteProgram(id)
		if dir != "" {
			file = dir + "/" + file
		}
		return program{}, problem.New(file, "update the graphics driver, or correct the shader if you changed it",
			"the graphics driver refuses it: %s", log)
	}
	var stages []uint32
	defer func() {
		for _, s := range stages {
			gl.DeleteShader(s)
		}
	}()
	for _, file := range prog.Files {
		text, err := shaders.Read(files, file)
		if err != nil {
			return fail(file, err.Error())
		}
		s := gl.CreateShader(stageOf[path.Ext(file)])
		stages = append(stages, s)
		src, free := gl.Strs(text + "\x00")
		gl.ShaderSource(s, 1, src, nil)
		free()
		gl.CompileShader(s)
		var ok int32
		if gl.GetShaderiv(s, gl.COMPILE_STATUS, &ok); ok == gl.FALSE {
			return fail(file, infoLog(s, gl.GetShaderiv, gl.GetShaderInfoLog))
		}
		gl.AttachShader(id, s)
	}
	gl.LinkProgram(id)
	var ok int32
	if gl.GetProgramiv(id, gl.LINK_STATUS, &ok); ok == gl.FALSE {
		return fail(prog.Name, infoLog(id, gl.GetProgramiv, gl.GetProgramInfoLog))
	}
	p := program{id: id, uniforms: map[string]int32{}}
	var n int32
	gl.GetProgramiv(id, gl.ACTIVE_UNIFORMS, &n)
	for i := range uint32(n) {
		var buf [128]uint8
		var length, size int32
		var kind uint32
		gl.GetActiveUniform(id, i, int32(len(buf)), &length, &size, &kind, &buf[0])
		uniform := strings.TrimSuffix(string(buf[:length]), "[0]")
		p.uniforms[uniform] = gl.GetUniformLocation(id, gl.Str(uniform+"\x00"))
	}
	for _, want := range required[prog.Name] {
		if _, there := p.uniforms[want]; !there {
			return fail(prog.Name, fmt.Sprintf("uniform %s is missing", want))
		}
	}
	return p, nil
}

// stageOf is what a file of this ending is.
var stageOf = map[string]uint32{".vert": gl.VERTEX_SHADER, ".frag": gl.FRAGMENT_SHADER, ".comp": gl.COMPUTE_SHADER}

// required are the uniforms that a program draws wrongly without.
var required = map[string][]string{
	"points": {"projection", "origin", "viewport", "depth", "ground", "size", "opacity", "mode", "lookup", "dim",
		"palette"},
	"cloud": {"projection", "origin", "viewport", "depth", "ground", "size", "opacity", "mode", "lookup", "dim",
		"palette", "samples"},
	"resolve":   {"points", "ground"},
	"average":   {"points", "samples", "ground"},
	"landmarks": {"projection", "origin", "viewport", "depth", "looks"},
	"edges":     {"projection", "origin", "viewport", "depth"},
	"cells":     {"projection", "origin", "gap"},
	"count":     {"projection", "origin", "room", "piece", "has", "coarse", "mode", "lookup", "dim", "palette"},
	"lay":       {"room", "shares", "whole", "ground"},
}

func infoLog(id uint32, get func(uint32, uint32, *int32), read func(uint32, int32, *int32, *uint8)) string {
	var n int32
	get(id, gl.INFO_LOG_LENGTH, &n)
	if n <= 1 {
		return "no reason given"
	}
	buf := make([]uint8, n)
	read(id, n, nil, &buf[0])
	return strings.Join(strings.Fields(strings.TrimRight(string(buf), "\x00")), " ")
}
