package film

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/data/format"
)

// ffmpeg writes what the program of that name makes of frames on its standard input. It needs to seek in what it
// writes, so that it has a file of its own.
type ffmpeg struct {
	ctx    context.Context
	w      io.Writer
	o      Options
	out    *format.Scratch
	tags   *format.Scratch // the film says this of itself; the program reads it
	run    *exec.Cmd
	in     io.WriteCloser
	errors bytes.Buffer
	ended  bool
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

// withFFmpeg begins a film that the program encodes as args say.
func withFFmpeg(ctx context.Context, w io.Writer, o Options, args ...string) (Writer, error) {
	path, err := exec.LookPath(program)
	if err != nil {
		p := problem.As(noFFmpeg())
		return nil, problem.Wrap(err, o.Path, p.Remedy, "%s", p.What)
	}
	f := &ffmpeg{ctx: ctx, w: w, o: o}
	if f.out, err = format.NewScratch(o.Path); err != nil {
		return nil, err
	}
	if f.tags, err = format.NewScratch(o.Path); err == nil {
		err = os.WriteFile(f.tags.Name(), f.said(), 0o600) // no command line is long enough for it everywhere
	}
	if err != nil {
		f.free()
		return nil, err
	}
	all := []string{"-hide_banner", "-loglevel", "error", "-nostdin", "-y", "-f", "rawvideo", "-pix_fmt", "rgba",
		"-s", fmt.Sprintf("%dx%d", o.Width, o.Height), "-framerate", strconv.Itoa(o.Rate), "-i", "pipe:0",
		"-f", "ffmetadata", "-i", "file:" + f.tags.Name(), "-map", "0:v", "-map_metadata", "1", "-an",
		"-vf", "scale=out_color_matrix=bt709:out_range=tv", "-pix_fmt", "yuv420p", "-colorspace", "bt709",
		"-color_primaries", "bt709", "-color_trc", "iec61966-2-1", "-fflags", "+bitexact", "-flags:v", "+bitexact"}
	all = append(append(all, args...), "file:"+f.out.Name())
	f.run = exec.CommandContext(ctx, path, all...)
	f.run.Stderr = &f.errors
	if f.in, err = f.run.StdinPipe(); err == nil {
		err = f.run.Start()
	}
	if err != nil {
		f.free()
		return nil, f.failed(err)
	}
	return f, nil
}

// escaped is a text as the program's own files of metadata have it.
var escaped = strings.NewReplacer(`\`, `\\`, "=", `\=`, ";", `\;`, "#", `\#`, "\n", "\\\n")

// said is what the film says of itself, as a file of metadata.
func (f *ffmpeg) said() []byte {
	text := ";FFMETADATA1\n"
	if comment := f.comment(); comment != "" {
		text += "comment=" + escaped.Replace(comment) + "\n"
	}
	return []byte(text)
}

// comment is what the film says of itself: a recipe, if there is one.
func (f *ffmpeg) comment() string {
	comment := ""
	for _, t := range f.o.Text {
		switch t[0] {
		case "Recipe":
			return t[1]
		case "Comment":
			comment = t[1]
		}
	}
	return comment
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
	if st, err := os.Stat(f.out.Name()); err != nil || st.Size() == 0 {
		return f.failed(errors.Join(errNothing, err))
	}
	return f.out.CopyTo(f.ctx, f.w)
}

// errNothing is the error of a program that says that all is well.
var errNothing = errors.New("it has written nothing")

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
	for line := range strings.Lines(f.errors.String()) {
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
	f.free()
}

// free removes the files beside the film.
func (f *ffmpeg) free() {
	f.out.Close()
	if f.tags != nil {
		f.tags.Close()
	}
}
