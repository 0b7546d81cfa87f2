//go:build !linux && !freebsd && !windows

package egl

import "blossom/model/base/problem"

// Context does not exist on this system.
type Context struct{}

// New reports that this system has no EGL.
func New(Options) (*Context, error) {
	return nil, problem.New("", "run it where there is a screen, or on Linux",
		"pictures without a display need EGL, which this system does not have")
}

// OnlySoftware is false: nobody can be asked here.
func OnlySoftware() bool { return false }

// MakeCurrent, Release and Close complete the type; New never returns one.
func (*Context) MakeCurrent() error { return nil }
func (*Context) Release()           {}
func (*Context) Close()             {}
