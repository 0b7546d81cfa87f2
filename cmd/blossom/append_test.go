package main

import (
	le "encoding/binary"
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
)

// formats is the folder of inputs of the specification; the test is skipped where it is not.
func formats(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(filepath.Dir(os.Getenv("BLOSSOM_TESTDATA")), "formats")
	if _, err := os.Stat(filepath.Join(dir, "expected.json")); err != nil {
		t.Skip("set BLOSSOM_TESTDATA to the folder of test data that formats lies beside")
	}
	return dir
}

// channelsOf reads the events of an FCS file of 16-bit whole numbers, as a FACSCalibur writes it: keywords, and a list
// of the channels of each event.
func channelsOf(t *testing.T, path string) (keys map[string]string, events [][]uint16) {
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
	words := strings.Split(segment[1:], segment[:1])
	keys = map[string]string{}
	for i := 0; i+1 < len(words); i += 2 {
		value := []rune{} // it is Latin-1
		for _, b := range []byte(words[i+1]) {
			value = append(value, rune(b))
		}
		keys[strings.TrimSpace(words[i])] = string(value)
	}
	rows, _ := strconv.Atoi(strings.TrimSpace(keys["$TOT"]))
	columns, _ := strconv.Atoi(strings.TrimSpace(keys["$PAR"]))
	if keys["$DATATYPE"] != "I" || keys["$BYTEORD"] != "4,3,2,1" || keys["$P1B"] != "16" || rows == 0 {
		t.Fatalf("%s %s %s %d", keys["$DATATYPE"], keys["$BYTEORD"], keys["$P1B"], rows)
	}
	data := []byte(file[at(26):])
	for row := range rows {
		event := make([]uint16, columns)
		for c := range event {
			event[c] = le.BigEndian.Uint16(data[2*(row*columns+c):])
		}
		events = append(events, event)
	}
	return keys, events
}

// Two files of a cytometer are one map, and each comes back as it was, with what was found after its channels.
func TestAppendGivesEachFileOfACytometerBackWithItsPlaces(t *testing.T) {
	fcs := filepath.Join(formats(t), "fcs")
	inputs := []string{filepath.Join(fcs, "060909.001"), filepath.Join(fcs, "060909.003")}
	dir := t.TempDir()
	run := func(more ...string) result {
		return ok(t, dir, append(append([]string{"embed"}, inputs...), more...)...)
	}
	said := run("--append", "--split", "-o", filepath.Join("new", "out")).stderr
	run("-o", "map.csv", "--derived", "nearest")
	want, row := read(t, filepath.Join(dir, "map.csv")), 0
	for _, input := range inputs {
		base := filepath.Base(input)
		keys, events := fcsBytes(t, filepath.Join(dir, "new", "out", base+"_blossom.fcs"))
		own, before := channelsOf(t, input)
		if len(events) != len(before) || len(before) < 5000 {
			t.Fatalf("%s has %d events of %d", base, len(events), len(before))
		}
		n := len(before[0])
		for k, v := range own {
			written := strings.HasPrefix(k, "$BEGIN") || strings.HasPrefix(k, "$END") || slices.Contains(
				[]string{"$BYTEORD", "$DATATYPE", "$PAR", "$MODE", "$NEXTDATA"}, k) || strings.HasPrefix(k, "$P") &&
				(strings.HasSuffix(k, "B") || strings.HasSuffix(k, "E"))
			if !written && strings.TrimSpace(keys[k]) != strings.TrimSpace(v) {
				t.Errorf("%s: %s is %q and was %q", base, k, keys[k], v)
			}
		}
		names := []string{"embedsom1", "embedsom2", "nearest landmark"}
		for i, name := range names {
			if keys[fmt.Sprintf("$P%dN", n+i+1)] != name || keys[fmt.Sprintf("$P%dE", n+i+1)] != "0,0" {
				t.Fatalf("%s: channel %d is %q", base, n+i+1, keys[fmt.Sprintf("$P%dN", n+i+1)])
			}
		}
		if keys["$PAR"] != strconv.Itoa(n+3) {
			t.Errorf("%s has %s channels", base, keys["$PAR"])
		}
		shift := strings.Split(keys["BLOSSOM_COORDINATES_OFFSET"], ",")
		for i, e := range events {
			for c := range n {
				if math.Float32bits(e[c]) != math.Float32bits(float32(before[i][c])) {
					t.Fatalf("%s: channel %d of event %d is %g and was %d", base, c+1, i, e[c], before[i][c])
				}
			}
			for axis := range 2 {
				by, _ := strconv.ParseFloat(shift[axis], 64)
				top, _ := strconv.ParseFloat(keys[fmt.Sprintf("$P%dR", n+axis+1)], 64)
				x := want.Columns[axis].At(row)
				if e[n+axis] != float32(x+by) || e[n+axis] < 0 || float64(e[n+axis]) >= top {
					t.Fatalf("%s: event %d is at %g, and %g moved by %g was wanted below %g", base, i, e[n+axis], x, by,
						top)
				}
			}
			near := &want.Columns[2]
			if e[n+2] != float32(near.At(row)) {
				t.Fatalf("%s: the landmark of event %d is %g, not %g", base, i, e[n+2], near.At(row))
			}
			row++
		}
		if !strings.Contains(said, base+"_blossom.fcs") {
			t.Errorf("nothing is said of %s: %s", base, said)
		}
		back := read(t, filepath.Join(dir, "new", "out", base+"_blossom.fcs"))
		as := read(t, input)
		for c := range as.Columns {
			a, b := &as.Columns[c], &back.Columns[c]
			if a.Name != b.Name || a.Label != b.Label || a.Range != b.Range || (a.Log == nil) != (b.Log == nil) ||
				!slices.Equal(a.Values, b.Values) {
				t.Errorf("%s: %s is read as %s", base, a.Title(), b.Title())
			}
		}
	}
	if row != want.Points {
		t.Errorf("%d rows of %d", row, want.Points)
	}
}

// panelled are two files of one panel: the second has its columns in another order, under names of its own, one that
// the first has not, and another matrix.
func panelled(t *testing.T, dir string) {
	t.Helper()
	for i, name := range []string{"one.fcs", "two.fcs"} {
		columns := []dataset.Column{{Name: "FL1-A", Label: "CD3", Range: 1000}, {Name: "FL2-A", Label: "CD4",
			Range: 1000},
			{Name: "FL3-A", Label: "CD8", Range: 1000}}
		if i == 1 {
			columns = []dataset.Column{{Name: "APC-A", Label: "CD8", Range: 5000}, {Name: "only", Label: "extra"},
				{Name: "FITC-A", Label: "CD3", Range: 5000}, {Name: "PE-A", Label: "CD4", Range: 5000}}
		}
		for row := range 60 + 20*i {
			for c := range columns {
				columns[c].Values = append(columns[c].Values, float32((row*(c+3)*7919+i*31)%997)/8)
			}
		}
		ds, err := dataset.FromColumns(t.Context(), name, columns)
		if err != nil {
			t.Fatal(err)
		}
		ds.Metadata = map[string]string{"$CYT": name, "ONLY " + name: "1"}
		ds.Spillover = &dataset.Spillover{Names: []string{columns[0].Name, columns[2].Name},
			M: [][]float64{{1, 0.125 + float64(i)/4}, {0, 1}}}
		if err := format.Save(t.Context(), filepath.Join(dir, name), ds, nil); err != nil {
			t.Fatal(err)
		}
	}
}

// Columns of a sheet and of gates are in the file of each input as in the one of all.
func TestSplitKeepsSheetsAndGates(t *testing.T) {
	dir := t.TempDir()
	in := stained(t, dir)
	write(t, filepath.Join(dir, "g.xml"), `<Gating-ML><RectangleGate id="G1"><dimension min="5" `+
		`compensation-ref="uncompensated"><fcs-dimension name="FL1-H"/></dimension></RectangleGate></Gating-ML>`)
	run := func(more ...string) {
		ok(t, dir, append(slices.Concat([]string{"embed"}, in, []string{"--samples", "samples.csv", "--gates", "g.xml",
			"--gates-all", "--som", "4x4", "--append"}), more...)...)
	}
	run("-o", "all.csv")
	run("--split", "-o", "out")
	all := lines(t, filepath.Join(dir, "all.csv"))
	head := strings.Split(all[0], ",")
	at := slices.Index(head, "file")
	if at < 0 || !slices.Equal(head[at+1:at+5], []string{"gate", "G1", "condition", "age"}) {
		t.Fatalf("all in one begin with %s", all[0])
	}
	var rows []string
	for i, line := range all { // without the column of files, which says where rows are
		cells := slices.Delete(strings.Split(line, ","), at, at+1)
		if all[i] = strings.Join(cells, ","); i > 0 {
			rows = append(rows, all[i])
		}
	}
	var parted []string
	for _, name := range []string{"a", "b"} {
		of := lines(t, filepath.Join(dir, "out", name+"_blossom.csv"))
		if of[0] != all[0] {
			t.Errorf("%s begins with %s, all with %s", name, of[0], all[0])
		}
		parted = append(parted, of[1:]...)
	}
	if !slices.Equal(parted, rows) {
		t.Errorf("%d rows are not the %d of all in one: %q, %q", len(parted), len(rows), parted[:1], rows[:1])
	}
}

// Files whose columns were matched are as they were: their own columns, names, order, keywords and matrix.
func TestSplitTakesMatchingBack(t *testing.T) {
	dir := t.TempDir()
	panelled(t, dir)
	for _, command := range [][]string{{"embed", "--som", "5x5"}, {"tsne", "--units", "20"}, {"umap", "--epochs",
		"10"}} {
		out := "by " + command[0]
		ok(t, dir, append(command, "one.fcs", "two.fcs", "--append", "--split", "--compensation", "none", "-o", out)...)
		for _, name := range []string{"one", "two"} {
			keys, events := fcsBytes(t, filepath.Join(dir, out, name+"_blossom.fcs"))
			own, before := fcsBytes(t, filepath.Join(dir, name+".fcs"))
			if len(events) != len(before) {
				t.Fatalf("%d events of %d", len(events), len(before))
			}
			for row, e := range before {
				if !slices.Equal(events[row][:len(e)], e) {
					t.Fatalf("%s: event %d is %v and was %v", name, row, events[row], e)
				}
			}
			for k, v := range own {
				if !strings.HasPrefix(k, "$BEGIN") && !strings.HasPrefix(k, "$END") && k != "$PAR" && keys[k] != v {
					t.Errorf("%s by %s: %s is %q and was %q", name, command[0], k, keys[k], v)
				}
			}
			if at := columnOf(keys, command[0]+"1"); command[0] != "embed" && at != len(before[0]) ||
				command[0] == "embed" && columnOf(keys, "nearest landmark") != len(before[0])+2 {
				t.Errorf("%s by %s has %v", name, command[0], keys)
			}
			if columnOf(keys, "file") >= 0 || (columnOf(keys, "only") >= 0) != (name == "two") {
				t.Errorf("%s has a column of others", name)
			}
		}
	}
}

// Coordinates, landmarks and populations of a session are appended to its data in this order, and the data stay as they
// are.
func TestAppendHasThePopulationsOfASession(t *testing.T) {
	dir := t.TempDir()
	labelled(t, dir)
	ok(t, dir, "embed", "--session", "s.blossom", "--append", "-o", "all.csv")
	ok(t, dir, "label", "--session", "s.blossom", "--append", "-o", "labels.csv")
	all := text(t, filepath.Join(dir, "all.csv"))
	if all != text(t, filepath.Join(dir, "labels.csv")) {
		t.Error("label appends otherwise")
	}
	lines := strings.Split(strings.TrimSpace(all), "\n")
	if lines[0] != "a,b,kind,embedsom1,embedsom2,nearest landmark,population" || len(lines) != 301 {
		t.Fatalf("%d lines of %s", len(lines), lines[0])
	}
	ok(t, dir, "label", "--session", "s.blossom", "-o", "l.csv")
	ok(t, dir, "embed", "--session", "s.blossom", "-o", "map.csv")
	data := strings.Split(text(t, filepath.Join(dir, "points.csv")), "\n")
	labels := strings.Split(text(t, filepath.Join(dir, "l.csv")), "\n")
	places := strings.Split(text(t, filepath.Join(dir, "map.csv")), "\n")
	if labels[0] != "a,population" {
		t.Errorf("labels begin with %q", labels[0])
	}
	for i := 1; i <= 300; i++ {
		_, label, _ := strings.Cut(labels[i], ",")
		if !strings.HasPrefix(lines[i], data[i]+","+places[i]+",") || !strings.HasSuffix(lines[i], ","+label) {
			t.Fatalf("row %d is %q of %q, %q and %q", i, lines[i], data[i], places[i], label)
		}
	}
	ok(t, dir, "embed", "--session", "s.blossom", "--append", "-o", "all.fcs")
	keys, events := fcsBytes(t, filepath.Join(dir, "all.fcs"))
	at := columnOf(keys, "population")
	if !strings.Contains(keys[fmt.Sprintf("BLOSSOM P%d LABELS", at+1)], `{"number":1,"name":"high"}`) ||
		!strings.Contains(keys["BLOSSOM_POPULATIONS"], "high") {
		t.Errorf("names of populations: %v", keys)
	}
	for i, e := range events {
		if _, label, _ := strings.Cut(labels[i+1], ","); (e[at] == 1) != (label == "high") ||
			(e[at] == 0) != (label == "") {
			t.Fatalf("row %d is %g, and %q was wanted", i, e[at], label)
		}
	}
}

// A file of each input is all of it or nothing, and never one of the inputs.
func TestSplitRefusesWhatCannotBe(t *testing.T) {
	dir := t.TempDir()
	panelled(t, dir)
	write(t, filepath.Join(dir, "file"), "x")
	embed := func(more ...string) result {
		return blossom(t, dir, append([]string{"embed", "one.fcs", "two.fcs", "--som", "4x4"}, more...)...)
	}
	before := names(t, dir)
	embed("--split", "-o", "out/", "--max-points", "10").refused(t, exitUsage, "--split", "--max-points")
	embed("--split", "-o", "-").refused(t, exitUsage, "folder")
	embed("--split", "-o", "x.fcs").refused(t, exitUsage, "x.fcs", "folder")
	embed("--split", "-o", "file").refused(t, exitFailed, "file", "is a file")
	embed("--split", "-o", filepath.Join("file", "in")).refused(t, exitFailed, "is a file")
	embed("-o", "out/").refused(t, exitUsage, "out/", "--split")
	embed("--append", "--values", "map", "-o", "x.csv").refused(t, exitUsage, "--append")
	embed("--append", "-o", "one.fcs").refused(t, exitFailed, "one.fcs", "input")
	if got := names(t, dir); !slices.Equal(got, before) {
		t.Errorf("there is %q", got)
	}
	if err := os.Rename(filepath.Join(dir, "two.fcs"), filepath.Join(dir, "one_blossom.fcs")); err != nil {
		t.Fatal(err)
	}
	was, before := text(t, filepath.Join(dir, "one_blossom.fcs")), names(t, dir)
	again := func(more ...string) result {
		return blossom(t, dir, append([]string{"embed", "one.fcs", "one_blossom.fcs", "--som", "4x4"}, more...)...)
	}
	again("--append", "--split", "-o", ".").refused(t, exitFailed, "one_blossom.fcs", "input")
	if runtime.GOOS == "linux" { // the disk is full when the second file is written
		full := filepath.Join(dir, "full")
		if err := os.Mkdir(full, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink("/dev/full", filepath.Join(full, "one_blossom_blossom.fcs")); err != nil {
			t.Fatal(err)
		}
		again("--append", "--split", "-o", "full").refused(t, exitFailed, "full")
		if got := names(t, full); len(got) != 1 {
			t.Errorf("there is %q", got)
		}
		os.RemoveAll(full)
	}
	if got := names(t, dir); !slices.Equal(got, before) || text(t, filepath.Join(dir, "one_blossom.fcs")) != was {
		t.Errorf("there is %q", got)
	}
}

// A job says where files go as the command does, from its own folder, and writes the same bytes.
func TestAJobSplitsAsTheCommand(t *testing.T) {
	dir := t.TempDir()
	panelled(t, dir)
	args := []string{"embed", "one.fcs", "two.fcs", "--som", "4x4", "--append", "--split", "-o", "out"}
	ok(t, dir, args...)
	want := text(t, filepath.Join(dir, "out", "two_blossom.fcs"))
	write(t, filepath.Join(dir, "j.json"), ok(t, dir, append(args, "--print-job")...).stdout)
	os.RemoveAll(filepath.Join(dir, "out"))
	ok(t, t.TempDir(), "job", filepath.Join(dir, "j.json"))
	if got := text(t, filepath.Join(dir, "out", "two_blossom.fcs")); got != want {
		t.Errorf("%d bytes, the command writes %d", len(got), len(want))
	}
}
