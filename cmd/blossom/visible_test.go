package main

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"blossom/model/scale"
)

// No message has characters that a terminal obeys, whatever files are called.
func TestMessagesHoldNothingThatATerminalObeys(t *testing.T) {
	var out bytes.Buffer
	report(&out, errors.New("a\x1b[31m\nb\x07\u009bc\x00.csv"))
	(&app{stderr: &out}).note("column %q of %s", "x", "d\x1b]0;e\x07")
	for _, line := range strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n") {
		if strings.ContainsAny(line, "\x1b\x07\x00\u009b\r") || !strings.HasPrefix(line, "blossom: ") {
			t.Errorf("%q", line)
		}
	}
}

// A command that ends because somebody else has asked for it says so, and ends as one that is interrupted.
func TestWhatWasAskedToEndSaysSo(t *testing.T) {
	var out bytes.Buffer
	if code := report(&out, fmt.Errorf("out: %w", scale.ErrStopped)); code != exitInterrupted ||
		out.String() != "blossom: interrupted: another window or command has asked for it\n" {
		t.Errorf("code %d, %q", code, out.String())
	}
}
