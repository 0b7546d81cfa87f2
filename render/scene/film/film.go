// Package film writes films: pictures of one size, one after the other, into a file. Formats are members of a family,
// a file each. Frames are written as they come, so that a film takes the memory of a few of them however long it is.
package film

import (
	"context"
	"image"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"blossom/model/base/problem"
)

// Options say what a film is.
type Options struct {
	Path          string // where the film goes: temporary files are made beside it
	Width, Height int    // pixels of each frame
	Frames        int    // how many there will be
	Rate          int    // frames per second
	Transparent   bool   // frames have pixels that are not opaque
	// Text is what the file says of itself, keys and values as in pictures.
	Text [][2]string
}

// Writer takes the frames of a film.
type Writer interface {
	// Frame adds one of the size of the film. It keeps nothing of it.
	Frame(img *image.RGBA) error
	// End writes what is to come after the last frame.
	End() error
	// Close frees what the writer holds, whether or not the film is whole. It may be called more than once.
	Close()
}

// Format is a kind of file that holds a film.
type Format struct {
	Extension string // ".avi"
	Title     string
	// Alpha: frames may be transparent. Even: width and height must be even numbers.
	Alpha, Even bool
	// Missing says what the machine lacks to write it, as a Problem without a file; nil: nothing.
	Missing func() error
	// New begins a film in w. The error is a Problem, or ctx's.
	New func(ctx context.Context, w io.Writer, o Options) (Writer, error)
}

var formats []Format

// register adds a format. It panics if the extension is taken.
func register(f Format) {
	if slices.ContainsFunc(formats, func(x Format) bool { return x.Extension == f.Extension }) {
		panic("film: registered twice: " + f.Extension)
	}
	formats = append(formats, f)
	slices.SortFunc(formats, func(a, b Format) int { return strings.Compare(a.Extension, b.Extension) })
}

// Formats are all there are, in the order of their extensions.
func Formats() []Format { return slices.Clone(formats) }

// Extensions are those of all formats.
func Extensions() (out []string) {
	for _, f := range formats {
		out = append(out, f.Extension)
	}
	return out
}

// ForPath is the format of a name. The error is a Problem.
func ForPath(path string) (Format, error) {
	ext := strings.ToLower(filepath.Ext(path))
	for _, f := range formats {
		if f.Extension == ext {
			return f, nil
		}
	}
	remedy := "use a name that ends in " + problem.OneOf(Extensions()...)
	if len(ext) < 2 {
		return Format{}, problem.New(path, remedy, "its name does not say which kind of film it is")
	}
	return Format{}, problem.New(path, remedy, "films are not written as %s", strings.TrimPrefix(ext, "."))
}

// Check says why a film of these options cannot be written in the format, before any frame is made. The error is a
// Problem.
func (f Format) Check(o Options) error {
	switch {
	case o.Transparent && !f.Alpha:
		return problem.New(o.Path, "write it as .png, or choose another background",
			"%s has no transparency", f.Title)
	case f.Even && (o.Width%2 != 0 || o.Height%2 != 0):
		return problem.New(o.Path, "use even numbers of pixels, such as 1600x1200",
			"a film of %d x %d pixels cannot be made as %s", o.Width, o.Height, f.Title)
	case f.Missing != nil:
		if err := f.Missing(); err != nil {
			p := problem.As(err)
			return problem.Wrap(err, o.Path, p.Remedy, "%s", p.What)
		}
	}
	return nil
}
