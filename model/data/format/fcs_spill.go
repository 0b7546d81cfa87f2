package format

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"blossom/model/base/pattern"
	"blossom/model/data/dataset"
)

// spillover reads the compensation matrix, in the first of the places where files have it. A matrix
// that makes no sense is left out with a warning; its text stays in the metadata.
func (p *fcsPart) spillover(columns []dataset.Column, warn *[]string) *dataset.Spillover {
	text, keyword := p.text.get("$SPILLOVER", "SPILL", "$SPILL", "SPILLOVER")
	var s *dataset.Spillover
	var wrong string
	if text != "" {
		s, wrong = parseSpillover(text, columns)
	} else if text, keyword = p.text.get("$COMP", "COMP"); text != "" {
		s, wrong = parseComp(text, columns)
	} else if s = percentSpillover(p.text, columns); s != nil {
		keyword = "$DFCiTOj"
	}
	if wrong != "" {
		*warn = append(*warn, fmt.Sprintf("the compensation matrix (%s) was left out: %s", p.text.spelled[keyword],
			wrong))
		return nil
	}
	if s == nil {
		return nil
	}
	if s.Keyword = p.text.spelled[keyword]; s.Keyword == "" {
		s.Keyword = keyword
	}
	if s.Shares() {
		*warn = append(*warn, fmt.Sprintf("the compensation matrix (%s) is in percent, and was divided by 100",
			s.Keyword))
	}
	for _, name := range s.Names {
		if at, _ := dataset.Detector(columns, name); at < 0 {
			*warn = append(*warn, fmt.Sprintf("the compensation matrix (%s) names %q, which is no column", s.Keyword,
				name))
		}
	}
	return s
}

// parseSpillover reads "n,name1,...,namen,m11,m12,...,mnn". Some writers give numbers of columns for
// names.
func parseSpillover(text string, columns []dataset.Column) (*dataset.Spillover, string) {
	words := splitTrim(text)
	n, err := strconv.Atoi(words[0])
	if err != nil || n < 1 || n > len(words) || len(words) < 1+n+n*n {
		return nil, fmt.Sprintf("it has %d parts, and its size is %q", len(words), words[0])
	}
	s := &dataset.Spillover{Names: words[1 : 1+n]}
	if numbers := len(words) - n*n; numbers > 1+n { // more parts than there should be: names with commas
		if s.Names = namesWithCommas(words[1:numbers], n, columns); s.Names == nil {
			return nil, fmt.Sprintf("it has %d parts, and its size is %q", len(words), words[0])
		}
		words = slices.Concat(words[:1], s.Names, words[numbers:])
		s.Names = words[1 : 1+n]
	}
	for i, name := range s.Names {
		if k, err := strconv.Atoi(name); err == nil && k >= 1 && k <= len(columns) &&
			!slices.ContainsFunc(columns, func(c dataset.Column) bool { return c.Name == name }) {
			s.Names[i] = columns[k-1].Name
		}
	}
	var wrong string
	s.M, wrong = squareMatrix(words[1+n:], n)
	return s, wrong
}

// namesWithCommas puts the parts of n names of columns together again where names have commas in them, which the
// standard forbids and some writers write all the same. It returns nil where the parts are not just such names.
func namesWithCommas(parts []string, n int, columns []dataset.Column) []string {
	if len(parts) > 1<<12 {
		return nil
	}
	known := map[string]string{}
	longest := 1
	for _, c := range columns {
		words := splitTrim(c.Name)
		known[strings.Join(words, ",")] = c.Name
		longest = max(longest, len(words))
	}
	dead := map[[2]int]bool{} // from a part, with so many names to come, there is no way
	var from func(at, left int) []string
	from = func(at, left int) []string {
		if at == len(parts) && left == 0 {
			return []string{}
		}
		if left <= 0 || dead[[2]int{at, left}] {
			return nil
		}
		for size := min(longest, len(parts)-at); size >= 1; size-- {
			name, ok := known[strings.Join(parts[at:at+size], ",")]
			if !ok {
				continue
			}
			if rest := from(at+size, left-1); rest != nil {
				return append([]string{name}, rest...)
			}
		}
		dead[[2]int{at, left}] = true
		return nil
	}
	return from(0, n)
}

// parseComp reads "n,m11,...,mnn" of FCS 3.0, which has no names: it is about all columns.
func parseComp(text string, columns []dataset.Column) (*dataset.Spillover, string) {
	words := splitTrim(text)
	n, err := strconv.Atoi(words[0])
	if err != nil || n < 1 || n > len(words) || len(words) != 1+n*n {
		return nil, fmt.Sprintf("it has %d parts, and its size is %q", len(words), words[0])
	}
	if n != len(columns) {
		return nil, fmt.Sprintf("it is for %d columns, of which it does not say the names, and there are %d", n,
			len(columns))
	}
	s := &dataset.Spillover{}
	for _, c := range columns {
		s.Names = append(s.Names, c.Name)
	}
	var wrong string
	s.M, wrong = squareMatrix(words[1:], n)
	return s, wrong
}

var percentKeyword = pattern.Of(`^\$DFC(\d+)TO(\d+)$`)

// percentSpillover gathers $DFCiTOj of FCS 2.0: the percentage of the signal of column i in column j.
func percentSpillover(t *fcsText, columns []dataset.Column) *dataset.Spillover {
	type entry struct {
		from, to int
		share    float64
	}
	var entries []entry
	used := map[int]bool{}
	for k := range t.values {
		m := percentKeyword().FindStringSubmatch(k)
		if m == nil {
			continue
		}
		i, _ := strconv.Atoi(m[1])
		j, _ := strconv.Atoi(m[2])
		v, ok := t.number(k)
		if !ok || i < 1 || j < 1 || i > len(columns) || j > len(columns) || i == j {
			continue
		}
		entries = append(entries, entry{i - 1, j - 1, v / 100})
		used[i-1], used[j-1] = true, true
	}
	if len(entries) == 0 {
		return nil
	}
	s := &dataset.Spillover{}
	place := map[int]int{}
	for i := range columns {
		if used[i] {
			place[i] = len(s.Names)
			s.Names = append(s.Names, columns[i].Name)
		}
	}
	s.M = make([][]float64, len(s.Names))
	for i := range s.M {
		s.M[i] = make([]float64, len(s.Names))
		s.M[i][i] = 1
	}
	for _, e := range entries {
		s.M[place[e.from]][place[e.to]] = e.share
	}
	return s
}

func squareMatrix(words []string, n int) ([][]float64, string) {
	m := make([][]float64, n)
	for i := range m {
		m[i] = make([]float64, n)
		for j := range m[i] {
			v, err := strconv.ParseFloat(words[i*n+j], 64)
			if err != nil || v-v != 0 {
				return nil, fmt.Sprintf("%q is not a number", words[i*n+j])
			}
			m[i][j] = v
		}
	}
	return m, ""
}

func splitTrim(text string) []string {
	words := strings.Split(text, ",")
	for i := range words {
		words[i] = strings.TrimSpace(words[i])
	}
	for len(words) > 1 && words[len(words)-1] == "" {
		words = words[:len(words)-1]
	}
	return words
}
