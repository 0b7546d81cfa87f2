package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Warnings of compilers about other people's packages do not bury ours, and ours are not lost where they matter.
func TestCompilerNotes(t *testing.T) {
	script, err := filepath.Abs(filepath.Join("..", "..", ".ci", "go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, exit string
		says, not  []string
	}{
		{"succeeds", "0", []string{"go: downloading x", "# blossom/gpu/cpu", "kernel.c:3: warning: ours",
			"# [blossom/ui]", "vet: ours too"}, []string{"theirs", "imnodes"}},
		{"fails", "1", []string{"kernel.c:3: warning: ours", "# example.org/imnodes", "imnodes.h:9: theirs"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, filepath.Join(dir, "go"), "#!/bin/sh\necho 'go: downloading x'\n"+
				"printf '# example.org/imnodes\\nimnodes.h:9: theirs\\n  9 | theirs\\n' >&2\n"+
				"printf '# blossom/gpu/cpu\\nkernel.c:3: warning: ours\\n' >&2\n"+
				"printf '# example.org/imnodes [x.test]\\ntheirs\\n# [blossom/ui]\\nvet: ours too\\n' >&2\n"+
				"exit "+c.exit+"\n")
			if err := os.Chmod(filepath.Join(dir, "go"), 0o755); err != nil {
				t.Fatal(err)
			}
			run := exec.Command(script, "build", "./...")
			run.Dir, run.Env = dir, append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"))
			out, err := run.CombinedOutput()
			if (err != nil) != (c.exit == "1") {
				t.Errorf("ends with %v", err)
			}
			for _, s := range c.says {
				if !strings.Contains(string(out), s) {
					t.Errorf("does not say %q:\n%s", s, out)
				}
			}
			for _, s := range c.not {
				if strings.Contains(string(out), s) {
					t.Errorf("says %q:\n%s", s, out)
				}
			}
		})
	}
}

// The flags of a build are those that tests are linked with, the same however often they are set.
func TestBuildFlagsAreSetOnce(t *testing.T) {
	env, err := filepath.Abs(filepath.Join("..", "..", ".ci", "env"))
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command("bash", "-c", `set -u; say() { echo "$CGO_CPPFLAGS|$CGO_CFLAGS|$CGO_CXXFLAGS|$GOFLAGS"; }
		. "$0"; say; export -f say; bash -uc '. "$0"; say' "$0"`, env)
	c.Env = []string{"PATH=" + os.Getenv("PATH"), "CGO_CPPFLAGS=-DX"}
	out, err := c.CombinedOutput()
	once, twice, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	if err != nil || once != twice || !strings.Contains(once, "-DX") || !strings.Contains(once, "-dwarf=false") {
		t.Errorf("%v\n%s", err, out)
	}
}
