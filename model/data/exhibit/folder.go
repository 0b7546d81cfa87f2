package exhibit

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"blossom/model/base/plain"
	"blossom/model/base/problem"
	"blossom/model/data/dataset"
)

// Folder is the images of a folder, by what they are called.
type Folder struct {
	path  string
	names map[string]string // by the name without its ending, and by the number that it is
	zero  bool              // numbers begin with 0
}

// OpenFolder lists the images of a folder; a file stands for the folder that it is in. The error is a Problem.
func OpenFolder(path string) (*Folder, error) {
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		path = filepath.Dir(path)
	}
	list, err := os.ReadDir(path)
	if err != nil {
		return nil, plain.Problem(err, path)
	}
	f := &Folder{path: path, names: map[string]string{}}
	for _, e := range list {
		name := e.Name()
		if e.IsDir() || !isImage(name) {
			continue
		}
		key := strings.TrimSuffix(name, filepath.Ext(name))
		f.names[key] = name
		if n, err := strconv.Atoi(key); err == nil && n >= 0 {
			f.zero = f.zero || n == 0
			f.names[numbered(n)] = name
		}
	}
	if len(f.names) == 0 {
		return nil, problem.New(path, "choose a folder of "+strings.Join(Endings, ", ")+" files",
			"there is no image in it")
	}
	return f, nil
}

// numbered is the key of a number, whatever zeros it is written with.
func numbered(n int) string { return "/" + strconv.Itoa(n) }

// ImageOf is the path of the image of a row, "" where there is none: the file that is called as a column of names of
// points has it, else by the number of the row in its file, from 1 or, where there is an image 0, from 0.
func (f *Folder) ImageOf(ds *dataset.Dataset, row int) string {
	for i := range ds.Columns {
		c := &ds.Columns[i]
		if c.Role != dataset.Index {
			continue
		}
		key := labelOf(c, row)
		if c.Categories == nil {
			v := c.At(row)
			if v != float64(int(v)) {
				continue
			}
			key = numbered(int(v))
		}
		if name, ok := f.names[strings.TrimSuffix(key, filepath.Ext(key))]; ok {
			return filepath.Join(f.path, name)
		}
		if name, ok := f.names[key]; ok {
			return filepath.Join(f.path, name)
		}
	}
	n, known := rowOf(ds, row)
	if !f.zero {
		n++
	}
	if name, ok := f.names[numbered(n)]; ok && known {
		return filepath.Join(f.path, name)
	}
	return ""
}

// rowOf is the number of a row in the file that it is from, from 0; known is false where several files or a sample of
// one do not say it.
func rowOf(ds *dataset.Dataset, row int) (n int, known bool) {
	points, total := ds.Points, ds.Total
	if s := ds.Subset; s != nil {
		row, points, total = int(s.Rows[row]), s.Points, s.Total
	}
	return row, len(ds.Parts) < 2 && total <= points
}
