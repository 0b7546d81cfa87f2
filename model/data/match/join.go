package match

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
)

// keepTimes bounds the memory of columns that only some files have: the joined table holds at most so many times the
// values that were read.
const keepTimes = 3

// listed is how many columns a warning names.
const listed = 12

// Join makes one table of the files as the plan says. Columns that only some files have are kept beside the map, those
// of the fewest files left out where there are too many. The table warns of every doubt. The error is a Problem, or
// ctx's.
func (p *Plan) Join(ctx context.Context) (*dataset.Dataset, error) {
	joined, lost := p.joined()
	if err := p.Strangers(); err != nil {
		return nil, err
	}
	ds, err := dataset.Stack(ctx, p.Files, joined)
	if err != nil {
		return nil, err
	}
	in, _ := p.Ticked()
	for i := range ds.Columns {
		if c := &ds.Columns[i]; in[c.Name] && c.Categories == nil && c.Provenance == dataset.File {
			c.Role = dataset.Marker // whatever it looks like
		}
	}
	ds.Warnings = append(ds.Warnings, p.Doubts()...)
	aside := []string{}
	for _, j := range joined {
		if j.Aside && slices.Contains(j.From, -1) {
			aside = append(aside, cmp.Or(j.Label, j.Name))
		}
	}
	say := func(what string, names []string) {
		if len(names) == 0 {
			return
		}
		more := ""
		if n := len(names) - listed; n > 0 {
			more = fmt.Sprintf(" and %d more", n)
		}
		ds.Warnings = append(ds.Warnings, what+", because not all files have them: "+
			strings.Join(names[:min(len(names), listed)], ", ")+more)
	}
	say("left out of the map", aside)
	say("left out", lost)
	return p.How.Panel.On(ds), nil
}

// joined returns the columns of the joined table, those that all files have first, and the names of what is left out.
func (p *Plan) joined() (out []dataset.Joined, lost []string) {
	taken := map[string]bool{dataset.FileColumn: true}
	add := func(r *Row, from []int, name, label string) {
		j := dataset.Joined{Name: name, Label: label, From: from, Aside: slices.Contains(from, -1)}
		for n := 2; taken[j.Name]; n++ {
			j.Name = fmt.Sprintf("%s (%d)", name, n)
		}
		taken[j.Name] = true
		if o := r.hand; o != nil {
			j.Aside = j.Aside && !o.Map || o.Out
		}
		out = append(out, j)
	}
	for i := range p.Rows {
		r := &p.Rows[i]
		if !r.Apart {
			add(r, r.From, r.Name, r.Label)
			continue
		}
		for _, from := range r.Pieces {
			f := slices.IndexFunc(from, func(at int) bool { return at >= 0 })
			c := &p.Files[f].Columns[from[f]]
			label := spelled(c)
			add(r, from, cmp.Or(label, c.Name), label)
		}
	}
	slices.SortStableFunc(out, func(a, b dataset.Joined) int { return files(b.From) - files(a.From) })
	read, room := 0, 0
	for _, t := range p.Files {
		read += t.Points * len(t.Columns)
		room += t.Points
	}
	most := len(out)
	if room > 0 {
		most = keepTimes * read / room
	}
	kept := out[:0]
	for i, j := range out {
		if slices.Contains(j.From, -1) && j.Aside && (p.How.Common || i >= most) {
			lost = append(lost, cmp.Or(j.Label, j.Name))
			continue
		}
		kept = append(kept, j)
	}
	return kept, lost
}

// names returns the names of columns, by file, "" for none.
func (p *Plan) names(from []int) []string {
	out := make([]string, len(from))
	for f, at := range from {
		if at >= 0 {
			out[f] = p.Files[f].Columns[at].Name
		}
	}
	return out
}

func padded(names []string, n int) []string {
	out := make([]string, n)
	copy(out, names)
	return out
}

// Common is how many columns of numbers all files have.
func (p *Plan) Common() int { return p.common(-1) }

// common counts them without a file.
func (p *Plan) common(without int) int {
	n := 0
	for i := range p.Rows {
		r := &p.Rows[i]
		for _, piece := range r.pieces() {
			whole, numbers := true, true
			for f, at := range piece {
				if f == without {
					continue
				}
				whole = whole && at >= 0
				numbers = numbers && at >= 0 && p.Files[f].Columns[at].Categories == nil
			}
			if whole && numbers {
				n++
			}
		}
	}
	return n
}

// pieces are the columns that a row gives the joined table.
func (r *Row) pieces() [][]int {
	if r.Apart {
		return r.Pieces
	}
	return [][]int{r.From}
}

// Odd returns the file without which most columns are in all of the others, and how many these are; -1 where leaving
// one out does not help.
func (p *Plan) Odd() (file, columns int) {
	file, columns = -1, p.Common()
	for f := range p.Files {
		if n := p.common(f); len(p.Files) > 1 && n > columns {
			file, columns = f, n
		}
	}
	return file, columns
}

// Strangers is the error where there is no column that all files have.
func (p *Plan) Strangers() error {
	if p.Common() > 0 {
		return nil
	}
	odd, n := p.Odd()
	if odd < 0 || len(p.Files) < 3 {
		last := p.Files[len(p.Files)-1]
		return problem.New(last.Path, "open files with the same columns together, the others one by one",
			"has no column in common with %s", p.others(len(p.Files)-1))
	}
	return problem.New(p.Files[odd].Path, fmt.Sprintf("leave it out: then %s in all files", are(n)),
		"has no column in common with the other files")
}

func (p *Plan) others(but int) string {
	if len(p.Files) == 2 {
		return p.Files[1-but].Name
	}
	return fmt.Sprintf("the other %d files", len(p.Files)-1)
}

// Doubtful returns the rows that nobody has decided on.
func (p *Plan) Doubtful() []*Row {
	var out []*Row
	for i := range p.Rows {
		if p.Rows[i].Doubt != "" {
			out = append(out, &p.Rows[i])
		}
	}
	return out
}

// Doubts says each of them in a line: what, why, and what was done.
func (p *Plan) Doubts() []string {
	var out []string
	for _, r := range p.Doubtful() {
		done := "taken as one column"
		if r.Apart {
			done = "kept apart"
		}
		var where []string
		for f, at := range r.From {
			if at >= 0 {
				where = append(where, fmt.Sprintf("%s in %s", p.Files[f].Columns[at].Title(), p.Files[f].Name))
			}
		}
		if n := len(where); n > 4 {
			where = append(where[:3], fmt.Sprintf("%d more", n-3))
		}
		out = append(out, fmt.Sprintf("%s: %s (%s): %s", r.Title(), r.Doubt, strings.Join(where, ", "), done))
	}
	return out
}

// are counts columns in a sentence.
func are(n int) string {
	if n == 1 {
		return "1 column is"
	}
	return fmt.Sprintf("%d columns are", n)
}
