package main

import (
	"os"

	"golang.org/x/sys/windows"

	"blossom/model/data/format"
)

// outlive does nothing: here a program goes on where nobody reads any more what it says.
func outlive() {}

// end ends the program as Ctrl+Break does, which comes to what was started with a group of its own, or at once where
// there is no console that it could come from.
func end() {
	if windows.GenerateConsoleCtrlEvent(windows.CTRL_BREAK_EVENT, uint32(os.Getpid())) == nil {
		return
	}
	if !unhurried.Load() {
		format.RemoveUnfinished()
		os.Exit(exitInterrupted)
	}
}
