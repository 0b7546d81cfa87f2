package driver

import (
	"errors"
	"fmt"
	"strings"

	"blossom/model/base/problem"
)

// Codes of the driver that mean something here (CUresult in cuda.h).
const (
	codeNotThere      = -1 // ours: the library does not have the function
	codeOutOfMemory   = 2
	codeDeinitialized = 4
	codeStub          = 34
	codeUnavailable   = 46
	codeNoDevice      = 100
	codeInvalidDevice = 101
	codeNoBinary      = 209
	codeECC           = 214
	codeNVLink        = 220
	codePTXVersion    = 222
	codeNotReady      = 600
	codeIllegal       = 700
	codeTimeout       = 702
	codeDestroyed     = 709
	codeAssert        = 710
	codeHardwareStack = 714
	codeLaunchFailed  = 719
	codeNotSupported  = 801
	codeNotReadyYet   = 802
	codeMismatch      = 803
	codeCompatibility = 804
	codeUnknown       = 999
)

// Error is a call of the driver that failed.
type Error struct {
	Call string // as the library names it, "cuMemAlloc_v2"
	Code int    // CUresult
	Name string // "CUDA_ERROR_OUT_OF_MEMORY", "" if the driver does not know the code
	Text string // the driver's own words; of a module also what its translator said
}

func (e *Error) Error() string {
	name := e.Name
	if name == "" {
		name = fmt.Sprintf("error %d", e.Code)
	}
	call := strings.TrimSuffix(e.Call, "_v2")
	if e.Text == "" {
		return fmt.Sprintf("CUDA: %s in %s", name, call)
	}
	return fmt.Sprintf("CUDA: %s (%s in %s)", e.Text, name, call)
}

// OutOfMemory says whether the card's memory was not enough. Everything else goes on.
func (e *Error) OutOfMemory() bool { return e.Code == codeOutOfMemory }

// Lost says whether the context is broken: every later call on that card would fail as well, until the
// program starts again.
func (e *Error) Lost() bool {
	switch e.Code {
	case codeDeinitialized, codeUnavailable, codeECC, codeNVLink, codeIllegal, codeTimeout, codeDestroyed, codeAssert,
		codeUnknown:
		return true
	}
	return e.Code >= codeHardwareStack && e.Code <= codeLaunchFailed
}

// TooOld says whether the driver is older than the PTX of the kernels.
func (e *Error) TooOld() bool { return e.Code == codePTXVersion }

// Absent says that there is no CUDA to work with.
type Absent struct{ What, Remedy string }

func (a *Absent) Error() string { return a.What + ": " + a.Remedy }

// Problem returns what went wrong in words for the user, with what can be done. err may be an *Absent, an
// *Error, or wrap one.
func Problem(err error) *problem.Problem {
	var a *Absent
	if errors.As(err, &a) {
		return problem.Wrap(err, "", a.Remedy, "%s", a.What)
	}
	var e *Error
	if !errors.As(err, &e) {
		return problem.As(err)
	}
	remedy := "use --engine cpu, and see 'blossom doctor'"
	switch {
	case e.OutOfMemory():
		remedy = "close what else uses the card, take fewer points (--max-points), or use --engine cpu"
	case e.TooOld():
		remedy = "update the NVIDIA driver to " + TranslatorDriver + " or newer, or use --engine cpu"
	case e.Code == codeNoBinary:
		remedy = fmt.Sprintf("use a card of compute capability %d.%d or more, or --engine cpu", OldestMajor,
			OldestMinor)
	case e.Code == codeTimeout:
		remedy = "start blossom again, on a card that draws no screen (--device) or with --engine cpu"
	case e.Lost():
		remedy = "start blossom again; if it comes back, look at nvidia-smi, or use --engine cpu"
	}
	return problem.Wrap(err, "", remedy, "%v", e)
}

// wrongName is for a library that is not the system's: the user has named it, and nothing is known of the
// driver that may be installed.
func wrongName(path, what string) error {
	return &Absent{"no NVIDIA driver (" + path + ", named by " + Environment + ", " + what + ")",
		"correct the variable or unset it"}
}

// notThere is where no library has the name.
func notThere(path string) error {
	if path != systemLibrary {
		return wrongName(path, "is not found")
	}
	return &Absent{"no NVIDIA driver (" + path + " is not found)", "install it, " + OldestDriver +
		" or newer, if there is an NVIDIA card"}
}

// notOpening is where there is a file that cannot be used.
func notOpening(path string, err error) error {
	if path != systemLibrary {
		return wrongName(path, "does not open: "+strings.TrimPrefix(err.Error(), path+": "))
	}
	return &Absent{fmt.Sprintf("the NVIDIA driver's library %s does not open (%v)", path, err),
		"install the driver again, for this kind of processor"}
}

// tooOld is a driver from before the kernels' time.
func tooOld(version int) error {
	return &Absent{
		fmt.Sprintf("the NVIDIA driver is too old: it supports CUDA %s, and %s is needed", versionText(version),
			versionText(OldestVersion)),
		"update it to " + OldestDriver + " or newer",
	}
}

// lacking is a library that is no driver, or not all of one.
func lacking(path, name string) error {
	if path != systemLibrary {
		return wrongName(path, "has no "+name+", as every NVIDIA driver since "+OldestDriver+" has")
	}
	return &Absent{path + " has no " + name + ", which every NVIDIA driver since " + OldestDriver + " has",
		"install NVIDIA's own driver"}
}

// notStarting explains why cuInit failed.
func notStarting(e *Error) error {
	const look = "see what nvidia-smi says"
	switch e.Code {
	case codeNoDevice, codeInvalidDevice:
		return noCard()
	case codeStub:
		return &Absent{"the CUDA library found is the toolkit's stub, which is no driver",
			"take the folder 'stubs' out of LD_LIBRARY_PATH, and install the NVIDIA driver"}
	case codeUnavailable:
		return &Absent{"the card is used by another program that wants it for itself",
			"end that one, or set the compute mode to default; " + look}
	case codeNotReadyYet:
		return &Absent{"the NVIDIA driver is not ready yet", "wait, or start its service nvidia-fabricmanager; " + look}
	case codeMismatch:
		return &Absent{"the NVIDIA driver's library and its kernel module are of different versions",
			"restart the computer: the driver was updated while it ran"}
	case codeCompatibility:
		return &Absent{"the CUDA compatibility library does not support this card",
			"take the folder 'compat' out of LD_LIBRARY_PATH, or update the NVIDIA driver"}
	}
	name := e.Name
	if name == "" {
		name = fmt.Sprintf("error %d", e.Code)
	}
	return &Absent{"the NVIDIA driver does not start (" + name + ")", look +
		"; the kernel modules nvidia and nvidia_uvm must be loaded"}
}

// noCard is a driver without a card.
func noCard() error {
	return &Absent{"the NVIDIA driver sees no card",
		"check with nvidia-smi, and that CUDA_VISIBLE_DEVICES does not hide it"}
}
