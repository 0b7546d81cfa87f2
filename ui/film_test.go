package ui

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"blossom/model/document/parts"
	"blossom/model/document/session"
	"blossom/model/document/state"
	"blossom/ui/desk"
	"blossom/ui/dialog"
	"blossom/ui/uitest"
)

// filmer is a program that takes the arguments of blossom film down, and does what the rest says.
func filmer(t *testing.T, rest string) (program, said string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("it is a script of the shell")
	}
	dir := t.TempDir()
	program, said = filepath.Join(dir, "blossom"), filepath.Join(dir, "said")
	script := "#!/bin/sh\nprintf '%s\\n' \"$@\" > '" + said + "'\ncp \"$2\" '" + said + ".blossom'\n" + rest
	if err := os.WriteFile(program, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return program, said
}

// The dialog offers what the document can have films of, and the program makes the one that is asked for of the session
// with its history.
func TestFilmFromTheWindow(t *testing.T) {
	program, said := filmer(t, `echo "progress 40 filming" >&2
printf film > "$4"
`)
	a, d := begin(t, 1280, 900, 1, Options{Paths: []string{"demo:cytometry:1500"}, Still: true, Program: program})
	opened(t, a, d)
	uitest.Do(func() {
		l, err := parts.Landmarks.Of(a.desk.Doc.State()).Move([]int{3}, []float32{2, 2})
		if err == nil {
			a.desk.Doc.Do("Move a landmark", func(s *state.State) { parts.Landmarks.Put(s, l.Arranged()) })
		}
	})
	d.Frames(3)
	uitest.Do(func() { window{a}.Command("film").Run() })
	d.Frames(3)
	var ids []string
	var asked *dialog.Filming
	uitest.Do(func() {
		if asked, _ = a.dialogs.Open("film").(*dialog.Filming); asked != nil {
			for _, s := range asked.Subjects {
				ids = append(ids, s.ID)
			}
			asked.Kind = 0
		}
	})
	if got := strings.Join(ids, " "); got != "blend drag history tsne umap training" {
		t.Fatalf("it offers %q", got)
	}
	d.Shoot("film")
	uitest.Do(a.toggleTheme)
	d.Frames(2)
	d.Shoot("film-dark")
	out := filepath.Join(t.TempDir(), "x.avi")
	var f desk.Film
	uitest.Do(func() {
		asked.Save = func(of desk.Film) { f = of }
	})
	d.ClickOn("film-file")
	d.Frames(2)
	if f.Of != "history" || f.Ending != ".avi" || f.Width != 1280 {
		t.Fatalf("it asks for %+v", f)
	}
	f.Of, f.From, f.To, f.View = "blend", "1", "2", true
	uitest.Do(func() { a.output.Film(out, f) })
	d.Wait("the film is written", 60*time.Second, func() bool { return exists(out) && len(a.compute.jobs.List()) == 0 })
	raw, err := os.ReadFile(said)
	if err != nil {
		t.Fatal(err)
	}
	args := strings.Split(strings.TrimSpace(string(raw)), "\n")
	all := strings.Join(args, " ")
	for _, want := range []string{"-o " + out, "--of blend", "--from 1", "--to 2", "--view 1",
		"--seconds 8", "--size 1280x960",
		"--background dark", "--progress"} {
		if !strings.Contains(all, want) {
			t.Errorf("%s does not say %s", all, want)
		}
	}
	if _, err := os.Stat(filepath.Dir(args[1])); !os.IsNotExist(err) {
		t.Errorf("the folder of the session is still there (%v)", err)
	}
	file, err := os.Open(said + ".blossom")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	s, err := session.Read(file, "window.blossom")
	if err != nil || s.History == nil || len(s.History.Entries) != 2 {
		t.Fatalf("the session has no history of two moments (%v)", err)
	}
}

func TestAFilmThatFailsOrIsCancelled(t *testing.T) {
	program, _ := filmer(t, `echo "blossom: x.mp4: ffmpeg has failed: no codec: look whether it runs" >&2
exit 1
`)
	a, d := begin(t, 900, 700, 1, Options{Paths: []string{"demo:cytometry:500"}, Still: true, Program: program})
	opened(t, a, d)
	out := filepath.Join(t.TempDir(), "x.mp4")
	f := desk.Film{Of: "training", Seconds: 1, Rate: 10, Width: 64, Height: 48, Scale: 1}
	uitest.Do(func() { a.output.Film(out, f) })
	d.Wait("the failure is told", 60*time.Second, func() bool { return a.dialogs.Any() })
	uitest.Do(func() { a.dialogs.Close("problem") })
	slow, said := filmer(t, `trap 'echo gone > "$0.gone"; exit 130' INT TERM
: > "$0.begun"
while :; do sleep 0.05; done
`)
	uitest.Do(func() { a.output.Program = slow; a.output.Film(out, f) })
	d.Wait("the program runs", 60*time.Second, func() bool { return exists(slow + ".begun") })
	began := time.Now()
	uitest.Do(func() { a.compute.jobs.CancelAll() })
	d.Wait("it is cancelled", 20*time.Second, func() bool {
		return exists(slow+".gone") && len(a.compute.jobs.List()) == 0
	})
	t.Logf("cancelled after %v", time.Since(began))
	raw, err := os.ReadFile(said)
	if err != nil {
		t.Fatal(err)
	}
	if folder := filepath.Dir(strings.Split(string(raw), "\n")[1]); exists(folder) {
		t.Errorf("%s is still there", folder)
	}
	if exists(out) {
		t.Error("there is a film")
	}
}
