package bench

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
)

// PythonVariable names a Python with the published peers that are measured beside ours.
const PythonVariable = "BLOSSOM_SCIPY"

// python runs a script of a peer in a process of its own: arrays come to its standard input one after the other,
// little-endian, and what it prints, as JSON, goes into answer. needs is what a Python must have.
func python(ctx context.Context, needs, script string, arrays []any, answer any, args ...string) error {
	var in bytes.Buffer
	for _, a := range arrays {
		_ = binary.Write(&in, binary.LittleEndian, a) // to memory
	}
	for _, name := range []string{os.Getenv(PythonVariable), "python3", "/usr/bin/python3", "python"} {
		if name == "" {
			continue
		}
		c := exec.CommandContext(ctx, name, append([]string{"-c", script}, args...)...)
		c.Stdin = bytes.NewReader(in.Bytes())
		text, err := c.Output()
		if err == nil && json.Unmarshal(bytes.TrimSpace(text), answer) == nil {
			return nil
		}
	}
	return errors.New("no Python with " + needs + " is here: " + PythonVariable + " may name one")
}
