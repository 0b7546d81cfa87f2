package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// inside is something that a module, or blossom itself, carries along under terms of its own.
type inside struct {
	name      string
	module    string
	file      string // in the module, that has the terms
	from, to  string // the lines with these words begin and end them, the last one left out; "": all of the file
	copyright string // instead of a file: the lines above the terms of the MIT licence
}

const (
	cimgui = "github.com/AllenDang/cimgui-go"
	glfw   = "github.com/go-gl/glfw/v3.3/glfw"
	goGL   = "github.com/go-gl/gl"
	gonum  = "gonum.org/v1/gonum"
	ours   = "blossom"
)

// list is what was found in the archives and sources that are linked (`ar t` of cimgui-go's lib, its CMakeLists.txt,
// go-gl's glfw, `nm` of the program). SDL, whose archive cimgui-go has too, is not linked.
var list = []inside{
	{name: "Go, its runtime and standard library", module: "golang.org/x/sys", file: "LICENSE"}, // the same terms
	{name: "The fonts Go Regular and Go Bold", module: "golang.org/x/image", file: "font/gofont/ttfs/README"},
	{name: "GLFW", module: glfw, file: "glfw/LICENSE.md"},
	{name: "OpenGL's registry", module: goGL, file: "v4.1-core/gl/package.go", from: "Copyright (c) 2010 Khronos",
		to: "Package gl implements"},
	{name: "Dear ImGui", module: cimgui, file: "cwrappers/imgui/LICENSE.txt"},
	{name: "stb_rectpack, stb_textedit and stb_truetype", module: cimgui, file: "cwrappers/imgui/imstb_truetype.h",
		from: "This software is available under 2 licenses", to: "*/"},
	{name: "gl3w", module: cimgui, file: "cwrappers/imgui/backends/imgui_impl_opengl3_loader.h",
		from: "This is free and unencumbered software", to: "*/"},
	{name: "The font ProggyClean", copyright: "Copyright (c) 2004, 2005 Tristan Grimmer"},
	{name: "The font ProggyForever",
		copyright: "Copyright (c) 2026 Disco Hello, Copyright (c) 2019, 2023 Tristan Grimmer"},
	{name: "cimgui, cimplot, cimnodes, cimguizmo, cimCTE and cimmarkdown",
		copyright: "Copyright (c) 2015 Stephan Dilly"},
	{name: "ImPlot", module: cimgui, file: "cwrappers/implot/LICENSE"},
	{name: "imnodes", module: cimgui, file: "cwrappers/imnodes/LICENSE.md"},
	{name: "ImGuizmo", module: cimgui, file: "cwrappers/ImGuizmo/LICENSE"},
	{name: "imgui_markdown", module: cimgui, file: "cwrappers/imgui_markdown/License.txt"},
	{name: "ImGuiColorTextEdit", module: cimgui, file: "cwrappers/ImGuiColorTextEdit/LICENSE"},
	{name: "Boost.Regex", module: gonum, file: "THIRD_PARTY_LICENSES/Boost-LICENSE"}, // the text that all of Boost has
	{name: "The font Inter", module: ours, file: "assets/fonts/LICENSE-Inter.txt"},
	{name: "The icons Lucide", module: ours, file: "assets/fonts/LICENSE-Lucide.txt"},
	{name: "Tables of colours", module: ours, file: "render/palette/tables/LICENSE.md"},
}

// insides reads the terms of everything in the list. Licence files of ours that the list does not name, and folders of
// C++ sources of cimgui-go that have a licence and are not in it, are errors.
func insides(modules []*module) ([]notice, error) {
	dirs := map[string]string{}
	for _, m := range modules {
		dirs[m.Path] = m.Dir
	}
	var out []notice
	for _, part := range list {
		text := part.copyright + "\n\n" + mit
		if part.file != "" {
			dir, found := dirs[part.module]
			if !found {
				return nil, fmt.Errorf("%s is not linked any more: take %s off the list", part.module, part.name)
			}
			b, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(part.file)))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", part.name, err)
			}
			if text, err = section(string(b), part.from, part.to); err != nil {
				return nil, fmt.Errorf("%s: %s: %w", part.name, part.file, err)
			}
		}
		out = append(out, notice{part.name, text})
	}
	if err := unlisted(cimgui, filepath.Join(dirs[cimgui], "cwrappers", "*", "*")); err != nil {
		return nil, err
	}
	for _, pattern := range []string{"assets/*/*", "render/*/*/*", "shaders/*"} {
		if err := unlisted(ours, filepath.Join(dirs[ours], filepath.FromSlash(pattern))); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// unlisted complains about a licence file of the module that no entry of the list names.
func unlisted(module, pattern string) error {
	files, err := filepath.Glob(pattern)
	if err != nil {
		return err
	}
	for _, f := range files {
		named := func(part inside) bool {
			return part.module == module && strings.HasSuffix(filepath.ToSlash(f), "/"+part.file)
		}
		if licence.MatchString(filepath.Base(f)) && !slices.ContainsFunc(list, named) {
			return fmt.Errorf("%s is in no notice: add what it is for to the list in .ci/notices/inside.go", f)
		}
	}
	return nil
}

// section cuts the lines out that lie between two words, without the marks of a comment.
func section(text, from, to string) (string, error) {
	if from == "" {
		return text, nil
	}
	var out []string
	for line := range strings.Lines(text) {
		switch {
		case out == nil && !strings.Contains(line, from):
			continue
		case out != nil && strings.Contains(line, to):
			return strings.Join(out, "\n"), nil
		}
		line = strings.TrimRight(line, " \r\n")
		for _, mark := range []string{"// ", "//", " * ", " *"} {
			if rest, ok := strings.CutPrefix(line, mark); ok {
				line = rest
				break
			}
		}
		out = append(out, line)
	}
	return "", fmt.Errorf("the words %q and %q are not there", from, to)
}

const mit = `Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
`
