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

// Palette finds commands by their names. Its subject lists them anew in each frame.
var Palette = Register(Kind[func() []Item]{ID: "palette", Title: "Commands", Width: 520, Top: true,
	New: func(w Window, items func() []Item) Dialog { return &Finder{w: w, items: items, fresh: true} }})

// Finder is the dialog of the palette.
type Finder struct {
	w      Window
	items  func() []Item
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
	items := Matching(p.items(), p.Text)
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
	if len(items) > 0 && u.Entered() && items[p.cursor].Can {
		chosen = items[p.cursor].Run
	}
	return chosen
}

// Matching returns the items that fit the text: by their titles, the best first, then by what else is said of them.
func Matching(items []Item, text string) []Item {
	text = strings.TrimSpace(text)
	if text == "" {
		return items
	}
	titles := make([]string, len(items))
	for i := range items {
		titles[i] = items[i].Title
	}
	found := fuzzy.Find(text, titles)
	slices.SortStableFunc(found, func(a, b fuzzy.Match) int {
		return cmp.Or(cmp.Compare(fit(b.Str, text), fit(a.Str, text)), cmp.Compare(b.Score, a.Score))
	})
	out, taken := make([]Item, len(found), len(items)), make([]bool, len(items))
	for i, f := range found {
		out[i], taken[f.Index] = items[f.Index], true
	}
	words := strings.Fields(strings.ToLower(text))
	for i, x := range items {
		about := strings.ToLower(x.Title + " " + x.Help + " " + x.Also)
		if !taken[i] && !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(about, w) }) {
			out = append(out, x)
		}
	}
	return out
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
