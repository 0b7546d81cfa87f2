package scene

import (
	"context"
	"math"
	"strconv"
	"strings"

	"blossom/render"
	"blossom/render/colour"
	"blossom/render/pen/figure"
)

// Wall is small maps on one page, each coloured by a column; without columns there is one map.
type Wall struct {
	Columns  []string
	Across   int  // how many stand beside each other; 0: about as many as below each other
	Together bool // one range of values for all, else each has its own
	Letters  bool // a, b, c before their names
	Own      bool // each map says its legend, though others say the same: they are compared with each other
}

// wall draws a page of maps of the same points, each in the colours of a column.
func (s Scene) wall(ctx context.Context, r *render.Renderer, m *Map, p Plan, order []int32,
	progress func(share float64)) (figure.File, error) {
	w := p.On.Wall
	var all []*colour.Values
	for _, name := range w.Columns {
		v, err := m.values(ctx, name, p.Spread, order)
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	if w.Together {
		s.Look.From, s.Look.To = together(all, s.Look)
	}
	if w.Across == 0 {
		w.Across = int(math.Ceil(math.Sqrt(float64(len(all)))))
	}
	sheet := render.SheetOptions{Width: p.Width, Height: p.Height, Scale: p.Scale, Theme: p.Theme(),
		Transparent: p.Transparent, Title: p.Title}
	how := p.Options
	how.Title = ""
	areas := render.Columns(len(all), w.Across, render.BelowTitle(p.Title, p.Width, p.Height, p.Scale),
		max(1, int(p.Scale)))
	for i, v := range all {
		s.Colours, s.Values = v, r.NewValueBuffer(len(order))
		defer s.Values.Free()
		if v != nil {
			v.Count(func(i int) bool { x := s.Points.Host()[i*s.Points.Dims()]; return x == x })
			PutValues(s.Values, v)
		}
		s.Values.Upload(0, len(order))
		how.Width, how.Height = areas[i].Dx(), areas[i].Dy()
		o, err := s.Picture(how)
		if err != nil {
			return nil, err
		}
		sheet.Fonts, o.Shapes = o.Fonts, p.On.Shapes
		cell := render.SheetCell{Rect: areas[i], Title: m.head(w.Columns[i]), Picture: o}
		if w.Letters {
			cell.Letter = render.Letter(i)
		}
		sheet.Cells = append(sheet.Cells, cell)
	}
	return p.On.drawSheet(ctx, r, sheet, progress)
}

// head is what stands above a map in the colours of a column: the word that it was chosen by, or the name of the column
// of that number.
func (m *Map) head(word string) string {
	if _, err := strconv.Atoi(strings.TrimSpace(word)); err != nil {
		return word
	}
	if i, err := m.Data.Find(word); err == nil {
		return m.Data.Columns[i].Short()
	}
	return word
}

// together are the ends of one range for columns of numbers.
func together(all []*colour.Values, look Look) (from, to float64) {
	from, to = math.Inf(1), math.Inf(-1)
	for _, v := range all {
		if v != nil && v.Labels == nil {
			lo, hi := v.Range(look.Low, look.High)
			from, to = min(from, float64(lo)), max(to, float64(hi))
		}
	}
	if !(from < to) {
		return 0, 0 // each has its own
	}
	return from, to
}

// drawSheet draws a page on a file of its own.
func (m Medium) drawSheet(ctx context.Context, r *render.Renderer, o render.SheetOptions,
	progress func(share float64)) (figure.File, error) {
	if err := render.CheckSize(o.Width, o.Height); err != nil {
		return nil, err
	}
	m.Paper.Fonts = o.Fonts
	file := m.Format.New(m.Paper)
	job, err := r.NewSheetOn(o, file)
	if err != nil {
		return nil, err
	}
	defer job.Close()
	return file, finish(ctx, func() (float64, error) { return job.Step(drawn) }, progress)
}
