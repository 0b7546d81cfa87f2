// Package exhibit finds what the card of a point shows beside the columns: an image and a text. Images are files, which
// are read when a card is; their paths stand in a column, or their names in a folder are those of the points.
package exhibit

import (
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"blossom/model/data/dataset"
)

// Columns are those of a table that say what a card shows; -1 where there is none.
type Columns struct {
	Image int // paths of images, absolute or from the folder of the table
	Text  int // texts that are too long for a line
}

// Has says whether a column is one of them.
func (c Columns) Has(column int) bool { return column >= 0 && (column == c.Image || column == c.Text) }

// Lengths and shares by which columns are recognised.
const (
	looked   = 200 // values that are looked at
	longText = 48  // characters of a text on average
)

// Endings are those of the images that can be read.
var Endings = []string{".png", ".jpg", ".jpeg", ".tif", ".tiff", ".gif", ".bmp", ".webp"}

// isImage says whether a name is that of an image.
func isImage(name string) bool {
	return slices.Contains(Endings, strings.ToLower(filepath.Ext(name)))
}

// Of recognises the columns of a table: images where nine of ten of the first values end as images do, and the texts
// that are the longest on average, from 48 characters.
func Of(ds *dataset.Dataset) Columns {
	out, longest := Columns{-1, -1}, 0.0
	for i := range ds.Columns {
		c := &ds.Columns[i]
		if len(c.Categories) == 0 {
			continue
		}
		images, length, n := 0, 0, min(len(c.Categories), looked)
		for _, text := range c.Categories[:n] {
			length += utf8.RuneCountInString(text)
			if isImage(text) {
				images++
			}
		}
		mean := float64(length) / float64(n)
		switch {
		case 10*images >= 9*n:
			if out.Image < 0 {
				out.Image = i
			}
		case mean >= longText && mean > longest:
			out.Text, longest = i, mean
		}
	}
	return out
}

// TextOf is the text of a row, "" where it has none.
func (c Columns) TextOf(ds *dataset.Dataset, row int) string {
	if c.Text < 0 {
		return ""
	}
	return labelOf(&ds.Columns[c.Text], row)
}

// ImageOf is the path of the image of a row, "" where it has none. Paths that are not absolute are from the folder of
// the file that the row is from.
func (c Columns) ImageOf(ds *dataset.Dataset, row int) string {
	if c.Image < 0 {
		return ""
	}
	path := strings.TrimPrefix(labelOf(&ds.Columns[c.Image], row), "file://")
	switch {
	case strings.Contains(path, "://"): // nothing is fetched from elsewhere
		return ""
	case path == "" || filepath.IsAbs(path):
		return path
	}
	return filepath.Join(filepath.Dir(fileOf(ds, row)), filepath.FromSlash(path))
}

// fileOf is the path of the file that a row is from.
func fileOf(ds *dataset.Dataset, row int) string {
	if c := ds.Origin(); c != nil {
		if k := c.Values[row]; k >= 0 && int(k) < len(ds.Parts) {
			return ds.Parts[int(k)]
		}
	}
	return ds.Path
}

// labelOf is the label of a row, "" for none.
func labelOf(c *dataset.Column, row int) string {
	if v := c.Values[row]; v >= 0 && int(v) < len(c.Categories) {
		return c.Categories[int(v)]
	}
	return ""
}
