package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// The direction of knowledge between the packages (see ARCHITECTURE.md):
//
//	cmd -> ui -> {render, gpu} -> model
//
// assets and shaders hold embedded files only and are leaves that render, gpu and ui may read. Of gpu, ui knows the
// contract alone, which is model/work/engine: engines are linked by cmd.

// goPackage is what `go list -deps -json` says about one package, as far as the rules need it.
type goPackage struct {
	ImportPath string
	Standard   bool
	Imports    []string
	Deps       []string
	CgoFiles   []string
}

const module = "blossom"

// measures is the package that times engines, drawing and documents together: a layer of its own, known to cmd
// alone.
const measures = "gpu/bench"

// papers are published systems: they register themselves with an engine, which does not know them, and are linked by
// cmd.
const papers = module + "/gpu/papers"

// layer is the top-level folder of one of our packages, or "" for a foreign one.
func layer(path string) string {
	if path == module+"/"+measures {
		return measures
	}
	rest, ours := strings.CutPrefix(path, module+"/")
	if !ours {
		return ""
	}
	top, _, _ := strings.Cut(rest, "/")
	return top
}

// within says whether path is pkg or lies below it.
func within(path, pkg string) bool { return path == pkg || strings.HasPrefix(path, pkg+"/") }

// mayImport lists, for each layer, the layers it may know beside itself.
var mayImport = map[string][]string{
	"cmd":     {"ui", "render", "gpu", "model", "assets", "shaders", measures},
	measures:  {"render", "gpu", "model"},
	"ui":      {"render", "model", "assets", "shaders", "docs"},
	"render":  {"model", "assets", "shaders"},
	"gpu":     {"model", "shaders"},
	"model":   nil,
	"assets":  nil,
	"shaders": nil,
	"docs":    nil,
}

// strangers are the packages of model that must not know each other: each is a family of plug-ins, or one thing
// that is done to points, and others put them together. What layouts lay out along, a graph, and the maths of one of
// them, tsne, are known to layout and know nobody.
var strangers = []string{"landmarks/train", "maps/layout", "data/format", "space/transform", "maps/embedsom",
	"maps/selection", "clusters/linkage"}

// wings are the folders of model in the order in which data flows through them; none imports one further on. Each is
// a folder of packages, but live, which is a package with its members below it.
var wings = []string{"base", "data", "space", "landmarks", "maps", "clusters", "work", "document", "job", "scale",
	"live"}

// below are the packages that may lie below cmd beside the program itself: what tests and measures it. What the
// window or a cluster also needs belongs in model, render or ui.
var below = []string{"blossom/cmd/blossom/internal/gputest",
	"blossom/cmd/blossom/internal/limits"} // and the limits of its process

// ignorant lists packages that must not reach others, directly or through what they import.
var ignorant = []struct {
	who, of string
	exact   bool // the rule is of this package alone, not of those below it
	why     string
}{
	{"blossom/ui/panel", "blossom/ui", true, "a panel knows the desk's services that it asks for, not the app"},
	{"blossom/ui/dock", "blossom/ui", true, "a dock knows the desk's services that it asks for, not the app"},
	{"blossom/ui/naming", "blossom/ui", true, "panels and docks share it, and know no app"},
	{"blossom/ui/desk", "blossom/ui/naming", false, "a desk draws nothing"},
	{"blossom/ui/dialog", "blossom/ui", true, "a dialog knows what it asks of the window, not the app"},
	{"blossom/ui/dialog", "blossom/ui/panel", false, "dialogs and panels do not know each other"},
	{"blossom/ui/dialog", "blossom/ui/dock", false, "dialogs and docks do not know each other"},
	{"blossom/ui/dock", "blossom/ui/panel", false, "docks and panels do not know each other"},
	{"blossom/ui/panel", "blossom/ui/dock", false, "docks and panels do not know each other"},
	{"blossom/ui/view", "blossom/ui", true, "a view knows its desk, not the app"},
	{"blossom/ui/desk", "blossom/ui", true, "a desk is what is open, and is replaced as a whole by the app"},
	{"blossom/ui/widget", "blossom/ui", true, "controls know no app"},
	{"blossom/ui/widget", "blossom/model", false, "controls know no model"},
	{"blossom/ui/view", "blossom/ui/panel", false, "a view knows no panels"},
	{"blossom/ui/view", "blossom/ui/dock", false, "a view knows no docks"},
	{"blossom/gpu/bench", papers, false, "published systems are known by registration"},
	{"blossom/ui", papers, false, "published systems are known by registration"},
	{"blossom/model/maps/morph", "blossom/model/document/state", false, "what lies between two maps knows no document"},
	{"blossom/model/document/state", "blossom/model/document/parts", false,
		"history, session and autosave know no part by name"},
	{"blossom/model/document/session", "blossom/model/document/parts", false,
		"history, session and autosave know no part by name"},
	{"blossom/model/document/recovery", "blossom/model/document/parts", false,
		"history, session and autosave know no part by name"},
	{"blossom/model/work/engine", "blossom/model/document/parts", false, "an engine computes and knows no document"},
	{"blossom/gpu", "blossom/model/document/state", false, "an engine computes and knows no document"},
	{"blossom/render", "blossom/model/document/state", false,
		"what is drawn comes as points and values, not as a document"},
	{"blossom/model/landmarks/graph", "blossom/model/maps/layout", false,
		"a graph knows nothing of what is laid out along it"},
	{"blossom/model/maps/tsne", "blossom/model/maps/layout", false,
		"the maths of t-SNE serve layouts and embeddings alike"},
}

// alone are folders whose packages do not know each other.
var alone = []struct{ dir, except, why string }{
	{"blossom/ui/panel", "blossom/ui/panel/internal", "each panel can be taken out"},
	{"blossom/gpu", "blossom/gpu/bench", "engines do not know each other"},
}

// reserved lists foreign modules that only some of our packages may import directly.
var reserved = []struct {
	foreign []string
	allowed []string
	why     string
}{
	{[]string{"github.com/AllenDang/giu", "github.com/AllenDang/cimgui-go"}, []string{"blossom/ui"},
		"only ui draws windows"},
	{[]string{"github.com/go-gl/glfw"}, []string{"blossom/ui/shell"},
		"only ui/shell owns the window and the frame loop"},
	{[]string{"github.com/go-gl/gl"}, []string{"blossom/render", "blossom/gpu/glcompute"},
		"only render draws and only gpu/glcompute computes with OpenGL"},
}

// violations checks the rules on a listing of packages and returns a sentence for each breach.
func violations(pkgs map[string]*goPackage) []string {
	var out []string
	bad := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	for path, p := range pkgs {
		from := layer(path)
		if from == "" {
			continue
		}
		allowed, known := mayImport[from]
		if !known {
			bad("%s: %q is not a top-level folder of the plan; the folders are fixed", path, from)
			continue
		}
		for _, imp := range p.Imports {
			if path == "blossom/cmd/blossom" && imp == "blossom/model/live" {
				bad("%s imports %s: a command opens files as the window does, by model/document/opening, and needs no "+
					"map beside a window", path, imp)
			}
			if to := layer(imp); to != "" && to != from && !slices.Contains(allowed, to) {
				bad("%s imports %s: %s must not know %s (cmd -> ui -> {render, gpu} -> model)", path, imp, from, to)
			}
			for _, r := range reserved {
				if slices.ContainsFunc(r.foreign, func(f string) bool { return within(imp, f) }) &&
					!slices.ContainsFunc(r.allowed, func(a string) bool { return within(path, a) }) {
					bad("%s imports %s: %s", path, imp, r.why)
				}
			}
		}
		if from == "model" {
			out = append(out, upward(p)...)
			for _, dep := range append([]string{path}, p.Deps...) {
				d := pkgs[dep]
				if d == nil || d.Standard {
					continue
				}
				if len(d.CgoFiles) > 0 {
					bad("%s depends on %s, which needs cgo: model builds and runs with no C compiler and no window",
						path, dep)
				}
			}
		}
		for _, a := range strangers {
			if !within(path, "blossom/model/"+a) {
				continue
			}
			for _, b := range strangers {
				for _, dep := range p.Deps {
					if a != b && within(dep, "blossom/model/"+b) {
						bad("%s depends on %s: model/%s and model/%s do not know each other; what they share "+
							"belongs in a package of its own", path, dep, a, b)
					}
				}
			}
		}
	}
	for path, p := range pkgs {
		if within(path, "blossom/cmd") && path != "blossom/cmd/blossom" && !slices.Contains(below, path) {
			bad("%s: main connects flags to packages: what others need too belongs in model, render or ui", path)
		}
		for _, r := range ignorant {
			if r.who == module+"/gpu" && path == module+"/"+measures {
				continue // it is no engine
			}
			if within(path, r.who) && slices.ContainsFunc(p.Deps, func(dep string) bool {
				return dep == r.of || !r.exact && within(dep, r.of)
			}) {
				bad("%s depends on %s: %s", path, r.of, r.why)
			}
		}
		for _, dep := range p.Imports {
			for _, a := range alone {
				from, to := child(path, a.dir), child(dep, a.dir)
				if from != "" && to != "" && from != to && !within(path, a.except) && !within(dep, a.except) &&
					!within(path, papers) {
					bad("%s imports %s: %s", path, dep, a.why)
				}
			}
		}
	}
	slices.Sort(out)
	return out
}

// upward returns a sentence for each wing further on that a package of model imports.
func upward(p *goPackage) []string {
	wing := func(path string) (string, int) {
		name := strings.TrimPrefix(child(path, "blossom/model"), "blossom/model/")
		return name, slices.Index(wings, name)
	}
	var out []string
	from, at := wing(p.ImportPath)
	if at < 0 {
		return []string{fmt.Sprintf("%s: %q is no wing of model: name it in wings, in the order of the flow of data",
			p.ImportPath, from)}
	}
	for _, imp := range p.Imports {
		if to, further := wing(imp); layer(imp) == "model" && further > at {
			out = append(out, fmt.Sprintf("%s imports %s: data flows from %s to %s, and knowledge the other way",
				p.ImportPath, imp, from, to))
		}
	}
	return out
}

// child is the package directly below dir that path is or lies in; "" if it is none.
func child(path, dir string) string {
	rest, ok := strings.CutPrefix(path, dir+"/")
	if !ok {
		return ""
	}
	name, _, _ := strings.Cut(rest, "/")
	return dir + "/" + name
}

func TestDirectionOfKnowledge(t *testing.T) {
	cmd := exec.Command("go", "list", "-deps", "-json=ImportPath,Standard,Imports,Deps,CgoFiles", module+"/...")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	text, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.String())
	}
	pkgs := map[string]*goPackage{}
	for dec := json.NewDecoder(bytes.NewReader(text)); ; {
		p := new(goPackage)
		if err := dec.Decode(p); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		pkgs[p.ImportPath] = p
	}
	for _, must := range []string{"blossom/model/data/dataset", "blossom/gpu/cpu", "blossom/cmd/blossom"} {
		if pkgs[must] == nil {
			t.Errorf("%s is not in the listing: is this test looking at the right module?", must)
		}
	}
	for _, v := range violations(pkgs) {
		t.Error(v)
	}
}

// The rules themselves can fail: each planted breach is found, and sound imports are not.
func TestDirectionRulesCatch(t *testing.T) {
	const cimgui = "github.com/AllenDang/cimgui-go/imgui"
	cases := []struct {
		path string
		imp  string
		want string // part of the sentence, "" for no breach
	}{
		{"blossom/model/landmarks/train", "blossom/gpu/cpu", "model must not know gpu"},
		{"blossom/render", "blossom/gpu/cpu", "render must not know gpu"},
		{"blossom/gpu/cpu", "blossom/render", "gpu must not know render"},
		{"blossom/render", "blossom/ui/widget", "render must not know ui"},
		{"blossom/ui", "blossom/cmd/blossom", "ui must not know cmd"},
		{"blossom/assets", "blossom/model/base/matrix", "assets must not know model"},
		{"blossom/tools/x", "blossom/model/base/matrix", "not a top-level folder"},
		{"blossom/model/landmarks/train", "blossom/model/data/format", "do not know each other"},
		{"blossom/model/maps/layout", "blossom/model/landmarks/train", "do not know each other"},
		{"blossom/model/maps/layout", "blossom/model/landmarks/graph", ""},
		{"blossom/model/data/dataset", "blossom/model/space/pca", "data flows from data to space"},
		{"blossom/model/job/run", "blossom/model/job/export", ""},
		{"blossom/model/things", "fmt", "no wing of model"},
		{"blossom/model/data/dataset", "example.org/usescgo", "needs cgo"},
		{"blossom/render", cimgui, "only ui draws windows"},
		{"blossom/ui", "github.com/go-gl/glfw/v3.3/glfw", "only ui/shell"},
		{"blossom/ui", "github.com/go-gl/gl/v4.1-core/gl", "only render draws"},
		{"blossom/ui/shell", "github.com/go-gl/glfw/v3.3/glfw", ""},
		{"blossom/ui/panel", cimgui, ""},
		{"blossom/gpu/glcompute", "github.com/go-gl/gl/v4.1-core/gl", ""},
		{"blossom/gpu/cpu", "blossom/model/maps/embedsom", ""},
		{"blossom/model/landmarks/train", "blossom/model/base/matrix", ""},
		{"blossom/cmd/blossom", "blossom/gpu/bench", ""},
		{"blossom/ui", "blossom/gpu/cpu", "ui must not know gpu"},
		{"blossom/model/maps/selection", "blossom/model/space/transform", "do not know each other"},
		{"blossom/cmd/blossom/internal/gputest", "blossom/model/job/run", ""},
		{"blossom/gpu/bench", "blossom/render", ""},
		{"blossom/gpu/papers/x", "blossom/gpu/cuda", ""},
		{"blossom/gpu/cuda", "blossom/gpu/papers/x", "engines do not know each other"},
		{"blossom/gpu/bench", "blossom/gpu/papers/x", "known by registration"},
		{"blossom/gpu/bench", "blossom/ui", "gpu/bench must not know ui"},
		{"blossom/gpu/cpu", "blossom/gpu/bench", "gpu must not know gpu/bench"},
		{"blossom/gpu/bench/contest", "blossom/render", "gpu must not know render"},
		{"blossom/cmd/blossom/internal/pipeline", "blossom/model/job/run", "main connects flags"},
		{"blossom/cmd/other", "blossom/model/job/run", "main connects flags"},
		{"blossom/ui/panel", "blossom/ui", "not the app"},
		{"blossom/ui/panel/colour", "blossom/ui", "not the app"},
		{"blossom/ui/panel/colour", "blossom/ui/desk", ""},
		{"blossom/ui/panel/colour", "blossom/ui/panel", ""},
		{"blossom/ui/panel/colour", "blossom/ui/panel/data", "can be taken out"},
		{"blossom/ui/panel/colour", "blossom/ui/panel/internal/rows", ""},
		{"blossom/ui/view", "blossom/ui", "not the app"},
		{"blossom/ui/view", "blossom/ui/panel/colour", "knows no panels"},
		{"blossom/ui", "blossom/ui/panel/colour", ""},
		{"blossom/ui/desk", "blossom/ui", "replaced as a whole"},
		{"blossom/ui/widget", "blossom/model/space/transform", "know no model"},
		{"blossom/model/document/state", "blossom/model/document/parts", "no part by name"},
		{"blossom/model/document/session", "blossom/model/document/parts", "no part by name"},
		{"blossom/model/document/parts", "blossom/model/document/state", ""},
		{"blossom/gpu/cuda", "blossom/gpu/cpu", "engines do not know each other"},
		{"blossom/gpu/cuda", "blossom/gpu/cuda/driver", ""},
		{"blossom/gpu/bench", "blossom/gpu/cpu", ""},
		{"blossom/gpu/cpu", "blossom/model/document/state", "knows no document"},
		{"blossom/render/pictures", "blossom/model/document/state", "not as a document"},
		{"blossom/model/job/run", "blossom/model/live", "data flows from job to live"},
		{"blossom/cmd/blossom", "blossom/model/live", "opens files as the window does"},
	}
	for _, c := range cases {
		pkgs := map[string]*goPackage{
			c.path: {ImportPath: c.path, Imports: []string{c.imp}, Deps: []string{c.imp}},
			c.imp:  {ImportPath: c.imp},
		}
		if c.imp == "example.org/usescgo" {
			pkgs[c.imp].CgoFiles = []string{"x.go"}
		}
		got := violations(pkgs)
		switch {
		case c.want == "" && len(got) > 0:
			t.Errorf("%s -> %s: unexpected %q", c.path, c.imp, got)
		case c.want != "" && (len(got) != 1 || !strings.Contains(got[0], c.want)):
			t.Errorf("%s -> %s: got %q, want one breach about %q", c.path, c.imp, got, c.want)
		}
	}
}
