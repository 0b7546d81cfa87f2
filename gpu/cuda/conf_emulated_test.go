//go:build linux && (amd64 || arm64)

package cuda

import (
	"os"
	"testing"

	"blossom/gpu/cuda/hosted"
)

func TestEnv(t *testing.T) {
	env, err := hosted.Card("../kernels/tables.cu", "../kernels/tiles.cu", "../kernels/project.cu", "../kernels/exact.cu", "../kernels/order.cu")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range env {
		if len(e) > 8 && e[:8] == "BLOSSOM_" {
			os.Stdout.WriteString("export " + e + "\n")
		}
	}
}
