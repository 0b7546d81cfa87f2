package main

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// beamFolder is where blossom-beam lies, a module of its own.
var beamFolder = filepath.Join("..", "blossom-beam")

// ofBeam are Beam and the modules that it brings, by how their paths begin.
var ofBeam = []string{"github.com/apache/beam/", "google.golang.org/grpc", "google.golang.org/api",
	"google.golang.org/genproto", "cloud.google.com/", "github.com/aws/", "github.com/moby/"}

// foreign are the lines that begin with a module of Beam.
func foreign(lines string) (out []string) {
	for line := range strings.Lines(lines) {
		line = strings.TrimSpace(line)
		for _, path := range ofBeam {
			if strings.HasPrefix(line, path) {
				out = append(out, line)
			}
		}
	}
	return out
}

// goList is what go list says.
func goList(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.Command("go", append([]string{"list"}, args...)...).Output()
	if err != nil {
		t.Fatalf("go list %q: %v", args, err)
	}
	return string(out)
}

// Beam and what it brings stay with blossom-beam: neither the program nor its module has any of it.
func TestTheProgramHasNothingOfBeam(t *testing.T) {
	deps := goList(t, "-deps", ".")
	if !strings.Contains(deps, "blossom/model/scale") {
		t.Error("the program does not place parts: does this test look in the right place?")
	}
	if found := append(foreign(deps), foreign(text(t, filepath.Join("..", "..", "go.mod")))...); len(found) > 0 {
		t.Errorf("the program has %q", found)
	}
	if found := foreign(text(t, filepath.Join(beamFolder, "go.mod"))); len(found) < 5 {
		t.Errorf("blossom-beam has but %q: does this test look in the right place?", found)
	}
}

// The packages of ours that blossom-beam knows are those of model and the engines, none of which needs a window.
func TestBlossomBeamKnowsNoWindow(t *testing.T) {
	seen := 0
	for _, s := range sources(t) {
		if s.dir != "cmd/blossom-beam" {
			continue
		}
		for _, i := range s.file.Imports {
			path, _ := strconv.Unquote(i.Path.Value)
			ours := strings.HasPrefix(path, module+"/")
			if ours && layer(path) != "model" && !slices.Contains(engines, path) {
				t.Errorf("%s imports %s", s.at(i), path)
			}
			if ours {
				seen++
			}
		}
	}
	if seen == 0 {
		t.Error("blossom-beam has nothing of ours: does this test look in the right place?")
	}
}

// engines are those that blossom-beam links.
var engines = []string{"blossom/gpu/cpu", "blossom/gpu/cuda", "blossom/gpu/reference"}

// Both programs compute and read by the same modules, and are of one release.
func TestBlossomBeamIsOfTheSameSources(t *testing.T) {
	required := func(mod string) map[string]string {
		out := map[string]string{}
		for line := range strings.Lines(mod) {
			if f := strings.Fields(line); len(f) > 1 && strings.HasPrefix(f[1], "v") {
				out[f[0]] = f[1]
			}
		}
		return out
	}
	mine := required(text(t, filepath.Join("..", "..", "go.mod")))
	its := required(text(t, filepath.Join(beamFolder, "go.mod")))
	used := strings.Fields(goList(t, append([]string{"-deps", "-f", "{{with .Module}}{{.Path}}{{end}}",
		"blossom/model/scale"}, engines...)...))
	both := 0
	for _, path := range used {
		if mine[path] != "" {
			both++
		}
		if mine[path] != its[path] && path != module {
			t.Errorf("%s is %s for blossom and %q for blossom-beam: go mod tidy in cmd/blossom-beam", path, mine[path],
				its[path])
		}
	}
	if both == 0 {
		t.Error("there is no module that both use: does this test look in the right place?")
	}
	if !strings.Contains(text(t, filepath.Join(beamFolder, "version.go")), `const release = "`+release+`"`) {
		t.Errorf("version.go of blossom-beam is not of %s", release)
	}
}
