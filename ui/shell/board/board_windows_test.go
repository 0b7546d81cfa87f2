package board

import (
	"bytes"
	"image"
	"image/png"
	"runtime"
	"testing"
	"unsafe"

	"golang.org/x/sys/windows"
)

// The clipboard has the very file, and a bitmap of its pixels.
func TestWindowsHasThePicture(t *testing.T) {
	var file bytes.Buffer
	img := image.NewNRGBA(image.Rect(0, 0, 30, 20))
	for i := range img.Pix {
		img.Pix[i] = byte(i)
	}
	if err := png.Encode(&file, img); err != nil {
		t.Fatal(err)
	}
	var b Board
	if err := b.Picture(file.Bytes()); err != nil {
		t.Fatal(err)
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if ok, _, err := openClipboard.Call(0); ok == 0 {
		t.Fatal(err)
	}
	defer closeClipboard.Call()
	name, err := windows.UTF16PtrFromString("PNG")
	if err != nil {
		t.Fatal(err)
	}
	kind, _, _ := registerFormat.Call(uintptr(unsafe.Pointer(name)))
	for kind, want := range map[uintptr][]byte{kind: file.Bytes(), dibV5: bitmap(img)} {
		at, _, err := user32.NewProc("GetClipboardData").Call(kind)
		if at == 0 {
			t.Fatalf("kind %d: %v", kind, err)
		}
		from, _, _ := globalLock.Call(at)
		got := make([]byte, len(want))
		moveMemory.Call(uintptr(unsafe.Pointer(&got[0])), from, uintptr(len(got)))
		globalUnlock.Call(at)
		if !bytes.Equal(got, want) {
			t.Errorf("kind %d has other bytes", kind)
		}
	}
}
