// Package driver binds the CUDA driver API, which is opened when the program runs: blossom needs no CUDA
// to build or to start. It is pure Go. Names, arguments and codes follow NVIDIA's "CUDA Driver API"
// reference manual; versioned symbols are those of cuda.h of CUDA 11.8.
//
// Everything that belongs to a Context (memory, modules, streams, events) is used between Context.Enter
// and the function it returns, on that goroutine. Work on a Stream is asynchronous: an error of a kernel
// comes back from a later call. No call that a frame makes allocates memory.
package driver

import (
	"fmt"
	"os"
	"sync"
)

// Environment names the variable that holds the path of the library to open in place of the system's
// CUDA driver.
const Environment = "BLOSSOM_LIBCUDA"

// Blossom's kernels need these. They are compiled by CUDA 11.8 into machine code for the cards of their time and into
// PTX 7.8 for those that came later.
const (
	// OldestVersion is of CUDA, as the driver counts (1000 major + 10 minor), that runs machine code of any
	// CUDA 11 ("CUDA Compatibility", Minor Version Compatibility): driver 450.80.02, on Windows 452.39.
	OldestVersion = 11000
	OldestDriver  = "450.80"
	// TranslatorVersion is the one that can translate PTX 7.8: driver 520.61. It matters for cards newer
	// than the kernels only, which need a newer driver anyway.
	TranslatorVersion = 11080
	TranslatorDriver  = "520.61"
	// OldestMajor and OldestMinor are the least compute capability.
	OldestMajor, OldestMinor = 5, 2
)

// Ptr is an address in a card's memory; 0 is none.
type Ptr uint64

// Device says what a card is.
type Device struct {
	Index        int // as Open counts, from 0
	Name         string
	Major, Minor int    // compute capability
	SMs          int    // multiprocessors
	Memory       int64  // bytes in all
	PCI          string // its place in the computer, "0000:65:00.0", or ""

	ThreadsSM   int  // resident threads of a multiprocessor
	SharedSM    int  // bytes of shared memory of a multiprocessor
	SharedBlock int  // most that a block may have after Function.MaxDynamicShared
	RegistersSM int  // 32-bit registers of a multiprocessor
	L2          int  // bytes
	Clock       int  // clock of the multiprocessors, kHz
	MemoryClock int  // kHz
	MemoryBus   int  // bits
	Integrated  bool // its memory is the computer's own
	TimeLimit   bool // the system stops kernels that run for seconds: it draws the screen too
}

// Capability returns the compute capability, "9.0".
func (d Device) Capability() string { return fmt.Sprintf("%d.%d", d.Major, d.Minor) }

// String says the card in a line: "NVIDIA H200 (compute capability 9.0, 139.8 GiB)".
func (d Device) String() string {
	return fmt.Sprintf("%s (compute capability %s, %.1f GiB)", d.Name, d.Capability(), float64(d.Memory)/(1<<30))
}

// Supported returns nil if blossom's kernels run on the card, else an *Absent that says why not.
func (d Device) Supported() error {
	if d.Major > OldestMajor || d.Major == OldestMajor && d.Minor >= OldestMinor {
		return nil
	}
	return &Absent{
		What: fmt.Sprintf("%s has compute capability %s, and %d.%d is needed", d.Name, d.Capability(), OldestMajor,
			OldestMinor),
		Remedy: "use a card of 2015 or later, or another engine",
	}
}

// system is the driver of this computer, opened once.
var system = sync.OnceValues(func() (*library, error) {
	path := os.Getenv(Environment)
	if path == "" {
		path = systemLibrary
	}
	return load(path)
})

// Version returns the CUDA version that the driver supports, "12.4", also where there is no card or the
// driver is too old for blossom; *Absent where there is no driver.
func Version() (string, error) {
	l, err := system()
	if err != nil {
		return "", err
	}
	return versionText(l.version), nil
}

// Devices returns the cards, of which there is at least one; else *Absent says what is missing. It takes
// no memory on any of them.
func Devices() ([]Device, error) {
	l, err := system()
	if err != nil {
		return nil, err
	}
	return l.devices()
}

// versionText writes a version as the driver counts it; "" if it does not say.
func versionText(v int) string {
	if v <= 0 {
		return ""
	}
	return fmt.Sprintf("%d.%d", v/1000, v%1000/10)
}
