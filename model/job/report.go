package job

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"image/color"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/clusters/frequency"
	"blossom/model/clusters/population"
	"blossom/model/data/dataset"
	"blossom/model/document/parts"
	"blossom/model/job/export"
	"blossom/model/job/page"
	"blossom/model/job/run"
)

// Report wants a page that says what there is to see and how it was made: the map, populations with their medians and
// frequencies, parameters, data, and the command that makes it again.
type Report struct {
	Output  string   `json:"output"` // HTML
	Picture *Picture `json:"picture,omitempty"`
	Views   *Picture `json:"views,omitempty"` // the views of the session, as they draw themselves; nil: without
	Title   string   `json:"title,omitempty"` // "": that of the data
	// Command makes it again, as somebody has typed it; "": the job does.
	Command string `json:"command,omitempty"`

	Names *Named `json:"-"` // the populations, once they have been evaluated; nil: there are none

	all *AllRows // the rows that the data are a sample of; nil: they are none of a folder
}

func init() { Register(Kind{ID: "report", New: func() Want { return &Report{} }}) }

// What returns the ID of the kind.
func (r *Report) What() string { return "report" }

// Paths are the files that it names.
func (r *Report) Paths() (written, read []*string) { return []*string{&r.Output}, nil }

// Check says what is wrong with the wish.
func (r *Report) Check() error {
	switch ext := strings.ToLower(filepath.Ext(r.Output)); {
	case r.Output == "":
		return run.Usage{Err: problem.New("", "name a file with -o: report.html", "no output is named")}
	case r.Output != "-" && ext != export.PageEnding && ext != ".htm":
		return run.Usage{Err: problem.New(r.Output, "use a name that ends in .html", "reports are pages of HTML")}
	}
	for _, p := range []*Picture{r.Picture, r.Views} {
		if p == nil {
			continue
		}
		if err := p.Check(); err != nil {
			return err
		}
	}
	return nil
}

// Make makes what the page shows, and writes it.
func (r *Report) Make(ctx context.Context, w *Work) error {
	if !slices.ContainsFunc(w.Wanted, func(x Want) bool { return x.What() == "embedding" }) {
		return problem.New(w.table.Path, "want an embedding before the report", "there is no map to report on")
	}
	if parts.Populations.Of(w.Parts).Len() > 0 {
		r.Names = &Named{Partial: true}
		if err := r.Names.evaluate(ctx, w); err != nil {
			return err
		}
	}
	r.all = allRowsOf(w.table, w)
	p := &page.Page{Title: cmp.Or(r.Title, w.table.Name), Program: w.Options.Program, Command: r.Command}
	if err := r.fill(ctx, w, p); err != nil {
		return err
	}
	err := r.draw(ctx, w, p)
	if err == nil {
		err = r.views(ctx, w, p)
	}
	if err != nil {
		return err
	}
	if p.Carried, err = carriedBy(ctx, w); err != nil {
		return err
	}
	for _, f := range w.all() {
		p.Files = append(p.Files, page.File{Name: filepath.Base(f.Path), Size: f.Size, SHA256: f.SHA256})
	}
	p.Notes = w.Notes
	return w.Files.Write(r.Output, func(to io.Writer) error { return p.Write(to) })
}

// fill puts all but pictures on the page.
func (r *Report) fill(ctx context.Context, w *Work, p *page.Page) error {
	ds, spec := w.table, w.Points.Spec
	p.Says = fmt.Sprintf("%s of %s", grouped(ds.Points, "point"), grouped(len(ds.Columns), "column"))
	if len(w.Data) > 1 {
		p.Says += fmt.Sprintf(" in %d files", len(w.Data))
	}
	if p.Sample = r.all.sample(ds); p.Sample != "" {
		p.Says += ", " + map[bool]string{true: "of "}[ds.Subset != nil] + p.Sample
	}
	for i, c := range ds.Columns {
		x := page.Column{Name: c.Name, Label: c.Label, Role: c.Role.String(), Transform: "not in the map"}
		if slices.Contains(w.Points.Cols, i) {
			x.Transform = spec.Columns[i].Text()
			if words := spec.MixedWords(i); len(words) > 0 {
				x.Transform = strings.Join(words, ", ") + ", " + x.Transform
			}
			if weight := spec.Columns[i].Weight; weight != 1 {
				x.Transform += fmt.Sprintf(", weight %g", weight)
			}
		}
		p.Columns = append(p.Columns, x)
	}
	var said facts // the parameters of the map
	said.ofMap(w)
	said.say("computing", "engine", "%s", w.engineName())
	said.say("computing", "seed", "%d", w.Seed)
	p.Facts = said
	if r.Names == nil {
		return nil
	}
	r.tree(p, w)
	if err := r.heat(ctx, w, p); err != nil {
		return err
	}
	r.shares(w, p)
	return nil
}

// ink is the colour of a population.
func (r *Report) ink(w *Work, p population.Population) color.NRGBA {
	if w.Options.Colour == nil {
		return color.NRGBA{128, 128, 128, 255}
	}
	return w.Options.Colour(p.Ink)
}

// InAllRows says whether its counts of populations are of all rows that the data are a sample of.
func (r *Report) InAllRows() bool { return r.all != nil && len(r.all.Counted) > 0 }

// SampleNote says that counts of populations are of a sample of the rows of a folder; "": they are not.
func (r *Report) SampleNote(w *Work) string {
	if r.all == nil || r.Names == nil || r.InAllRows() {
		return ""
	}
	note := "counts of populations are of " + r.all.sample(w.table)
	if r.all.countable(w.table, w.Parts) {
		note += "; count them in the window, Model > Count populations in all rows, and report again for those of all"
	}
	return note
}

// tree is the populations with their points.
func (r *Report) tree(p *page.Page, w *Work) {
	t, made := r.Names.Tree, r.Names.Made
	depths := t.Depths()
	switch p.Of = "all"; {
	case r.InAllRows():
		p.Of = "all " + problem.Grouped(r.all.Rows) + " rows"
		p.Counts = p.Of + ", as they were counted; what follows is of the sample"
	case p.Sample != "" && w.table.Subset == nil:
		p.Of, p.Counts = "the sample", p.Sample
	default:
		p.Counts = p.Sample
	}
	for i, x := range t.All() {
		n, above := made.Sets[i].Count(), w.table.Points
		if up, ok := t.Find(x.Parent); ok {
			above = made.Sets[t.Place(up.ID)].Count()
		}
		row := page.Population{Name: x.Name, Ink: r.ink(w, x), Depth: depths[i], Points: problem.Grouped(int64(n)),
			All: share(n, w.table.Points), Parent: share(n, above)}
		if x.Rule != nil {
			row.Rule = x.Rule.Says()
		}
		if why := made.Why[i]; why != nil {
			row.Why = "cannot be told: " + problem.As(why).What
		}
		if r.InAllRows() {
			r.inAllRows(&row, x)
		}
		p.Tree = append(p.Tree, row)
	}
}

// inAllRows puts how many of all rows a population has in the place of how many of the sample, where it was counted.
func (r *Report) inAllRows(row *page.Population, x population.Population) {
	n, known := r.all.Counted[x.ID]
	if !known {
		if row.Why == "" {
			row.Why = fmt.Sprintf("not counted in all rows; %s of the sample, %s", row.Points, page.Percent(row.All))
		}
		return
	}
	above := r.all.Rows
	if up, is := r.all.Counted[x.Parent]; is && x.Parent != 0 {
		above = up
	}
	row.Points, row.Why = problem.Grouped(n), ""
	row.All, row.Parent = float64(n)/float64(r.all.Rows), float64(n)/float64(above)
}

func share(n, of int) float64 { return float64(n) / float64(of) }

// mostRows is how many populations a heat map has at most.
const mostRows = 500

// heat is the heat map of the medians of populations.
func (r *Report) heat(ctx context.Context, w *Work, p *page.Page) error {
	made, err := population.ProfileOf(ctx, w.table, w.Points.Spec, w.Points.Cols, r.Names.Made.Sets, mostRows)
	if err != nil || len(made.Places) == 0 || w.Options.Shade == nil {
		return err
	}
	h := &page.Heat{Low: "1 % of all points", High: "99 %"}
	for i := range 9 {
		h.Scale = append(h.Scale, w.Options.Shade(float64(i)/8))
	}
	for _, c := range made.Columns {
		h.Columns = append(h.Columns, w.table.Columns[c].Short())
	}
	for i, place := range made.Places {
		x := r.Names.Tree.All()[place]
		row := page.HeatRow{Name: x.Name, Ink: r.ink(w, x)}
		for col := range made.Columns {
			cell := page.Cell{Text: "–", Fill: color.NRGBA{160, 160, 160, 255}}
			if s := made.Share(i, col); s-s == 0 {
				cell.Text = reading(made.Raw[i][col])
				cell.Fill = w.Options.Shade(min(max(s, 0), 1))
			}
			row.Cells = append(row.Cells, cell)
		}
		h.Rows = append(h.Rows, row)
	}
	p.Heat = h
	return nil
}

// mostSamples is how many samples stand beside each other in a table.
const mostSamples = 60

// shares are the populations by samples, and by groups of samples.
func (r *Report) shares(w *Work, p *page.Page) {
	ds, t, sheet := w.table, r.Names.Tree, parts.Samples.Of(w.Parts)
	samples, by := sheet.Of(ds)
	of := func(row int) int { return sampleOf(by, row) }
	counts := r.Names.Made.Count(samples, of)
	counts.Ask(t, ds, r.Names.Made.Why, of)
	if by != nil && len(samples) <= mostSamples {
		s := &page.Shares{By: by.Short(), Samples: samples}
		if by == ds.Origin() {
			s.By = "file"
		}
		for i, x := range t.All() {
			row := page.SharesRow{Name: x.Name}
			for at := range samples {
				cell := page.Share{}
				if counts.Known(i, at) {
					n := counts.Points[i][at]
					cell = page.Share{Points: problem.Grouped(int64(n)), Of: share(n, counts.Rows[at])}
				}
				row.Cells = append(row.Cells, cell)
			}
			s.Rows = append(s.Rows, row)
		}
		p.Shares = s
	}
	var places []int
	for i := range t.All() {
		places = append(places, i)
	}
	for column := range sheet.Columns() {
		groups, in := sheet.Groups(samples, column)
		if len(groups) < 2 || len(groups) == len(samples) || sheet.Measure(column) {
			continue
		}
		test := page.Test{Column: sheet.Columns()[column], Groups: groups}
		for _, c := range frequency.Compare(t, counts, places, in, len(groups), false) {
			row := page.TestRow{Name: t.All()[c.Place].Name, P: pValue(c.P), Adjusted: pValue(c.Adjusted)}
			for _, b := range c.Boxes {
				row.Medians = append(row.Medians, page.Percent(b.Median))
			}
			test.Rows = append(test.Rows, row)
		}
		p.Tests = append(p.Tests, test)
	}
}

// sampleOf is the sample of a row: the only one where no column says it, -1 for none.
func sampleOf(by *dataset.Column, row int) int {
	switch {
	case by == nil:
		return 0
	case by.Values[row] >= 0:
		return int(by.Values[row])
	}
	return -1
}

// pValue is a p-value as people write it.
func pValue(p float64) string {
	switch {
	case math.IsNaN(p):
		return "–"
	case p < 0.0001:
		return "< 0.0001"
	}
	return strconv.FormatFloat(p, 'g', 2, 64)
}

// colourByPopulations colours by these what was coloured otherwise, and leaves all else as it is.
func (p *Picture) colourByPopulations() {
	usual := NewPicture()
	p.Colour, p.And, p.Wall, p.Ends, p.Centre, p.Scale = byPopulations, "", Wall{}, [2]float64{}, nil, ""
	p.Palette, p.Reverse, p.Percentiles = usual.Palette, usual.Reverse, usual.Percentiles
}

// draw puts pictures of the map on the page: as it is looked at, and coloured by populations where that is not so.
func (r *Report) draw(ctx context.Context, w *Work, p *page.Page) error {
	if Painter == nil {
		w.Notes = append(w.Notes, "this program makes no pictures: the page is without the map")
		return nil
	}
	look := NewPicture()
	if r.Picture != nil {
		*look = *r.Picture
	}
	look.NoRecipe = true
	looks := []*Picture{look}
	if r.Names != nil && look.Colour != byPopulations {
		other := *look
		other.colourByPopulations()
		looks = append(looks, &other)
	}
	for _, x := range looks {
		var file bytes.Buffer
		write, err := x.paint(ctx, w)
		if err == nil {
			err = write(&file)
		}
		if err != nil {
			return err
		}
		caption := "coloured by " + cmp.Or(called(w.table, x.Colour), "what tells most")
		p.Pictures = append(p.Pictures, page.Picture{Caption: caption, Mime: "image/png", Data: file.Bytes()})
	}
	return nil
}

// views puts the views of the session on the page. Where they cannot be drawn, that is noted: all else is there.
func (r *Report) views(ctx context.Context, w *Work, p *page.Page) error {
	if r.Views == nil {
		return nil
	}
	var file bytes.Buffer
	look := *r.Views
	look.NoRecipe = true
	write, err := look.paint(ctx, w)
	if err == nil {
		err = write(&file)
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		w.Notes = append(w.Notes, "the page is without the views of the session: "+problem.As(err).What)
	default:
		p.Views = []page.Picture{{Caption: "as in the window", Mime: "image/png", Data: file.Bytes()}}
	}
	return nil
}
