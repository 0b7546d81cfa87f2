// Package cuda asks the CUDA driver of the machine who it is, without needing CUDA to build or to start.
package cuda

import (
	"fmt"
	"strings"
)

// Driver is what is known about the CUDA driver.
type Driver struct {
	Available bool     `json:"available"` // a driver and at least one device
	Why       string   `json:"why"`       // it is not available
	Version   string   `json:"version"`   // of CUDA that the driver supports, "12.4"
	Devices   []string `json:"devices"`
}

// String says it in a line.
func (d Driver) String() string {
	if !d.Available {
		return d.Why
	}
	return fmt.Sprintf("CUDA %s, %s", d.Version, strings.Join(d.Devices, ", "))
}

// absent is the answer where there is no driver at all.
func absent(library string) Driver {
	return Driver{Devices: []string{}, Why: "no NVIDIA driver (" + library + " is not found): install it if there is an NVIDIA card"}
}
