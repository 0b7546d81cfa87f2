package main

import (
	"os/exec"
	"path/filepath"
	"testing"
)

// Commands by which users once found blossom wrong do what is right: .ci/found says what.
func TestCommandsThatUsersFoundWrongAreRight(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash: .ci/found is a script of it")
	}
	out, err := exec.Command(bash, filepath.Join("..", "..", ".ci", "found"), binary(t)).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
