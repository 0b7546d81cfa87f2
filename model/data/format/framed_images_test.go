package format

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"os"
	"testing"

	pq "github.com/parquet-go/parquet-go"

	"blossom/model/data/dataset"
	"blossom/model/data/encoding/frame"
)

type picture struct {
	Bytes []byte  `parquet:"bytes,optional"`
	Path  *string `parquet:"path,optional"`
}

type pictureRow struct {
	X     float32 `parquet:"x"`
	Y     float32 `parquet:"y"`
	Image picture `parquet:"image"`
	Other []byte  `parquet:"other"`
}

// picturesOf are rows with an image each, but every seventh, in a struct as data sets of images have it.
func picturesOf(t *testing.T, n int) (rows []pictureRow) {
	t.Helper()
	r := rand.New(rand.NewPCG(3, 4))
	for i := range n {
		row := pictureRow{X: r.Float32(), Y: r.Float32(), Other: fmt.Appendf(nil, "word %d", i%3)}
		img := image.NewRGBA(image.Rect(0, 0, 20+i%5, 10))
		for k := range img.Pix {
			img.Pix[k] = uint8(r.IntN(256))
		}
		img.Set(0, 0, color.RGBA{uint8(i), 0, 0, 255})
		var b bytes.Buffer
		if err := png.Encode(&b, img); err != nil {
			t.Fatal(err)
		}
		if i%7 != 3 {
			row.Image.Bytes = b.Bytes()
		}
		rows = append(rows, row)
	}
	return rows
}

// Bytes of images in a table of another program are no column: that of each row is read from the file when it is asked
// for, to the byte, over pages and groups of rows, also of the rows of a part. Bytes that are texts are labels.
func TestImagesInATableAreReadByTheirRow(t *testing.T) {
	rows := picturesOf(t, 400)
	for i, o := range [][]pq.WriterOption{
		{pq.PageBufferSize(4096), pq.MaxRowsPerRowGroup(150)},
		{pq.Compression(&pq.Zstd), pq.PageBufferSize(4096)},
		{pq.DataPageVersion(2), pq.MaxRowsPerRowGroup(64), pq.Compression(&pq.Snappy)},
	} {
		path := foreignParquet(t, fmt.Sprintf("%d.parquet", i), rows, o...)
		ds, err := Open(ctx, path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		at := ds.Places()
		if _, there := at["image.bytes"]; there || ds.Images == nil || ds.Images.Name != "image.bytes" ||
			len(ds.Columns[at["other"]].Categories) != 3 {
			t.Fatalf("the columns are %v, images %v", at, ds.Images)
		}
		for _, row := range []int{399, 0, 3, 149, 150, 200, 63, 64} {
			got, err := ds.ImageBytes(ctx, row)
			if err != nil || !bytes.Equal(got, rows[row].Image.Bytes) {
				t.Errorf("file %d, row %d: %d bytes, want %d, %v", i, row, len(got), len(rows[row].Image.Bytes), err)
			}
		}
		part, err := dataset.Among(ctx, ds, dataset.Subset{Rows: []int32{5, 310}, Points: ds.Points, Total: ds.Total})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := part.ImageBytes(ctx, 1); err != nil || !bytes.Equal(got, rows[310].Image.Bytes) {
			t.Errorf("of a part there are %d bytes, %v", len(got), err)
		}
		some, err := Open(ctx, path, Options{MaxPoints: 100, Sample: "random", Seed: 3})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := some.ImageBytes(ctx, 1); err == nil {
			t.Error("an image of a sample is that of any row")
		}
	}
}

// Labels that begin as an image does stay labels, and images of few bytes are images.
func TestLabelsThatBeginAsAnImageAreLabels(t *testing.T) {
	type row struct {
		X     float32 `parquet:"x"`
		Y     float32 `parquet:"y"`
		Label []byte  `parquet:"label"`
	}
	labels := []string{"BM1", "BMMC", "PB1", "BM of the hip, patient 14, day 3", "GIF89a", "II*\x00", "\xff\xd8\xff"}
	for first := range labels {
		var rows []row
		for i := range 30 {
			rows = append(rows, row{float32(i), float32(i % 4), []byte(labels[(first+i)%len(labels)])})
		}
		ds, err := Open(ctx, foreignParquet(t, "labels.parquet", rows), Options{})
		if err != nil {
			t.Fatal(err)
		}
		at, there := ds.Places()["label"]
		if !there || ds.Images != nil || len(ds.Columns[at].Categories) != len(labels) {
			t.Errorf("%q first: the columns are %v, images %v", labels[first], ds.Places(), ds.Images)
		}
	}
	bmp := func(size byte) []byte { return append([]byte{'B', 'M', size, 0, 0, 0}, make([]byte, 52)...) }
	var small bytes.Buffer
	if err := png.Encode(&small, image.NewGray(image.Rect(0, 0, 1, 1))); err != nil {
		t.Fatal(err)
	}
	var gray bytes.Buffer
	if err := jpeg.Encode(&gray, image.NewGray(image.Rect(0, 0, 1, 1)), nil); err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct {
		b    []byte
		want bool
	}{{bmp(58), true}, {bmp(0), true}, {bmp(57), false}, {small.Bytes(), true}, {gray.Bytes(), true}} {
		if isImage(c.b, len(c.b)) != c.want {
			t.Errorf("%d: %d bytes are an image: %v", i, len(c.b), !c.want)
		}
	}
	head := []byte("BM\x00\x00\x00\x05" + string(make([]byte, 60)))
	if !isImage(head, 5<<24) || isImage(head, 5<<24+1) {
		t.Error("the beginning of a large bitmap is not judged by all of its bytes")
	}
}

// A file that is another one now, or gone, gives an error and no other image; so does reading that is given up.
func TestImagesOfAChangedFileAreRefused(t *testing.T) {
	path := foreignParquet(t, "x.parquet", picturesOf(t, 60))
	ds, err := Open(ctx, path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	late, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := ds.ImageBytes(late, 1); err == nil {
		t.Error("reading goes on when it is given up")
	}
	other, err := os.ReadFile(foreignParquet(t, "y.parquet", picturesOf(t, 61)))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, other, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ds.ImageBytes(ctx, 1); err == nil {
		t.Error("an image of another file is shown")
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err := ds.ImageBytes(ctx, 1); err == nil {
		t.Error("an image of no file is shown")
	}
}

// counting counts what is read of a table.
type counting struct {
	frame.Table
	runs int
}

func (c *counting) Read(ctx context.Context, piece, column int, wanted func(row int64, rows int) bool,
	take func(*frame.Run) error) error {
	return c.Table.Read(ctx, piece, column, wanted, func(r *frame.Run) error { c.runs++; return take(r) })
}

// Opening looks at the first value alone, and an image at the page that it is in.
func TestImagesAreNotReadBeforeTheyAreLookedAt(t *testing.T) {
	path := foreignParquet(t, "x.parquet", picturesOf(t, 400), pq.PageBufferSize(4096))
	in, err := openInput(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer in.close()
	table, err := openParquet(ctx, in)
	if err != nil {
		t.Fatal(err)
	}
	c := &counting{Table: table}
	f := &framed{in: in, table: c, of: c.Columns(), pieces: c.Pieces()}
	if at := f.images(ctx); at < 0 || c.Columns()[at].Name != "image.bytes" || c.runs != 1 {
		t.Errorf("column %d is that of the images, after %d runs", at, c.runs)
	}
	c.runs = 0
	if b, err := bytesOf(ctx, c, 0, f.images(ctx), 390, true); err != nil || len(b) == 0 || c.runs > 2 {
		t.Errorf("%d bytes, %v, after %d runs", len(b), err, c.runs)
	}
}
