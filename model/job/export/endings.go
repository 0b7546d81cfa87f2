package export

import (
	"path/filepath"
	"slices"
	"strings"

	"blossom/model/base/problem"
)

// Endings of names: the one list of them, for what writes such files (which drawing knows), reads the jobs that they
// carry, and asks for their names.
var (
	PictureEndings = []string{pixels, ".svg", ".pdf"} // pictures, of pixels, and of lines and letters
	FilmEndings    = []string{".avi", ".mp4", pixels, ".webm"}
	PageEnding     = ".html"
)

// pixels is the ending of pictures, still and moving, that are of pixels alone.
const pixels = ".png"

// Carriers are the endings of files that carry the job which makes them again.
func Carriers() (out []string) {
	for _, e := range slices.Concat(PictureEndings, []string{PageEnding}, FilmEndings) {
		if !slices.Contains(out, e) {
			out = append(out, e)
		}
	}
	return out
}

// PictureName says what is wrong with the name of a file for a picture, as a Problem.
func PictureName(path string) error {
	if slices.Contains(PictureEndings, strings.ToLower(filepath.Ext(path))) {
		return nil
	}
	return problem.New(path, "use a name that ends in "+problem.OneOf(PictureEndings...),
		"pictures are written as PNG, SVG or PDF")
}

// OfLines says whether a picture of that name is of lines and letters, not of pixels alone.
func OfLines(path string) bool {
	ending := strings.ToLower(filepath.Ext(path))
	return ending != pixels && slices.Contains(PictureEndings, ending)
}
