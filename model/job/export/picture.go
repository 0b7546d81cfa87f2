package export

import (
	"path/filepath"
	"strings"

	"blossom/model/base/problem"
)

// PictureName says what is wrong with the name of a file for a picture, as a Problem.
func PictureName(path string) error {
	if strings.ToLower(filepath.Ext(path)) == ".png" {
		return nil
	}
	return problem.New(path, "use a name that ends in .png", "pictures are written as PNG")
}
