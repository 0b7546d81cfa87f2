package sheet

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
)

// must adds columns.
func must(t *testing.T, s Sheet, names ...string) Sheet {
	t.Helper()
	for _, n := range names {
		var err error
		if s, err = s.Add(n); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// Every edit makes a new sheet, leaves the old one as it is, and does what a table of texts kept beside it does.
func TestEditsAreThoseOfATable(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	s, names, cells := Sheet{}, []string{}, map[string]map[string]string{} // by sample, by column
	for range 3000 {
		before, _ := json.Marshal(s)
		was := s
		sample := fmt.Sprintf("s%d", r.IntN(6))
		switch k := r.IntN(10); {
		case k == 0 && len(names) < 8:
			s = must(t, s, "group")
			names = append(names, s.Columns()[len(names)])
		case k == 1 && len(names) > 0:
			at := r.IntN(len(names))
			for _, c := range cells {
				delete(c, names[at])
			}
			s, names = s.Remove(at), slices.Delete(names, at, at+1)
		case k == 2 && len(names) > 0:
			at, to := r.IntN(len(names)), fmt.Sprintf("n%d", r.IntN(1000))
			s = s.Rename(at, to)
			for _, c := range cells {
				text := c[names[at]]
				delete(c, names[at])
				c[s.Columns()[at]] = text
			}
			names[at] = s.Columns()[at]
		case len(names) > 0:
			at, text := r.IntN(len(names)), []string{"", "ctrl", "case"}[r.IntN(3)]
			s = s.Set(sample, at, " "+text+"\n")
			if cells[sample] == nil {
				cells[sample] = map[string]string{}
			}
			cells[sample][names[at]] = text
		}
		if after, _ := json.Marshal(was); string(after) != string(before) {
			t.Fatal("an edit has changed the sheet that it was made of")
		}
		for i := range 6 {
			sample := fmt.Sprintf("s%d", i)
			for at, name := range names {
				if got := s.Cell(sample, at); got != cells[sample][name] {
					t.Fatalf("%s of %s is %q, %q is wanted", name, sample, got, cells[sample][name])
				}
			}
		}
		raw, _ := json.Marshal(s)
		if again, err := Decode(raw); err != nil || !Equal(again, s) {
			t.Fatalf("read again it is %v (%v)", again, err)
		}
	}
}

func TestNamesOfColumnsAreTheirOwn(t *testing.T) {
	s := must(t, Sheet{}, "Group", "group", "  ", strings.Repeat("é", 2000))
	if !slices.Equal(s.Columns()[:3], []string{"Group", "group 2", "column"}) ||
		len([]rune(s.Columns()[3])) != LongCell {
		t.Errorf("columns are %.40q", s.Columns())
	}
	if s = s.Rename(1, "GROUP"); s.Columns()[1] != "GROUP 2" {
		t.Errorf("renamed it is %q", s.Columns()[1])
	}
	if s = s.Rename(0, "gROUP"); s.Columns()[0] != "gROUP" {
		t.Errorf("in other capitals it is %q", s.Columns()[0])
	}
	if was := s; !Equal(s.Rename(0, " "), was) || !Equal(s.Remove(9), was) || !Equal(s.Set("a", -1, "x"), was) {
		t.Error("what makes no sense has changed the sheet")
	}
}

// files is a table of points from files, in turns; a point in seven is from none.
func files(t *testing.T, n int, names ...string) *dataset.Dataset {
	t.Helper()
	from := dataset.Column{Name: "batch", Categories: names, Values: make([]float32, n)}
	for i := range from.Values {
		if from.Values[i] = float32(i % len(names)); i%7 == 6 {
			from.Values[i] = float32(math.NaN())
		}
	}
	ds, err := dataset.FromColumns(t.Context(), "all", []dataset.Column{from})
	if err != nil {
		t.Fatal(err)
	}
	return ds
}

func TestLabelsOfRowsAreThoseOfTheirSamples(t *testing.T) {
	names := []string{"a", "b", "c", "d"}
	s := must(t, Keyed("batch"), "day")
	for i, text := range []string{"10", "2", "", "2"} {
		s = s.Set(names[i], 0, text)
	}
	for _, n := range []int{0, 1, 31, 32, 33, 1000} {
		data := files(t, n, names...)
		values, groups, counts, ok := s.Labels(data, "DAY")
		if !ok || n > 3 && !slices.Equal(groups, []string{"2", "10"}) { // as numbers
			t.Fatalf("labels are %q", groups)
		}
		sums := make([]int, len(groups))
		for row, x := range values {
			want := ""
			if of := data.Columns[0].Values[row]; of == of {
				want = s.Cell(names[int(of)], 0)
			}
			got := ""
			if x == x {
				got = groups[int(x)]
				sums[int(x)]++
			}
			if got != want {
				t.Fatalf("row %d is %q, %q is wanted", row, got, want)
			}
		}
		if !slices.Equal(sums, counts) {
			t.Fatalf("counts are %v, %v are there", counts, sums)
		}
	}
	if _, _, _, ok := s.Labels(files(t, 3, "a"), "donor"); ok {
		t.Error("there is a column that nobody has made")
	}
	alone := must(t, Sheet{}, "day").Set("all", 0, "1")
	if values, groups, _, _ := alone.Labels(files(t, 3, "a"), "day"); len(groups) != 1 || values[0] != 0 ||
		values[2] != 0 {
		t.Errorf("all points as one sample are %v of %q", values, groups)
	}
}

func TestGroupsAreInOrder(t *testing.T) {
	for _, c := range []struct{ in, want []string }{
		{[]string{"10", "9", "-1", "1e1"}, []string{"-1", "9", "10", "1e1"}},
		{[]string{"b", "A", "a", "10", "9"}, []string{"10", "9", "A", "a", "b"}}} {
		s, samples := must(t, Sheet{}, "x"), []string{}
		for i, text := range c.in {
			samples = append(samples, fmt.Sprint(i))
			s = s.Set(samples[i], 0, text)
		}
		if got, in := s.Groups(append(samples, "none"), 0); !slices.Equal(got, c.want) || in[len(c.in)] != -1 {
			t.Errorf("groups of %q are %q", c.in, got)
		}
	}
}

// A file's samples are found by its names with or without endings, folders and capitals, in whichever column they
// stand.
func TestASheetIsReadByTheNamesOfFiles(t *testing.T) {
	samples := []string{"P01_stim.fcs", "P02.fcs", "p03.FCS", "P04.fcs"}
	for name, text := range map[string]string{
		"comma": "file,group,donor\nP01_STIM.fcs,ctrl,007\np02,case,012\ndata/P03.fcs,case,\nP09,case,1\n",
		"tab": "file\tgroup\tdonor\r\np01_stim\tctrl\t007\r\nP02.FCS\tcase\t012\r\nP03\tcase\t\r\n" +
			"P09\tcase\t1\r\n",
		"other column": "group;donor;name\nctrl;007;P01_stim.fcs\ncase;012;P02.fcs\ncase;;P03\ncase;1;P09\n",
		"quotes": "\"file\",\"group\",\"donor\"\n\"P01_stim\",\"ctrl\",\"007\"\n\"P02\",\"case\",\"012\"\n" +
			"\"P03\",\"case\",\"\"\nP09,case,1\n",
	} {
		path := filepath.Join(t.TempDir(), "sheet.csv")
		write(t, path, []byte(text))
		got, err := Read(t.Context(), path, samples, "")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want := must(t, Sheet{}, "group", "donor")
		for i, c := range [][2]string{{"ctrl", "007"}, {"case", "012"}, {"case", ""}} {
			want = want.Set(samples[i], 0, c[0]).Set(samples[i], 1, c[1])
		}
		if !Equal(got.Sheet, want) {
			a, _ := json.Marshal(got.Sheet)
			t.Errorf("%s: it is %s", name, a)
		}
		if says := got.Says(); says != "1 row of no sample: P09; 1 sample without a row: P04.fcs" {
			t.Errorf("%s: says %q", name, says)
		}
	}
}

func TestTwoFilesOfOneStemAreToldApart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sheet.csv")
	write(t, path, []byte("file,group\na.fcs,x\na.csv,y\na,z\n"))
	got, err := Read(t.Context(), path, []string{"a.fcs", "a.csv"}, "")
	if err != nil || got.Sheet.Cell("a.fcs", 0) != "x" || got.Sheet.Cell("a.csv", 0) != "y" ||
		!slices.Equal(got.Strange, []string{"a"}) {
		t.Errorf("read is %+v, %v", got, err)
	}
}

func write(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

// utf16Bytes is a text as spreadsheets save "Unicode text".
func utf16Bytes(text string) []byte {
	out := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(text)) {
		out = append(out, byte(u), byte(u>>8))
	}
	return out
}

// A file that cannot be a sheet is refused with a remedy; UTF-16, which spreadsheets write, is read or refused so.
func TestBadSheetsAreRefusedWithARemedy(t *testing.T) {
	samples := []string{"a.fcs", "b.fcs"}
	for name, c := range map[string]struct{ text, what string }{
		"empty":        {"", "empty"},
		"blank":        {"\n\n\n", "only empty lines"},
		"one column":   {"file\na.fcs\nb.fcs\n", "no column beside"},
		"no rows":      {"file,group\n", ""},
		"other names":  {"file,group\nx,1\ny,2\n", "no column names a sample"},
		"twice":        {"file,group\na.fcs,1\nb,2\nA,3\n", "lines 2 and 4 are both of a.fcs"},
		"no text":      {"\x00\x01\x02\x03\x00\x00\x00", ""},
		"a page":       {"<!DOCTYPE html><html><body>x</body></html>", ""},
		"many columns": {strings.Repeat("c,", 200) + "d\n" + strings.Repeat("1,", 200) + "2\n", "columns"},
	} {
		path := filepath.Join(t.TempDir(), "sheet.csv")
		write(t, path, []byte(c.text))
		_, err := Read(t.Context(), path, samples, "")
		if p := problem.As(err); err == nil || p.Remedy == "" || !strings.Contains(p.What, c.what) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Read(t.Context(), filepath.Join(t.TempDir(), "none.csv"), samples, ""); err == nil {
		t.Error("a file that is not there was read")
	}
	path := filepath.Join(t.TempDir(), "sheet.csv")
	write(t, path, utf16Bytes("file\tgroup\na.fcs\tx\nb.fcs\ty\n"))
	if got, err := Read(t.Context(), path, samples, ""); err == nil && got.Sheet.Cell("b.fcs", 0) != "y" ||
		err != nil && problem.As(err).Remedy == "" {
		t.Errorf("UTF-16 is read as %+v, %v", got, err)
	}
}

func TestBadSheetsOfSessionsAreRefused(t *testing.T) {
	for _, raw := range []string{`{"columns":["a","A"]}`, `{"columns":[""]}`, `{"columns":[" a"]}`, `7`, `{`,
		`{"columns":["a"],"rows":[{"sample":"x","cells":[]}]}`,
		`{"columns":["a"],"rows":[{"sample":"x","cells":["1"]},{"sample":"x","cells":["2"]}]}`} {
		if _, err := Decode([]byte(raw)); err == nil {
			t.Errorf("%s was read", raw)
		}
	}
	if s, err := Decode([]byte(`{"by":"batch","columns":["a"],"rows":[{"sample":"x","cells":["1"]}]}`)); err != nil ||
		s.By() != "batch" || s.Cell("x", 0) != "1" || s.Bytes() == 0 || s.Empty() {
		t.Errorf("read is %+v, %v", s, err)
	}
}
