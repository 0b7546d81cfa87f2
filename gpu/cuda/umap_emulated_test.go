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

// Where there is no card, UMAP passes its part of the suite, and the tests of its own, on an emulated one.
func TestUMAPOnEmulatedCard(t *testing.T) {
	if os.Getenv(driver.Environment) != "" {
		t.Skip("this is the run on another driver")
	}
	if _, err := driver.Devices(); err == nil {
		t.Skip("there is a real card")
	}
	environment, err := hosted.Card("../kernels/tables.cu", "../kernels/umap.cu")
	if errors.Is(err, exec.ErrNotFound) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	parts := map[string][]string{
		"^TestUnfolding(Sizes|Bits|Memory|Swaps|Quality)$": {"TestUnfoldingSizes", "TestUnfoldingBits",
			"TestUnfoldingMemory", "TestUnfoldingSwaps"},
		"^TestConformance$/^best$/^(Caps|UMAP)": {"TestConformance/best/UMAPSteps"}}
	if !enginetest.Emulated.Whole(t) || testing.Short() {
		parts = map[string][]string{"^TestUnfolding(Bits|Memory|Swaps)$": {"TestUnfoldingBits", "TestUnfoldingMemory",
			"TestUnfoldingSwaps"}}
	}
	for run, passes := range parts {
		again := exec.Command(os.Args[0], "-test.run="+run, "-test.v")
		again.Env = append(environment, enginetest.Slow+"=1")
		out, err := again.CombinedOutput()
		for _, name := range passes {
			if err != nil || !strings.Contains(string(out), "--- PASS: "+name+" ") {
				t.Errorf("%s: %v\n%s", run, err, out)
				break
			}
		}
	}
}
