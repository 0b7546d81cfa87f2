package dialog

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sahilm/fuzzy"

	"blossom/ui/widget"
)

// Item is something the palette can run.
type Item struct {
	Title, Help, Key, Icon string
	Can                    bool
	Run                    func()
	Also                   string // other words that it is sought by
}

// Palette finds commands by their names. Its subject lists them anew in each frame, by what is typed: of what there is
// too much of it lists what begins so.
var Palette = Register(Kind[func(typed string) []Item]{ID: "palette", Title: "Commands", Width: 520, Top: true,
	New: func(w Window, items func(string) []Item) Dialog { return &Finder{w: w, items: items, fresh: true} }})

// Finder is the dialog of the palette.
type Finder struct {
	w      Window
	items  func(typed string) []Item
	fresh  bool
	Text   string
	cursor int
}

// paletteRows is how many commands the palette shows at once.
const paletteRows = 11

func (p *Finder) Face() (Face, bool) { return Face{}, true }

func (p *Finder) Draw() (chosen func()) {
	u := p.w.UI()
	e := u.SearchField("##command", "Type a command", &p.Text, p.fresh)
	p.fresh = false
	if e.Changed {
		p.cursor = 0
	}
	items := Matching(p.items(p.Text), p.Text)
	p.cursor = max(0, min(p.cursor+u.ListKeys(), len(items)-1))
	u.Space(4)
	first := max(0, min(p.cursor-paletteRows/2, len(items)-paletteRows))
	for i := first; i < min(len(items), first+paletteRows); i++ {
		it := items[i]
		icon := it.Icon
		if icon == "" {
			icon = " "
		}
		hit := u.Row(fmt.Sprintf("%s##command%d", it.Title, i),
			widget.RowOpts{Icon: icon, Shortcut: it.Key, Cursor: i == p.cursor, Disabled: !it.Can, Tip: it.Help})
		if hit.Clicked && it.Can {
			chosen = it.Run
		}
	}
	if len(items) == 0 {
		u.Muted("No command has this name.")
	}
	switch {
	case !u.Entered():
	case len(items) > 0 && items[p.cursor].Can:
		chosen = items[p.cursor].Run
	default:
		p.fresh = true // the field that Enter has left is typed into on
	}
	return chosen
}

// Matching returns the items that fit the text: by their titles, the best first, then by what else is said of them.
func Matching(items []Item, text string) []Item {
	text = strings.ReplaceAll(strings.TrimSpace(text), "...", "…") // as titles have it
	if text == "" {
		return items
	}
	titles := make([]string, len(items))
	for i := range items {
		titles[i] = items[i].Title
	}
	scores := map[int]int{} // scores of titles that have all letters, scattered ones too
	for _, f := range fuzzy.Find(text, titles) {
		scores[f.Index] = f.Score
	}
	words := strings.Fields(strings.ToLower(text))
	type match struct{ at, rank, score int }
	var found []match
	for i, x := range items {
		score, scattered := scores[i]
		if rank := x.rank(text, words); rank > 0 || scattered {
			found = append(found, match{i, rank, score})
		}
	}
	slices.SortStableFunc(found, func(a, b match) int {
		return cmp.Or(cmp.Compare(b.rank, a.rank), cmp.Compare(b.score, a.score))
	})
	out := make([]Item, len(found))
	for i, m := range found {
		out[i] = items[m.at]
	}
	return out
}

// rank is how well an item is meant by a text of these words: 4 where a word of its title begins with it, 3 where its
// other words do, 2 where its title has it elsewhere, 1 where all words are in what is said of it, else 0.
func (x *Item) rank(text string, words []string) int {
	in := fit(x.Title, text)
	also := func(w string) bool { return fit(x.Also, w) == 2 }
	about := strings.ToLower(x.Title + " " + x.Help + " " + x.Also)
	switch {
	case in == 2:
		return 4
	case len(words) > 0 && all(words, also):
		return 3
	case in == 1:
		return 2
	case all(words, func(w string) bool { return strings.Contains(about, w) }):
		return 1
	}
	return 0
}

func all(words []string, ok func(string) bool) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !ok(w) })
}

// fit is how a title has the text: 2 where a word begins with it, 1 where it is elsewhere, 0 where its letters are
// scattered.
func fit(title, text string) int {
	title, text = strings.ToLower(title), strings.ToLower(text)
	best := 0
	for from := 0; ; {
		at := strings.Index(title[from:], text)
		if at < 0 {
			return best
		}
		at += from
		before, _ := utf8.DecodeLastRuneInString(title[:at])
		if best = 1; at == 0 || !unicode.IsLetter(before) && !unicode.IsDigit(before) {
			return 2
		}
		_, size := utf8.DecodeRuneInString(title[at:])
		from = at + size
	}
}
