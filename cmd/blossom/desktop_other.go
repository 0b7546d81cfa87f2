//go:build !windows && cgo && !nowindow && !static

package main

// fromDesktop runs what opens the window. Elsewhere than on Windows a desktop starts it as a shell does.
func fromDesktop(run func() error) error { return run() }
