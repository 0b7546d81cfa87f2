package board

import (
	"bytes"
	"errors"
	"image/png"
	"runtime"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

var (
	user32           = windows.NewLazySystemDLL("user32.dll")
	openClipboard    = user32.NewProc("OpenClipboard")
	closeClipboard   = user32.NewProc("CloseClipboard")
	emptyClipboard   = user32.NewProc("EmptyClipboard")
	setClipboardData = user32.NewProc("SetClipboardData")
	registerFormat   = user32.NewProc("RegisterClipboardFormatW")

	kernel32     = windows.NewLazySystemDLL("kernel32.dll")
	globalAlloc  = kernel32.NewProc("GlobalAlloc")
	globalFree   = kernel32.NewProc("GlobalFree")
	globalLock   = kernel32.NewProc("GlobalLock")
	globalUnlock = kernel32.NewProc("GlobalUnlock")
	moveMemory   = kernel32.NewProc("RtlMoveMemory")
)

const (
	dibV5    = 17 // CF_DIBV5
	moveable = 2  // GMEM_MOVEABLE
)

// system has nothing of its own: what is in the clipboard belongs to Windows.
type system struct{}

// picture puts a PNG there as it is, with all that it says, and as pixels for programs that know nothing else.
func (*system) picture(file []byte) error {
	img, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		return refused(err, "save it instead")
	}
	runtime.LockOSThread() // the clipboard is open to a thread
	defer runtime.UnlockOSThread()
	const another = "close the program that holds the clipboard, or copy it again"
	for tries := 0; ; tries++ {
		if ok, _, err := openClipboard.Call(0); ok != 0 {
			break
		} else if tries == 20 {
			return refused(err, another)
		}
		time.Sleep(10 * time.Millisecond)
	}
	defer closeClipboard.Call()
	if ok, _, err := emptyClipboard.Call(); ok == 0 {
		return refused(err, another)
	}
	name, err := windows.UTF16PtrFromString("PNG")
	if err != nil {
		return refused(err, another)
	}
	kind, _, err := registerFormat.Call(uintptr(unsafe.Pointer(name)))
	if kind == 0 {
		return refused(err, another)
	}
	if err := put(kind, file); err != nil {
		return refused(err, another)
	}
	if err := put(dibV5, bitmap(img)); err != nil {
		return refused(err, another)
	}
	return nil
}

// put gives Windows bytes of a kind.
func put(kind uintptr, b []byte) error {
	if len(b) == 0 {
		return errors.New("there is nothing to copy")
	}
	at, _, err := globalAlloc.Call(moveable, uintptr(len(b)))
	if at == 0 {
		return err
	}
	to, _, err := globalLock.Call(at)
	if to == 0 {
		globalFree.Call(at)
		return err
	}
	moveMemory.Call(to, uintptr(unsafe.Pointer(&b[0])), uintptr(len(b)))
	globalUnlock.Call(at)
	if ok, _, err := setClipboardData.Call(kind, at); ok == 0 {
		globalFree.Call(at)
		return err
	}
	return nil
}

// Text says whether it has put a text into the clipboard: GLFW can have texts of any length there.
func (b *Board) Text(string) bool { return false }

// Close leaves what is in the clipboard to Windows.
func (b *Board) Close() {}
