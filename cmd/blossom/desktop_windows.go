//go:build cgo && !nowindow && !static

package main

import (
	"context"
	"errors"
	"unsafe"

	"golang.org/x/sys/windows"

	"blossom/model/base/problem"
)

// The program is one of the console, so that pipes, redirection, exit codes and waiting for its end are in cmd and
// PowerShell what they are elsewhere. Started from the Explorer it needs no console: its manifest says so to newer
// Windows, and older ones make one for it alone, which is left before the window opens.

var (
	kernel32              = windows.NewLazySystemDLL("kernel32.dll")
	getConsoleProcessList = kernel32.NewProc("GetConsoleProcessList")
	freeConsole           = kernel32.NewProc("FreeConsole")
)

// fromDesktop runs what opens the window. Where nobody would read what it says on standard error, a box does.
func fromDesktop(run func() error) error {
	if !unread() {
		return run()
	}
	freeConsole.Call() // fails where there is none
	err := run()
	if err != nil && !errors.Is(err, context.Canceled) {
		text, _ := windows.UTF16PtrFromString(visible(problem.As(err).Error()))
		title, _ := windows.UTF16PtrFromString("blossom")
		windows.MessageBox(0, text, title, windows.MB_OK|windows.MB_ICONERROR)
	}
	return err
}

// unread says whether the program has a console that no other has, or neither console nor standard error.
func unread() bool {
	var processes [2]uint32
	switch n, _, _ := getConsoleProcessList.Call(uintptr(unsafe.Pointer(&processes[0])), uintptr(len(processes))); n {
	case 0:
		said, err := windows.GetStdHandle(windows.STD_ERROR_HANDLE)
		return err != nil || said == 0 || said == windows.InvalidHandle
	case 1:
		said, err := windows.GetStdHandle(windows.STD_ERROR_HANDLE)
		var mode uint32
		return err != nil || windows.GetConsoleMode(said, &mode) == nil // not redirected to a file or pipe
	}
	return false
}
