//go:build linux && (amd64 || arm64)

package gpuembedsom

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"blossom/gpu/cuda"
	"blossom/gpu/cuda/driver"
	"blossom/gpu/cuda/hosted"
	"blossom/gpu/enginetest"
	"blossom/model/base/problem"
	"blossom/model/work/engine"
)

// Every published kernel passes the suite with the engine's own of the other stage, and with another published one.
func TestConformance(t *testing.T) {
	if _, err := driver.Devices(); err != nil {
		if os.Getenv("BLOSSOM_REQUIRE_CUDA") != "" {
			t.Fatal(err)
		}
		t.Skip("no NVIDIA card here: ", err)
	}
	options := map[string]engine.Options{"bitonic and registers": {Knn: "bitonic", Projection: "registers"},
		"gridinsert:32x8 and aligned": {Knn: "gridinsert:32x8", Projection: "aligned"}}
	for _, k := range paperKnns {
		options["knn "+k] = engine.Options{Knn: k}
	}
	for _, p := range paperProjections {
		options["projection "+p] = engine.Options{Projection: p}
	}
	for name, o := range options {
		t.Run(name, func(t *testing.T) {
			enginetest.Run(t, func() (engine.Engine, error) { return cuda.New(o) })
		})
	}
}

// Where there is no card, two of them pass edges and contract on an emulated one, which takes minutes.
func TestConformanceOnEmulatedCard(t *testing.T) {
	if os.Getenv(driver.Environment) != "" {
		t.Skip("this is the run on another driver")
	}
	if testing.Short() || !enginetest.Emulated.Whole(t) {
		t.Skip("nothing has changed since it passed")
	}
	const at = "../../cuda/kernels/"
	environment, err := hosted.Card(at+"tables.cu", at+"tensor.cu", at+"tiles.cu", at+"order.cu", at+"project.cu",
		at+"exact.cu", at+"train.cu", at+"papers_knn.cu", at+"papers_project.cu")
	if errors.Is(err, exec.ErrNotFound) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	const tests = "^TestConformance$/^bitonic_and_registers$/^(Edges|Contract)$"
	again := exec.Command(os.Args[0], "-test.run="+tests, "-test.v")
	again.Env = append(environment, enginetest.Slow+"=1")
	if out, err := again.CombinedOutput(); err != nil || !strings.Contains(string(out), "/Edges (") {
		t.Errorf("%v\n%s", err, out)
	}
}

// The kernels can be chosen by name, beside those of the engine; of other names the error says which there are.
func TestKernelsAreRegistered(t *testing.T) {
	knn, projection := cuda.Kernels()
	if strings.Join(knn, " ") != "tensor tiles base shared gridinsert radix bitonic" ||
		strings.Join(projection, " ") != "triangle table base shared aligned registers" {
		t.Errorf("kernels %q, %q", knn, projection)
	}
	for name, want := range map[string]string{"abacus": "bitonic", "gridinsert:33x8": "32x8",
		"bitonic:2x2": "no sizes"} {
		_, err := cuda.New(engine.Options{Knn: name})
		if err == nil || !strings.Contains(problem.As(err).Error(), want) {
			t.Errorf("--knn %s: %v", name, err)
		}
	}
}
