package main

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"blossom/model/base/plain"
	"blossom/model/base/problem"
	"blossom/model/scale"
)

// The name of a file that begins with a dash is taken for flags: the remedy is a name that does not. Where there is no
// such file it is the help.
func TestFilesWhoseNamesBeginWithADashAreNamedInTheRemedy(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"-dash.csv", "--two.csv", "-quad rows.csv"} {
		write(t, filepath.Join(dir, name), "x,y\n1,2\n2,5\n")
		blossom(t, dir, "info", name).refused(t, exitUsage, "write ./"+name+" for the file of that name")
		ok(t, dir, "info", "./"+name)
	}
	blossom(t, dir, "info", "-none.csv").refused(t, exitUsage, "see blossom info --help")
}

// A disk that is full while parts are made is said with how to go on, another error as it is.
func TestAFullDiskSaysHowToGoOn(t *testing.T) {
	plan := &scale.Plan{}
	full := goesOn(plan, plain.Problem(syscall.ENOSPC, "out/parts/000000.npy"))
	if is := problem.As(full); !strings.Contains(is.Remedy, "blossom resume") || !plain.Full(full) ||
		is.File != "out/parts/000000.npy" || is.What != "the disk is full" {
		t.Errorf("%v", full)
	}
	other := problem.New("a.csv", "plan anew", "has changed since")
	if goesOn(plan, other) != error(other) || goesOn(plan, nil) != nil {
		t.Error("another error is changed")
	}
}
