package job

import (
	"context"
	"encoding/binary"
	"io"

	"blossom/model/base/problem"
	"blossom/model/job/run"
)

// Census wants what a training has to know, before it begins, of the points of one of many files: see run.Counted.
type Census struct {
	Output string `json:"output"`
	// Drawn are the numbers of the rows, among those of all files, at which landmarks may begin: 4 bytes each, the
	// least significant first.
	Drawn []byte `json:"drawn,omitempty"`
	First int64  `json:"first,omitempty"` // the number of the first row of the file

	Made    *run.Counted `json:"-"` // once they are counted
	Invalid int          `json:"-"` // rows with a value that is not finite
}

func init() {
	Register(Kind{ID: "census", New: func() Want { return &Census{} },
		Ranges: func(w Want) func(context.Context, *Work) error { return w.(*Census).makeByRanges }})
}

// What returns the ID of the kind.
func (c *Census) What() string { return "census" }

// Paths are the files that it names.
func (c *Census) Paths() (written, read []*string) { return []*string{&c.Output}, nil }

// Check says what is wrong with the wish.
func (c *Census) Check() error {
	if c.Output == "" || len(c.Drawn)%4 != 0 || c.First < 0 {
		return run.Usage{Err: problem.New("", "name a file, and rows", "a census has no output, or rows that are none")}
	}
	return nil
}

// drawn are the numbers of rows.
func (c *Census) drawn() []uint32 {
	out := make([]uint32, len(c.Drawn)/4)
	for i := range out {
		out[i] = binary.LittleEndian.Uint32(c.Drawn[4*i:])
	}
	return out
}

// Make counts the points.
func (c *Census) Make(ctx context.Context, w *Work) error {
	if err := w.Space(ctx); err != nil {
		return err
	}
	c.Made = w.Points.CountOf(c.First, c.drawn())
	return c.keep(ctx, w)
}

// makeByRanges counts the points as they go by.
func (c *Census) makeByRanges(ctx context.Context, w *Work) (err error) {
	if err = spaceByRanges(ctx, w); err != nil {
		return err
	}
	if c.Made, err = w.Points.Count(ctx, c.First, c.drawn(), w.Options.Report.Stage("looking")); err != nil {
		return err
	}
	return c.keep(ctx, w)
}

func (c *Census) keep(ctx context.Context, w *Work) error {
	c.Invalid = w.Points.Table.Invalid
	return w.Files.Write(c.Output, func(to io.Writer) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return c.Made.Write(to)
	})
}
