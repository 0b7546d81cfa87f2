package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"blossom/model/base/problem"
	"blossom/model/data/format"
	"blossom/model/document/opening"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/job"
	"blossom/model/job/page"
	"blossom/model/scale"
)

// countedInAllRows counts the populations of a session in all rows of its folder, as the window does, and returns how
// many rows have each that was.
func countedInAllRows(t *testing.T, dir, session string) (rows []int64) {
	t.Helper()
	o, err := opening.LoadSession(t.Context(), filepath.Join(dir, session), "", "", format.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	asked, err := scale.AskedBy(o.Doc, o.Table, session, signature())
	if err != nil {
		t.Fatal(err)
	}
	w, err := scale.WholeOf(scale.SampleIn(filepath.Join(dir, "out")))
	if err != nil {
		t.Fatal(err)
	}
	p, err := w.Count(t.Context(), asked, signature(), func(string) {}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range p.Shards { // here, as the program may have a revision that this test has not
		if _, err := p.Make(t.Context(), i, job.Options{Program: signature()}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := p.Finish(t.Context(), false, nil); err != nil {
		t.Fatal(err)
	}
	c, err := w.Counted()
	if err != nil || c == nil {
		t.Fatal(c, err)
	}
	return c.Points
}

// populationsOf is the table of populations of a report.
func populationsOf(t *testing.T, path string) string {
	t.Helper()
	_, table, _ := strings.Cut(text(t, path), "<h2>Populations</h2>")
	table, _, _ = strings.Cut(table, "</section>")
	return table
}

// A report of the sample of a folder says what it is a sample of, and that its counts are of it. Once populations were
// counted in all rows it has those counts, of the populations that are as they were then, and of these alone.
func TestAReportOfASampleSaysWhatItsCountsAreOf(t *testing.T) {
	needsGL(t)
	dir, doc := calledFolder(t, true)
	const sample = "a sample of 200 of 587 rows"
	cells := func(n, of, above int64) string {
		return fmt.Sprintf(`<td class="n">%s</td><td class="n">%s</td><td class="n">%s</td>`, problem.Grouped(n),
			page.Percent(float64(n)/float64(of)), page.Percent(float64(n)/float64(above)))
	}
	high := 0
	for _, v := range doc.Data.Columns[1].Values {
		if float64(v) >= doc.Data.Columns[1].Stats.Mean {
			high++
		}
	}
	said := ok(t, dir, "report", "s.blossom", "-o", "r.html").stderr
	table := populationsOf(t, filepath.Join(dir, "r.html"))
	for _, want := range []string{"Counts are of " + sample + "<", ">of the sample<", cells(int64(high), 200, 200)} {
		if !strings.Contains(table, want) {
			t.Errorf("its populations do not say %q:\n%s", want, table)
		}
	}
	heading := func() bool { return strings.Contains(text(t, filepath.Join(dir, "r.html")), ", "+sample+"</p>") }
	if !strings.Contains(said, sample) || !heading() {
		t.Errorf("the heading does not say %q, or the command: %s", sample, said)
	}

	rows := countedInAllRows(t, dir, "s.blossom")
	doc.Do("Carry", func(s *state.State) { // another landmark is among those of "near", which was not counted so
		near := parts.Populations.Of(*s).All()[2].ID
		parts.Landmarks.Put(s, parts.Landmarks.Of(*s).Carry([]int{10}, int32(near)))
	})
	saveRecipe(t, doc, filepath.Join(dir, "s.blossom"))
	said = ok(t, dir, "report", "s.blossom", "-o", "r.html").stderr
	table = populationsOf(t, filepath.Join(dir, "r.html"))
	for _, want := range []string{"Counts are of all 587 rows", ">of all 587 rows<", cells(rows[0], 587, 587),
		cells(rows[1], 587, rows[0]), "not counted in all rows; 1 of the sample"} {
		if !strings.Contains(table, want) {
			t.Errorf("counted, its populations do not say %q:\n%s", want, table)
		}
	}
	if strings.Count(table, "not counted in all rows") != 2 {
		t.Errorf("a population that is another now has the count that it had:\n%s", table)
	}
	if rows[0] <= int64(high) || strings.Contains(said, "a sample of") || !heading() {
		t.Errorf("%d rows of %d; it says %s", rows[0], high, said)
	}
}

// Labels and counts of the rows of a sample say that there are more rows, and which command calls those, which works.
func TestLabelsOfASampleSayThatTheyAre(t *testing.T) {
	dir, _ := calledFolder(t, false)
	said := ok(t, dir, "label", "--session", "s.blossom", "--counts", "c.csv").stderr
	const sample = "note: rows and counts are of a sample of 200 of 587 rows; "
	_, remedy, noted := strings.Cut(said, sample)
	if !noted || strings.Count(said, "note") != 1 {
		t.Fatalf("it says %q", said)
	}
	_, remedy, _ = strings.Cut(strings.TrimSpace(remedy), "blossom ")
	ok(t, dir, strings.Fields(remedy)...)
	sum := 0
	table := text(t, filepath.Join(dir, "LABELS", scale.CalledFile))
	for _, line := range strings.Split(strings.TrimSpace(table), "\n") {
		if cell := strings.Split(line, ","); cell[0] != "number" {
			n, err := strconv.Atoi(cell[4])
			if err != nil {
				t.Fatal(err)
			}
			sum += n
		}
	}
	if sum != 587 {
		t.Errorf("%q calls %d rows", remedy, sum)
	}
	if said := ok(t, dir, "label", "out", "--session", "s.blossom", "-o", "labels/").stderr; strings.Contains(said,
		"a sample of") {
		t.Errorf("of all rows it says %q", said)
	}
	if err := os.WriteFile(filepath.Join(dir, "out", "manifest.json"), []byte("{"), 0o666); err != nil {
		t.Fatal(err)
	}
	said = ok(t, dir, "label", "--session", "s.blossom", "--counts", "c.csv").stderr
	if !strings.Contains(said, "note: counts of all rows are not told: ") || !strings.Contains(said, "manifest.json") {
		t.Errorf("of a folder that is damaged it says %q", said)
	}
}
