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

// Several cards share work on two emulated ones, each of which refuses memory and kernels of the other.
func TestSpreadOnEmulatedCards(t *testing.T) {
	if os.Getenv(driver.Environment) != "" {
		t.Skip("this is the run on another driver")
	}
	environment, err := hosted.Card("../kernels/tables.cu", "../kernels/tensor.cu", "../kernels/tiles.cu",
		"../kernels/order.cu", "../kernels/project.cu", "../kernels/exact.cu", "../kernels/train.cu",
		"../kernels/nearest.cu", "../kernels/nearest_dense.cu")
	if errors.Is(err, exec.ErrNotFound) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	parts := "Caps|Contract|Async|Search|Sum"
	if os.Getenv("BLOSSOM_LONG") != "" {
		parts += "|Oracle|Edges|Properties|Ranges|Bits|Target|Memory|Smooth|Neighbours"
	}
	for run, passes := range map[string]string{
		"^TestSpread(Embeds|Finds|Trains)":            "TestSpreadTrainsNothingThatOneCardRefuses",
		"^TestConformance$/^cards$/^(" + parts + ")$": "TestConformance/cards/Search"} {
		c := exec.Command(os.Args[0], "-test.run="+run, "-test.v")
		c.Env = append(environment, enginetest.Slow+"=1", "BLOSSOM_HOSTED_CARDS=2")
		out, err := c.CombinedOutput()
		if err != nil || strings.Contains(string(out), "--- SKIP") ||
			!strings.Contains(string(out), "--- PASS: "+passes+" ") {
			t.Errorf("%s: %v\n%s", run, err, out)
		}
	}
}
