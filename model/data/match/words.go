package match

import (
	"fmt"
	"slices"
	"strings"

	"blossom/model/data/dataset"
)

// antigens says that a piece has several of them, "" if not.
func (x *matching) antigens(p *piece) string {
	var seen []string
	var words []string
	for f, at := range p.from {
		if at < 0 {
			continue
		}
		word := spelled(&x.tables[f].Columns[at])
		if a := antigenOf(word); a != "" && !slices.Contains(seen, a) {
			seen, words = append(seen, a), append(words, word)
		}
	}
	if len(seen) < 2 {
		return ""
	}
	return fmt.Sprintf("one detector, %d antigens: %s", len(words), list(words))
}

// list writes words as in a sentence.
func list(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// by is what the columns of a piece were matched by.
func (x *matching) by(p *piece) string {
	return x.word(p, x.way == Antigen && p.named)
}

// byHand is what the columns of a piece that was decided by hand have in common, "hand" if nothing.
func (x *matching) byHand(p *piece) string {
	first := piece{from: none(len(x.tables)), entry: p.entry}
	first.from[p.file] = p.at
	antigen, detector := true, true
	for f, at := range p.from {
		if at >= 0 {
			e := x.entries[f][at]
			antigen = antigen && e.antigen != "" && e.antigen == p.antigen && e.pulse == p.pulse
			detector = detector && x.shares(&first, e, detectorOf) && (!p.named || !e.named || antigen)
		}
	}
	switch {
	case files(p.from) < 2:
		return ""
	case antigen && p.named:
		return Antigen
	case detector || antigen:
		return x.word(p, false)
	}
	return "hand"
}

func (x *matching) word(p *piece, antigen bool) string {
	places, cells := true, false
	for f, at := range p.from {
		if at >= 0 {
			places = places && dataset.IsDefaultName(x.tables[f].Columns[at].Name)
			cells = cells || x.tables[f].Cells
		}
	}
	switch {
	case files(p.from) < 2:
		return ""
	case antigen:
		return Antigen
	case places:
		return "place"
	case cells:
		return Detector
	}
	return Name
}

// title is how the first file of a piece calls it.
func (x *matching) title(p *piece) string {
	for f, at := range p.from {
		if at >= 0 {
			return Title(&x.tables[f].Columns[at])
		}
	}
	return ""
}

// Title is the shortest name of a column of a file: its antigen, or its own name.
func Title(c *dataset.Column) string {
	if s := spelled(c); s != "" {
		return s
	}
	return strings.TrimSpace(c.Name)
}

// Title is how a row is called: its antigen, else its name, and where it is kept apart what its columns share.
func (r *Row) Title() string {
	if r.Label != "" && !r.Apart {
		return r.Label
	}
	return r.Name
}

// Under is the detector of a column that is called by its antigen, "" else.
func Under(c *dataset.Column) string {
	if spelled(c) == "" {
		return ""
	}
	name, _, _ := strings.Cut(c.Name, "::")
	return strings.TrimSpace(name)
}
