package run

import (
	"errors"
	"strings"
	"testing"

	"blossom/model/engine"
)

func init() {
	engine.Register(engine.Registration{
		Name:     "kernels",
		Priority: -1000,
		Probe:    func(engine.Options) (bool, string, string) { return false, "it is for a test", "" },
		Variants: func() (knn, projection []string) { return []string{"plain", "grid:8x4"}, []string{"lines"} },
	})
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
	for _, engine := range []string{"auto", "cpu", "gl", "cuda", "reference"} {
		if err := CheckDevice(engine, 0); err != nil {
			t.Errorf("%s, card 0: %v", engine, err)
		}
		var wrong Usage
		for _, device := range []int{-1, 1 << 20} {
			err := CheckDevice(engine, device)
			if none := device > 0 && engine != "auto" && engine != "cuda"; none != (err == nil) || !none &&
				!errors.As(err, &wrong) {
				t.Errorf("%s, card %d: %v", engine, device, err)
			}
		}
	}
}
