package dialog

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// folder is what a file dialog shows of a folder: its entries in an order, those that are chosen, and the one that the
// keyboard is on.
type folder struct {
	path string
	order
	kinds   []string // endings of files that are shown; none: all
	several bool     // files may be chosen
	find    string

	all    []fileEntry
	listed []fileEntry
	cursor int // an index into listed, -1: none
	anchor int // where a range of choices begins
	picked map[string]bool
}

// order is how entries are listed.
type order struct {
	by     sorting
	down   bool // the largest first
	hidden bool // files whose names begin with a dot are shown
}

// fileEntry is a file or a folder.
type fileEntry struct {
	name    string
	folder  bool
	size    int64
	changed time.Time
}

// sorting is a column that entries are sorted by.
type sorting int

const (
	byName sorting = iota
	byDate
	bySize
)

// read lists a folder. If that fails the folder shown stays.
func (f *folder) read(path string) error {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	list, err := os.ReadDir(path)
	if err != nil {
		return err
	}
	f.path, f.find, f.all = path, "", f.all[:0]
	for _, e := range list {
		info, err := os.Stat(filepath.Join(path, e.Name())) // follows links
		if err != nil {
			continue
		}
		f.all = append(f.all, fileEntry{e.Name(), info.IsDir(), info.Size(), info.ModTime()})
	}
	f.cursor, f.anchor, f.picked = -1, -1, map[string]bool{}
	f.arrange()
	return nil
}

func (f *folder) wanted(name string) bool {
	lower := strings.ToLower(name)
	return len(f.kinds) == 0 ||
		slices.ContainsFunc(f.kinds, func(k string) bool { return strings.HasSuffix(lower, strings.ToLower(k)) })
}

// arrange filters and sorts the entries; the cursor stays on its own.
func (f *folder) arrange() {
	on := ""
	if f.cursor >= 0 && f.cursor < len(f.listed) {
		on = f.listed[f.cursor].name
	}
	word := strings.ToLower(f.find)
	f.listed = f.listed[:0]
	for _, e := range f.all {
		if !f.hidden && strings.HasPrefix(e.name, ".") && !strings.HasPrefix(word, ".") ||
			!e.folder && !f.wanted(e.name) || !strings.Contains(strings.ToLower(e.name), word) {
			continue
		}
		f.listed = append(f.listed, e)
	}
	slices.SortStableFunc(f.listed, f.compare)
	f.cursor = slices.IndexFunc(f.listed, func(e fileEntry) bool { return e.name == on })
	f.anchor = f.cursor
}

// compare puts folders first.
func (f *folder) compare(x, y fileEntry) int {
	if x.folder != y.folder {
		if x.folder {
			return -1
		}
		return 1
	}
	c := 0
	switch f.by {
	case byDate:
		c = x.changed.Compare(y.changed)
	case bySize:
		c = cmp.Compare(x.size, y.size)
	}
	if f.down {
		c = -c
	}
	if c != 0 {
		return c
	}
	c = cmp.Or(cmp.Compare(strings.ToLower(x.name), strings.ToLower(y.name)), cmp.Compare(x.name, y.name))
	if f.by == byName && f.down {
		c = -c
	}
	return c
}

// sort sorts by a column; once more, the other way round. Dates and sizes begin with the latest and the largest.
func (f *folder) sort(by sorting) {
	if f.by == by {
		f.down = !f.down
	} else {
		f.by, f.down = by, by != byName
	}
	f.arrange()
}

// search shows the entries with a word in their names; the cursor goes to the first that begins with it.
func (f *folder) search(word string) {
	f.find = word
	f.arrange()
	f.cursor = -1
	if word == "" {
		return
	}
	f.cursor = slices.IndexFunc(f.listed, func(e fileEntry) bool {
		return strings.HasPrefix(strings.ToLower(e.name), strings.ToLower(word))
	})
	if f.cursor < 0 && len(f.listed) > 0 {
		f.cursor = 0
	}
	f.choose(f.cursor, false, false)
}

// choose takes an entry as a click does: alone, with others (Ctrl), or all from the last one (Shift). Folders are never
// chosen, but the cursor goes there.
func (f *folder) choose(i int, others, all bool) {
	if i < 0 || i >= len(f.listed) {
		clear(f.picked)
		return
	}
	f.cursor = i
	switch {
	case f.several && all && f.anchor >= 0:
		clear(f.picked)
		for k := min(f.anchor, i); k <= max(f.anchor, i); k++ {
			f.pick(k, true)
		}
		return
	case f.several && others:
		f.pick(i, !f.picked[f.listed[i].name])
	default:
		clear(f.picked)
		f.pick(i, true)
	}
	f.anchor = i
}

func (f *folder) pick(i int, on bool) {
	e := f.listed[i]
	if delete(f.picked, e.name); on && !e.folder {
		f.picked[e.name] = true
	}
}

// move moves the cursor, and the choice with it; extend keeps what was chosen.
func (f *folder) move(by int, extend bool) {
	if len(f.listed) == 0 || by == 0 {
		return
	}
	to := f.cursor + by
	if f.cursor < 0 && by < 0 {
		to = len(f.listed) - 1
	}
	f.choose(min(max(to, 0), len(f.listed)-1), false, extend)
}

// chosen is the paths of what is chosen, in the order shown.
func (f *folder) chosen() (paths []string) {
	for _, e := range f.listed {
		if f.picked[e.name] {
			paths = append(paths, filepath.Join(f.path, e.name))
		}
	}
	return paths
}

// on is the entry under the cursor, or nil.
func (f *folder) on() *fileEntry {
	if f.cursor < 0 || f.cursor >= len(f.listed) {
		return nil
	}
	return &f.listed[f.cursor]
}

// isPath says whether what is typed is a path rather than a name.
func isPath(text string) bool {
	return strings.ContainsAny(text, `/`+string(filepath.Separator)) || text == "~" || text == ".."
}

// typedPath shows the folder that a whole path being typed is in, and what of it begins as the path ends. It says
// whether there is one.
func (f *folder) typedPath(text string) bool {
	if !filepath.IsAbs(text) && !strings.HasPrefix(text, "~") {
		return false // it is meant from the folder that is shown
	}
	dir, start := filepath.Split(expand(text, f.path))
	if dir = filepath.Clean(dir); dir != f.path {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() || f.read(dir) != nil {
			return false
		}
	}
	f.find = start
	f.arrange()
	f.cursor = -1 // Enter is for what is typed
	clear(f.picked)
	return true
}

// expand makes a whole path of what is typed in a folder: "~/data", "../x", "a.fcs".
func expand(text, in string) string {
	if text == "~" || strings.HasPrefix(text, "~/") || strings.HasPrefix(text, `~\`) {
		if home, err := os.UserHomeDir(); err == nil {
			text = home + text[1:]
		}
	}
	if !filepath.IsAbs(text) {
		text = filepath.Join(in, text) + strings.Repeat(string(filepath.Separator), trailing(text))
	}
	return text
}

func trailing(text string) int {
	if text != "" && os.IsPathSeparator(text[len(text)-1]) {
		return 1
	}
	return 0
}

// complete returns the text with as much of a name as all entries have in common that begin with its last part; a
// folder that is the only one ends in a separator.
func complete(text, in string) string {
	if last := text[strings.LastIndexByte(text, filepath.Separator)+1:]; text == "~" || last == "." || last == ".." {
		return text + string(filepath.Separator) // a folder by another name than its own
	}
	whole := expand(text, in)
	if text == "" {
		whole += string(filepath.Separator) // the folder's entries are meant, not the folder
	}
	dir, start := filepath.Split(whole)
	list, err := os.ReadDir(dir)
	if err != nil {
		return text
	}
	common, count, isDir := "", 0, false
	for _, e := range list {
		name := e.Name()
		if !strings.HasPrefix(strings.ToLower(name), strings.ToLower(start)) || start == "" && name[0] == '.' {
			continue
		}
		if count++; count == 1 {
			common = name
			info, err := os.Stat(filepath.Join(dir, name))
			isDir = err == nil && info.IsDir()
			continue
		}
		common = shared(common, name)
	}
	switch {
	case len(common) < len(start), len(start) > len(text):
		return text
	case count == 1 && isDir:
		common += string(filepath.Separator)
	}
	return text[:len(text)-len(start)] + common
}

// shared is what two names begin with, letter case aside.
func shared(a, b string) string {
	x, y := []rune(a), []rune(b)
	n := 0
	for n < len(x) && n < len(y) && strings.EqualFold(string(x[n]), string(y[n])) {
		n++
	}
	return string(x[:n])
}

// missing says in words why a folder or a file cannot be read.
func missing(path string, err error) string {
	switch {
	case errors.Is(err, os.ErrNotExist):
		return "There is no " + path
	case errors.Is(err, os.ErrPermission):
		return path + " may not be read by you"
	}
	return err.Error()
}
