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
)

// Where there is no card, the tests of plans, of a drag and of neighbours run on an emulated one; that of the order has
// too many points for it.
func TestPlansOnEmulatedCard(t *testing.T) {
	if testing.Short() || os.Getenv(driver.Environment) != "" {
		t.Skip("short, or the run on another driver")
	}
	environment, err := hosted.Card("../kernels/tables.cu", "../kernels/tensor.cu", "../kernels/tiles.cu",
		"../kernels/order.cu",
		"../kernels/project.cu", "../kernels/exact.cu")
	if errors.Is(err, exec.ErrNotFound) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	again := exec.Command(os.Args[0], "-test.run=^(TestPlans|TestDrag|TestNeighbours)$", "-test.v")
	again.Env = environment
	out, err := again.CombinedOutput()
	for _, name := range []string{"TestPlans", "TestDrag", "TestNeighbours"} {
		if err != nil || !strings.Contains(string(out), "--- PASS: "+name+" ") {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
	}
}
