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

// Where there is no card, the tests of the trainer run on an emulated one.
func TestTrainerOnEmulatedCard(t *testing.T) {
	if os.Getenv(driver.Environment) != "" {
		t.Skip("this is the run on another driver")
	}
	if _, err := driver.Devices(); err == nil {
		t.Skip("there is a real card")
	}
	environment, err := hosted.Card("../kernels/train.cu")
	if errors.Is(err, exec.ErrNotFound) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	again := exec.Command(os.Args[0], "-test.run=^TestTrainer", "-test.v")
	again.Env = environment
	out, err := again.CombinedOutput()
	for _, name := range []string{"TestTrainer", "TestTrainerRefuses", "TestTrainerWithoutMemory",
		"TestTrainerTrains", "TestTrainerHasTheBitsOfTheProcessor"} {
		if !strings.Contains(string(out), "--- PASS: "+name+" ") {
			err = exec.ErrNotFound
		}
	}
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
