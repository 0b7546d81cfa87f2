//go:build linux && (amd64 || arm64)

package cuda

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"blossom/gpu/cuda/driver"
	"blossom/gpu/cuda/hosted"
)

// Where there is no card, the tests of the trainer run on an emulated one.
func TestTrainerOnEmulatedCard(t *testing.T) {
	if os.Getenv(driver.Environment) != "" {
		t.Skip("this is the run on another driver")
	}
	environment, err := hosted.Card("../kernels/train.cu")
	if err != nil {
		t.Skip(err)
	}
	again := exec.Command(os.Args[0], "-test.run=^TestTrainer", "-test.v")
	again.Env = environment
	out, err := again.CombinedOutput()
	for _, name := range []string{"TestTrainer", "TestTrainerRefuses", "TestTrainerWithoutMemory", "TestTrainerTrains"} {
		if !strings.Contains(string(out), "--- PASS: "+name+" ") {
			err = exec.ErrNotFound
		}
	}
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
