//go:build linux && (amd64 || arm64)

package cuda

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"blossom/gpu/cuda/driver"
	"blossom/gpu/cuda/hosted"
	"blossom/gpu/enginetest"
)

// onEmulatedCard runs parts of the suite again, in a process that finds an emulated card with these kernels.
func onEmulatedCard(t *testing.T, part string, sources ...string) {
	t.Helper()
	if os.Getenv(driver.Environment) != "" {
		t.Skip("this is the run on another driver")
	}
	if _, err := driver.Devices(); err == nil {
		t.Skip("there is a real card")
	}
	environment, err := hosted.Card("../kernels/tables.cu", sources...)
	if err != nil {
		t.Skip(err)
	}
	end := "" // what begins so too
	if testing.Short() {
		end = "$"
	}
	again := exec.Command(os.Args[0], "-test.run=^TestConformance$/^best$/^(Caps|"+part+")"+end, "-test.v")
	again.Env = append(environment, enginetest.Slow+"=1")
	out, err := again.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestConformance/best/"+part+" ") {
		t.Errorf("%v\n%s", err, out)
	}
}

// The nearest others of points, on an emulated card.
func TestNearestOnEmulatedCard(t *testing.T) {
	onEmulatedCard(t, "Neighbours", "../kernels/nearest.cu")
}

// Single linkage, on an emulated card.
func TestLinkageOnEmulatedCard(t *testing.T) {
	onEmulatedCard(t, "Linkage", "../kernels/nearest.cu", "../kernels/light.cu")
}
