package cuda

import (
	"os"
	"testing"

	"blossom/gpu/cuda/driver"
	"blossom/gpu/enginetest"
	"blossom/model/work/engine"
)

// card skips where there is no NVIDIA card, unless BLOSSOM_REQUIRE_CUDA says that there has to be one.
func needsCard(t testing.TB) {
	t.Helper()
	if _, err := driver.Devices(); err != nil {
		if os.Getenv("BLOSSOM_REQUIRE_CUDA") != "" {
			t.Fatal(err)
		}
		t.Skip("no NVIDIA card here: ", err)
	}
}

// Every kernel passes the suite: each of stage A with the engine's own stage B, and the reverse.
func TestConformance(t *testing.T) {
	needsCard(t)
	if os.Getenv(enginetest.Slow) != "" {
		stretch, returnsParcel, returnsLeast = 1<<20, 1<<10, 1<<8
		fewTasks()
	}
	knn, projection := Kernels()
	options := map[string]engine.Options{"best": {}}
	for _, k := range knn {
		options["knn "+k] = engine.Options{Knn: k}
	}
	for _, p := range projection {
		options["projection "+p] = engine.Options{Projection: p}
	}
	if cards, err := driver.Devices(); err == nil && len(cards) > 1 {
		options["cards"] = engine.Options{Beside: []int{1}}
		stripeLeast, othersLeast, sumLeast = 64, 64, 8 // the suite has few points
	}
	for name, o := range options {
		t.Run(name, func(t *testing.T) {
			enginetest.Run(t, func() (engine.Engine, error) { return New(o) })
		})
	}
}
