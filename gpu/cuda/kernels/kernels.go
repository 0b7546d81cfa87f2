// Package kernels holds the CUDA kernels as they are compiled for cards: machine code for compute
// capability 5.2 to 9.0 and PTX 7.8 for later ones, by CUDA 11.8. `make kernels` makes them from the .cu
// files here and notes of which sources; nothing else needs CUDA's compiler.
package kernels

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"path"
	"slices"
	"strings"
)

//go:embed fatbin
var compiled embed.FS

//go:embed *.cu *.cuh build
var sources embed.FS

// Image returns the compiled kernels of NAME.cu, or nil if there is no such file.
func Image(name string) []byte {
	b, err := compiled.ReadFile("fatbin/" + name + ".fatbin")
	if err != nil {
		return nil
	}
	return b
}

// Modules returns the names for Image.
func Modules() []string {
	var names []string
	files, _ := fs.Glob(compiled, "fatbin/*.fatbin")
	for _, f := range files {
		names = append(names, strings.TrimSuffix(path.Base(f), ".fatbin"))
	}
	return names
}

// Hash identifies the sources, and how they are compiled.
func Hash() string {
	files, _ := fs.Glob(sources, "*.cu*")
	slices.Sort(files)
	h := sha256.New()
	for _, f := range append(files, "build") {
		b, err := sources.ReadFile(f)
		if err != nil {
			return ""
		}
		h.Write([]byte(f))
		h.Write([]byte{0})
		h.Write(b)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// CompiledHash is the Hash of the sources that the images were made from.
func CompiledHash() string {
	b, err := compiled.ReadFile("fatbin/sources.sha256")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}
