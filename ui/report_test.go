package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"blossom/model/document/session"
	"blossom/ui/uitest"
)

// The program makes a report of the session as it is, under the name that it has or would have; who cancels it has
// none.
func TestReportFromTheWindow(t *testing.T) {
	program, said := filmer(t, `echo "progress 40 reading" >&2
printf page > "$4"
`)
	a, d := begin(t, 1280, 900, 1, Options{Paths: []string{"demo:cytometry:500"}, Still: true, Program: program})
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
	stem := ""
	uitest.Do(func() { stem = a.docs.Stem() })
	if len(args) != 5 || args[0] != "report" || filepath.Base(args[1]) != stem+".blossom" || args[3] != out ||
		args[4] != "--progress" {
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
	slow, _ := filmer(t, `trap 'exit 130' INT
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
