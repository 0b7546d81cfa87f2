// Package match finds which columns of several files are one: by antigen, then by detector, then by place. What is not
// certain is said, kept apart, and decided by hand.
package match

import (
	"fmt"
	"slices"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/panel"
)

// The ways in which columns of several files are matched.
const (
	Antigen  = "antigen"  // by antigen ($PnS), then by detector ($PnN), then by place
	Detector = "detector" // by detector alone, whatever was stained with
	Name     = "name"     // by the whole name, letter by letter
)

// Ways are the ways of matching, the default first.
func Ways() []string { return []string{Antigen, Detector, Name} }

// How says how the columns of several files become those of one table.
type How struct {
	By string `json:"by,omitempty"` // "" is Antigen
	// Own are columns that were decided by hand. They go before all matching.
	Own []Own `json:"own,omitempty"`
	// Common leaves out what not all files have, as versions to 0.2 did.
	Common bool `json:"common,omitempty"`
	// Panel says antigens of the columns before they are matched. It is kept elsewhere: it belongs to the table.
	Panel panel.Panel `json:"-"`
}

// Own is a column of the joined table that was decided by hand.
type Own struct {
	From []string `json:"from"`           // for each file the name of its column, "" for none
	Name string   `json:"name,omitempty"` // "" is as the files have it
	Map  bool     `json:"map,omitempty"`  // in the map though not all files have it
	Out  bool     `json:"out,omitempty"`  // out of the map though all files have it
}

// Check says what is wrong with the settings. The error is a Problem.
func (m How) Check() error {
	if m.By != "" && !slices.Contains(Ways(), m.By) {
		return problem.New("", "use "+problem.OneOf(Ways()...), "columns cannot be matched by %q", m.By)
	}
	return nil
}

// Clone returns a copy that can be changed.
func (m How) Clone() How {
	m.Own = slices.Clone(m.Own)
	for i := range m.Own {
		m.Own[i].From = slices.Clone(m.Own[i].From)
	}
	return m
}

// Row is a column of the joined table, or several that may be one: those are doubtful.
type Row struct {
	Name, Label string
	From        []int  // for each file its column, -1 for none
	By          string // how it was matched, in a word; "" where one file has it alone
	Doubt       string // why it is doubtful, in words that a sentence may begin with, or ""
	// Pieces are those columns that are certainly one, each as From is; a row without doubt is one piece. Apart: they
	// stay columns of their own, as long as nobody has decided.
	Pieces [][]int
	Apart  bool
	Hand   bool // decided by hand
	InMap  bool // it takes part in the map

	hand *Own
}

// Files is in how many files the column is.
func (r *Row) Files() int { return files(r.From) }

func files(from []int) int {
	n := 0
	for _, at := range from {
		if at >= 0 {
			n++
		}
	}
	return n
}

// Plan is what was matched by what. It is immutable.
type Plan struct {
	Files []*dataset.Dataset
	Rows  []Row // the doubtful ones first, then those that most files have
	How   How
}

// entry is a column of a file while it is matched.
type entry struct {
	file, at int
	kind     string // only columns of one kind are matched
	antigen  string // as compared
	named    bool   // a label names the antigen, not the column's own name
	pulse    string
	done     bool
}

// piece is columns of several files that are certainly one.
type piece struct {
	from []int
	entry
	hand *Own
}

// matching is a Plan under way.
type matching struct {
	tables  []*dataset.Dataset
	entries [][]entry // by file
	pieces  []*piece
	way     string
}

// New matches the columns of several tables. The result depends on nothing but the tables, in their order, and m.
func New(tables []*dataset.Dataset, m How) *Plan {
	tables = slices.Clone(tables)
	for f := range tables {
		tables[f] = m.Panel.On(tables[f])
	}
	x := &matching{tables: tables, way: m.By}
	if x.way == "" {
		x.way = Antigen
	}
	for f, t := range tables {
		list := make([]entry, len(t.Columns))
		for i := range t.Columns {
			list[i] = x.describe(f, i)
		}
		x.entries = append(x.entries, list)
	}
	for i := range m.Own {
		x.own(&m.Own[i])
	}
	for f := range tables {
		x.join(f)
	}
	return &Plan{Files: tables, Rows: x.rows(), How: m}
}

func (x *matching) column(e entry) *dataset.Column { return &x.tables[e.file].Columns[e.at] }

func (x *matching) describe(f, i int) entry {
	c := &x.tables[f].Columns[i]
	e := entry{file: f, at: i, kind: "numbers", pulse: pulse(c.Name)}
	switch {
	case c.Categories != nil:
		e.kind = "names"
	case c.Log != nil:
		e.kind = "logarithms"
	}
	if e.antigen = antigenOf(spelled(c)); e.antigen != "" {
		e.named = true
	} else if c.Role != dataset.Scatter && c.Role != dataset.Time {
		e.antigen = antigenOf(pulseEnd().ReplaceAllString(c.Name, ""))
	}
	return e
}

// own makes the piece of a column that was decided by hand. Names that a file does not have are passed over.
func (x *matching) own(o *Own) {
	p := &piece{from: none(len(x.tables)), hand: o}
	for f := range x.tables {
		if f >= len(o.From) || o.From[f] == "" {
			continue
		}
		for i := range x.entries[f] {
			e := &x.entries[f][i]
			if x.column(*e).Name != o.From[f] || e.done ||
				files(p.from) > 0 && (p.kind == "names") != (e.kind == "names") {
				continue
			}
			if files(p.from) == 0 {
				p.entry = *e
			}
			p.from[f], e.done = i, true
		}
	}
	if files(p.from) > 0 {
		x.pieces = append(x.pieces, p)
	}
}

func none(n int) []int {
	from := make([]int, n)
	for i := range from {
		from[i] = -1
	}
	return from
}

// join puts the columns of a file to the pieces that they certainly belong to, and makes new ones of the rest: first
// what is alike in antigen and detector, then what is alike and has no rival.
func (x *matching) join(f int) {
	for _, ask := range []func(*piece, entry) bool{x.alikeInAll, x.alike} {
		for i := range x.entries[f] {
			e := &x.entries[f][i]
			if e.done {
				continue
			}
			var found []*piece
			for _, p := range x.pieces {
				if p.hand == nil && p.kind == e.kind && ask(p, *e) {
					found = append(found, p)
				}
			}
			if len(found) != 1 || found[0].from[f] >= 0 || x.rival(found[0], *e, ask) {
				continue
			}
			p := found[0]
			p.from[f], e.done = i, true
			if e.named && !p.named {
				p.named, p.antigen = true, e.antigen
			}
		}
	}
	for i := range x.entries[f] {
		if e := &x.entries[f][i]; !e.done {
			p := &piece{from: none(len(x.tables)), entry: *e}
			p.from[f], e.done = i, true
			x.pieces = append(x.pieces, p)
		}
	}
}

// rival says whether another column of e's file would do for p as well.
func (x *matching) rival(p *piece, e entry, ask func(*piece, entry) bool) bool {
	return slices.ContainsFunc(x.entries[e.file], func(o entry) bool {
		return o.at != e.at && o.kind == e.kind && ask(p, o)
	})
}

// alikeInAll: the same antigen on the same detector.
func (x *matching) alikeInAll(p *piece, e entry) bool {
	return x.alike(p, e) && x.shares(p, e, detectorOf)
}

// alike says whether e is certainly what p is.
func (x *matching) alike(p *piece, e entry) bool {
	switch x.way {
	case Name:
		return slices.ContainsFunc(x.members(p), func(o entry) bool { return x.whole(o) == x.whole(e) })
	case Detector:
		return x.shares(p, e, detectorOf)
	}
	same := p.antigen != "" && p.antigen == e.antigen && p.pulse == e.pulse
	if p.named || e.named {
		return same
	}
	return same || x.shares(p, e, detectorOf)
}

// members are the columns of a piece.
func (x *matching) members(p *piece) (out []entry) {
	for f, at := range p.from {
		if at >= 0 {
			out = append(out, x.entries[f][at])
		}
	}
	return out
}

// whole is the name of a column as its file spells it: the header of a text table names the antigen too.
func (x *matching) whole(e entry) string {
	if x.tables[e.file].Headed {
		return x.column(e).Heading()
	}
	return x.column(e).Name
}

// shares says whether a column of p has the name of e, as brought into the form that is compared.
func (x *matching) shares(p *piece, e entry, form func(string) string) bool {
	want := form(x.column(e).Name)
	for f, at := range p.from {
		if at >= 0 && form(x.tables[f].Columns[at].Name) == want {
			return true
		}
	}
	return false
}

// rows makes the rows of the plan: pieces, and those together that may be one.
func (x *matching) rows() []Row {
	var out []Row
	taken := make([]bool, len(x.pieces))
	for i, p := range x.pieces {
		if taken[i] {
			continue
		}
		r := Row{From: slices.Clone(p.from), Pieces: [][]int{p.from}, By: x.by(p)}
		if r.hand = p.hand; p.hand != nil {
			r.Hand, r.Name, r.By = true, p.hand.Name, x.byHand(p)
		}
		for j := i + 1; j < len(x.pieces) && p.hand == nil; j++ {
			q := x.pieces[j]
			if taken[j] || q.hand != nil || !disjoint(r.From, q.from) {
				continue
			}
			by, doubt := x.doubt(p, q)
			if doubt == "" {
				continue
			}
			taken[j] = true
			for f, at := range q.from {
				if at >= 0 {
					r.From[f] = at
				}
			}
			if r.Pieces = append(r.Pieces, q.from); r.Doubt == "" {
				r.Doubt, r.By = doubt, by
			}
		}
		r.Apart = r.Doubt != ""
		if r.Doubt == "" && p.hand == nil && x.way != Antigen {
			r.Doubt = x.antigens(p) // said, but it is what was asked for
		}
		out = append(out, r)
	}
	out = x.byPlace(out)
	for i := range out {
		x.finish(&out[i])
	}
	distinct(out)
	slices.SortStableFunc(out, func(a, b Row) int {
		if (a.Doubt == "") != (b.Doubt == "") {
			if a.Doubt != "" {
				return -1
			}
			return 1
		}
		return b.Files() - a.Files()
	})
	return out
}

func disjoint(a, b []int) bool {
	for f := range a {
		if a[f] >= 0 && b[f] >= 0 {
			return false
		}
	}
	return true
}

// doubt says why two pieces may be one column although nothing says so for certain, and by what they would be matched.
func (x *matching) doubt(p, q *piece) (by, why string) {
	text := func(p *piece) bool { return p.kind == "names" }
	if x.way == Name || text(p) != text(q) || p.pulse != q.pulse {
		return "", ""
	}
	same := p.antigen != "" && p.antigen == q.antigen
	one, near := x.common(p, q, detectorOf), x.common(p, q, similar)
	switch {
	case same && p.kind != q.kind, one && p.antigen == q.antigen && p.kind != q.kind:
		return x.word(p, same && p.named), "on a logarithmic scale in one file, on a linear one in another"
	case p.kind != q.kind:
	case same && x.way == Antigen:
		return Antigen, fmt.Sprintf("%s is in one file more than once, and the detectors differ", x.title(p))
	case one && p.named && q.named:
		return Detector, fmt.Sprintf("one detector, two antigens: %s and %s", x.title(p), x.title(q))
	case (one || near) && p.named != q.named:
		if p.named {
			p, q = q, p
		}
		by := Detector
		if !one {
			by = "similar detector"
		}
		return by, fmt.Sprintf("%s names no antigen; it may or may not be %s", x.title(p), x.title(q))
	case near && !p.named && !q.named:
		return "similar detector", "spelt differently, and neither names an antigen"
	}
	return "", ""
}

// common says whether a column of p has the name of one of q.
func (x *matching) common(p, q *piece, form func(string) string) bool {
	for f, at := range q.from {
		if at >= 0 && x.shares(p, entry{file: f, at: at}, form) {
			return true
		}
	}
	return false
}

// byPlace matches files that name no columns with the first that has as many, where nothing else matches them.
func (x *matching) byPlace(rows []Row) []Row {
	if x.way != Antigen {
		return rows
	}
	alone := func(f int) []int { // the rows of a file, in its order, or nil if one is shared or decided
		out := make([]int, len(x.entries[f]))
		for i := range rows {
			if at := rows[i].From[f]; at >= 0 {
				if rows[i].Hand {
					return nil
				}
				out[at] = i
			}
		}
		return out
	}
	gone := map[int]bool{}
	for f, t := range x.tables {
		unnamed := len(t.Columns) > 0
		for _, c := range t.Columns {
			unnamed = unnamed && dataset.IsDefaultName(c.Name) && c.Label == ""
		}
		mine := alone(f)
		if !unnamed || mine == nil || slices.ContainsFunc(mine, func(i int) bool { return rows[i].Files() > 1 }) {
			continue
		}
		for g := range x.tables {
			theirs := alone(g)
			if g == f || theirs == nil || len(theirs) != len(mine) ||
				slices.ContainsFunc(theirs, func(i int) bool { return rows[i].From[f] >= 0 || gone[i] }) {
				continue
			}
			for k, i := range mine {
				to := &rows[theirs[k]]
				to.From[f] = rows[i].From[f]
				to.Pieces, gone[i] = append(to.Pieces, rows[i].From), true
				to.By, to.Doubt = "place", fmt.Sprintf("%s names no columns: by their places alone", t.Name)
			}
			break
		}
	}
	out := rows[:0]
	for i, r := range rows {
		if !gone[i] {
			out = append(out, r)
		}
	}
	return out
}

// finish names a row, and says whether it may be in the map.
func (x *matching) finish(r *Row) {
	var first *dataset.Column
	same, usable, marker, aside, stained := true, true, false, false, ""
	for f, at := range r.From {
		if at < 0 {
			continue
		}
		c := &x.tables[f].Columns[at]
		if first == nil {
			first = c
		}
		same = same && (c.Name == first.Name || r.Doubt != "" && detectorOf(c.Name) == detectorOf(first.Name))
		usable = usable && (c.Role == dataset.Marker || c.Role == dataset.Ignored ||
			c.Role == dataset.Unlabelled)
		marker = marker || c.Role == dataset.Marker
		aside = aside || c.Given != nil && c.Aside // a panel says so
		s := spelled(c)
		if r.Label == "" {
			r.Label = s
		} else if s != "" && s != r.Label {
			stained = r.Label
		}
	}
	if r.Doubt != "" && x.way != Antigen && !r.Apart { // several antigens: none of them is its name
		r.Label, same = "", true
	}
	if r.Doubt != "" && same {
		r.Name, _, _ = strings.Cut(first.Name, " :: ")
	}
	if r.Name == "" {
		switch {
		case same || r.Label == "":
			r.Name = first.Name
		default:
			r.Name = r.Label
		}
	}
	if stained != "" && r.Label != "" { // none of several stainings is the column's
		r.Label = plain(r.Label)
	}
	r.InMap = usable && marker && !aside && r.Files() == len(r.From) && !r.Apart
	if r.hand != nil {
		r.InMap = r.InMap && !r.hand.Out || r.hand.Map
	}
}

// distinct gives rows names of their own: where two have one detector, their antigens.
func distinct(rows []Row) {
	count := map[string]int{}
	for i := range rows {
		count[rows[i].Name]++
	}
	taken := map[string]bool{}
	for i := range rows {
		r := &rows[i]
		if count[r.Name] > 1 && r.Label != "" && (r.hand == nil || r.hand.Name == "") {
			r.Name = r.Label
		}
		base := r.Name
		for n := 2; taken[r.Name]; n++ {
			r.Name = fmt.Sprintf("%s (%d)", base, n)
		}
		taken[r.Name] = true
	}
}
