package sheet

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"blossom/model/data/dataset"
)

// MostGroups is how many different whole numbers a column may have to be taken for labels, as day 0, 3, 7 and 14 are;
// one of more is a measure, as an age is.
const MostGroups = 12

// Measure says whether the texts of the column at a place are taken as numbers, which colour points and are no labels.
func (s Sheet) Measure(column int) bool {
	return column >= 0 && column < len(s.columns) && slices.Contains(s.measures, s.columns[column])
}

// As returns the sheet with the texts of the column at a place taken as numbers, or as labels.
func (s Sheet) As(column int, measure bool) Sheet {
	if column < 0 || column >= len(s.columns) || s.Measure(column) == measure {
		return s
	}
	var measures []string
	for i := range s.columns {
		if i == column && measure || i != column && s.Measure(i) {
			measures = append(measures, s.columns[i])
		}
	}
	s.measures = measures
	return s
}

// Guessed returns the sheet with the column at a place taken as numbers where its texts are, as guess says.
func (s Sheet) Guessed(column int) Sheet {
	if column < 0 || column >= len(s.columns) {
		return s
	}
	return s.As(column, guess(func(yield func(string) bool) {
		for _, r := range s.rows {
			if !yield(r.cells[column]) {
				return
			}
		}
	}))
}

// guess says whether texts are a measure: all are numbers, and no few whole ones, which are labels as other texts are.
func guess(texts iter.Seq[string]) bool {
	different, whole, numbers := map[float64]bool{}, true, 0
	for text := range texts {
		if text == "" {
			continue
		}
		x, ok := Number(text)
		if !ok || strings.HasPrefix(text, "0") && len(text) > 1 && text[1] >= '0' && text[1] <= '9' {
			return false // "007" is a name
		}
		numbers++
		different[x], whole = true, whole && x == math.Trunc(x)
	}
	return numbers > 0 && !(whole && len(different) <= MostGroups)
}

// Number is the number that a text is, with a dot or a comma before its decimals; ok is false for other texts.
func Number(text string) (x float64, ok bool) {
	if strings.Count(text, ",") == 1 && !strings.Contains(text, ".") {
		text = strings.Replace(text, ",", ".", 1)
	}
	if strings.ContainsAny(text, "xX_pPiInN") {
		return 0, false
	}
	x, err := strconv.ParseFloat(text, 64)
	return x, err == nil && x-x == 0
}

// Numbers are the numbers of a column at the rows of data: NaN where a row has none. ok is false where the sheet has no
// such column of numbers.
func (s Sheet) Numbers(data *dataset.Dataset, column string) (values []float64, ok bool) {
	at := s.At(column)
	if !s.Measure(at) {
		return nil, false
	}
	samples, of := s.Of(data)
	each := make([]float64, len(samples))
	for i, sample := range samples {
		if x, is := Number(s.Cell(sample, at)); is {
			each[i] = x
		} else {
			each[i] = math.NaN()
		}
	}
	values = make([]float64, data.Points)
	for row := range values {
		sample := sampleOf(of, row, len(each))
		if values[row] = math.NaN(); sample >= 0 {
			values[row] = each[sample]
		}
	}
	return values, true
}

// sampleOf is which of n samples a row is of, -1 for none. of is the labels of the rows; nil: all are of the first.
func sampleOf(of *dataset.Column, row, n int) int {
	if of == nil {
		return 0
	}
	if x := of.Values[row]; x >= 0 && int(x) < n {
		return int(x)
	}
	return -1
}

// Groups are the different texts of samples in the column at a place, in order: as numbers where all are, else as
// words. in is which of them each sample has, -1 for none.
func (s Sheet) Groups(samples []string, column int) (groups []string, in []int) {
	texts, known := make([]string, len(samples)), make(map[string][]string, len(s.rows))
	for _, r := range s.rows {
		known[r.sample] = r.cells
	}
	at := map[string]int{}
	for i, sample := range samples {
		if cells := known[sample]; column >= 0 && column < len(cells) && cells[column] != "" {
			texts[i] = cells[column]
			if _, ok := at[texts[i]]; !ok {
				at[texts[i]] = 0
				groups = append(groups, texts[i])
			}
		}
	}
	inOrder(groups)
	for i, g := range groups {
		at[g] = i
	}
	in = make([]int, len(samples))
	for i, text := range texts {
		if in[i] = -1; text != "" {
			in[i] = at[text]
		}
	}
	return groups, in
}

// inOrder sorts texts: as numbers where all are, else as words without regard to capitals.
func inOrder(texts []string) {
	numbers := make(map[string]float64, len(texts))
	for _, t := range texts {
		if x, err := strconv.ParseFloat(t, 64); err == nil && x == x {
			numbers[t] = x
		}
	}
	slices.SortFunc(texts, func(a, b string) int {
		if len(numbers) == len(texts) {
			return cmp.Or(cmp.Compare(numbers[a], numbers[b]), strings.Compare(a, b))
		}
		return cmp.Or(strings.Compare(strings.ToLower(a), strings.ToLower(b)), strings.Compare(a, b))
	})
}

// Labels are the texts of a column at the rows of data: the values of a column of labels (NaN where a row has none),
// the labels, and how many rows each has. ok is false where the sheet has no such column.
func (s Sheet) Labels(data *dataset.Dataset, column string) (values []float32, groups []string, counts []int,
	ok bool) {
	at := s.At(column)
	if at < 0 {
		return nil, nil, nil, false
	}
	samples, of := s.Of(data)
	groups, in := s.Groups(samples, at)
	labels := make([]float32, len(samples))
	for i, g := range in {
		if labels[i] = float32(g); g < 0 {
			labels[i] = float32(math.NaN())
		}
	}
	values, counts = make([]float32, data.Points), make([]int, len(groups))
	for row := range values {
		sample := sampleOf(of, row, len(labels))
		if sample < 0 {
			values[row] = float32(math.NaN())
			continue
		}
		values[row] = labels[sample]
		if in[sample] >= 0 {
			counts[in[sample]]++
		}
	}
	return values, groups, counts, true
}
