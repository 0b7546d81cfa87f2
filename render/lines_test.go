package render_test

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"blossom/model/base/matrix"
	"blossom/render"
	"blossom/render/pen"
	"blossom/render/pen/figure"
	"blossom/render/rendertest"
	"blossom/render/scene"
	"blossom/render/text"
)

// unlettered is a picture without its letters, which knows where they would stand.
type unlettered struct {
	*pen.Image
	boxes *[]image.Rectangle
}

func (u unlettered) box(x0, y0, x1, y1 float64) {
	*u.boxes = append(*u.boxes, image.Rect(int(x0)-4, int(y0)-4, int(x1)+6, int(y1)+6).Add(u.Origin))
}

func (u unlettered) Write(l text.Line, x, y float64, _ color.NRGBA, _ pen.Rim, s string) {
	u.box(x, y-1.1*l.Size, x+1.4*u.Fonts.Advance(l, s), y+0.4*l.Size) // the fonts of a reader may be wider
}

func (u unlettered) Text(f pen.Face, x, middle float64, _ color.NRGBA, s string) {
	h := f.Size() * u.Points
	u.box(x, middle-h, x+1.4*u.Width(f, s), middle+h)
}

func (u unlettered) Haloed(f pen.Face, x, middle float64, ink, _ color.NRGBA, s string) {
	u.Text(f, x, middle, ink, s)
}

func (u unlettered) Upright(f pen.Face, x, bottom float64, _ color.NRGBA, s string) {
	h := f.Size() * u.Points
	u.box(x-h, bottom-1.4*u.Width(f, s), x+h, bottom)
}

func (u unlettered) Part(origin pen.Spot, cut pen.Rect) (pen.Canvas, func()) {
	part, end := u.Image.Part(origin, cut)
	return unlettered{part.(*pen.Image), u.boxes}, end
}

// drawing is something that is drawn on a canvas.
type drawing struct {
	w, h   int
	scale  float64
	fonts  *text.Fonts
	points int // how many there are
	on     func(c pen.Canvas) error
}

func drawingOf(r *render.Renderer, o render.PictureOptions) drawing {
	o.Fonts, _ = scene.Fonts()
	if o.Scale == 0 {
		o.Scale = 1
	}
	return drawing{o.Width, o.Height, o.Scale, o.Fonts, o.Points.Len(), func(c pen.Canvas) error {
		j, err := r.NewDrawing(o, c)
		if err != nil {
			return err
		}
		defer j.Close()
		for {
			if done, err := j.Step(2500); err != nil || done == 1 {
				return err
			}
		}
	}}
}

func drawingOfSheet(r *render.Renderer, o render.SheetOptions) drawing {
	o.Fonts, _ = scene.Fonts()
	if o.Scale == 0 {
		o.Scale = 1
	}
	return drawing{o.Width, o.Height, o.Scale, o.Fonts, 0, func(c pen.Canvas) error {
		j, err := r.NewSheetOn(o, c)
		if err != nil {
			return err
		}
		defer j.Close()
		for {
			if done, err := j.Step(math.MaxInt); err != nil || done == 1 {
				return err
			}
		}
	}}
}

func (d drawing) paper() pen.Paper {
	return pen.Paper{Width: float64(d.w) / 300 * 25.4, Height: float64(d.h) / 300 * 25.4, Pixels: [2]int{d.w, d.h},
		Points: d.scale, Fonts: d.fonts, Title: "a <title> & more", Software: "blossom", Recipe: `{"a":"<&\u0001>"}`}
}

// file writes it in a format.
func (d drawing) file(t *testing.T, ending string) []byte {
	t.Helper()
	f, err := figure.Of("x" + ending)
	if err != nil {
		t.Fatal(err)
	}
	file := f.New(d.paper())
	if err := d.on(file); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := file.Encode(&b, d.paper()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// plain draws it as a picture without letters.
func (d drawing) plain(t *testing.T) (*image.RGBA, []image.Rectangle) {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, d.w, d.h))
	var boxes []image.Rectangle
	if err := d.on(unlettered{&pen.Image{Dst: img, Fonts: d.fonts, Points: d.scale}, &boxes}); err != nil {
		t.Fatal(err)
	}
	return img, boxes
}

// drawings are pictures with all that there is to be drawn.
func drawings(t *testing.T, r *render.Renderer) map[string]drawing {
	flat, deep := views(t, r)
	out := map[string]drawing{"sheet": drawingOfSheet(r, sheet(flat, deep))}
	for _, all := range []map[string]render.PictureOptions{flat, deep} {
		for name, o := range all {
			out[name] = drawingOf(r, o)
		}
	}
	o := flat["columns-dark-200"]
	theme := o.Theme
	o.Landmarks = matrix.New(25, 2)
	for i := range 25 {
		row := o.Landmarks.Row(i)
		row[0], row[1] = float32(i%5)*0.5-1, float32(i/5)*0.5-1
		o.Marks = append(o.Marks, render.Mark(i%8))
		o.Names = append(o.Names, []string{"", "", "größer Δ µ 10⁴ γδ"}[i%3])
		o.Cells = append(o.Cells, render.Cell{X: row[0], Y: row[1], Colour: color.NRGBA{90, 200, 120, uint8(30 + 5*i)},
			Outline: []float32{row[0] - 0.25, row[1] - 0.25, row[0] + 0.25, row[1] - 0.25, row[0] + 0.25,
				row[1] + 0.25, row[0] - 0.25, row[1] + 0.25}})
		if i > 0 {
			o.Edges = append(o.Edges, render.Edge{A: int32(i - 1), B: int32(i), Colour: theme.Edge,
				Width: 0.4 + float32(i)/10})
			o.Lines.Edges = append(o.Lines.Edges, render.Edge{A: int32(i), B: int32(i - 1), Colour: theme.Accent,
				Width: 2})
		}
	}
	o.Lines.Places = matrix.New(25, 2)
	for i := range 25 {
		s, c := math.Sincos(float64(i) / 4)
		o.Lines.Places.Row(i)[0], o.Lines.Places.Row(i)[1] = float32(c), float32(s)
	}
	o.LandmarkStyle = render.ActiveLandmarks(theme, 2)
	o.Words = []render.Word{{Text: "CD4 <T> & B", At: []float32{0, 0}}}
	o.Note = "arranged by hand"
	out["marks"] = drawingOf(r, o)
	o.Shapes = true
	out["shapes"] = drawingOf(r, o)
	o = deep["knot-light"]
	o.Shapes = true
	out["shapes-3d"] = drawingOf(r, o)
	return out
}

// reader draws a file by another program into a picture of a size.
func reader(t *testing.T, ending string, data []byte, w, h int) image.Image {
	t.Helper()
	dir := t.TempDir()
	in, out := filepath.Join(dir, "x"+ending), filepath.Join(dir, "out")
	if err := os.WriteFile(in, data, 0o600); err != nil {
		t.Fatal(err)
	}
	size := []string{fmt.Sprint(w), fmt.Sprint(h)}
	c := exec.Command("rsvg-convert", "-w", size[0], "-h", size[1], "-o", out+".png", in)
	if ending == ".pdf" {
		c = exec.Command("pdftoppm", "-singlefile", "-png", "-scale-to-x", size[0], "-scale-to-y", size[1], in, out)
	}
	if said, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	f, err := os.Open(out + ".png")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// onWhite lays a picture on white paper.
func onWhite(img image.Image) *image.RGBA {
	out := image.NewRGBA(image.Rectangle{Max: img.Bounds().Size()})
	draw.Draw(out, out.Rect, image.White, image.Point{}, draw.Src)
	draw.Draw(out, out.Rect, img, img.Bounds().Min, draw.Over)
	return out
}

// apart is the share of pixels outside of boxes that differ by more than a person would see.
func apart(a, b *image.RGBA, boxes []image.Rectangle) float64 {
	far, all := 0, 0
	for y := range a.Rect.Dy() {
		for x := range a.Rect.Dx() {
			if slices.ContainsFunc(boxes, image.Pt(x, y).In) {
				continue
			}
			all++
			i := a.PixOffset(x, y)
			for c := range 3 {
				if d := int(a.Pix[i+c]) - int(b.Pix[i+c]); d > rendertest.FarStep || d < -rendertest.FarStep {
					far++
					break
				}
			}
		}
	}
	return float64(far) / float64(max(all, 1))
}

// Files of lines are drawn by other programs as the picture of pixels, within 1 % of those outside of text. Points as
// shapes have edges of their own: they are smooth otherwise.
func TestReadersDrawFilesOfLinesAsThePicture(t *testing.T) {
	r := rendertest.Renderer(t, render.CPU)
	all := drawings(t, r)
	for ending, program := range map[string]string{".svg": "rsvg-convert", ".pdf": "pdftoppm"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Log(program, "is not there: the files", ending, "are not looked at")
			continue
		}
		for name, d := range all {
			want, boxes := d.plain(t)
			got := onWhite(reader(t, ending, d.file(t, ending), d.w, d.h))
			limit := 0.01
			if strings.HasPrefix(name, "shapes") {
				limit = 0.05
			}
			share := apart(onWhite(want), got, boxes)
			t.Logf("%s%s: %.3f %%", name, ending, 100*share)
			if share > limit {
				rendertest.Save(t, name+ending, got)
				rendertest.Save(t, name, onWhite(want))
				t.Errorf("%s%s: %.2f %% of the pixels differ", name, ending, 100*share)
			}
		}
	}
}

// An SVG is well-formed XML whose groups have ids of their own, its text is text, and what it refers to is there.
func TestSVGIsWellFormed(t *testing.T) {
	r := rendertest.Renderer(t, render.CPU)
	for name, d := range drawings(t, r) {
		data := d.file(t, ".svg")
		ids, refers := map[string]int{}, []string{}
		depth := 0
		for x := xml.NewDecoder(bytes.NewReader(data)); ; {
			token, err := x.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			switch e := token.(type) {
			case xml.StartElement:
				depth++
				for _, a := range e.Attr {
					if a.Name.Local == "id" {
						ids[a.Value]++
					}
					if id, ok := strings.CutPrefix(a.Value, "url(#"); ok {
						refers = append(refers, strings.TrimSuffix(id, ")"))
					}
					none := strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf")
					if none && a.Name.Local != "href" {
						t.Errorf("%s: %s is %q", name, a.Name.Local, a.Value)
					}
				}
			case xml.EndElement:
				depth--
			}
		}
		for id, n := range ids {
			if n > 1 {
				t.Errorf("%s: %d elements are called %q", name, n, id)
			}
		}
		for _, id := range refers {
			if ids[id] == 0 {
				t.Errorf("%s: %q is not there", name, id)
			}
		}
		if ids["points"] == 0 || depth != 0 {
			t.Errorf("%s: %v", name, ids)
		}
		if again := d.file(t, ".svg"); !bytes.Equal(data, again) {
			t.Errorf("%s: other bytes of the same picture", name)
		}
	}
	svg := string(drawings(t, r)["marks"].file(t, ".svg"))
	for _, want := range []string{">größer Δ µ 10⁴ γδ</text>", "CD4 &lt;T&gt; &amp; B",
		"<title id=\"figure-title\">a &lt;title",
		"<blossom:recipe>{&quot;a&quot;", "id=\"cells\"", "id=\"landmarks\"", "id=\"axes\"", "@font-face"} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %q", want)
		}
	}
}

// A PDF has one page of the very size, its text can be found, and it is the same bytes each time.
func TestPDFHasItsSizeAndItsText(t *testing.T) {
	r := rendertest.Renderer(t, render.CPU)
	for name, d := range drawings(t, r) {
		data := d.file(t, ".pdf")
		if again := d.file(t, ".pdf"); !bytes.Equal(data, again) {
			t.Errorf("%s: other bytes of the same picture", name)
		}
		box := fmt.Sprintf("/MediaBox [0 0 %.2f %.2f]", float64(d.w)/300*72, float64(d.h)/300*72)
		if !bytes.Contains(data, []byte(box)) || bytes.Count(data, []byte("/Type /Page\n")) != 1 {
			t.Errorf("%s: no page of %s", name, box)
		}
		if bytes.Contains(data, []byte("NaN")) {
			t.Errorf("%s: a number is none", name)
		}
	}
	if _, err := exec.LookPath("pdftotext"); err != nil {
		t.Skip("pdftotext is not there")
	}
	in := filepath.Join(t.TempDir(), "x.pdf")
	if err := os.WriteFile(in, drawings(t, r)["marks"].file(t, ".pdf"), 0o600); err != nil {
		t.Fatal(err)
	}
	found, err := exec.Command("pdftotext", in, "-").CombinedOutput()
	if err != nil {
		t.Fatal(err, string(found))
	}
	for _, want := range []string{"größer Δ µ 10⁴ γδ", "CD4 <T> & B", "PE-Cy7-A, asinh/150", "BUV563-A"} {
		if !strings.Contains(string(found), want) {
			t.Errorf("no %q in %q", want, found)
		}
	}
}

// More points than a file of shapes may have are refused, in words that say what to do.
func TestTooManyPointsAreNoShapes(t *testing.T) {
	r := rendertest.Renderer(t, render.CPU)
	points := r.NewPointBuffer(render.MostShapes+1, 2)
	defer points.Free()
	_, err := r.NewPicture(render.PictureOptions{Width: 100, Height: 100, Points: points, Shapes: true})
	if err == nil || !strings.Contains(err.Error(), "50,000") {
		t.Errorf("%v", err)
	}
}
