//go:build linux

package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// startDisplay starts a display without a screen, until the test ends, and says its name.
func startDisplay(t *testing.T) string {
	t.Helper()
	from, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	x := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", "1600x1000x24", "-nolisten", "tcp")
	x.ExtraFiles = []*os.File{to}
	if err := x.Start(); err != nil {
		t.Fatal(err)
	}
	to.Close()
	t.Cleanup(func() { x.Process.Kill(); x.Wait() })
	number := make([]byte, 16)
	n, err := from.Read(number)
	if err != nil {
		t.Fatal(err)
	}
	return ":" + strings.TrimSpace(string(number[:n]))
}
