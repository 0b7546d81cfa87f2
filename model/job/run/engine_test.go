package run

import (
	"errors"
	"strings"
	"testing"

	"blossom/model/base/problem"
	"blossom/model/work/engine"
)

func init() {
	engine.Register(engine.Registration{
		Name:     "kernels",
		Priority: -1000,
		Probe:    func(engine.Options) (bool, string, string) { return false, "it is for a test", "" },
		Card: func(device int) error {
			if device < 0 || device > 1 {
				return problem.New("", "cards here are 0: a, 1: b", "there is no card %d", device)
			}
			return nil
		},
		Kernels: func() (knn, projection []string) { return []string{"plain", "grid:8x4"}, []string{"lines"} },
	})
}

// looker is a card that does not work: it only looks for OpenGL, and counts how often it was there.
var looker int

func init() {
	look := func(o engine.Options) bool {
		if o.GL != nil {
			looker++
		}
		return false
	}
	engine.Register(engine.Registration{Name: "looker", Priority: 1000, Prefer: look,
		Probe: func(o engine.Options) (bool, string, string) { return look(o), "it is for a test", "" }})
}

// The best engine is chosen without OpenGL where that computes with the processor; who names an engine has it looked.
func TestOpenGLOfTheProcessorIsNotLookedAt(t *testing.T) {
	defer func() { SoftwareGL, looker = nil, 0 }()
	o := engine.Options{GL: func() (func(), error) { return nil, errors.New("none") }}
	for name, looks := range map[string][2]bool{"": {false, true}, "auto": {false, true}, "looker": {true, true}} {
		for i, want := range looks {
			SoftwareGL, looker = func() bool { return i == 0 }, 0
			if e, err := OpenEngine(name, o); err == nil {
				e.Close()
			}
			if looked := looker > 0; looked != want {
				t.Errorf("engine %q, software %v: looked %v", name, i == 0, looked)
			}
		}
	}
}

func TestCheckKernels(t *testing.T) {
	for _, c := range []struct{ engine, knn, projection, want string }{
		{"auto", "", "", ""},
		{"cpu", "", "", ""},
		{"kernels", "", "", ""},
		{"kernels", "plain", "lines", ""},
		{"kernels", "grid", "", ""},
		{"kernels", "grid:16x2", "", ""},
		{"kernels", "grip", "", `--knn grip: engine kernels has no such kernel: it has plain, grid:8x4`},
		{"kernels", "plain", "plain", `--projection plain: engine kernels has no such kernel: it has lines`},
		{"cpu", "plain", "", "--knn plain names a kernel, and engine cpu has none to choose among: add --engine"},
		{"auto", "", "lines", "--projection lines names a kernel, and engine auto"},
		{"", "plain", "", "engine auto"},
	} {
		err := CheckKernels(c.engine, c.knn, c.projection)
		if c.want == "" {
			if err != nil {
				t.Errorf("%+v: %v", c, err)
			}
			continue
		}
		var wrong Usage
		if !errors.As(err, &wrong) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

func TestCheckDevice(t *testing.T) {
	for _, c := range []struct {
		engine string
		device int
		want   string
	}{
		{"auto", 0, ""}, {"kernels", 0, ""}, {"reference", 0, ""}, {"abacus", 0, ""},
		{"auto", 1, ""}, {"", 1, ""}, {"kernels", 1, ""}, {"reference", 1, ""}, {"reference", 1 << 20, ""},
		{"abacus", 1, ""}, // which is told when it is opened
		{"auto", 2, "--device 2 is not possible: there is no card 2: cards here are 0: a, 1: b"},
		{"kernels", 2, "there is no card 2"}, {"kernels", -1, "there is no card -1"},
		{"reference", -1, "--device -1 is not possible: count cards from 0"},
	} {
		err := CheckDevice(c.engine, c.device)
		var wrong Usage
		if c.want == "" && err != nil || c.want != "" && (!errors.As(err, &wrong) ||
			!strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
