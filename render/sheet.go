package render

import (
	"image"
	"math"
	"slices"

	"blossom/render/legend"
	"blossom/render/pen"
	"blossom/render/text"
)

// SheetOptions are several pictures side by side, as the views of a window are.
type SheetOptions struct {
	Width, Height int     // pixels
	Scale         float64 // pixels per point of length; 0: 1
	Theme         Theme
	Transparent   bool
	Title         string      // above all cells, in TitleRoom; "": none
	Fonts         *text.Fonts // nil: the Go fonts
	Cells         []SheetCell // cells; the space between them on the sheet is rules
	// Foot are legends for which no cell has room; the cells lie above them (AboveFoot).
	Foot []*legend.Legend
	Own  bool // each cell says its legend itself, though others say the same
}

// SheetCell is one of them. Its picture gets the size that Rect leaves under the title, and the scale, theme,
// fonts and transparency of the sheet.
type SheetCell struct {
	Rect    image.Rectangle // pixels of the sheet
	Title   string          // above the picture, with a rule between; "": none
	Detail  string          // after the title, dimmed
	Letter  string          // before the title, or in the corner of the picture where there is none; "": none
	Picture PictureOptions
}

// headerHeight is that of a cell's title with the rule below it, in points: as over the views of the window.
const headerHeight = 28.0

// SheetJob makes a sheet in steps.
type SheetJob struct {
	r      *Renderer
	o      SheetOptions
	img    *image.RGBA // the picture that the canvas paints into; nil: somebody else's canvas
	canvas pen.Canvas
	cell   int
	job    *PictureJob // job of the cell under way
	ends   []func()    // ends of its part of the canvas
	works  []float64   // share of the work of each cell
	done   float64     // share of the cells before
}

// Grid returns the rectangles of n cells in a sheet of w x h pixels, row by row in as many columns as rows or
// one more, with a rule of so many pixels between them. A last row that is not full is as wide as the others.
func Grid(n, w, h, rule int) []image.Rectangle {
	if n < 1 {
		return nil
	}
	columns := int(math.Ceil(math.Sqrt(float64(n))))
	rows := (n + columns - 1) / columns
	// part is the i-th of k parts of a side.
	part := func(i, k, side int) (from, to int) {
		side += rule
		return i * side / k, (i+1)*side/k - rule
	}
	var out []image.Rectangle
	for i := range n {
		row := i / columns
		inRow := min(columns, n-row*columns)
		x0, x1 := part(i%columns, inRow, w)
		y0, y1 := part(row, rows, h)
		out = append(out, image.Rect(x0, y0, x1, y1))
	}
	return out
}

// Columns returns the rectangles of n cells of one size in so many columns of an area of a sheet, row by row, with a
// rule of so many pixels between them.
func Columns(n, columns int, area image.Rectangle, rule int) (out []image.Rectangle) {
	columns = max(1, min(columns, n))
	rows := (n + columns - 1) / columns
	w, h := area.Dx()+rule, area.Dy()+rule
	for i := range n {
		x, y := i%columns, i/columns
		out = append(out, image.Rect(x*w/columns, y*h/rows, (x+1)*w/columns-rule, (y+1)*h/rows-rule).Add(area.Min))
	}
	return out
}

// titleRoom is the height of the title of a sheet with the rule below it, in points.
const titleRoom = 40.0

// BelowTitle is what is left of a sheet of w x h pixels below its title, if it has one.
func BelowTitle(title string, w, h int, scale float64) image.Rectangle {
	top := 0
	if title != "" {
		top = min(int(titleRoom*scale+0.5), h)
	}
	return image.Rect(0, top, w, h)
}

// Letter is that of the i-th panel of a figure: a to z, then aa.
func Letter(i int) string {
	s := string(rune('a' + i%26))
	if i >= 26 {
		s = Letter(i/26-1) + s
	}
	return s
}

// NewSheet prepares a sheet; call Step until it returns 1, then Image. Close it in any case. The error is a
// problem.Problem.
func (r *Renderer) NewSheet(o SheetOptions) (*SheetJob, error) {
	if err := CheckSize(o.Width, o.Height); err != nil {
		return nil, err
	}
	o.settle()
	img := image.NewRGBA(image.Rect(0, 0, o.Width, o.Height))
	s := r.sheet(o, &pen.Image{Dst: img, Fonts: o.Fonts, Points: o.Scale})
	s.img = img
	s.ground()
	return s, nil
}

// NewSheetOn prepares a sheet that is painted on a canvas.
func (r *Renderer) NewSheetOn(o SheetOptions, canvas pen.Canvas) (*SheetJob, error) {
	if err := CheckSize(o.Width, o.Height); err != nil {
		return nil, err
	}
	o.settle()
	s := r.sheet(o, canvas)
	s.ground()
	return s, nil
}

func (o *SheetOptions) settle() {
	if !(o.Scale > 0) || math.IsInf(o.Scale, 0) {
		o.Scale = 1
	}
	if o.Fonts == nil {
		o.Fonts = text.Builtin()
	}
}

// ground paints the title, and the rules between cells: beside each cell, up to the next ones.
func (s *SheetJob) ground() {
	all := image.Rect(0, 0, s.o.Width, s.o.Height)
	if !s.o.Transparent {
		s.canvas.Fill(rectOf(all), 0, s.o.Theme.Background)
	}
	rule := max(1, int(s.o.Scale))
	group(s.canvas, "title", s.o.Title != "", s.title)
	group(s.canvas, "legend", len(s.o.Foot) > 0, s.paintFoot)
	for _, c := range s.o.Cells {
		right, below := image.Rect(c.Rect.Max.X, c.Rect.Min.Y, all.Max.X, c.Rect.Max.Y),
			image.Rect(c.Rect.Min.X, c.Rect.Max.Y, c.Rect.Max.X, all.Max.Y)
		last, lowest := true, true
		for _, o := range s.o.Cells {
			if o.Rect.Overlaps(right) {
				right.Max.X, last = o.Rect.Min.X, false
			}
			if o.Rect.Overlaps(below) {
				below.Max.Y, lowest = o.Rect.Min.Y, false
			}
		}
		if last { // there is nothing beyond it
			right.Max.X = min(right.Max.X, right.Min.X+rule)
		}
		if lowest {
			below.Max.Y = min(below.Max.Y, below.Min.Y+rule)
		}
		below.Max.X = right.Max.X
		for _, r := range []image.Rectangle{right, below} {
			if !r.Empty() {
				s.canvas.Fill(rectOf(r), 0, s.o.Theme.Line)
			}
		}
	}
}

// title paints that of the sheet.
func (s *SheetJob) title() {
	k := s.o.Scale
	l := text.Line{Size: titleSize * k, Bold: true}
	above, _ := s.o.Fonts.Heights(l)
	title := s.o.Fonts.Shorten(l, s.o.Title, float64(s.o.Width)-20*k)
	s.canvas.Write(l, 10*k, titleRoom/2*k+above/2, s.o.Theme.Text, pen.Rim{}, title)
	below := BelowTitle(s.o.Title, s.o.Width, s.o.Height, k)
	s.canvas.Fill(rectOf(image.Rect(0, below.Min.Y-max(1, int(k)), s.o.Width, below.Min.Y)), 0, s.o.Theme.Line)
}

// sheet prepares a sheet on a canvas.
func (r *Renderer) sheet(o SheetOptions, canvas pen.Canvas) *SheetJob {
	s := &SheetJob{r: r, o: o, canvas: canvas}
	total := 0.0
	for _, c := range o.Cells {
		work := float64(c.Rect.Dx()*c.Rect.Dy()) / 10
		if c.Picture.Points != nil {
			work += float64(c.Picture.Points.Len())
		}
		s.works = append(s.works, work)
		total += work
	}
	for i := range s.works {
		s.works[i] /= max(total, 1)
	}
	return s
}

// Step draws up to so many points and returns the share of the work that is done. The error is a
// problem.Problem.
func (s *SheetJob) Step(points int) (float64, error) {
	if s.cell >= len(s.o.Cells) {
		return 1, nil
	}
	c := &s.o.Cells[s.cell]
	if s.job == nil {
		inside := s.header(c)
		if inside.Empty() {
			s.next()
			return s.progress(0), nil
		}
		p := c.Picture
		p.Width, p.Height = inside.Dx(), inside.Dy()
		p.Scale, p.Theme, p.Fonts, p.Transparent = s.o.Scale, s.o.Theme, s.o.Fonts, s.o.Transparent
		corner := pen.Spot{X: float64(inside.Min.X), Y: float64(inside.Min.Y)}
		part, end := s.canvas.Part(corner, rectOf(inside))
		job, err := s.r.NewDrawing(p, part)
		s.ends = append(s.ends, end)
		if err != nil {
			s.next()
			return s.progress(0), err
		}
		job.img = s.img
		s.job = job
	}
	part, err := s.job.Step(points)
	if part < 1 && err == nil {
		return s.progress(part), nil
	}
	s.next()
	return s.progress(0), err
}

// next ends a cell.
func (s *SheetJob) next() {
	if s.job != nil {
		s.job.Close()
		s.job = nil
	}
	for _, end := range slices.Backward(s.ends) {
		end()
	}
	s.ends = s.ends[:0]
	s.done += s.works[s.cell]
	s.cell++
}

func (s *SheetJob) progress(part float64) float64 {
	if s.cell >= len(s.o.Cells) {
		return 1
	}
	return math.Min(s.done+part*s.works[s.cell], 0.999)
}

// BelowHeader is what is left of a cell below its title and rule.
func BelowHeader(r image.Rectangle, scale float64) image.Rectangle {
	r.Min.Y = min(r.Min.Y+int(headerHeight*scale+0.5), r.Max.Y)
	return r
}

// header paints the ground and the title of a cell and returns what is left below it and its rule.
func (s *SheetJob) header(c *SheetCell) image.Rectangle {
	r := c.Rect.Intersect(image.Rect(0, 0, s.o.Width, s.o.Height))
	if !s.o.Transparent {
		s.canvas.Fill(rectOf(r), 0, s.o.Theme.Background)
	}
	end := s.canvas.Group("panel")
	s.ends = append(s.ends, end)
	if c.Title == "" && c.Letter == "" {
		return r
	}
	k := s.o.Scale
	rule := max(1, int(k))
	bold, plain := text.Line{Size: 13 * k, Bold: true}, text.Line{Size: 11.5 * k}
	above, _ := s.o.Fonts.Heights(bold)
	x, base := float64(r.Min.X)+10*k, float64(r.Min.Y)+headerHeight/2*k+above/2
	room := float64(r.Max.X) - 10*k - x
	clip, cut := s.canvas.Part(pen.Spot{}, rectOf(r))
	if c.Letter != "" {
		letter := text.Line{Size: titleSize * k, Bold: true}
		clip.Write(letter, x, base, s.o.Theme.Text, pen.Rim{}, c.Letter)
		wide := s.o.Fonts.Width(letter, c.Letter) + 8*k
		x, room = x+wide, room-wide
	}
	title := s.o.Fonts.Shorten(bold, c.Title, room)
	clip.Write(bold, x, base, s.o.Theme.Text, pen.Rim{}, title)
	if used := s.o.Fonts.Width(bold, title) + 6*k; c.Detail != "" && room-used > 20*k {
		clip.Write(plain, x+used, base, s.o.Theme.TextDim, pen.Rim{}, s.o.Fonts.Shorten(plain, c.Detail, room-used))
	}
	cut()
	r = BelowHeader(r, k)
	s.canvas.Fill(rectOf(image.Rect(r.Min.X, max(r.Min.Y-rule, c.Rect.Min.Y), r.Max.X, r.Min.Y)), 0, s.o.Theme.Line)
	return r
}

// Sheet makes a sheet at once.
func (r *Renderer) Sheet(o SheetOptions) (*image.RGBA, error) {
	s, err := r.NewSheet(o)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	for {
		if done, err := s.Step(math.MaxInt); err != nil {
			return nil, err
		} else if done == 1 {
			return s.Image(), nil
		}
	}
}

// Image returns the sheet once Step has returned 1.
func (s *SheetJob) Image() *image.RGBA { return s.img }

// Close frees what the job holds of OpenGL. The image stays.
func (s *SheetJob) Close() {
	if s.job != nil {
		s.job.Close()
		s.job = nil
	}
}
