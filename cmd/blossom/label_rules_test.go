package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"blossom/model/clusters/population"
)

// Populations that other data have too are a file of rules, which gives the same labels without the session; what is
// of the session's own points or landmarks is named and left out.
func TestRulesAreAFileOfTheirOwn(t *testing.T) {
	dir := t.TempDir()
	labelled(t, dir)
	said := blossom(t, dir, "label", "--session", "s.blossom", "--write-rules", "r.json")
	if said.code != 0 || !strings.Contains(said.stderr, "left out of them: some, \"odd\", near") {
		t.Fatalf("%d: %s", said.code, said.stderr)
	}
	ok(t, dir, "label", "--session", "s.blossom", "-o", "a.csv", "--all")
	ok(t, dir, "label", "points.csv", "--rules", "r.json", "-o", "b.csv", "--all")
	a, b := read(t, filepath.Join(dir, "a.csv")), read(t, filepath.Join(dir, "b.csv"))
	for _, name := range []string{"high", "x"} {
		from, to := &a.Columns[a.Places()[name]], &b.Columns[b.Places()[name]]
		for row := range 300 {
			if from.Values[row] != to.Values[row] {
				t.Fatalf("%s, row %d: %g by the session and %g by the rules", name, row, from.Values[row],
					to.Values[row])
			}
		}
	}
	if len(b.Columns) != 4 {
		t.Errorf("%d columns", len(b.Columns))
	}
	// They are applied to other data, and say what these have not.
	write(t, filepath.Join(dir, "new.csv"), "a,c\n150,1\n20,2\nx,3\n")
	blossom(t, dir, "label", "new.csv", "--rules", "r.json", "-o", "n.csv").refused(t, 1, "new.csv", "kind",
		"--partial")
	ok(t, dir, "label", "new.csv", "--rules", "r.json", "-o", "n.csv", "--partial", "--all")
	n := read(t, filepath.Join(dir, "n.csv"))
	if v := n.Columns[n.Places()["high"]].Values; len(v) != 3 || v[0] != 1 || v[1] != 0 || v[2] != 0 {
		t.Errorf("high is %v", v)
	}
	for text, want := range map[string]string{"{": "no file of populations",
		`{"blossom":"session"}`:                  "no file of populations",
		`{"blossom":"populations","version":2}`:  "newer program",
		`{"blossom":"populations","version":-1}`: "version -1"} {
		write(t, filepath.Join(dir, "bad.json"), text)
		blossom(t, dir, "label", "points.csv", "--rules", "bad.json", "-o", "n.csv").refused(t, 1, "bad.json", want)
	}
	blossom(t, dir, "label", "points.csv", "--rules", "gone.json", "-o", "n.csv").refused(t, 1, "gone.json")
	if _, err := os.Stat(filepath.Join(dir, "r.json")); err != nil {
		t.Error(err)
	}
}

// No output is written over the file of rules, nor are the files of several.
func TestOutputsAreNotWrittenOverTheRules(t *testing.T) {
	dir := t.TempDir()
	labelled(t, dir)
	blossom(t, dir, "label", "--session", "s.blossom", "--write-rules", "r.json")
	rules, err := os.ReadFile(filepath.Join(dir, "r.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"q.csv", "q_high.csv"} {
		write(t, filepath.Join(dir, name), string(rules))
	}
	for _, args := range [][]string{{"-o", "q.csv"}, {"--counts", "q.csv"}, {"--key", "q.csv"},
		{"--gates", "q.csv"}, {"--write-rules", "q.csv"}} {
		blossom(t, dir, append([]string{"label", "points.csv", "--rules", "q.csv"}, args...)...).refused(t, 1, "q.csv")
	}
	blossom(t, dir, "label", "points.csv", "--rules", "q_high.csv", "-o", "q.csv", "--each", "population").refused(t, 1,
		"q_high.csv")
	for _, name := range []string{"q.csv", "q_high.csv"} {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != string(rules) {
			t.Errorf("%s is %.40q: %v", name, got, err)
		}
	}
	write(t, filepath.Join(dir, "none.json"), `{"blossom":"populations","version":1,"tree":{"populations":[{"id":1,`+
		`"name":"odd","rule":{"future":[]}}]}}`)
	blossom(t, dir, "label", "points.csv", "--rules", "none.json", "-o", "x.csv").refused(t, 1, "none.json", "future")
}

// A file of rules with a population that cannot be read is refused, which --partial goes on without.
func TestBrokenRulesAreRefusedUnlessPartial(t *testing.T) {
	dir := t.TempDir()
	labelled(t, dir)
	one := func(id, parent, limit string) string {
		return `{"id":` + id + `,"parent":` + parent + `,"name":"p` + id + `","rule":` + limit + `}`
	}
	const fine = `{"limits":[{"column":"a","low":3}]}`
	for _, x := range []struct {
		list []string
		want string
		kept int
	}{
		{[]string{one("1", "0", fine), one("2", "0", `{"gate":{"x":{"column":"a","transform":"logicle:1:9"},`+
			`"y":{"column":"b"},"shape":"rectangle","path":[[0,0],[1,1]]}}`), one("3", "2", fine)}, "logicle:1:9", 1},
		{[]string{one("1", "0", fine), one("1", "0", fine)}, "number 1 is taken", 1},
		{[]string{one("3", "0", fine), one("1", "2", fine), one("2", "1", fine)}, "lies in itself", 1},
		{[]string{one("3", "0", fine), one("1", "2", fine), one("2", "0", fine)}, "comes after it", 2},
		{[]string{one("3", "0", fine), one("1", "2", fine)}, "is not there", 1},
	} {
		write(t, filepath.Join(dir, "r.json"), `{"blossom":"populations","version":1,"tree":{"populations":[`+
			strings.Join(x.list, ",")+`]}}`)
		blossom(t, dir, "label", "points.csv", "--rules", "r.json", "-o", "n.csv").refused(t, 1, "r.json", x.want,
			"--partial")
		said := ok(t, dir, "label", "points.csv", "--rules", "r.json", "-o", "n.csv", "--partial", "--all")
		if !strings.Contains(said.stderr, x.want) {
			t.Errorf("%s is not said: %s", x.want, said.stderr)
		}
		if n := len(read(t, filepath.Join(dir, "n.csv")).Columns); n != 2+x.kept {
			t.Errorf("%s: %d columns with %d populations", x.want, n, x.kept)
		}
	}
}

// Gates that lie deeper than populations can are refused with the name of their file.
func TestGatesThatLieTooDeepNameTheirFile(t *testing.T) {
	dir := t.TempDir()
	labelled(t, dir)
	text := `<?xml version="1.0"?><gating:Gating-ML xmlns:gating="http://www.isac-net.org/std/Gating-ML/v2.0/gating"
		xmlns:data-type="http://www.isac-net.org/std/Gating-ML/v2.0/datatypes">`
	for i := range population.Deepest + 2 {
		up := ""
		if i > 0 {
			up = fmt.Sprintf(` gating:parent_id="g%d"`, i-1)
		}
		text += fmt.Sprintf(`<gating:RectangleGate gating:id="g%d"%s><gating:dimension gating:min="0"
			gating:compensation-ref="uncompensated"><data-type:fcs-dimension data-type:name="a"/></gating:dimension>
			</gating:RectangleGate>`, i, up)
	}
	write(t, filepath.Join(dir, "deep.xml"), text+"</gating:Gating-ML>")
	blossom(t, dir, "label", "points.csv", "--rules", "deep.xml", "-o", "n.csv").refused(t, 1, "deep.xml", "deep")
}
