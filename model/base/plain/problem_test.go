package plain

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
)

// A full disk is known however a system says it, also within a Problem.
func TestFull(t *testing.T) {
	for _, code := range []error{syscall.ENOSPC, syscall.EDQUOT} {
		err := Problem(fmt.Errorf("writing: %w", &os.PathError{Op: "write", Path: "x", Err: code}), "x")
		if !Full(err) || !strings.Contains(err.Error(), "the disk is full") {
			t.Errorf("%v: %v", code, err)
		}
	}
	if Full(nil) || Full(errors.New("full")) || Full(Problem(syscall.EACCES, "x")) {
		t.Error("other errors are taken for it")
	}
}
