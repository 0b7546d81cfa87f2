package output

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"blossom/model/base/plain"
	"blossom/model/base/problem"
	"blossom/model/data/format"
	"blossom/model/document/parts"
	"blossom/model/document/session"
	"blossom/model/document/state"
	"blossom/model/job"
	"blossom/model/work"
	"blossom/ui/desk"
	"blossom/ui/dialog"
	"blossom/ui/documents"
)

// AskFilm asks what a film is to be of, and where it goes.
func (o *Output) AskFilm() {
	subjects := job.FilmsOf(o.w.Desk().Doc)
	if len(subjects) == 0 {
		o.w.Fail(problem.New("", "wait for the first map, or train landmarks", "there is nothing to film yet"))
		return
	}
	dialog.Film.Show(o.dialogs, dialog.Filmed{Film: o.film, Subjects: subjects, Save: func(f desk.Film) {
		o.film = f
		o.w.Ask(desk.FileQuestion{Title: "Save film", Save: true, Name: o.Documents.Stem() + "_" + f.Of + f.Ending,
			Kind: "Films", Kinds: []string{f.Ending}, Answer: func(path string) { o.Film(path, f) }})
	}})
}

// Film makes a film of what is open, as blossom film does of its session: the program itself does, in a process of its
// own, as a window draws nothing else meanwhile.
func (o *Output) Film(path string, f desk.Film) {
	if o.Documents.IsInput(path) {
		return
	}
	program := o.Program
	if program == "" {
		own, err := os.Executable()
		if err != nil {
			o.w.Fail(problem.Wrap(err, path, "use blossom film", "the program does not know where it is"))
			return
		}
		program = own
	}
	o.WhenFresh(func() {
		d := o.w.Desk()
		d.Stage.Keep()
		d.Map.Keep()
		doc, args := d.Doc.Snapshot(d.Doc.State()), o.filmArgs(d, f)
		o.jobs.Start("Filming "+filepath.Base(path), func(ctx context.Context, at *work.Job) (func(), error) {
			err := filmed(ctx, program, doc, path, args, o.Version, at.Report)
			return func() { o.Documents.Wrote(path) }, err
		})
	})
}

// filmArgs are the flags of blossom film that say what the window shows.
func (o *Output) filmArgs(d *desk.Desk, f desk.Film) []string {
	views := parts.Views.Of(d.Doc.State())
	shown := views.Get(views.Active)
	args := []string{"--of", f.Of, "--seconds", fmt.Sprint(f.Seconds), "--fps", strconv.Itoa(f.Rate), "--size",
		fmt.Sprintf("%dx%d", f.Width, f.Height), "--zoom", fmt.Sprint(f.Scale), "--background",
		o.background(desk.Picture{})}
	for _, flag := range []struct {
		on   bool
		name string
	}{{!shown.Legend, "--no-legend"}, {shown.Landmarks, "--show-landmarks"}, {shown.Landmarks && shown.Names,
		"--show-names"}, {f.NoCaption, "--no-caption"}} {
		if flag.on {
			args = append(args, flag.name)
		}
	}
	for flag, moment := range map[string]string{"--from": f.From, "--to": f.To} {
		if moment != "" {
			args = append(args, flag, moment)
		}
	}
	return args
}

// filmed runs the program on the session of a document, in a folder of its own. The error is a Problem in the words of
// that program, or ctx's.
func filmed(ctx context.Context, program string, doc *state.Document, path string, args []string, version string,
	report func(done, total int64)) error {
	folder, err := os.MkdirTemp("", "blossom-film-")
	if err != nil {
		return problem.Wrap(err, path, "make room, or set TMPDIR to another folder",
			"there is no place for a session beside it (%v)", plain.Reason(err))
	}
	defer os.RemoveAll(folder)
	of := filepath.Join(folder, "window"+session.Extension)
	s, err := documents.Whole(doc, of, "blossom "+version, time.Now())
	if err == nil {
		err = format.AtomicWrite(of, func(w io.Writer) error { return s.Write(w) })
	}
	if err != nil {
		return err
	}
	full, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	run := exec.CommandContext(ctx, program, append([]string{"film", of, "-o", full, "--progress"}, args...)...)
	run.Cancel = func() error { // it takes what it has begun away
		if runtime.GOOS == "windows" {
			return run.Process.Kill()
		}
		return run.Process.Signal(os.Interrupt)
	}
	run.WaitDelay = 3 * time.Second
	said := &told{report: report}
	run.Stderr = said
	err = run.Run()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return problem.Wrap(err, path, "try blossom film with the saved session", "the film could not be made: %s",
			said.last(err))
	}
	return nil
}

// told reads what the program says on its standard error: lines of progress, and what is wrong.
type told struct {
	report func(done, total int64)
	rest   bytes.Buffer
	words  string
}

func (t *told) Write(b []byte) (int, error) {
	t.rest.Write(b)
	for {
		line, more, there := bytes.Cut(t.rest.Bytes(), []byte("\n"))
		if !there {
			return len(b), nil
		}
		t.line(string(line))
		t.rest = *bytes.NewBuffer(bytes.Clone(more))
	}
}

func (t *told) line(text string) {
	words := strings.Fields(text)
	if len(words) >= 3 && words[0] == "progress" {
		if percent, err := strconv.Atoi(words[1]); err == nil && words[2] == "filming" {
			t.report(int64(percent), 100)
		}
		return
	}
	if strings.TrimSpace(text) != "" && !strings.HasPrefix(text, "blossom: note: ") {
		t.words = text
	}
}

// last is the last line that was no progress.
func (t *told) last(err error) string {
	s := bufio.NewScanner(&t.rest)
	for s.Scan() {
		t.line(s.Text())
	}
	if t.words == "" {
		return err.Error()
	}
	return strings.TrimPrefix(t.words, "blossom: ")
}
