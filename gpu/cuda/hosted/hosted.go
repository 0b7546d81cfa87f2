//go:build linux

package hosted

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/ebitengine/purego"
)

// Module is a compiled source file.
type Module struct {
	handle  uintptr
	library string // its path
	Kernels []string
}

// Dim is the size of a grid or block; 0 stands for 1.
type Dim struct{ X, Y, Z int }

var (
	mu     sync.Mutex // the emulator runs one launch at a time
	loaded = map[string]*Module{}
)

// Open compiles and loads a source file, given as a path from this package's folder, such as
// "../kernels/train.cu" or "testdata/own.cu". Compiled files are kept in the system's temporary folder
// under the hash of all kernel sources.
func Open(t testing.TB, source string) *Module {
	t.Helper()
	mu.Lock()
	defer mu.Unlock()
	if m := loaded[source]; m != nil {
		return m
	}
	compiler, err := exec.LookPath(cmpOr(os.Getenv("CXX"), "c++"))
	if err != nil {
		t.Skip("no C++ compiler here to run kernels on the host with")
	}
	folder, err := here()
	if err != nil {
		t.Fatal(err)
	}
	m, err := build(compiler, folder, source)
	if err != nil {
		t.Fatal(err)
	}
	loaded[source] = m
	return m
}

func cmpOr(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// here finds this package's folder from the test's working directory, which is a package of the module.
func here() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return filepath.Join(dir, "gpu", "cuda", "hosted"), nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", fmt.Errorf("hosted: the test does not run inside the module")
		}
		dir = up
	}
}

var kernelName = regexp.MustCompile(
	`extern\s+"C"[^;{}()]*?__global__\s+(?:void\s+)?` +
		`(?:__launch_bounds__\s*\((?:[^()]|\([^()]*\))*\)\s*)?(?:void\s+)?(\w+)\s*\(`)

func build(compiler, folder, source string) (*Module, error) {
	key, err := fingerprint(compiler, folder, source)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(folder, source)
	scan, err := preprocess(compiler, folder, source)
	if err != nil {
		return nil, err
	}
	arguments := flags(folder)
	m := &Module{}
	var wrap strings.Builder
	fmt.Fprintf(&wrap, "#include \"%s\"\n", path)
	for _, found := range kernelName.FindAllStringSubmatch(string(scan), -1) {
		m.Kernels = append(m.Kernels, found[1])
		fmt.Fprintf(&wrap, "HOSTED_KERNEL(%s)\n", found[1])
	}
	cache := filepath.Join(os.TempDir(), fmt.Sprintf("blossom-hosted-%d", os.Getuid()))
	if err := os.MkdirAll(cache, 0o700); err != nil {
		return nil, err
	}
	library := filepath.Join(cache, key+".so")
	if _, err := os.Stat(library); err != nil {
		fresh, err := os.CreateTemp(cache, "new-*.so")
		if err != nil {
			return nil, err
		}
		fresh.Close()
		defer os.Remove(fresh.Name())
		cmd := exec.Command(compiler, append(arguments, "-O1", "-fPIC", "-shared", "-ffp-contract=off",
			"-U_FORTIFY_SOURCE", "-x", "c++", "-o", fresh.Name(), "-")...)
		cmd.Stdin = strings.NewReader(wrap.String())
		if out, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("hosted: %s does not compile: %w\n%s", source, err, out)
		}
		if err := os.Rename(fresh.Name(), library); err != nil {
			return nil, err
		}
	}
	m.library = library
	if m.handle, err = purego.Dlopen(library, purego.RTLD_NOW|purego.RTLD_LOCAL); err != nil {
		return nil, err
	}
	return m, nil
}

func flags(folder string) []string {
	return []string{"-std=c++20", "-w", "-I", filepath.Join(folder, "..", "kernels")}
}

// preprocess returns a source with its macros and included files in it.
func preprocess(compiler, folder, source string) ([]byte, error) {
	text, err := exec.Command(compiler, append(flags(folder), "-E", "-P", "-DHOSTED_SCAN", "-x", "c++",
		filepath.Join(folder, source))...).Output()
	if err != nil {
		return nil, failed(source, err)
	}
	return text, nil
}

func failed(source string, err error) error {
	if e, ok := err.(*exec.ExitError); ok {
		return fmt.Errorf("hosted: %s: %w\n%s", source, err, e.Stderr)
	}
	return fmt.Errorf("hosted: %s: %w", source, err)
}

// fingerprint hashes whatever the compiled file may depend on. It reads the files in Go, so that
// go test knows of them too.
func fingerprint(compiler, folder, source string) (string, error) {
	h := sha256.New()
	fmt.Fprintln(h, compiler, folder, source)
	for _, pattern := range []string{"*.h", "testdata/*.cu", "testdata/*.cuh", "../kernels/*.cu", "../kernels/*.cuh"} {
		files, err := filepath.Glob(filepath.Join(folder, pattern))
		if err != nil {
			return "", err
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				return "", err
			}
			fmt.Fprintln(h, file, len(data))
			h.Write(data)
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:12]), nil
}

// Launch runs a kernel. order 0 gives the threads their turns upward, 1 downward, others at random by
// that seed: run a kernel in several orders, and a missing barrier shows. The arguments have the
// kernel's types: int32, uint32, int64, uint64, float32, float64, a slice or nil for each pointer, and a
// *T for a structure T.
func (m *Module) Launch(kernel string, grid, block Dim, shared int, order uint64, args ...any) error {
	mu.Lock()
	defer mu.Unlock()
	entry, err := purego.Dlsym(m.handle, "hosted_"+kernel)
	if err != nil {
		return fmt.Errorf("hosted: no kernel %s here, only %s", kernel, strings.Join(m.Kernels, ", "))
	}
	var pins runtime.Pinner
	defer pins.Unpin()
	packed := make([]unsafe.Pointer, len(args)+1)
	for i, a := range args {
		packed[i] = address(&pins, a)
		if packed[i] == nil {
			return fmt.Errorf("hosted: argument %d of %s is a %T", i, kernel, a)
		}
	}
	dims := [2][3]uint32{dims(grid), dims(block)}
	pins.Pin(&packed[0])
	pins.Pin(&dims)
	message, _, _ := purego.SyscallN(entry, uintptr(unsafe.Pointer(&dims[0])), uintptr(unsafe.Pointer(&dims[1])),
		uintptr(shared), uintptr(unsafe.Pointer(&packed[0])), uintptr(order))
	runtime.KeepAlive(args)
	if message != 0 {
		return fmt.Errorf("%s: %s", kernel, text(message))
	}
	return nil
}

// Run is Launch in several orders of the threads. prepare makes fresh arguments for each, check looks
// at what came out.
func (m *Module) Run(t testing.TB, kernel string, grid, block Dim, shared int, prepare func() []any,
	check func(order uint64)) {
	t.Helper()
	for order := range uint64(4) {
		if err := m.Launch(kernel, grid, block, shared, order, prepare()...); err != nil {
			t.Fatalf("order %d: %v", order, err)
		}
		check(order)
	}
}

func dims(d Dim) [3]uint32 {
	return [3]uint32{uint32(max(1, d.X)), uint32(max(1, d.Y)), uint32(max(1, d.Z))}
}

// address returns where the argument's value lies: for a slice, where the address of its data lies.
func address(pins *runtime.Pinner, a any) unsafe.Pointer {
	v := reflect.ValueOf(a)
	pointer := func(p unsafe.Pointer) unsafe.Pointer {
		cell := &struct{ p unsafe.Pointer }{p}
		if p != nil {
			pins.Pin(p)
		}
		pins.Pin(cell)
		return unsafe.Pointer(cell)
	}
	if a == nil {
		return pointer(nil)
	}
	switch v.Kind() {
	case reflect.Slice:
		if v.Len() == 0 {
			return pointer(nil)
		}
		return pointer(v.UnsafePointer())
	case reflect.Pointer:
		pins.Pin(v.UnsafePointer())
		return v.UnsafePointer()
	case reflect.Int32, reflect.Uint32, reflect.Int64, reflect.Uint64, reflect.Float32, reflect.Float64:
		cell := reflect.New(v.Type())
		cell.Elem().Set(v)
		p := cell.UnsafePointer()
		pins.Pin(p)
		return p
	}
	return nil
}

func text(at uintptr) string {
	var b []byte
	p := *(*unsafe.Pointer)(unsafe.Pointer(&at)) // memory of the library, not of Go
	for i := 0; ; i++ {
		c := *(*byte)(unsafe.Add(p, i))
		if c == 0 {
			return string(b)
		}
		b = append(b, c)
	}
}
