//go:build linux || darwin || freebsd

package cuda

import (
	"bytes"
	"fmt"
	"runtime"

	"github.com/ebitengine/purego"
)

const library = "libcuda.so.1"

// Probe opens the driver and counts its devices. See the CUDA driver API, sections "Initialization",
// "Version Management" and "Device Management".
func Probe() Driver {
	lib, err := purego.Dlopen(library, purego.RTLD_LAZY|purego.RTLD_LOCAL)
	if err != nil || runtime.GOOS == "darwin" {
		return absent(library)
	}
	var (
		cuInit             func(flags uint32) int32
		cuDriverGetVersion func(*int32) int32
		cuDeviceGetCount   func(*int32) int32
		cuDeviceGetName    func(name *byte, length, device int32) int32
	)
	for name, to := range map[string]any{"cuInit": &cuInit, "cuDriverGetVersion": &cuDriverGetVersion,
		"cuDeviceGetCount": &cuDeviceGetCount, "cuDeviceGetName": &cuDeviceGetName} {
		at, err := purego.Dlsym(lib, name)
		if err != nil {
			return Driver{Devices: []string{}, Why: library + " has no " + name + ": install NVIDIA's own driver"}
		}
		purego.RegisterFunc(to, at)
	}
	d := Driver{Devices: []string{}}
	var version, count int32
	if cuDriverGetVersion(&version) == 0 {
		d.Version = fmt.Sprintf("%d.%d", version/1000, version%1000/10)
	}
	if code := cuInit(0); code != 0 {
		d.Why = fmt.Sprintf("the NVIDIA driver does not start (error %d): look at nvidia-smi", code)
		return d
	}
	if code := cuDeviceGetCount(&count); code != 0 || count == 0 {
		d.Why = "the NVIDIA driver sees no card: look at nvidia-smi"
		return d
	}
	for i := range count {
		name := make([]byte, 256)
		if cuDeviceGetName(&name[0], int32(len(name)), i) == 0 {
			if end := bytes.IndexByte(name, 0); end >= 0 {
				name = name[:end]
			}
			d.Devices = append(d.Devices, string(name))
		}
	}
	d.Available = true
	return d
}
