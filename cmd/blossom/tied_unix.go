//go:build !windows

package main

import (
	"os"
	"os/signal"
	"syscall"
)

// outlive has the program go on where nobody reads any more what it says, to end in order.
func outlive() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }

// end ends the program as the system does when it asks for it.
func end() { syscall.Kill(os.Getpid(), syscall.SIGTERM) }
