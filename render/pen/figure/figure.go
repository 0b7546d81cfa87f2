// Package figure writes pictures as files: of pixels, or of lines and letters for print. A format is a member of a
// family, a file each, that registers itself.
package figure

import (
	"cmp"
	"io"
	"path/filepath"
	"strings"

	"blossom/model/base/carried"
	"blossom/model/base/registry"
	"blossom/model/job/export"
	"blossom/render/pen"
)

// File is a picture for a file under way: it is painted, then written.
type File interface {
	pen.Canvas
	// Encode writes it, and what it says of itself.
	Encode(w io.Writer, p pen.Paper) error
}

// Format is a kind of file.
type Format struct {
	Ending string // ending of names, with its dot
	Title  string // in menus
	Help   string
	Order  int  // in menus
	Lines  bool // it is of lines and letters, and may have points as shapes
	New    func(pen.Paper) File
}

var formats = registry.New("formats of figures", func(f Format) string { return f.Ending },
	func(a, b Format) int { return cmp.Compare(a.Order, b.Order) })

// Register adds a format, from the init of its file.
func Register(f Format) { formats.Add(f) }

// Formats returns all formats, in the order of menus.
func Formats() []Format { return formats.All() }

// Of returns the format of a file by the ending of its name; PNG where there is no name. The error is a Problem.
func Of(path string) (Format, error) {
	ending := strings.ToLower(filepath.Ext(path))
	if path == "" || path == "-" {
		ending = ".png"
	}
	if f, ok := formats.Find(ending); ok {
		return f, nil
	}
	return Format{}, export.PictureName(path)
}

// Tell puts what a picture says of itself, keys and values, into its paper.
func Tell(p *pen.Paper, says [][2]string) {
	for _, s := range says {
		if s[0] == carried.Key {
			p.Recipe = s[1]
			continue
		}
		p.Says = append(p.Says, s)
		switch s[0] {
		case "Software":
			p.Software = s[1]
		case "Source":
			p.Title = cmp.Or(p.Title, s[1])
		default:
			if p.Detail != "" {
				p.Detail += "; "
			}
			p.Detail += s[1]
		}
	}
}
