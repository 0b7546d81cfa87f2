package dialog

import (
	"fmt"
	"strings"

	"blossom/docs"
	"blossom/ui/widget"
)

// Manual shows the manual at a page, by its name; "" is the first.
var Manual = Register(Kind[string]{ID: "manual", Title: "Manual", Width: 860,
	New: func(w Window, page string) Dialog {
		m := &manual{w: w, below: -1}
		m.turn(page)
		return m
	}})

type manual struct {
	w      Window
	page   int // index of docs.Pages
	below  int // the block that the text is to be scrolled to, -1 for none
	turned bool
	search string
	of     string // the search that hits are of
	hits   []docs.Hit
	begun  bool
}

// hitsShown is how many places a search lists.
const hitsShown = 40

func (m *manual) Face() (Face, bool) { return Face{}, true }

// turn goes to a page.
func (m *manual) turn(page string) {
	for i, p := range docs.Pages() {
		if p.Name == page {
			m.page = i
		}
	}
	m.turned, m.below, m.search = true, -1, ""
}

func (m *manual) Draw() func() {
	u, pages := m.w.UI(), docs.Pages()
	var titles []string
	for _, p := range pages {
		titles = append(titles, p.Title)
	}
	page := m.page
	if u.Combo("##page", widget.Items(titles...), &page, widget.ComboOpts{Tip: "The pages of the manual"}) {
		m.turn(pages[page].Name)
	}
	u.Space(6)
	u.SearchField("search", "Search the manual", &m.search, !m.begun)
	m.begun = true
	u.Space(6)
	height := max(u.Pt(160), min(u.Pt(560), u.Window().H()*0.92-u.Pt(190)))
	if strings.TrimSpace(m.search) != "" {
		u.Sheet("found", height, m.found)
		return nil
	}
	u.Sheet("text of "+pages[m.page].Name, height, func() { m.text(pages[m.page]) })
	return nil
}

// found lists the places that the search finds; a click goes there.
func (m *manual) found() {
	u := m.w.UI()
	if m.of != m.search {
		m.of, m.hits = m.search, docs.Find(m.search)
	}
	if len(m.hits) == 0 {
		u.Muted("No page has these words.")
	}
	for i, h := range m.hits[:min(len(m.hits), hitsShown)] {
		p := docs.Pages()[h.Page]
		where := p.Title
		if h.Heading != p.Title {
			where += " › " + h.Heading
		}
		if u.Link(fmt.Sprintf("%s##hit %d", where, i), "Go there") {
			m.turn(p.Name)
			m.below = h.Block
			return
		}
		if h.Block >= 0 && p.Blocks[h.Block].Kind != docs.Heading {
			b := p.Blocks[h.Block]
			u.Wrapped(widget.Small, u.Theme().Muted, around(strings.TrimSpace(b.Head+" "+b.Text), m.search))
		}
		u.Space(4)
	}
	if more := len(m.hits) - hitsShown; more > 0 {
		u.Note(fmt.Sprintf("and %d more", more))
	}
}

// around is what of a text stands around the first word of a search.
func around(text, search string) string {
	const room = 90
	runes, lower := []rune(text), strings.ToLower(text)
	before, _, _ := strings.Cut(lower, strings.ToLower(strings.Fields(search)[0]))
	at := min(len([]rune(before)), len(runes))
	from, to := max(0, at-room), min(len(runes), at+room)
	out := strings.ReplaceAll(string(runes[from:to]), "\n", " ")
	if from > 0 {
		out = "…" + out
	}
	if to < len(runes) {
		out += "…"
	}
	return out
}

// text draws a page.
func (m *manual) text(p docs.Page) {
	u := m.w.UI()
	if m.turned && m.below < 0 {
		u.SheetTop()
		m.turned = false
	}
	u.Wrapped(widget.Title, u.Theme().Text, p.Title)
	u.Space(8)
	for i, b := range p.Blocks {
		if m.turned && i == m.below {
			u.SheetTop()
			m.turned, m.below = false, -1
		}
		m.block(b)
		for j, l := range b.Links {
			if u.Link(fmt.Sprintf("→ %s##link %d %d", l.Title, i, j), "Go to that page") {
				m.turn(l.Page)
			}
		}
		u.Space(6)
	}
}

// block draws a paragraph, or what stands for one.
func (m *manual) block(b docs.Block) {
	u := m.w.UI()
	ink := u.Theme().Text
	switch b.Kind {
	case docs.Heading:
		u.Space(8)
		u.Wrapped(widget.Strong, ink, b.Text)
	case docs.Item:
		mark := "•"
		if b.Head != "" {
			mark = b.Head + "."
		}
		u.Indented(float32(10+14*b.Level), func() { u.Wrapped(widget.Body, ink, mark+"  "+b.Text) })
	case docs.Code:
		for _, line := range strings.Split(b.Text, "\n") {
			u.Indented(14, func() { u.Wrapped(widget.Number, u.Theme().Muted, line) })
		}
	case docs.Row:
		if b.Head != "" {
			u.Wrapped(widget.Medium, ink, b.Head)
		}
		u.Indented(14, func() { u.Wrapped(widget.Body, u.Theme().Muted, b.Text) })
	default:
		u.Wrapped(widget.Body, ink, b.Text)
	}
}
