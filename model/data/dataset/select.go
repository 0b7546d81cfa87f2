package dataset

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"blossom/model/base/problem"
)

// Numbers is a Problem where one of the columns holds names, which are no coordinates.
func (ds *Dataset) Numbers(cols []int) error {
	for _, i := range cols {
		if c := &ds.Columns[i]; c.Categories != nil {
			return problem.New(ds.Path, "choose columns of numbers; `blossom info` lists them",
				"the column %q holds names, which are no coordinates", c.Name)
		}
	}
	return nil
}

// Find returns the index of the column that word means: its exact name, its exact label or title,
// or heading ("PE-A :: CD4"), name, label or title in any case, or its number counted from 1; in this order. The
// error is a Problem that names the nearest column, or all columns that share an ambiguous label.
func (ds *Dataset) Find(word string) (int, error) {
	word = strings.TrimSpace(word)
	fold := strings.ToLower(word)
	tests := []func(c *Column) bool{
		func(c *Column) bool { return c.Name == word },
		func(c *Column) bool { return c.Label == word || c.Title() == word || c.Heading() == word },
		func(c *Column) bool { return strings.ToLower(c.Name) == fold },
		func(c *Column) bool { return strings.ToLower(c.Label) == fold || strings.ToLower(c.Title()) == fold },
	}
	if word == "" {
		tests = nil
	}
	for _, matches := range tests {
		var hits []int
		for i := range ds.Columns {
			if matches(&ds.Columns[i]) {
				hits = append(hits, i)
			}
		}
		if len(hits) == 1 {
			return hits[0], nil
		}
		if len(hits) > 1 {
			var names []string
			for _, i := range hits[:min(len(hits), 5)] {
				names = append(names, ds.Columns[i].Name)
			}
			return -1, problem.New(ds.file(), "use the name instead: "+strings.Join(names, ", "),
				"%d columns are called %q", len(hits), word)
		}
	}
	if n, err := strconv.Atoi(word); err == nil {
		if n >= 1 && n <= len(ds.Columns) {
			return n - 1, nil
		}
		return -1, problem.New(ds.file(), "use a number from 1 to "+strconv.Itoa(len(ds.Columns)),
			"there is no column number %d", n)
	}
	if slices.ContainsFunc(ds.Unread, func(u Unread) bool { return u.Name == word || u.Label == word }) {
		return -1, problem.New(ds.file(), "read it with --genes "+word, "the column %q of the file was not read", word)
	}
	remedy := "`blossom info` lists the columns"
	if near := ds.Nearest(word); near != "" {
		remedy = "did you mean " + strconv.Quote(near) + "? " + remedy
	}
	return -1, problem.New(ds.file(), remedy, "there is no column %q", word)
}

// Select returns the indices of the columns that spec lists, separated by commas, each as Find takes
// it or as a range of numbers "3-7"; in the order given, each once. A word that contains a comma is
// put into double quotes.
func (ds *Dataset) Select(spec string) ([]int, error) {
	var out []int
	seen := map[int]bool{}
	add := func(i int) {
		if !seen[i] {
			seen[i] = true
			out = append(out, i)
		}
	}
	for _, word := range splitWords(spec) {
		i, err := ds.Find(word)
		if err == nil {
			add(i)
			continue
		}
		from, to, ok := numberRange(word)
		if !ok || from < 1 || to > len(ds.Columns) || from > to {
			return nil, err
		}
		for i := from; i <= to; i++ {
			add(i - 1)
		}
	}
	return out, nil
}

// MapColumns returns the columns that take part in the map: those of columns (see Select), or all
// markers that are not set aside where it is empty, without those of exclude. It is a Problem when none is left.
func (ds *Dataset) MapColumns(columns, exclude string) ([]int, error) {
	var chosen []int
	var err error
	if strings.TrimSpace(columns) != "" {
		if chosen, err = ds.Select(columns); err != nil {
			return nil, err
		}
	} else {
		for i := range ds.Columns {
			if c := &ds.Columns[i]; c.Role == Marker && !c.Aside {
				chosen = append(chosen, i)
			}
		}
	}
	out := make(map[int]bool)
	if strings.TrimSpace(exclude) != "" {
		gone, err := ds.Select(exclude)
		if err != nil {
			return nil, err
		}
		for _, i := range gone {
			out[i] = true
		}
	}
	kept := chosen[:0:0]
	for _, i := range chosen {
		if !out[i] {
			kept = append(kept, i)
		}
	}
	switch {
	case len(kept) > 0:
		return kept, nil
	case len(chosen) > 0:
		return nil, problem.New(ds.file(), "exclude fewer; `blossom info` lists them",
			"--exclude leaves no column for the map (%d were chosen)", len(chosen))
	}
	return nil, ds.noMarkers()
}

// beyond says whether a value is too large for float32.
func (ds *Dataset) beyond() bool {
	large := func(v float32) bool { return math.IsInf(float64(v), 0) }
	return slices.ContainsFunc(ds.Columns, func(c Column) bool { return slices.ContainsFunc(c.Values, large) })
}

// noMarkers says why no column of the table is a marker, with a remedy that works for it.
func (ds *Dataset) noMarkers() error {
	constant, empty, usable := 0, 0, []int{}
	roles := map[string]int{}
	for i := range ds.Columns {
		switch c := &ds.Columns[i]; {
		case c.Categories == nil && c.Stats.Count == 0:
			empty++
			continue
		case c.Categories != nil:
			roles[c.Role.String()]++
			continue
		case c.Stats.Min == c.Stats.Max:
			constant++
		default:
			roles[c.Role.String()]++
		}
		usable = append(usable, i)
	}
	n := len(ds.Columns)
	remedy := "open a table with columns of numbers"
	if len(usable) > 0 {
		remedy = "name those to use all the same with --columns " + ds.words(usable)
	}
	switch {
	case n == 0:
		return problem.New(ds.file(), remedy, "it has no columns")
	case empty == n && ds.beyond():
		return problem.New(ds.file(), "divide them, so that they fit", "no column has a number below 3.4e38")
	case empty == n:
		return problem.New(ds.file(), "open a table with numbers in it, or save this one again with them",
			"no column has a number")
	case constant == n && n == 1:
		return problem.New(ds.file(), remedy, "the only column is constant")
	case constant == n:
		return problem.New(ds.file(), remedy, "all %d columns are constant", n)
	}
	var why []string
	count := func(n int, one, many string) {
		if n == 1 {
			why = append(why, "1 "+one)
		} else if n > 1 {
			why = append(why, strconv.Itoa(n)+" "+many)
		}
	}
	count(constant, "is constant", "are constant")
	count(empty, "has no number", "have no number")
	for _, role := range []Role{Label, Index, Time, Scatter, Viability, Unlabelled, Placed, Quality, Ignored} {
		count(roles[role.String()], "is "+role.String(), "are "+role.String())
	}
	return problem.New(ds.file(), remedy, "no column is a marker (%s)", strings.Join(why, ", "))
}

// words is how some columns can be named on any command line: a few each, many as ranges of their numbers.
func (ds *Dataset) words(columns []int) string {
	var out []string
	for k := 0; k < len(columns); {
		if len(columns) <= 8 {
			out = append(out, ds.word(columns[k]))
			k++
			continue
		}
		end := k + 1
		for end < len(columns) && columns[end] == columns[end-1]+1 {
			end++
		}
		word := strconv.Itoa(columns[k] + 1)
		if end > k+1 {
			word += "-" + strconv.Itoa(columns[end-1]+1)
		}
		out, k = append(out, word), end
	}
	return strings.Join(out, ",")
}

// word is how column i can be named in a list on any command line: by its name, or by its number where
// the name has characters that mean something else there.
func (ds *Dataset) word(i int) string {
	name := ds.Columns[i].Name
	plain := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_.-", r) }
	if at, err := ds.Find(name); err != nil || at != i || strings.ContainsFunc(name,
		func(r rune) bool { return !plain(r) }) {
		return strconv.Itoa(i + 1)
	}
	return name
}

// Nearest returns the name or label that is closest to word in edits, letter case ignored, or ""
// when none is near enough to be what was meant.
func (ds *Dataset) Nearest(word string) string {
	word = strings.ToLower(strings.TrimSpace(word))
	best, bestEdits := "", max(2, len([]rune(word))/2)+1
	for i := range ds.Columns {
		for _, name := range []string{ds.Columns[i].Name, ds.Columns[i].Label} {
			if name == "" {
				continue
			}
			if e := edits(word, strings.ToLower(name), bestEdits); e < bestEdits {
				best, bestEdits = name, e
			}
		}
	}
	return best
}

// edits is the number of inserted, removed, changed or swapped letters between a and b (optimal
// string alignment), or at least limit where it is known to be no less.
func edits(a, b string, limit int) int {
	x, y := []rune(a), []rune(b)
	if d := len(x) - len(y); d >= limit || -d >= limit {
		return limit
	}
	prev2 := make([]int, len(y)+1)
	prev := make([]int, len(y)+1)
	row := make([]int, len(y)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			row[j] = min(prev[j]+1, row[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], prev2[j-2]+1)
			}
		}
		prev2, prev, row = prev, row, prev2
	}
	return prev[len(y)]
}

func (ds *Dataset) file() string {
	if ds.Path != "" {
		return ds.Path
	}
	return ds.Name
}

func splitWords(spec string) []string {
	var words []string
	var b strings.Builder
	quoted := false
	for _, r := range spec + "," {
		switch {
		case r == '"':
			quoted = !quoted
		case r == ',' && !quoted:
			if w := strings.TrimSpace(b.String()); w != "" {
				words = append(words, w)
			}
			b.Reset()
		default:
			b.WriteRune(r)
		}
	}
	if w := strings.Trim(b.String(), " ,"); w != "" { // a quote that never closes
		words = append(words, w)
	}
	return words
}

func numberRange(word string) (from, to int, ok bool) {
	a, b, found := strings.Cut(word, "-")
	if !found {
		return 0, 0, false
	}
	from, err1 := strconv.Atoi(strings.TrimSpace(a))
	to, err2 := strconv.Atoi(strings.TrimSpace(b))
	return from, to, err1 == nil && err2 == nil
}
