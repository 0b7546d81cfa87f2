package film

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"os/exec"
	"strconv"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/data/format"
)

// ffmpeg writes what the program of that name makes of frames on its standard input. It needs to seek in what it
// writes, so that it has a file of its own.
type ffmpeg struct {
	ctx   context.Context
	w     io.Writer
	o     Options
	out   *format.Scratch
	run   *exec.Cmd
	in    io.WriteCloser
	said  bytes.Buffer
	ended bool
}

// program is what is looked for on the PATH. Tests set it.
var program = "ffmpeg"

// noFFmpeg says that the program is not there.
func noFFmpeg() error {
	if _, err := exec.LookPath(program); err != nil {
		return problem.New("", "install ffmpeg, or write .avi or .png, which need no other program",
			"such a film is made by ffmpeg, which is not on the PATH")
	}
	return nil
}

// mostArgument is how long a text may be that is said to the program: systems have limits.
const mostArgument = 100_000

// withFFmpeg begins a film that the program encodes as args say.
func withFFmpeg(ctx context.Context, w io.Writer, o Options, args ...string) (Writer, error) {
	path, err := exec.LookPath(program)
	if err != nil {
		p := problem.As(noFFmpeg())
		return nil, problem.Wrap(err, o.Path, p.Remedy, "%s", p.What)
	}
	out, err := format.NewScratch(o.Path)
	if err != nil {
		return nil, err
	}
	f := &ffmpeg{ctx: ctx, w: w, o: o, out: out}
	all := []string{"-hide_banner", "-loglevel", "error", "-nostdin", "-y", "-f", "rawvideo", "-pix_fmt", "rgba",
		"-s", fmt.Sprintf("%dx%d", o.Width, o.Height), "-framerate", strconv.Itoa(o.Rate), "-i", "pipe:0", "-an",
		"-vf", "scale=out_color_matrix=bt709:out_range=tv", "-pix_fmt", "yuv420p", "-colorspace", "bt709",
		"-color_primaries", "bt709", "-color_trc", "iec61966-2-1", "-fflags", "+bitexact", "-flags:v", "+bitexact"}
	if text := f.comment(); text != "" {
		all = append(all, "-metadata", "comment="+text)
	}
	all = append(append(all, args...), "file:"+out.Name())
	f.run = exec.CommandContext(ctx, path, all...)
	f.run.Stderr = &f.said
	if f.in, err = f.run.StdinPipe(); err == nil {
		err = f.run.Start()
	}
	if err != nil {
		out.Close()
		return nil, f.failed(err)
	}
	return f, nil
}

// comment is what the file says of itself: a recipe, if it is short enough.
func (f *ffmpeg) comment() string {
	comment := ""
	for _, t := range f.o.Text {
		switch t[0] {
		case "Recipe":
			if len(t[1]) <= mostArgument {
				return t[1]
			}
		case "Comment":
			comment = t[1]
		}
	}
	return comment[:min(len(comment), mostArgument)]
}

// Frame adds a frame.
func (f *ffmpeg) Frame(img *image.RGBA) error {
	if err := f.ctx.Err(); err != nil {
		return err
	}
	if _, err := f.in.Write(img.Pix); err != nil {
		return f.failed(errors.Join(f.wait(), err))
	}
	return nil
}

// End waits for the program, and takes over what it has written.
func (f *ffmpeg) End() error {
	if err := f.wait(); err != nil {
		return f.failed(err)
	}
	return f.out.CopyTo(f.ctx, f.w)
}

// wait ends the input of the program, and waits for its end.
func (f *ffmpeg) wait() error {
	if f.ended {
		return nil
	}
	f.ended = true
	f.in.Close()
	return f.run.Wait()
}

// failed is the error of the program, in its words.
func (f *ffmpeg) failed(err error) error {
	if f.ctx.Err() != nil {
		return f.ctx.Err()
	}
	said := ""
	for line := range strings.Lines(f.said.String()) {
		if line = strings.TrimSpace(line); line != "" && said == "" {
			said = line
		}
	}
	if r := []rune(said); len(r) > 300 {
		said = string(r[:300]) + "…"
	}
	if said == "" {
		said = err.Error()
	}
	return problem.Wrap(err, f.o.Path, "look whether it runs by itself, or write .avi or .png, which do without",
		"ffmpeg has failed: %s", said)
}

// Close ends the program if it still runs, and removes what it has written.
func (f *ffmpeg) Close() {
	if !f.ended {
		_ = f.run.Process.Kill()
		_ = f.wait()
	}
	f.out.Close()
}
