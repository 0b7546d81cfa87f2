package kernels

import (
	"encoding/binary"
	"io/fs"
	"slices"
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

// An image that was compiled for trials has code for one card alone, and fails on all others.
func TestImagesAreForAllCards(t *testing.T) {
	all := []uint32{52, 60, 70, 75, 80, 86, 90}
	for _, name := range Modules() {
		want := all
		switch name {
		case "tensor", "light_dense", "light_near", "nearest_dense": // tensor cores of the kind that came with 8.0
			want = []uint32{80, 90}
		}
		code, ptx := architectures(t, Image(name))
		if !slices.Equal(code, want) || !slices.Equal(ptx, all[len(all)-1:]) {
			t.Errorf("%s has code for %v and PTX of %v, not for %v and of %v: run `make kernels`", name, code, ptx,
				want, all[len(all)-1:])
		}
	}
}

// architectures are those that a fat binary has machine code and PTX for, as its entries say.
func architectures(t *testing.T, image []byte) (code, ptx []uint32) {
	const magic, kindPTX, kindCode = 0xba55ed50, 1, 2
	if len(image) < 16 || binary.LittleEndian.Uint32(image) != magic {
		t.Fatal("an image is no fat binary")
	}
	for rest := image[binary.LittleEndian.Uint16(image[6:]):]; len(rest) >= 32; {
		kind, arch := binary.LittleEndian.Uint16(rest), binary.LittleEndian.Uint32(rest[28:])
		switch kind {
		case kindPTX:
			ptx = append(ptx, arch)
		case kindCode:
			code = append(code, arch)
		default:
			t.Fatalf("an entry of kind %d", kind)
		}
		size := uint64(binary.LittleEndian.Uint32(rest[4:])) + binary.LittleEndian.Uint64(rest[8:])
		rest = rest[min(size, uint64(len(rest))):]
	}
	return code, ptx
}
