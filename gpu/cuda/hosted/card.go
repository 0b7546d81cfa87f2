//go:build linux

package hosted

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"blossom/gpu/cuda/driver"
)

// Card returns the environment in which package driver finds an emulated card whose kernels are those of
// the sources (see Open), so that all of the engine's code can be tested without one: slowly, so with few
// points. A driver is opened once, so a test starts its own program again with this environment.
func Card(source string, more ...string) (environment []string, err error) {
	compiler, err := exec.LookPath(cmpOr(os.Getenv("CXX"), "c++"))
	if err != nil {
		return nil, fmt.Errorf("no C++ compiler here to run kernels on the host with: %w", err)
	}
	folder, err := here()
	if err != nil {
		return nil, err
	}
	mu.Lock()
	defer mu.Unlock()
	var kernels []string
	for _, s := range append([]string{source}, more...) {
		if loaded[s] == nil {
			if loaded[s], err = build(compiler, folder, s); err != nil {
				return nil, err
			}
		}
		kernels = append(kernels, loaded[s].library)
	}
	library, err := buildDriver(compiler, folder, filepath.Dir(kernels[0]))
	if err != nil {
		return nil, err
	}
	return append(os.Environ(), "BLOSSOM_HOSTED_KERNELS="+strings.Join(kernels, ":"), driver.Environment+"="+library),
		nil
}

// buildDriver compiles the emulated driver, if it has not been.
func buildDriver(compiler, folder, cache string) (library string, err error) {
	source := filepath.Join(folder, "testdata", "driver.cc")
	text, err := os.ReadFile(source)
	if err != nil {
		return "", err
	}
	library = filepath.Join(cache, fmt.Sprintf("driver-%x.so", sha256.Sum256(append(text, compiler...))))
	if _, err := os.Stat(library); err == nil {
		return library, nil
	}
	fresh, err := os.CreateTemp(cache, "new-*.so")
	if err != nil {
		return "", err
	}
	fresh.Close()
	defer os.Remove(fresh.Name())
	out, err := exec.Command(compiler, "-std=c++17", "-O1", "-fPIC", "-shared", "-o", fresh.Name(), source,
		"-ldl").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("hosted: the emulated driver does not compile: %w\n%s", err, out)
	}
	return library, os.Rename(fresh.Name(), library)
}
