//go:build linux && (amd64 || arm64)

package cuda

import (
	"errors"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"blossom/gpu/cuda/driver"
	"blossom/gpu/cuda/hosted"
	"blossom/gpu/enginetest"
)

// Where there is no card, the tests of t-SNE run on an emulated one.
func TestTSNEOnEmulatedCard(t *testing.T) {
	if os.Getenv(driver.Environment) != "" {
		t.Skip("this is the run on another driver")
	}
	if _, err := driver.Devices(); err == nil {
		t.Skip("there is a real card")
	}
	environment, err := hosted.Card("../kernels/tables.cu", "../kernels/tsne.cu", "../kernels/tsne_field.cu",
		"../kernels/tsne_slots.cu",
		"../kernels/tsne_tree.cu", "../kernels/tsne_sort.cu", "../kernels/tsne_sww.cu", "../kernels/tsne_ptg.cu")
	if errors.Is(err, exec.ErrNotFound) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	run := "^TestMap"
	if !enginetest.Emulated.Whole(t) {
		run = "^TestMapForces$"
	}
	again := exec.Command(os.Args[0], "-test.run="+run, "-test.v",
		"-test.short="+strconv.FormatBool(testing.Short()))
	again.Env = environment
	out, err := again.CombinedOutput()
	t.Logf("%s", out)
	if err != nil || !strings.Contains(string(out), "--- PASS: TestMapForces ") {
		t.Errorf("%v\n%s", err, out)
	}
}

// Two emulated cards share maps, each of which refuses memory and kernels of the other.
func TestTSNEOnEmulatedCards(t *testing.T) {
	if os.Getenv(driver.Environment) != "" {
		t.Skip("this is the run on another driver")
	}
	environment, err := hosted.Card("../kernels/tables.cu", "../kernels/tsne.cu", "../kernels/tsne_field.cu",
		"../kernels/tsne_slots.cu", "../kernels/tsne_tree.cu", "../kernels/tsne_sort.cu")
	if errors.Is(err, exec.ErrNotFound) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	run, tests := "^TestMap(Abreast|GoesOn)", 5
	if !enginetest.Emulated.Whole(t) {
		run, tests = "^TestMapAbreastIsRightAfterACancel$", 1
	}
	again := exec.Command(os.Args[0], "-test.run="+run, "-test.v")
	again.Env = append(environment, "BLOSSOM_HOSTED_CARDS=2")
	out, err := again.CombinedOutput()
	if err != nil || strings.Count(string(out), "--- PASS: ") != tests {
		t.Errorf("%v\n%s", err, out)
	}
}
