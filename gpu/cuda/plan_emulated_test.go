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
	names := []string{"TestPlans", "TestDrag", "TestNeighbours"}
	if !enginetest.Emulated.Whole(t) {
		names = names[:1]
	}
	again := exec.Command(os.Args[0], "-test.run=^("+strings.Join(names, "|")+")$", "-test.v")
	again.Env = environment
	out, err := again.CombinedOutput()
	for _, name := range names {
		if err != nil || !strings.Contains(string(out), "--- PASS: "+name+" ") {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
	}
}
