package main

import (
	"bufio"
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

// A name with line breaks is a line of status still.
func TestStatusHasALineForEachFileWhateverItIsCalled(t *testing.T) {
	var out bytes.Buffer
	a, s := &app{out: bufio.NewWriter(&out)}, statusSaid{Status: scale.Status{Folder: "o\nut", Finished: true,
		Missing: []scale.Left{{Of: "b\u2028\r\n.csv", Why: "c\n"}}},
		Damaged: []scale.Flaw{{File: "e\nfinished", What: "is missing"}}}
	if err := a.printStatus(s); err != nil {
		t.Fatal(err)
	}
	a.out.Flush()
	if lines := strings.Split(out.String(), "\n"); len(lines) != 4 || lines[1] != `  e\nfinished is missing` ||
		lines[2] != `  0  b\u2028\r\n.csv  c\n` {
		t.Errorf("%q", lines)
	}
}

// A training of which only the columns are made is not called finished.
func TestAStepOfATrainingIsNotFinished(t *testing.T) {
	var out bytes.Buffer
	a := &app{out: bufio.NewWriter(&out)}
	err := a.printStatus(statusSaid{Status: scale.Status{Folder: "x", Step: "columns", Parts: 2, Done: 2}})
	a.out.Flush()
	if err != nil || out.String() != "columns: 2 of 2 parts, 0 of 0 rows; "+onward+"\n" {
		t.Errorf("%q, %v", out.String(), err)
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
