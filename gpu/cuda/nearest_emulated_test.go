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

// onEmulatedCard runs a part of the suite again, and the tests whose names begin with own, in a process that finds an
// emulated card with these kernels. Where nothing has changed it runs only the test least.
func onEmulatedCard(t *testing.T, part, own, least string, sources ...string) {
	t.Helper()
	if os.Getenv(driver.Environment) != "" {
		t.Skip("this is the run on another driver")
	}
	if _, err := driver.Devices(); err == nil {
		t.Skip("there is a real card")
	}
	environment, err := hosted.Card("../kernels/tables.cu", sources...)
	if errors.Is(err, exec.ErrNotFound) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	again := func(run, passes string) {
		c := exec.Command(os.Args[0], "-test.run="+run, "-test.v")
		c.Env = append(environment, enginetest.Slow+"=1", "BLOSSOM_HOSTED_CARDS=2")
		out, err := c.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "--- PASS: "+passes+" ") ||
			own != "" && strings.Contains(string(out), "--- SKIP: "+own) {
			t.Errorf("%v\n%s", err, out)
		}
	}
	if !enginetest.Emulated.Whole(t) || testing.Short() {
		again("^"+strings.ReplaceAll(least, "/", "$/^")+"$", least)
		return
	}
	again("^TestConformance$/^best$/^(Caps|"+part+")", "TestConformance/best/"+part)
	if own != "" {
		again("^"+own, own+"Rungs")
	}
}

// The nearest others of points, on an emulated card.
func TestNearestOnEmulatedCard(t *testing.T) {
	onEmulatedCard(t, "Neighbours", "TestDense", "TestDenseRungs", "../kernels/nearest.cu",
		"../kernels/nearest_dense.cu", "../kernels/train.cu")
}

// The graphs of lists of neighbours, on an emulated card.
func TestJoinsOnEmulatedCard(t *testing.T) {
	onEmulatedCard(t, "Joins", "TestJoined", "TestJoinedRungs", "../kernels/join.cu")
}

// Single linkage, on an emulated card.
func TestLinkageOnEmulatedCard(t *testing.T) {
	onEmulatedCard(t, "Linkage", "TestLight", "TestLightRungs", "../kernels/nearest.cu", "../kernels/nearest_dense.cu",
		"../kernels/light.cu", "../kernels/light_dense.cu", "../kernels/light_near.cu", "../kernels/light_tree.cu",
		"../kernels/light_order.cu", "../kernels/tsne_sort.cu", "../kernels/forest.cu", "../kernels/cuslink.cu")
}
