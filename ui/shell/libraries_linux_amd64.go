//go:build !wayland

package shell

// #cgo LDFLAGS: -Wl,--as-needed -ldl
// const char *shell_load_libraries(void);
import "C"

import "blossom/model/base/problem"

// remedyLibraries say how to get the libraries of a desktop.
var remedyLibraries = map[string]string{
	"libX11.so.6": "install libx11-6 (Debian and Ubuntu), libX11 (Fedora) or libx11 (Arch)",
	"libGL.so.1":  "install libgl1 (Debian and Ubuntu), libglvnd-glx (Fedora) or libglvnd (Arch)",
}

// loadLibraries loads what windows need of the system; libraries_linux_amd64.c says why they are not linked.
func loadLibraries() error {
	missing := C.shell_load_libraries()
	if missing == nil {
		return nil
	}
	name := C.GoString(missing)
	return problem.New("", remedyLibraries[name]+", or use the commands that need no window (embed, render)",
		"there is no window without %s, which is not installed", name)
}
