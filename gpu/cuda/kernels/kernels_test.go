package kernels

import (
	"io/fs"
	"strings"
	"testing"
)

func TestImagesAreOfTheseSources(t *testing.T) {
	if Hash() == "" || Hash() != CompiledHash() {
		t.Errorf("the compiled kernels are older than their sources: run `make kernels`, which needs nvcc of "+
			"CUDA 11.8\n sources  %s\n compiled %s", Hash(), CompiledHash())
	}
	files, err := fs.Glob(sources, "*.cu")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if len(Image(strings.TrimSuffix(f, ".cu"))) < 1000 {
			t.Errorf("%s has not been compiled", f)
		}
	}
	if len(Modules()) != len(files) {
		t.Errorf("%d compiled files for %d sources", len(Modules()), len(files))
	}
}
