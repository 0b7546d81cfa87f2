package output_test

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/landmarks/landmark"
	"blossom/model/space/transform"
	"blossom/render/pen/figure"
	"blossom/ui/desk"
	"blossom/ui/dialog"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
	"blossom/ui/view"
)

// rounded is how far pixels of the window and of a picture may be from each other, of 255: the card lays landmarks on
// points with rounding of its own.
const rounded = 3

// A picture of all views is as large as they are together, and has the pixels of each.
func TestAPictureOfAllViews(t *testing.T) {
	a, d := enter(t, 1280, 800, "demo:tesseract:3000")
	stand.FourViews(a.Desk(), d)
	a.Rest(d)
	uitest.Do(func() { a.Desk().Show(func(v *parts.View) { v.Axes = false }) })
	for _, v := range a.Desk().Stage.Scatters() {
		uitest.Do(func() { v.View.Edit(func(s *parts.View) { s.Axes, s.Legend = false, false }) })
	}
	a.Rest(d)
	write := func(p desk.Picture) *image.RGBA {
		path := filepath.Join(t.TempDir(), "out.png")
		uitest.Do(func() { a.out.Picture(path, p) })
		d.Wait("the picture is written", 20*time.Second, func() bool {
			return there(path) && !a.out.Drawing() && a.Jobs.Idle()
		})
		return pictureFile(t, path)
	}
	for i, v := range a.Desk().Stage.Scatters() {
		uitest.Do(func() { a.Desk().Stage.Activate(v.View) })
		d.Frames(3)
		var want *image.RGBA
		uitest.Do(func() { want = v.Image() })
		if n := uitest.Apart(write(desk.Picture{}), want, rounded); n > 0 {
			t.Errorf("view %d: %d pixels of its picture are not those of the window", i+1, n)
		}
	}
	r := a.Place()
	all := write(desk.Picture{All: true})
	if all.Rect.Dx() != int(r.W()) || all.Rect.Dy() != int(r.H()) {
		t.Fatalf("%v, the views are %v", all.Rect, r)
	}
	for i, v := range a.Desk().Stage.Scatters() {
		var want *image.RGBA
		uitest.Do(func() { want = v.Image() })
		b := v.Rect()
		at := image.Pt(int(b.X0-r.X0), int(b.Y0-r.Y0))
		got := all.SubImage(want.Rect.Add(at)).(*image.RGBA)
		if n := uitest.Apart(got, want, rounded); n > 0 {
			t.Errorf("view %d: %d of %d pixels in the picture of all differ", i+1, n, want.Rect.Dx()*want.Rect.Dy())
		}
	}
	if fine := write(desk.Picture{All: true, Size: desk.TwiceAsFine}); fine.Rect.Dx() != 2*all.Rect.Dx() ||
		fine.Rect.Dy() != 2*all.Rect.Dy() {
		t.Errorf("twice as fine: %v of %v", fine.Rect, all.Rect)
	}
	if own := write(desk.Picture{All: true, Size: desk.OwnSize, Width: 640, Height: 300, Scale: 1}); own.Rect.Dx() !=
		640 || own.Rect.Dy() != 300 {
		t.Errorf("own size: %v", own.Rect)
	}
}

// A picture for a paper is white and has no landmarks, and is the same from a dark window.
func TestAPictureForAPaper(t *testing.T) {
	a, d := enter(t, 600, 500, "demo:tesseract:1000")
	a.Rest(d)
	paper := exported(t, a, desk.Picture{White: true, Bare: true})
	if c := paper.RGBAAt(1, 1); c != (color.RGBA{255, 255, 255, 255}) {
		t.Errorf("its corner is %v", c)
	}
	if uitest.Differing(paper, exported(t, a, desk.Picture{White: true})) < 100 {
		t.Error("landmarks are in both or in none")
	}
	uitest.Do(func() { a.Theme(true) })
	d.Frames(3)
	a.Rest(d)
	if n := uitest.Differing(paper, exported(t, a, desk.Picture{White: true, Bare: true})); n > 0 {
		t.Errorf("%d pixels are others where the window is dark", n)
	}
	uitest.Do(func() { a.out.Picture(filepath.Join(t.TempDir(), "out.csv"), desk.Picture{}) })
	const remedy = "use a name that ends in .png, .svg or .pdf"
	if p, ok := a.dialogs.Open("problem").(*dialog.Trouble); !ok || p.Problem.Remedy != remedy {
		t.Error("a picture called out.csv is not refused")
	}
}

func pictureFile(t *testing.T, path string) *image.RGBA {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	out := image.NewRGBA(img.Bounds())
	for y := range out.Rect.Dy() {
		for x := range out.Rect.Dx() {
			out.Set(x, y, img.At(x, y))
		}
	}
	return out
}

// An export is of the active view, and says so.
func TestExportOfTheActiveView(t *testing.T) {
	a, d := enter(t, 1280, 800, "demo:tesseract:1000")
	uitest.Do(func() { a.Desk().Stage.Split(a.Desk().Stage.Active()) })
	a.Rest(d)
	dir := t.TempDir()
	table := filepath.Join(dir, "out.csv")
	uitest.Do(func() { a.out.Coordinates(table, desk.Table{}) })
	d.Wait("the table is written", 20*time.Second, func() bool {
		return there(table) &&
			a.Jobs.Idle()
	})
	text, err := os.ReadFile(table)
	if err != nil || !strings.HasPrefix(string(text), "pca1,pca2\n") {
		t.Fatalf("%.40q, %v", text, err)
	}
	order, pos := a.Desk().Table().Order, a.Desk().Stage.Scatter().Points().Host()
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")[1:]
	for i := range 1000 {
		for c, field := range strings.Split(lines[order[i]], ",") {
			if v, err := strconv.ParseFloat(field, 32); err != nil || float32(v) != pos[2*i+c] {
				t.Fatalf("point %d: %s in the file, %g on screen", i, field, pos[2*i+c])
			}
		}
	}
	for all, want := range map[bool]string{false: "PCA of 1000 points", true: "; PCA of 1000 points"} {
		name := filepath.Join(dir, "out.png")
		uitest.Do(func() { a.out.Picture(name, desk.Picture{All: all}) })
		d.Wait("the picture is written", 20*time.Second, func() bool {
			return there(name) &&
				a.Jobs.Idle()
		})
		raw, err := os.ReadFile(name)
		key := []byte("tEXtDescription\x00")
		at := bytes.Index(raw, key)
		if err != nil || at < 4 {
			t.Fatalf("no description: %v", err)
		}
		size := int(binary.BigEndian.Uint32(raw[at-4:])) + len("tEXt")
		said := string(raw[at+len(key) : at+size])
		if !strings.HasSuffix(said, want) || all != strings.HasPrefix(said, "EmbedSOM of 1000 points, ") {
			t.Errorf("all %v: %q", all, said)
		}
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
}

// heatBeside shows a heat map in a view of its own, chosen in the menu of its header, and returns where it is.
func heatBeside(t *testing.T, a *room, d *uitest.Driver) *view.View {
	t.Helper()
	uitest.Do(func() { a.Desk().Stage.Split(a.Desk().Stage.Active()) })
	d.Frames(3)
	d.ClickOn("view2/embedding")
	d.Frames(3)
	d.ClickOn("Heat map of landmarks")
	a.Rest(d)
	d.Frames(3)
	v := a.Desk().Stage.Active()
	if v.State().Kind != "heat" || v.Scatter() != nil {
		t.Fatalf("the view shows %q", v.State().Kind)
	}
	return v
}

func TestHeatMapOfFewLandmarksAndInAPicture(t *testing.T) {
	a, d := enter(t, 1280, 800, "demo:cytometry:800")
	v := heatBeside(t, a, d)
	l := a.Marks()
	for n := range 3 {
		few := l
		var err error
		ids := make([]int, l.Len()-n)
		for i := range ids {
			ids[i] = i
		}
		if few, _, err = l.Remove(ids); err != nil {
			t.Fatal(err)
		}
		put(a, few)
		d.Frames(10) // a map of none does not come to rest
		if title, note := v.Content().Label(); title != "Landmarks" || note[0] != "012"[n] {
			t.Errorf("%d landmarks: %q, %q", n, title, note)
		}
	}
	put(a, l)
	a.Rest(d)
	for _, all := range []bool{false, true} {
		uitest.Do(func() {
			format, _ := figure.Of(".png")
			job, err := a.out.NewPicture(desk.Picture{Size: desk.OwnSize, Width: 600, Height: 400, Scale: 1,
				All: all}, format)
			if err != nil {
				t.Error(err)
				return
			}
			defer job.Close()
			for done := 0.0; done < 1 && err == nil; {
				done, err = job.Step(100_000)
			}
			colours := map[color.RGBA]bool{}
			for y := range 400 {
				for x := 450; x < 600; x++ {
					colours[job.File.(*figure.PNG).Dst.RGBAAt(x, y)] = true
				}
			}
			if err != nil || len(colours) < 100 {
				t.Errorf("all %v: %d colours in the heat map, %v", all, len(colours), err)
			}
		})
	}
}

func put(a *room, l *landmark.Set) {
	uitest.Do(func() { a.Desk().Doc.Do("Landmarks", func(s *state.State) { parts.Landmarks.Put(s, l) }) })
}

// The columns of the data are written with the values that are chosen, under names that say which; those of the
// map are the coordinates that its points have.
// A table of data that has changed on disk, or has gone, is of what was read, and says so.
func TestATableOfDataThatHasChangedOnDiskSaysSo(t *testing.T) {
	data := filepath.Join(t.TempDir(), "a.csv")
	rows := "x,y\n1,2\n2,5\n4,4\n7,1\n"
	if err := os.WriteFile(data, []byte(rows), 0o644); err != nil {
		t.Fatal(err)
	}
	a, d := enter(t, 1000, 700, data)
	for _, c := range []struct {
		change func() error
		want   string
	}{
		{func() error { return nil }, ""},
		{func() error { return os.WriteFile(data, []byte(rows+"9,9\n"), 0o644) }, "a.csv is changed on disk since"},
		{func() error { return os.Remove(data) }, "a.csv is not there any more: this is of what was read then"},
	} {
		if err := c.change(); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "out.csv")
		uitest.Do(func() { a.Said = nil; a.out.Coordinates(path, desk.Table{}) })
		d.Wait("the table is written", 20*time.Second, func() bool { return there(path) && a.Jobs.Idle() })
		d.Frames(2)
		if got := strings.Join(a.Said, "\n"); c.want != "" && !strings.Contains(got, c.want) || c.want == "" &&
			strings.Contains(got, "a.csv") {
			t.Errorf("it says %q, not %q", got, c.want)
		}
	}
}

func TestColumnsAreExportedWithTheValuesThatAreChosen(t *testing.T) {
	a, d := enter(t, 1280, 800, "demo:cytometry:300")
	for v, want := range map[transform.Values]string{"": "BUV496-A", transform.Raw: "BUV496-A",
		transform.Mapped: "BUV496-A [asinh:150]"} {
		path := filepath.Join(t.TempDir(), "out.csv")
		uitest.Do(func() { a.out.Coordinates(path, desk.Table{Columns: true, Values: v}) })
		d.Wait("the table is written", 20*time.Second, func() bool {
			return there(path) &&
				a.Jobs.Idle()
		})
		ds, err := format.Open(t.Context(), path, format.Options{})
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(ds.Columns, func(c dataset.Column) bool { return c.Name == want })
		if at < 0 {
			t.Fatalf("%q: there is no column %q", v, want)
		}
		table := a.Desk().Table()
		dim := slices.Index(table.Cols, at)
		for i := range table.X.Rows {
			x := table.X.Row(i)[dim]
			row := int(table.Order[i])
			if v != transform.Mapped {
				x = a.Desk().Doc.Data.Columns[at].Values[row]
			}
			if got := ds.Columns[at].Values[row]; got != x {
				t.Fatalf("%q: row %d is %g, not %g", v, row, got, x)
			}
		}
	}
}
