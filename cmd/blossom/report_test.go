package main

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"blossom/model/base/problem"
	"blossom/model/clusters/population"
	"blossom/model/data/format"
	"blossom/model/data/sheet"
	"blossom/model/document/opening"
	"blossom/model/document/parts"
	"blossom/model/document/state"
)

// patients writes eight files of two groups of patients, of which the second has more points with a high "CD8", and a
// session of them with populations and a sheet of the samples.
func patients(t *testing.T, dir string) (points, high int) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	var paths []string
	known := sheet.Sheet{}
	known, err := known.Add("group")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 8 {
		text := "CD3,CD8,CD19\n"
		for k := range 200 {
			cd8 := r.NormFloat64()
			if k < 30+40*(i/4)+3*i {
				cd8 += 12
			}
			if cd8 > 6 {
				high++
			}
			text += fmt.Sprintf("%.4f,%.4f,%.4f\n", 3*float64(k%2)+r.NormFloat64()/4, cd8,
				float64(k%3)+r.NormFloat64()/8)
			points++
		}
		name := fmt.Sprintf("patient <%d>.csv", i+1)
		paths = append(paths, write(t, filepath.Join(dir, name), text))
		known = known.Set(strings.TrimSuffix(name, ".csv"), 0, []string{"control", "case"}[i/4])
	}
	o, err := opening.Load(t.Context(), paths, format.Options{Seed: 3}, nil)
	if err != nil {
		t.Fatal(err)
	}
	samples, _ := known.Of(o.Doc.Data)
	if _, in := known.Groups(samples, 0); len(in) != 8 || in[0] < 0 {
		known = sheet.Sheet{}
		known, _ = known.Add("group")
		for i, s := range samples {
			known = known.Set(s, 0, []string{"control", "case"}[i/4])
		}
	}
	var tree population.Tree
	add := func(name string, parent population.ID, l population.Limit) (id population.ID) {
		rule := &population.Limits{Of: []population.Limit{l}}
		if tree, id, err = tree.Add(population.Population{Name: name, Parent: parent, Rule: rule}); err != nil {
			t.Fatal(err)
		}
		return id
	}
	cells := add("CD8+ <cells> & more", 0, population.Limit{Column: "CD8", Low: 6, High: math.Inf(1)})
	add("of those CD3+", cells, population.Limit{Column: "CD3", Low: 1.5, High: math.Inf(1)})
	add("CD8-", 0, population.Limit{Column: "CD8", Low: math.Inf(-1), High: 6})
	o.Doc.Do("Name", func(s *state.State) {
		parts.Populations.Put(s, tree)
		parts.Samples.Put(s, known)
	})
	saveRecipe(t, o.Doc, filepath.Join(dir, "s.blossom"))
	return points, high
}

// A report says what the commands say, carries its job, has the same bytes each time, and is sound HTML.
func TestAReportIsOnePage(t *testing.T) {
	needsGL(t)
	dir := t.TempDir()
	points, high := patients(t, dir)
	ok(t, dir, "report", "s.blossom", "-o", "r.html", "--title", "A <title>")
	ok(t, dir, "report", "s.blossom", "-o", "again.html", "--title", "A <title>")
	page := string(mustRead(t, filepath.Join(dir, "r.html")))
	if to := os.Getenv("BLOSSOM_REPORT"); to != "" { // for whoever wants to look at it
		write(t, to, page)
	}
	if string(mustRead(t, filepath.Join(dir, "again.html"))) != page {
		t.Error("two reports of one session differ")
	}
	for _, want := range []string{
		"A &lt;title&gt;", problem.Grouped(int64(points)) + " points", "patient &lt;3&gt;", "control", "case",
		"By group",
		"CD8&#43; &lt;cells&gt; &amp; more", fmt.Sprintf(`<td class="n">%s</td>`, problem.Grouped(int64(high))),
		"Medians of populations", "blossom report s.blossom -o report.html --title", "data:image/png;base64,",
		"neighbours k",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("it does not say %q", want)
		}
	}
	for _, not := range []string{"<script", "http://", "https://", "ZgotmplZ"} {
		if strings.Contains(page, not) {
			t.Errorf("it has %s", not)
		}
	}
	if n := strings.Count(page, "<img "); n != 2 {
		t.Errorf("it has %d pictures", n)
	}
	d := xml.NewDecoder(strings.NewReader(page))
	d.Strict, d.AutoClose, d.Entity = false, []string{"meta", "img"}, xml.HTMLEntity
	for {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatalf("its tags do not fit: %v", err)
		}
	}
	text := ok(t, dir, "job", "--from", "r.html").stdout
	ok(t, dir, "job", write(t, filepath.Join(dir, "job.json"), text))
	if !bytes.Equal(mustRead(t, filepath.Join(dir, "report.html")), []byte(page)) {
		t.Error("the job that it carries makes another page")
	}
	blossom(t, dir, "report", "s.blossom", "-o", "r.txt").refused(t, exitUsage, "r.txt", ".html")
	blossom(t, dir, "report", "patient <1>.csv", "-o", "x.html").refused(t, 1, "patient <1>.csv", "is no session")
	blossom(t, dir, "report", "gone.blossom", "-o", "x.html").refused(t, 1, "gone.blossom")
}

// A real browser lays the page out as it is meant, without asking anybody for anything.
func TestABrowserOpensAReport(t *testing.T) {
	if os.Getenv("BLOSSOM_LONG") == "" {
		t.Skip("a browser takes long: BLOSSOM_LONG=1, with Debian's chromium")
	}
	browser, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("there is no chromium here")
	}
	needsGL(t)
	dir := t.TempDir()
	patients(t, dir)
	ok(t, dir, "report", "s.blossom", "-o", "r.html")
	c := exec.Command(browser, "--headless", "--no-sandbox", "--disable-gpu",
		"--user-data-dir="+filepath.Join(dir, "profile"), "--dump-dom", "file://"+filepath.Join(dir, "r.html"))
	c.WaitDelay = time.Minute
	dom, err := c.Output()
	if err != nil {
		t.Fatalf("%v", err)
	}
	for _, want := range []string{"CD8+ &lt;cells&gt; &amp; more", "<h2>Frequencies</h2>", "linear-gradient"} {
		if !strings.Contains(string(dom), want) {
			t.Errorf("the browser does not have %q", want)
		}
	}
}

// The page says nothing of where its session lies: the window makes it of a session in a folder of its own.
func TestAReportIsTheSameWhereverItsSessionLies(t *testing.T) {
	needsGL(t)
	dir, other := t.TempDir(), t.TempDir()
	patients(t, dir)
	ok(t, dir, "report", "s.blossom", "-o", "r.html")
	moved := filepath.Join(other, "s.blossom")
	o, err := opening.LoadSession(t.Context(), filepath.Join(dir, "s.blossom"), "", "", format.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	saveRecipe(t, o.Doc, moved)
	r := ok(t, other, "report", moved, "-o", "r.html", "--progress")
	if !bytes.Equal(mustRead(t, filepath.Join(dir, "r.html")), mustRead(t, filepath.Join(other, "r.html"))) {
		t.Error("they differ")
	}
	if !strings.Contains(r.stderr, "progress 100 ") {
		t.Errorf("it does not say how far it is: %q", r.stderr)
	}
}
