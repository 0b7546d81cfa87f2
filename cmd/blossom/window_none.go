//go:build nowindow || static || !cgo

package main

import (
	"github.com/spf13/cobra"

	"blossom/model/base/problem"
)

// Built with -tags nowindow, or as a single file (opengl_none.go), the program has no window, and needs neither Dear
// ImGui nor X11: for servers that only run the other commands.

const noWindow = "this blossom was built without its window"

func windowFlags(_ *app, root *cobra.Command) {
	root.RunE = func(c *cobra.Command, paths []string) error {
		if err := checkFiles(c, &paths); err != nil {
			return err
		}
		return problem.New("", "use the blossom that has one, or a command that blossom --help lists", noWindow)
	}
}

func probeWindow() glHealth { return glHealth{Why: noWindow} }
