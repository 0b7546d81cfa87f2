package bench

import (
	"bytes"
	"context"
	"os/exec"
	"strings"
	"time"

	"blossom/model/base/problem"
)

// taken is what a run of the program has taken, from its start to its end.
type taken struct {
	Wall float64 `json:"seconds"`
	CPU  float64 `json:"cpu_seconds"` // user and system; 0: the system does not say
	Peak int64   `json:"peak_bytes"`  // most memory it had at once (VmHWM); 0: the system does not say

	said []byte // on standard output
}

// measured runs a line of the program in a folder.
func measured(ctx context.Context, program, dir, line string) (taken, error) {
	c := exec.CommandContext(ctx, program, append(strings.Fields(line), "--quiet")...)
	var said, wrong bytes.Buffer
	c.Dir, c.Stdout, c.Stderr = dir, &said, &wrong
	start := time.Now()
	err := c.Run()
	wall := time.Since(start).Seconds()
	if ctx.Err() != nil {
		return taken{}, ctx.Err()
	}
	if err != nil {
		return taken{}, problem.Wrap(err, "", "run it by itself", "blossom %s failed: %s", line,
			strings.TrimSpace(wrong.String()))
	}
	cpu := c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	return taken{Wall: wall, CPU: cpu.Seconds(), Peak: peakOf(c.ProcessState), said: said.Bytes()}, nil
}
