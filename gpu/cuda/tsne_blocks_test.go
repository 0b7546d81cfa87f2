package cuda

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// The kernels are compiled for blocks of so many threads, and rows of so many lanes, as they are launched with.
func TestBlocksAreAsKernelsAreCompiledFor(t *testing.T) {
	text, err := os.ReadFile("kernels/tsne.cuh")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{fmt.Sprintf("enum { lanes = %d };", tsneLanes),
		fmt.Sprintf("enum { moveThreads = %d, moveBlocks = %d };", moveThreads, maxThreads/moveThreads)} {
		if !strings.Contains(string(text), want) {
			t.Errorf("kernels/tsne.cuh has not %q", want)
		}
	}
}
