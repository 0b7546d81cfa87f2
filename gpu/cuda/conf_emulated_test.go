//go:build linux && (amd64 || arm64)

package cuda

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"blossom/gpu/cuda/driver"
	"blossom/gpu/cuda/hosted"
	"blossom/gpu/enginetest"
)

// Where there is no card, the engine passes the suite on an emulated one: the same host code, and the same
// kernels thread by thread, which are slow there. What only a card can show (its fast functions' rounding,
// its compiler, its order of memory) is left to TestConformance on one.
func TestEngineOnEmulatedCard(t *testing.T) {
	if os.Getenv(driver.Environment) != "" {
		t.Skip("this is the run on another driver")
	}
	environment, err := hosted.Card("../kernels/tables.cu", "../kernels/tensor.cu", "../kernels/tiles.cu",
		"../kernels/order.cu",
		"../kernels/project.cu", "../kernels/exact.cu", "../kernels/train.cu")
	if errors.Is(err, exec.ErrNotFound) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	environment = append(environment, enginetest.Slow+"=1")
	parts := []string{"^best$/^(Caps|Oracle|Edges|Properties|Contract|Ranges|Bits|Target|Memory|Async|Search|" +
		"Sum|Smooth)$",
		"^knn_tiles$/^(Edges|Contract)$"}
	switch {
	case testing.Short() || !enginetest.Emulated.Whole(t):
		parts = []string{"^best$/^(Caps|Oracle|Edges|Contract|Ranges|Search|Sum|Smooth)$"}
	case os.Getenv("BLOSSOM_LONG") == "": // it takes minutes for all
		parts = []string{"^best$/^(Caps|Oracle|Edges|Contract|Ranges|Target|Async|Search|Sum|Smooth)$"}
	}
	for _, p := range parts {
		again := exec.Command(os.Args[0], "-test.run=^TestConformance$/"+p, "-test.v")
		again.Env = environment
		out, err := again.CombinedOutput()
		ran := strings.Contains(string(out), "/Edges (")
		for _, name := range []string{"Sum", "Async"} {
			ran = ran && (!strings.Contains(p, name) || strings.Contains(string(out), "/"+name+" ("))
		}
		if err != nil || !ran {
			t.Errorf("%s: %v\n%s", p, err, out)
		}
	}
}
