package ui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sahilm/fuzzy"

	"blossom/assets"
	"blossom/assets/notices"
	"blossom/ui/widget"
)

// modal says whether a dialog takes all input.
func (a *App) modal() bool {
	return a.problem != nil || a.shortcuts || a.palette.open || a.naming.open || a.moment.open ||
		a.landmarkImport.open || a.landmarkExport.open ||
		a.browser.shown || a.replace.open ||
		len(a.questions) > 0 || a.info.open || a.choice.open || a.axes.open || a.left.open || a.reads.open ||
		a.matching.open || a.files.closing ||
		a.ui.PopupOpen()
}

// overlays draws what lies over everything: menus at the cursor, dialogs, the command palette.
func (a *App) overlays() {
	toasts := a.regions.views
	if a.desk != nil { // below the headers, which are to be clicked
		toasts.Y0 = min(toasts.Y0+a.ui.Pt(widget.HeaderHeight), toasts.Y1)
	}
	a.ui.ToastsIn(toasts)
	a.problemDialog()
	a.infoDialog()
	a.engineDialog()
	a.nameDialog()
	a.momentDialog()
	a.importDialog()
	a.exportLandmarksDialog()
	a.axesDialog()
	a.readingDialog()
	a.matchingDialog()
	a.shortcutsDialog()
	a.paletteDialog()
	a.browserDialog()
	a.replaceDialog()
	a.recoverDialog()
	a.questionDialog()
	a.filingDialog()
}

func (a *App) problemDialog() {
	open := a.problem != nil
	if !open {
		a.ui.Modal("Problem", &open, widget.ModalOpts{}, nil)
		return
	}
	p := a.problem
	chosen := a.ui.Modal("Problem", &open, widget.ModalOpts{Width: 460, Buttons: []widget.ModalButton{
		{Label: "Copy log", Tip: "Copy all messages of this run, for a report"},
		{Label: "OK", Kind: widget.Primary}}}, func() {
		t := a.ui.Theme()
		if p.File != "" {
			a.ui.Wrapped(widget.Strong, t.Text, p.File)
			a.ui.Space(4)
		}
		a.ui.Wrapped(widget.Body, t.Text, sentence(p.What))
		if p.Remedy != "" {
			a.ui.Space(6)
			a.ui.Wrapped(widget.Body, t.Muted, sentence(p.Remedy))
		}
	})
	if chosen == 0 {
		a.copyLog()
	}
	if !open && a.problem == p {
		a.problem = nil
	}
}

// sentence makes a sentence of a phrase of an error.
func sentence(s string) string {
	if s == "" {
		return ""
	}
	r := []rune(s)
	out := strings.ToUpper(string(r[0])) + string(r[1:])
	if last := out[len(out)-1]; last != '.' && last != '!' && last != '?' {
		out += "."
	}
	return out
}

// infoPage is a page of text: what works here, about.
type infoPage struct {
	open   bool
	title  string
	text   string
	long   string // that scrolls below the text
	reader widget.Reader
}

func (a *App) infoDialog() {
	title := a.info.title
	if title == "" {
		title = "Information"
	}
	chosen := a.ui.Modal(title, &a.info.open, widget.ModalOpts{Width: 560,
		Buttons: []widget.ModalButton{{Label: "Copy"}, {Label: "OK", Kind: widget.Primary}}}, func() {
		for _, line := range strings.Split(strings.TrimRight(a.info.text, "\n"), "\n") {
			if line == "" {
				a.ui.Space(8)
				continue
			}
			a.ui.Wrapped(widget.Body, a.ui.Theme().Text, line)
		}
		if a.info.long != "" {
			a.ui.Space(10)
			h := min(a.ui.Pt(300), a.ctx.Size().Y*0.92-a.ui.Pt(340))
			a.info.reader.Draw(a.ui, "long", widget.Small, a.info.long, max(h, a.ui.Pt(56)))
		}
	})
	if chosen == 0 {
		a.ctx.SetClipboard(strings.Trim(a.info.text+"\n\n"+a.info.long, "\n"))
	}
}

func (a *App) showDoctor() {
	text := "This build cannot look at itself."
	if a.options.Doctor != nil {
		text = a.options.Doctor()
	}
	a.info = infoPage{open: true, title: "What works here", text: text}
}

func (a *App) showAbout() {
	a.info = infoPage{open: true, title: "About blossom", text: "blossom " + a.options.Version + "\n\n" +
		"Steer maps of high-dimensional data by hand: self-organizing maps, k-means and EmbedSOM, live.\n\n" +
		"Methods: Kratochvíl, Koladiya, Vondrášek, F1000Research 8:2120 (2019); Kratochvíl et al., BlosSOM; " +
		"Šmelko et al., GPU EmbedSOM.\n\n" +
		"Licence: Apache-2.0. What else is in the program, and under which terms:", long: notices.Text}
}

// shortcutsDialog lists every shortcut; those of the keyboard come from the command table.
func (a *App) shortcutsDialog() {
	a.ui.Modal("Keys and mouse", &a.shortcuts, widget.ModalOpts{Width: 1180}, func() {
		a.ui.KeyTable(keyRows())
	})
}

// keyRows are what the overlay of shortcuts shows.
func keyRows() [][2]string {
	rows := append([][2]string(nil), mouseHelp...)
	for _, c := range everyCommand() {
		if len(c.keys) > 0 {
			rows = append(rows, [2]string{c.title, c.key()})
		}
	}
	return rows
}

// mouseHelp is what the mouse does on the map.
var mouseHelp = [][2]string{
	{"Zoom at the cursor", "Wheel"},
	{"Pan", "Drag (Navigate), Middle drag, Space+drag"},
	{"Turn, in 3D", "Drag (Navigate)"},
	{"Centre here", "Middle click"},
	{"Move a landmark", "Ctrl+drag"},
	{"… with the Landmarks tool", "Drag"},
	{"Add a landmark", "Ctrl+click"},
	{"Duplicate a landmark", "Ctrl+click on it"},
	{"Remove a landmark", "Ctrl+right-click"},
	{"Move t-SNE points", "Ctrl+drag (Navigate)"},
	{"Select by rectangle", "Shift+drag"},
	{"Select by lasso", "Alt+drag"},
	{"Add to the selection", "Shift+click"},
	{"Show a label alone", "Rest on it in the legend"},
	{"Select a label", "Click it in the legend"},
	{"Add a label", "Shift+click it in the legend"},
	{"Take a label away", "Alt+click it in the legend"},
	{"Nudge the selection", "Arrows"},
	{"What can be done here", "Right-click"},
	{"Cancel a gesture", "Esc"},
	{"Reset a number", "Double-click its name"},
}

// commandPalette finds commands by their names.
type commandPalette struct {
	open   bool
	fresh  bool
	text   string
	cursor int
}

func (p *commandPalette) show() { *p = commandPalette{open: true, fresh: true} }

// paletteItem is something the palette can run.
type paletteItem struct {
	title, help, key, icon string
	can                    bool
	run                    func()
	also                   string // other words that it is sought by
}

// paletteColumns is how many columns of the table the palette offers to colour by; the Colour panel has all.
const paletteColumns = 500

// paletteItems are all commands, the demo data and the recent files.
func (a *App) paletteItems() []paletteItem {
	var out []paletteItem
	for _, c := range everyCommand() {
		out = append(out, paletteItem{c.title, c.help, c.key(), c.icon, c.can(a), func() { c.run(a) }, c.also})
	}
	out = append(out, a.engineItems()...)
	out = append(out, a.embeddingItems()...)
	for _, d := range demos() {
		out = append(out, paletteItem{"Open demo: " + d.Title, d.Help, "", assets.IconFlaskConical, true,
			func() { a.open("demo:" + d.Name) }, "data example"})
	}
	out = append(out, a.keptCommands()...)
	paths, gone := a.recentFiles(maxRecent)
	for _, p := range paths {
		if !gone(p) {
			out = append(out, paletteItem{"Open recent: " + p, "", "", assets.IconClock, true,
				func() { a.openRecent(p) }, ""})
		}
	}
	if a.desk != nil {
		list, _ := a.desk.ColumnList()
		for i, c := range list {
			if i >= paletteColumns && !c.Derived {
				continue
			}
			title := "Colour by " + c.Title
			if c.Secondary != "" {
				title += " (" + c.Secondary + ")"
			}
			out = append(out, paletteItem{title, c.Help, "", assets.IconPalette, true,
				func() { a.desk.ColourBy(c.Name) }, ""})
		}
	}
	return out
}

// matching returns the items that fit the text: by their titles, the best first, then by what else is said of them.
func matching(items []paletteItem, text string) []paletteItem {
	text = strings.TrimSpace(text)
	if text == "" {
		return items
	}
	titles := make([]string, len(items))
	for i := range items {
		titles[i] = items[i].title
	}
	found := fuzzy.Find(text, titles)
	slices.SortStableFunc(found, func(a, b fuzzy.Match) int {
		return cmp.Or(cmp.Compare(fit(b.Str, text), fit(a.Str, text)), cmp.Compare(b.Score, a.Score))
	})
	out, taken := make([]paletteItem, len(found), len(items)), make([]bool, len(items))
	for i, f := range found {
		out[i], taken[f.Index] = items[f.Index], true
	}
	words := strings.Fields(strings.ToLower(text))
	for i, x := range items {
		about := strings.ToLower(x.title + " " + x.help + " " + x.also)
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

// paletteRows is how many commands the palette shows at once.
const paletteRows = 11

func (a *App) paletteDialog() {
	p := &a.palette
	var run func()
	a.ui.Modal("Commands", &p.open, widget.ModalOpts{Width: 520, Top: true}, func() {
		e := a.ui.SearchField("##command", "Type a command", &p.text, p.fresh)
		p.fresh = false
		if e.Changed {
			p.cursor = 0
		}
		items := matching(a.paletteItems(), p.text)
		p.cursor = max(0, min(p.cursor+a.ui.ListKeys(), len(items)-1))
		a.ui.Space(4)
		first := max(0, min(p.cursor-paletteRows/2, len(items)-paletteRows))
		for i := first; i < min(len(items), first+paletteRows); i++ {
			it := items[i]
			icon := it.icon
			if icon == "" {
				icon = " "
			}
			hit := a.ui.Row(fmt.Sprintf("%s##command%d", it.title, i),
				widget.RowOpts{Icon: icon, Shortcut: it.key, Cursor: i == p.cursor, Disabled: !it.can, Tip: it.help})
			if hit.Clicked && it.can {
				run = it.run
			}
		}
		if len(items) == 0 {
			a.ui.Muted("No command has this name.")
		}
		if len(items) > 0 && a.ui.Entered() && items[p.cursor].can {
			run = items[p.cursor].run
		}
	})
	if run != nil {
		p.open = false
		run()
	}
}
