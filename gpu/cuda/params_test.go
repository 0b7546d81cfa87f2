//go:build linux

package cuda

import (
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"reflect"
	"strings"
	"testing"

	"blossom/gpu/cuda/driver"
	"blossom/gpu/cuda/hosted"
	"blossom/gpu/cuda/kernels"
)

// disagreement compares a structure of Go with what a kernel takes: names, types and the offsets that C++ gives
// to a structure of such fields. Only fields that some of its kernels do not have may be left over.
func disagreement(of reflect.Type, want []hosted.Param, leftOver string) string {
	at := 0
	for i, p := range want {
		if i >= of.NumField() {
			return fmt.Sprintf("%s is missing", p.Name)
		}
		f := of.Field(i)
		kind, size := "", int(f.Type.Size())
		switch f.Type.Kind() {
		case reflect.Int32, reflect.Int64:
			kind = "int"
		case reflect.Uint32, reflect.Uint64:
			kind = "unsigned"
		case reflect.Float32, reflect.Float64:
			kind = "float"
		}
		if f.Type == reflect.TypeFor[driver.Ptr]() {
			kind = "pointer"
		}
		if f.Name != p.Name && f.Name != leftOver || kind != p.Type || size != p.Size {
			return fmt.Sprintf("parameter %d is %s %s of %d bytes, and in Go %s %s of %d", i+1, p.Type, p.Name, p.Size,
				kind, f.Name, size)
		}
		if at = (at + size - 1) / size * size; int(f.Offset) != at {
			return fmt.Sprintf("%s lies at %d, and in Go at %d", p.Name, at, f.Offset)
		}
		at += size
	}
	for i := len(want); i < of.NumField(); i++ {
		if name := of.Field(i).Name; name != leftOver {
			return fmt.Sprintf("there is no %s", name)
		}
	}
	return ""
}

// leftOver are the fields that not all kernels of an open name have, and which have other names in some.
var leftOver = map[string]string{"papersKnn": "size", "papersProject": "stride"}

// byValue are the structures that kernels are given as a whole.
var byValue = map[string]reflect.Type{"TensorArgs": reflect.TypeFor[nearArgs](),
	"PairArgs": reflect.TypeFor[placeArgs](), "LightArgs": reflect.TypeFor[lightArgs](),
	"ForestArgs": reflect.TypeFor[forestArgs](), "JoinArgs": reflect.TypeFor[joinArgs](),
	"TreeArgs":  reflect.TypeFor[treeArgs](),
	"OrderArgs": reflect.TypeFor[orderArgs](), "DenseArgs": reflect.TypeFor[denseArgs]()}

// The structures of Go are the parameters of the kernels as the sources have them, all of them.
func TestKernelParameters(t *testing.T) {
	maps.Copy(byValue, structures)
	used := map[[2]string]bool{}
	for _, module := range kernels.Modules() {
		signatures, structs, err := hosted.Signatures("../kernels/" + module + ".cu")
		if errors.Is(err, exec.ErrNotFound) {
			t.Skip(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		if len(signatures) == 0 {
			t.Errorf("%s has no kernels", module)
		}
		for name, want := range signatures {
			if len(want) == 1 && byValue[want[0].Type] != nil {
				of := want[0].Type
				used[[2]string{module, of}] = true
				if why := disagreement(byValue[of], structs[of], ""); why != "" {
					t.Errorf("%s of %s: %s", of, module, why)
				}
				continue
			}
			found := false
			for key, of := range described {
				open := leftOver[key[1]]
				if key[0] != module || key[1] != name && (open == "" || !strings.HasPrefix(name, key[1])) {
					continue
				}
				found, used[key] = true, true
				if why := disagreement(of, want, open); why != "" {
					t.Errorf("%v, the parameters of %s: %s", of, name, why)
				}
			}
			if !found {
				t.Errorf("the parameters of %s in %s.cu are not described", name, module)
			}
		}
	}
	for key := range described {
		if !used[key] {
			t.Errorf("there is no kernel %s in %s.cu", key[1], key[0])
		}
	}
	if !used[[2]string{"tensor", "TensorArgs"}] || !used[[2]string{"project", "PairArgs"}] ||
		!used[[2]string{"light", "LightArgs"}] {
		t.Error("the structures that kernels are given as a whole were not found")
	}
}

// Parameters that do not agree are found.
func TestKernelParametersCatch(t *testing.T) {
	pointer := func(name string) hosted.Param { return hosted.Param{Name: name, Size: 8, Type: "pointer"} }
	number := func(name string, size int) hosted.Param { return hosted.Param{Name: name, Size: size, Type: "int"} }
	type params struct {
		x    driver.Ptr
		d, g int32
		n    int64
	}
	of := reflect.TypeOf(params{x: 0, d: 0, g: 0, n: 0})
	x, d, g, n := pointer("x"), number("d", 4), number("g", 4), number("n", 8)
	for _, c := range []struct {
		what     string
		want     []hosted.Param
		leftOver string
		right    bool
	}{
		{"the same", []hosted.Param{x, d, g, n}, "", true},
		{"two in another order", []hosted.Param{x, g, d, n}, "", false},
		{"another size", []hosted.Param{x, d, g, number("n", 4)}, "", false},
		{"a pointer for a number", []hosted.Param{x, d, g, pointer("n")}, "", false},
		{"one less", []hosted.Param{x, d, g}, "", false},
		{"one less that may be", []hosted.Param{x, d, g}, "n", true},
		{"one more", []hosted.Param{x, d, g, n, pointer("y")}, "", false},
		{"a structure", []hosted.Param{x, d, g, {Name: "n", Type: "Args"}}, "", false},
	} {
		if why := disagreement(of, c.want, c.leftOver); (why == "") != c.right {
			t.Errorf("%s: %q", c.what, why)
		}
	}
}
