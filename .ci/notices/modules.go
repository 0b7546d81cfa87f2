package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// platforms are those of the README; each links some modules that the others do not.
var platforms = []string{"linux/amd64", "darwin/arm64", "darwin/amd64"}

// module is a module and the folders of its packages that are linked.
type module struct {
	Path, Version, Dir string
	Main               bool
	packages           []string
}

func (m *module) name() string { return m.Path + " " + m.Version }

// linked lists the modules that the package needs on any of the platforms, ours first.
func linked(pkg string) ([]*module, error) {
	byPath := map[string]*module{}
	for _, platform := range platforms {
		system, arch, _ := strings.Cut(platform, "/")
		list := exec.Command("go", "list", "-deps", "-json=Dir,Module", pkg)
		list.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+arch, "CGO_ENABLED=1")
		list.Stderr = os.Stderr
		text, err := list.Output()
		if err != nil {
			return nil, fmt.Errorf("go list for %s: %w", platform, err)
		}
		for dec := json.NewDecoder(bytes.NewReader(text)); ; {
			var p struct {
				Dir    string
				Module *module
			}
			if err := dec.Decode(&p); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return nil, err
			}
			if p.Module == nil { // Go's own
				continue
			}
			m := byPath[p.Module.Path]
			if m == nil {
				m = p.Module
				byPath[m.Path] = m
			}
			if !slices.Contains(m.packages, p.Dir) {
				m.packages = append(m.packages, p.Dir)
			}
		}
	}
	var out []*module
	for _, m := range byPath {
		out = append(out, m)
	}
	slices.SortFunc(out, func(a, b *module) int {
		if a.Main != b.Main {
			return map[bool]int{true: -1, false: 1}[a.Main]
		}
		return strings.Compare(a.Path, b.Path)
	})
	return out, nil
}

// licence matches the names of files that hold terms.
var licence = regexp.MustCompile(`(?i)^((un)?licen[cs]e|copying|notice|patents)([._-].*)?$`)

// notices reads the licence files beside the linked packages of a foreign module and in the folders above them, and
// all of its folder THIRD_PARTY_LICENSES, where it has one.
func (m *module) notices() ([]notice, error) {
	if m.Main {
		return nil, nil
	}
	folders := []string{m.Dir}
	for _, dir := range m.packages {
		for ; dir != m.Dir; dir = filepath.Dir(dir) {
			folders = append(folders, dir)
		}
	}
	slices.Sort(folders)
	var out []notice
	for _, dir := range slices.Compact(folders) {
		files, err := os.ReadDir(dir)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			if f.IsDir() || !licence.MatchString(f.Name()) {
				continue
			}
			text, err := os.ReadFile(filepath.Join(dir, f.Name()))
			if err != nil {
				return nil, err
			}
			out = append(out, notice{m.name(), string(text)})
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s has no licence file: what are its terms?", m.name())
	}
	others, err := fs.Glob(os.DirFS(m.Dir), "THIRD_PARTY_LICENSES/*")
	if err != nil {
		return nil, err
	}
	for _, f := range others {
		text, err := os.ReadFile(filepath.Join(m.Dir, f))
		if err != nil {
			return nil, err
		}
		out = append(out, notice{m.name(), string(text)})
	}
	return out, nil
}
