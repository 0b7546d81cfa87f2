package exhibit

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/image/tiff"

	"blossom/model/data/dataset"
)

// table is a table of labels by columns.
func table(t *testing.T, path string, columns map[string][]string) *dataset.Dataset {
	t.Helper()
	var list []dataset.Column
	for _, name := range []string{"id", "file", "said", "kind"} {
		texts, ok := columns[name]
		if !ok {
			continue
		}
		c := dataset.Column{Name: name}
		at := map[string]int{}
		for _, text := range texts {
			k, known := at[text]
			if !known {
				k = len(c.Categories)
				at[text], c.Categories = k, append(c.Categories, text)
			}
			c.Values = append(c.Values, float32(k))
		}
		if name == "id" {
			c.Role = dataset.Index
		}
		list = append(list, c)
	}
	ds, err := dataset.FromColumns(t.Context(), filepath.Base(path), list)
	if err != nil {
		t.Fatal(err)
	}
	ds.Path = path
	for i := range ds.Columns {
		if ds.Columns[i].Name == "id" {
			ds.Columns[i].Role = dataset.Index
		}
	}
	return ds
}

func write(t *testing.T, path string, img image.Image) {
	t.Helper()
	var b bytes.Buffer
	var err error
	if strings.HasSuffix(path, ".tif") {
		err = tiff.Encode(&b, img, nil)
	} else {
		err = png.Encode(&b, img)
	}
	if err == nil {
		err = os.WriteFile(path, b.Bytes(), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Columns of paths and of long texts are recognised, names and short labels are not; a path is from the folder of the
// table, and nothing is fetched from elsewhere.
func TestColumnsThatCardsShowAreRecognised(t *testing.T) {
	said := strings.Repeat("what somebody has written ", 4)
	ds := table(t, "/data/t.csv", map[string][]string{"id": {"a", "b", "c"},
		"file": {"x/1.PNG", "/elsewhere/2.jpg", "https://example.org/3.png"}, "said": {said + "1", said + "2",
			said + "3"},
		"kind": {"T", "B", "T"}})
	c := Of(ds)
	if c.Image != 1 || c.Text != 2 || !c.Has(1) || c.Has(3) || c.Has(-1) {
		t.Fatalf("%+v", c)
	}
	for row, want := range []string{filepath.FromSlash("/data/x/1.PNG"), "/elsewhere/2.jpg", ""} {
		if got := c.ImageOf(ds, row); got != want {
			t.Errorf("row %d: %q, want %q", row, got, want)
		}
	}
	if got := c.TextOf(ds, 1); got != said+"2" {
		t.Errorf("%q", got)
	}
	if none := Of(table(t, "t.csv", map[string][]string{"kind": {"T", "B"}})); none != (Columns{-1, -1}) ||
		none.ImageOf(ds, 0) != "" || none.TextOf(ds, 0) != "" {
		t.Errorf("%+v", none)
	}
}

// The images of a folder are those that are called as points are, else those of the numbers of rows, from 1 or from 0.
func TestImagesOfAFolderBelongToPoints(t *testing.T) {
	dot := image.NewGray(image.Rect(0, 0, 3, 2))
	for _, k := range []struct {
		files []string
		want  []string
	}{
		{[]string{"a.png", "c.png", "notes.txt"}, []string{"a.png", "", "c.png"}},
		{[]string{"001.png", "002.png", "003.png"}, []string{"001.png", "002.png", "003.png"}},
		{[]string{"0.png", "1.png"}, []string{"0.png", "1.png", ""}},
	} {
		dir := t.TempDir()
		for _, name := range k.files {
			write(t, filepath.Join(dir, name), dot)
		}
		ds := table(t, "t.csv", map[string][]string{"id": {"a", "b", "c"}})
		f, err := OpenFolder(filepath.Join(dir, k.files[0])) // a file stands for its folder
		if err != nil {
			t.Fatal(err)
		}
		for row, want := range k.want {
			if want != "" {
				want = filepath.Join(dir, want)
			}
			if got := f.ImageOf(ds, row); got != want {
				t.Errorf("%v: row %d has %q, want %q", k.files, row, got, want)
			}
		}
	}
	if _, err := OpenFolder(t.TempDir()); err == nil || !strings.Contains(err.Error(), "no image") {
		t.Errorf("an empty folder: %v", err)
	}
}

// Points of a part have the images of the rows that they are in the whole; of a sample it is not known which they are.
func TestPointsOfAPartHaveTheirOwnImages(t *testing.T) {
	dir := t.TempDir()
	for i := range 5 {
		write(t, filepath.Join(dir, fmt.Sprintf("%d.png", i+1)), image.NewGray(image.Rect(0, 0, 3, 2)))
	}
	f, err := OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	whole := table(t, "t.csv", map[string][]string{"kind": {"a", "b", "a", "b", "a"}})
	some, err := dataset.Among(t.Context(), whole, dataset.Subset{Name: "b", Of: "t", Rows: []int32{1, 3}, Points: 5,
		Total: whole.Total})
	if err != nil {
		t.Fatal(err)
	}
	for row, want := range []string{"2.png", "4.png"} {
		if got := f.ImageOf(some, row); got != filepath.Join(dir, want) {
			t.Errorf("row %d of the part has %q, want %s", row, got, want)
		}
	}
	whole.Total = 100
	if got := f.ImageOf(whole, 0); got != "" {
		t.Errorf("a row of a sample has %q", got)
	}
}

// An image is made small in its shape; one of 16 bits is spread over what it has; what is none is refused in one line.
func TestThumbnails(t *testing.T) {
	dir := t.TempDir()
	wide := image.NewRGBA(image.Rect(0, 0, 900, 300))
	for i := range wide.Pix {
		wide.Pix[i] = 200
	}
	write(t, filepath.Join(dir, "wide.png"), wide)
	img, err := Thumbnail(filepath.Join(dir, "wide.png"), 128)
	if err != nil || img.Rect.Dx() != 128 || img.Rect.Dy() != 42 {
		t.Fatalf("%v: %v", img.Rect, err)
	}
	deep := image.NewGray16(image.Rect(0, 0, 40, 20))
	for x := range 40 {
		for y := range 20 {
			deep.SetGray16(x, y, color.Gray16{Y: uint16(100 + 50*x)})
		}
	}
	write(t, filepath.Join(dir, "deep.tif"), deep)
	img, err = Thumbnail(filepath.Join(dir, "deep.tif"), 128)
	if err != nil {
		t.Fatal(err)
	}
	if first, last := img.RGBAAt(0, 10).R, img.RGBAAt(39, 10).R; first != 0 || last != 255 {
		t.Errorf("16 bits become %d to %d", first, last)
	}
	good, _ := os.ReadFile(filepath.Join(dir, "wide.png"))
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 300 { // damaged files
		bad := bytes.Clone(good)
		for range 1 + random.IntN(5) {
			bad[random.IntN(len(bad))] ^= byte(1 + random.IntN(255))
		}
		if i%3 == 0 {
			bad = bad[:random.IntN(len(bad))]
		}
		path := filepath.Join(dir, fmt.Sprint(i, ".png"))
		if err := os.WriteFile(path, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Thumbnail(path, 64); err != nil && (!strings.Contains(err.Error(), filepath.Base(path)) ||
			strings.Contains(err.Error(), "\n")) {
			t.Errorf("%v", err)
		}
	}
	if _, err := Thumbnail(filepath.Join(dir, "not there.png"), 64); err == nil {
		t.Error("a file that is not there is shown")
	}
}
