package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"blossom/model/document/session"
	"blossom/ui/desk"
	"blossom/ui/uitest"
)

// The program makes a report of the session as it is, under the name that it has or would have; who cancels it has
// none.
func TestReportFromTheWindow(t *testing.T) {
	program, said := filmer(t, `echo "progress 40 reading" >&2
printf page > "$4"
`)
	a, d := begin(t, 1280, 900, 1, Options{Paths: []string{"demo:cytometry:500"}, Still: true, Program: program,
		Threads: 2})
	opened(t, a, d)
	uitest.Do(func() { window{a}.Command("report").Run() })
	d.Frames(3)
	out := filepath.Join(t.TempDir(), "r.html")
	uitest.Do(func() { a.output.Report(out) })
	d.Wait("the report is written", 60*time.Second, func() bool {
		return exists(out) && len(a.compute.jobs.List()) == 0
	})
	raw, err := os.ReadFile(said)
	if err != nil {
		t.Fatal(err)
	}
	args := strings.Split(strings.TrimSpace(string(raw)), "\n")
	stem, name := "", ""
	uitest.Do(func() { stem, name = a.docs.Stem(), a.compute.engines.Engine().Name() })
	if len(args) != 9 || args[0] != "report" || filepath.Base(args[1]) != stem+".blossom" || args[3] != out ||
		args[4] != "--progress" || strings.Join(args[5:], " ") != "--engine "+name+" --threads 2" {
		t.Errorf("it runs %q", args)
	}
	file, err := os.Open(said + ".blossom")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := session.Read(file, "x.blossom"); err != nil {
		t.Error(err)
	}
	slow, _ := filmer(t, `trap 'exit 130' INT TERM
: > "$0.begun"
while :; do sleep 0.05; done
`)
	other := out + "l.html"
	uitest.Do(func() { a.output.Program = slow; a.output.Report(other) })
	d.Wait("the program runs", 60*time.Second, func() bool { return exists(slow + ".begun") })
	uitest.Do(func() { a.compute.jobs.CancelAll() })
	d.Wait("it is cancelled", 20*time.Second, func() bool { return len(a.compute.jobs.List()) == 0 })
	if exists(other) {
		t.Error("there is a report")
	}
}

// The program makes a page of moments of the session, in the size that is chosen and looking as the window does.
func TestMomentsFromTheWindow(t *testing.T) {
	program, said := filmer(t, `printf page > "$5"
`)
	a, d := begin(t, 900, 700, 1, Options{Paths: []string{"demo:cytometry:500"}, Still: true, Program: program})
	opened(t, a, d)
	out := filepath.Join(t.TempDir(), "m.pdf")
	uitest.Do(func() {
		a.output.Moments(out, desk.Picture{Size: desk.OwnSize, Width: 600, Height: 400, Scale: 1.5, White: true,
			Letters: true}, 4)
	})
	d.Wait("the page is written", 60*time.Second, func() bool {
		return exists(out) && len(a.compute.jobs.List()) == 0
	})
	raw, err := os.ReadFile(said)
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Join(strings.Split(strings.TrimSpace(string(raw)), "\n"), " ")
	for _, want := range []string{"render --session ", "-o " + out + " --progress --moments 4 --one-range", "--letters",
		"--background white", "--size 600x400 --zoom 1.5"} {
		if !strings.Contains(all, want) {
			t.Errorf("%s does not say %s", all, want)
		}
	}
}
