package main

import (
	"bufio"
	"errors"
	"io"
	"os"

	"blossom/gpu/bench/contest"
	"blossom/model/data/format"
)

// machine says what the numbers were measured on.
type machine struct {
	CPU   string `json:"cpu"`
	Cores int    `json:"cores"`
	GPU   string `json:"gpu"`
}

// numbers are what the benches have measured so far, for programs.
type numbers struct {
	Machine machine        `json:"machine"`
	Sizes   *sizesDone     `json:"sizes,omitempty"` // of embed
	Rows    []any          `json:"rows"`
	Means   []contest.Mean `json:"means"` // of embed

	embedded []contest.Row
	out      string // the file that is written anew with every addition, or ""
	unsaved  error  // why the file does not hold all of it
}

// sizesDone says how many problem sizes were measured of those that were to be: fewer after an interrupt.
type sizesDone struct {
	Done int `json:"done"`
	Of   int `json:"of"`
}

// add adds rows, and writes the file.
func add[R any](n *numbers, rows []R) {
	for _, r := range rows {
		n.Rows = append(n.Rows, r)
		if e, ok := any(r).(contest.Row); ok && e.Bench == "embed" {
			n.embedded = append(n.embedded, e)
		}
	}
	n.Means = contest.Means(n.embedded)
	if len(rows) > 0 && !n.once() {
		n.unsaved = n.save() // a later one may have more luck
	}
}

// once says whether the file is to be written at the end alone: a device or a pipe keeps all that is
// written to it.
func (n *numbers) once() bool {
	st, err := os.Stat(n.out)
	return err == nil && !st.Mode().IsRegular()
}

// save writes the file, whole or not at all.
func (n *numbers) save() error {
	if n.out == "" {
		return nil
	}
	return format.AtomicWrite(n.out, func(w io.Writer) error {
		b := bufio.NewWriter(w)
		return errors.Join((&app{out: b}).printJSON(n), b.Flush())
	})
}
