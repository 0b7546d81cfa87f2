package main

import (
	le "encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/document/parts"
	"blossom/render/palette"
)

// fcsBytes is an FCS file as anybody reads it: its keywords, and its events as float32.
func fcsBytes(t *testing.T, path string) (keys map[string]string, events [][]float32) {
	t.Helper()
	file := text(t, path)
	at := func(from int) int {
		n, err := strconv.Atoi(strings.TrimSpace(file[from : from+8]))
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	segment := file[at(10) : at(18)+1]
	words := strings.Split(strings.Trim(segment, segment[:1]), segment[:1])
	keys = map[string]string{}
	for i := 0; i+1 < len(words); i += 2 {
		keys[words[i]] = words[i+1]
	}
	rows, _ := strconv.Atoi(keys["$TOT"])
	columns, _ := strconv.Atoi(keys["$PAR"])
	if keys["$DATATYPE"] != "F" || keys["$BYTEORD"] != "1,2,3,4" {
		t.Fatalf("%s %s", keys["$DATATYPE"], keys["$BYTEORD"])
	}
	data := []byte(file[at(26):])
	for row := range rows {
		event := make([]float32, columns)
		for c := range event {
			event[c] = math.Float32frombits(le.LittleEndian.Uint32(data[4*(row*columns+c):]))
		}
		events = append(events, event)
	}
	return keys, events
}

// columnOf is the place of a channel, -1 where there is none.
func columnOf(keys map[string]string, name string) int {
	for i := 1; ; i++ {
		if got, ok := keys[fmt.Sprintf("$P%dN", i)]; !ok || got == name {
			if !ok {
				return -1
			}
			return i - 1
		}
	}
}

// Each population is a file of its rows, in their order, with their data and numbers; in FCS with its path and colour,
// and those of all. The other formats have the same rows.
func TestLabelWritesAFileOfEachPopulation(t *testing.T) {
	dir := t.TempDir()
	doc := labelled(t, dir)
	tree := parts.Populations.Of(doc.State())
	data := read(t, filepath.Join(dir, "points.csv"))
	files := []string{"c_high", "c_high_some, _odd_", "c_x", "c_near"}
	ok(t, dir, "label", "--session", "s.blossom", "-o", "all.csv", "--all")
	all := read(t, filepath.Join(dir, "all.csv"))
	ok(t, dir, "label", "--session", "s.blossom", "-o", "c.fcs", "--each", "population", "--key", "key.csv")
	key := strings.Split(text(t, filepath.Join(dir, "key.csv")), "\n")
	for i, p := range tree.All() {
		in := &all.Columns[all.Places()[p.Name]]
		var want []int
		for row := range 300 {
			if in.At(row) == 1 {
				want = append(want, row)
			}
		}
		keys, events := fcsBytes(t, filepath.Join(dir, files[i]+".fcs"))
		if len(events) != len(want) || len(want) < 20 {
			t.Fatalf("%s has %d rows, not %d", files[i], len(events), len(want))
		}
		number, a, b := columnOf(keys, "row"), columnOf(keys, "a"), columnOf(keys, "b")
		for k, row := range want {
			if e := events[k]; e[number] != float32(row+1) || float64(e[a]) != data.Columns[0].At(row) ||
				float64(e[b]) != data.Columns[1].At(row) {
				t.Fatalf("%s: event %d is %v, and row %d was wanted", files[i], k, e, row+1)
			}
		}
		c := palette.Ink(p.Ink)
		colour, place := fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B), p.Name
		if i == 1 {
			place = "high/" + place
		}
		if keys["BLOSSOM_POPULATION"] != place || keys["BLOSSOM_POPULATION_COLOUR"] != colour {
			t.Errorf("%s says %q %q", files[i], keys["BLOSSOM_POPULATION"], keys["BLOSSOM_POPULATION_COLOUR"])
		}
		var said []map[string]any
		if err := json.Unmarshal([]byte(keys["BLOSSOM_POPULATIONS"]), &said); err != nil || len(said) != 4 ||
			said[i]["path"] != place || said[i]["name"] != p.Name || said[i]["colour"] != colour ||
			said[i]["number"] != float64(i+1) || said[i]["points"] != float64(len(want)) {
			t.Errorf("%v: %v", err, said)
		}
		quoted := strings.ReplaceAll(place, `"`, `""`)
		if line := key[i+1]; !strings.HasPrefix(line, strconv.Itoa(i+1)+",") || !strings.Contains(line, quoted) ||
			!strings.Contains(line, colour) || !strings.HasSuffix(line, ","+strconv.Itoa(len(want))) {
			t.Errorf("the key says %q", line)
		}
	}
	for _, out := range []string{"c.tsv", "c.npy", "c.csv.gz", "c"} { // the last in the format of the data
		ok(t, dir, "label", "--session", "s.blossom", "-o", out, "--each", "population")
		ending := strings.TrimPrefix(out, "c")
		if out == "c" {
			ending = ".csv"
		}
		got := read(t, filepath.Join(dir, files[1]+ending))
		if got.Points != 20 || got.Columns[0].At(0) != 100 || got.Columns[3].At(19) != 120 {
			t.Errorf("%s: %d rows from %g to number %g", out, got.Points, got.Columns[0].At(0), got.Columns[3].At(19))
		}
	}
}

// Each of several files is one with its labels: its rows alone, with its own keywords and matrix; rows of
// populations are numbered through all of them.
func TestLabelWritesAFileOfEachFile(t *testing.T) {
	dir := t.TempDir()
	value := func(file, row int) float32 { return float32(1000*file + 10*(row*17%41)) }
	for i, name := range []string{"one.fcs", "two.fcs"} {
		columns := []dataset.Column{{Name: "A"}, {Name: "B"}, {Name: "own" + name[:3]}}
		for row := range 40 + 10*i {
			for c := range columns {
				columns[c].Values = append(columns[c].Values, value(i, row)+float32(c))
			}
		}
		ds, err := dataset.FromColumns(t.Context(), name, columns)
		if err != nil {
			t.Fatal(err)
		}
		ds.Metadata = map[string]string{"$CYT": "cytometer of " + name, "GUID": strconv.Itoa(i), "ONLY " + name: "1"}
		ds.Spillover = &dataset.Spillover{Names: []string{"A", "B"}, M: [][]float64{{1, 0.1 + float64(i)/8}, {0, 1}}}
		if err := format.Save(t.Context(), filepath.Join(dir, name), ds, nil); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(dir, "r.json"), `{"blossom": "populations", "version": 1, "compensated": false,
		"tree": {"populations": [{"id": 1, "name": "late", "rule": {"limits": [{"column": "A", "low": 300}]}}]}}`)
	ok(t, dir, "label", "one.fcs", "two.fcs", "--rules", "r.json", "-o", "out.fcs", "--each", "file", "--with-data")
	for i, name := range []string{"one", "two"} {
		keys, events := fcsBytes(t, filepath.Join(dir, "out_"+name+".fcs"))
		if len(events) != 40+10*i {
			t.Fatalf("%s has %d events", name, len(events))
		}
		label := columnOf(keys, "population")
		for row, e := range events {
			if a := value(i, row); e[0] != a || e[1] != a+1 || (e[label] == 1) != (a >= 300) {
				t.Fatalf("%s: event %d is %v", name, row, e)
			}
		}
		other := []string{"two", "one"}[i]
		if keys["$CYT"] != "cytometer of "+name+".fcs" || keys["GUID"] != strconv.Itoa(i) ||
			keys["ONLY "+name+".fcs"] != "1" || keys["ONLY "+other+".fcs"] != "" ||
			!strings.HasPrefix(keys["$SPILLOVER"], "2,A,B,1,"+[]string{"0.1", "0.225"}[i]) {
			t.Errorf("%s says %v", name, keys)
		}
		if columnOf(keys, "file") >= 0 || columnOf(keys, "own"+other) >= 0 {
			t.Errorf("%s has columns of others: %v", name, keys)
		}
	}
	ok(t, dir, "label", "one.fcs", "two.fcs", "--rules", "r.json", "-o", "p.fcs", "--each", "population")
	keys, events := fcsBytes(t, filepath.Join(dir, "p_late.fcs"))
	var late [][2]int // file and row
	for i := range 2 {
		for row := range 40 + 10*i {
			if value(i, row) >= 300 {
				late = append(late, [2]int{i, row})
			}
		}
	}
	if len(events) != len(late) {
		t.Fatalf("%d events, not %d", len(events), len(late))
	}
	for k, e := range events {
		if at := late[k]; e[columnOf(keys, "row")] != float32(40*at[0]+at[1]+1) || e[0] != value(at[0], at[1]) {
			t.Fatalf("event %d is %v, not row %d of file %d", k, e, at[1]+1, at[0])
		}
	}
}

// Coordinates in FCS are those of the map, shifted and scaled as its keywords say, above 0 and by one factor; the data
// beside them keep their bits.
func TestCoordinatesInFCSAreChannels(t *testing.T) {
	dir := t.TempDir()
	labelled(t, dir)
	ok(t, dir, "label", "--session", "s.blossom", "-o", "l.csv", "--coordinates")
	ok(t, dir, "label", "--session", "s.blossom", "-o", "l.fcs", "--coordinates", "--with-data")
	want := read(t, filepath.Join(dir, "l.csv"))
	keys, events := fcsBytes(t, filepath.Join(dir, "l.fcs"))
	factor, err := strconv.ParseFloat(keys["BLOSSOM_COORDINATES_FACTOR"], 64)
	if err != nil || len(events) != 300 {
		t.Fatal(err, len(events))
	}
	widest := 0.0
	for axis, offset := range strings.Split(keys["BLOSSOM_COORDINATES_OFFSET"], ",") {
		shift, err := strconv.ParseFloat(offset, 64)
		if err != nil {
			t.Fatal(err)
		}
		at, low, high := columnOf(keys, fmt.Sprintf("embedsom%d", axis+1)), math.Inf(1), 0.0
		if r := keys[fmt.Sprintf("$P%dR", at+1)]; r != "1000" {
			t.Errorf("its range is %q", r)
		}
		for row, e := range events {
			x := want.Columns[want.Places()[fmt.Sprintf("embedsom%d", axis+1)]].At(row)
			if got := float64(e[at]); math.Abs(got-(factor*x+shift)) > 1e-3 {
				t.Fatalf("row %d has %g, where %g was wanted", row, got, factor*x+shift)
			}
			low, high = min(low, float64(e[at])), max(high, float64(e[at]))
			if e[0] != float32(row) || e[1] != float32(row*row%37) {
				t.Fatalf("the data of row %d are %v", row, e)
			}
		}
		if low < 49 || high > 951 {
			t.Errorf("axis %d from %g to %g", axis+1, low, high)
		}
		widest = max(widest, high-low)
	}
	if math.Abs(widest-900) > 1 {
		t.Errorf("the wider axis takes %g of 1000", widest)
	}
}

// A file that cannot be written is named, and then none of those that belong together is there.
func TestLabelRefusesWhatCannotBe(t *testing.T) {
	dir := t.TempDir()
	labelled(t, dir)
	session := func(more ...string) result {
		return blossom(t, dir, append([]string{"label", "--session", "s.blossom"}, more...)...)
	}
	before := names(t, dir)
	session("-o", "c.csv", "--each", "sample").refused(t, exitUsage, "sample", "population or file")
	session("-o", "-", "--each", "population").refused(t, exitUsage, "-o")
	session("--counts", "c.csv", "--each", "population").refused(t, exitUsage, "-o")
	session("-o", "c.xlsx", "--each", "population").refused(t, exitUsage, "c.xlsx", ".csv")
	session("-o", "gone/c.csv", "--each", "population").refused(t, exitFailed, "gone", "folder")
	session("-o", "c.csv", "--each", "population", "--key", "c_x.csv").refused(t, exitFailed, "c_x.csv", "twice")
	session("-o", "points.csv", "--with-data").refused(t, exitFailed, "points.csv", "input")
	write(t, filepath.Join(dir, "less.csv"), "a,c\n1,2\n3,4\n")
	write(t, filepath.Join(dir, "r.json"), `{"blossom": "populations", "version": 1,
		"tree": {"populations": [{"id": 1, "name": "x", "rule": {"limits": [{"column": "a", "low": 2}]}},
		{"id": 2, "name": "y", "rule": {"limits": [{"column": "CD3", "low": 2}]}}]}}`)
	rules := func(more ...string) result {
		return blossom(t, dir, append([]string{"label", "--rules", "r.json"}, more...)...)
	}
	rules("less.csv", "-o", "c.csv", "--each", "population").refused(t, exitFailed, "less.csv", "y", "CD3", "--partial")
	write(t, filepath.Join(dir, "c_x.csv"), "a,CD3\n1,2\n3,4\n") // the name that labels would have
	rules("c_x.csv", "-o", "c.csv", "--each", "population").refused(t, exitFailed, "c_x.csv", "input")
	if got := text(t, filepath.Join(dir, "c_x.csv")); got != "a,CD3\n1,2\n3,4\n" {
		t.Errorf("the data are %q", got)
	}
	for _, file := range []string{"less.csv", "r.json", "c_x.csv"} {
		os.Remove(filepath.Join(dir, file))
	}
	if runtime.GOOS == "linux" { // the disk is full when two of four files are written
		if err := os.Symlink("/dev/full", filepath.Join(dir, "c_x.csv")); err != nil {
			t.Fatal(err)
		}
		session("-o", "c.csv", "--each", "population").refused(t, exitFailed, "full")
		os.Remove(filepath.Join(dir, "c_x.csv"))
	}
	if got := names(t, dir); !slices.Equal(got, before) {
		t.Errorf("there is %q", got)
	}
}

// A table without rows has labels without rows, in every format and file; one without markers has labels, as rules need
// no map.
func TestLabelOfTablesWithLittle(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "empty.csv"), "a,b\n")
	write(t, filepath.Join(dir, "r.json"), `{"blossom": "populations", "version": 1,
		"tree": {"populations": [{"id": 1, "name": "x", "rule": {"limits": [{"column": "a", "low": 2}]}}]}}`)
	for _, out := range []string{"l.csv", "l.fcs", "l.npy"} {
		ok(t, dir, "label", "empty.csv", "--rules", "r.json", "-o", out)
		ok(t, dir, "label", "empty.csv", "--rules", "r.json", "-o", out, "--each", "population", "--key", "key.csv")
	}
	if got := text(t, filepath.Join(dir, "l_x.csv")); got != "a,b,row,population\n" {
		t.Errorf("%q", got)
	}
	if got := text(t, filepath.Join(dir, "l.csv")); got != "population\n" {
		t.Errorf("%q", got)
	}
	for text, want := range map[string]string{"a\n7\n1\n": `x ""`, // none of them is a marker
		"a,kind\n1,u\n2,v\n3,u\n": `"" x x`} {
		write(t, filepath.Join(dir, "few.csv"), text)
		got := strings.Fields(ok(t, dir, "label", "few.csv", "--rules", "r.json", "-o", "-").stdout)
		if strings.Join(got[1:], " ") != want {
			t.Errorf("labels are %q, not %q", got, want)
		}
	}
	write(t, filepath.Join(dir, "texts.csv"), "a,b\nu,v\nw,v\n")
	blossom(t, dir, "label", "texts.csv", "--rules", "r.json", "-o", "-").refused(t, exitFailed, "texts.csv", "numbers")
	keys, events := fcsBytes(t, filepath.Join(dir, "l_x.fcs"))
	if len(events) != 0 || columnOf(keys, "row") != 2 || keys["$TOT"] != "0" {
		t.Errorf("%d events: %v", len(events), keys)
	}
}
